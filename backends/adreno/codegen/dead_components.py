"""Dead code by components: what nobody reads is not written, before registers are given out.

In: machine code on virtual registers.  Out: definitions of the components that something needed reads; instructions
that then do nothing are gone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import reduce
from heapq import heappop, heappush
from operator import or_

from backends.adreno.codegen.fixup import accesses
from compiler.codegen.machine import MachineFunction, MachineInstruction, VirtualRegister
from compiler.codegen.step import step

#: Register -> the components that something reads, as a set of bits.
_Read = dict[VirtualRegister, int]


@step("drop unread components")
def drop_unread(function: MachineFunction) -> None:
    """Shrink definitions to the components that something needed reads; drop what then does nothing."""
    writers, _ = accesses(function)
    read: _Read = defaultdict(int)
    needed: set[MachineInstruction] = set()
    instructions = list(function.instructions())
    number = {instruction: index for index, instruction in enumerate(instructions)}
    #: Their numbers, negated: from the end backwards, readers come before what they read.
    pending = sorted(-number[i] for i in instructions if i.op.effect or _is_export(i))
    waiting = set(pending)
    while pending:
        negated = heappop(pending)
        waiting.discard(negated)
        instruction = instructions[-negated]
        needed.add(instruction)
        for register, lanes in _reads(instruction, read):
            fresh = lanes & ~read[register]
            if not fresh:
                continue
            read[register] |= fresh
            for writer in writers[register]:
                if -number[writer] not in waiting and _writes(writer, register, fresh):
                    waiting.add(-number[writer])
                    heappush(pending, -number[writer])
    for block in function.blocks:
        block.instructions = [instruction for instruction in block.instructions if instruction in needed]
        for instruction in block.instructions:
            _shrink(instruction, read)


def _is_export(instruction: MachineInstruction) -> bool:
    return any(not isinstance(definition.register, VirtualRegister) for definition in instruction.defs)


def _writes(instruction: MachineInstruction, register: VirtualRegister, components: int) -> bool:
    """Whether an instruction writes one of some components."""
    definitions = [definition for definition in instruction.defs if definition.register is register]
    return any(components >> lane & 1 for definition in definitions for lane in definition.lanes)


def _kept_lanes(instruction: MachineInstruction, read: _Read) -> list[int]:
    """The lanes of the result that count, by their numbers."""
    if not instruction.defs:
        return []
    (definition,) = instruction.defs
    if not isinstance(definition.register, VirtualRegister):
        return list(range(len(definition.lanes)))
    components = read[definition.register]
    return [number for number, lane in enumerate(definition.lanes) if components >> lane & 1]


def _reads(instruction: MachineInstruction, read: _Read) -> Iterable[tuple[VirtualRegister, int]]:
    """The components that an instruction needs for the lanes of its result that count."""
    kept = _kept_lanes(instruction, read)
    for mode, use in zip(instruction.op.sources, instruction.uses, strict=True):
        if isinstance(use.register, VirtualRegister):
            lanes = [use.lanes[number] for number in kept] if mode == "each" else use.lanes
            yield use.register, reduce(or_, [1 << lane for lane in lanes if lane is not None], 0)
        if use.relative is not None and isinstance(use.relative.register, VirtualRegister):
            yield use.relative.register, 1


def _shrink(instruction: MachineInstruction, read: _Read) -> None:
    if not instruction.defs:
        return
    kept = _kept_lanes(instruction, read)
    definition = instruction.defs[0]
    if len(kept) == len(definition.lanes):
        return
    definition.lanes = tuple(definition.lanes[number] for number in kept)
    for mode, use in zip(instruction.op.sources, instruction.uses, strict=True):
        if mode == "each":
            use.lanes = tuple(use.lanes[number] for number in kept)
