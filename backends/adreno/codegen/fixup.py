"""Small repairs and savings between selection and allocation, all on machine code with virtual registers.

`fix_constants`: constants have a sign but no absolute value.  `fold_limits`: what computes a number limits it to
0...1 itself.  `drop_unread`: components that nobody reads are not written.  `fetch_first`: all vertex fetches stand at
the start.  `position_first`: the last block computes and exports the position before the parameters, so that
exports of one buffer stand together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import reduce
from heapq import heappop, heappush
from operator import or_

from backends.adreno.codegen.machine_ops import CHANGE, FETCHES, VECTOR, VERTEX
from backends.adreno.codegen.register_files import EXPORT, GENERAL, POSITION
from compiler.codegen.machine import (
    Def,
    Literal32,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Uniform,
    Use,
    VirtualRegister,
)


# -------------------------------------------------------------------------------------------------- constants
def fix_constants(function: MachineFunction) -> None:
    """Take the absolute value of constants at once (literals) or as the larger of them and their negative."""
    for block in function.blocks:
        fixed: list[MachineInstruction] = []
        for instruction in block.instructions:
            for use in instruction.uses:
                if use.absolute and isinstance(use.register, Literal32):
                    _take_absolute(use, use.register)
                elif use.absolute and isinstance(use.register, Uniform):
                    fixed.append(_absolute_copy(function, instruction, use))
            fixed.append(instruction)
        block.instructions = fixed


def _take_absolute(use: Use, literal: Literal32) -> None:
    use.register = Literal32(tuple(None if value is None else abs(value) for value in literal.values))
    use.absolute = False


def _absolute_copy(function: MachineFunction, reader: MachineInstruction, use: Use) -> MachineInstruction:
    """max(c, -c) to a register that `use` then names."""
    read = tuple(dict.fromkeys(lane for lane in use.lanes if lane is not None))
    register = function.new_register(len(read), GENERAL, span=reader.span)
    sources = [Use(use.register, read), Use(use.register, read, negate=True)]
    use.register, use.absolute = register, False
    use.lanes = tuple(None if lane is None else read.index(lane) for lane in use.lanes)
    return MachineInstruction(VECTOR["MAXv"], [Def(register, tuple(range(len(read))))], sources, span=reader.span)


# ----------------------------------------------------------------------------------------------------- limits
def fold_limits(function: MachineFunction) -> None:
    """Let the only writer of what is limited, and nothing else, write the limited number."""
    writers, readers = _accesses(function)
    for block in function.blocks:
        gone: set[MachineInstruction] = set()
        for limit in block.instructions:
            if limit.op is not CHANGE or not limit.attributes.get("clamp"):
                continue
            writer = _foldable_writer(limit, writers, readers)
            if writer is not None and writer in block.instructions:
                _write_limited(writer, limit)
                gone.add(limit)
        if gone:
            block.instructions = [instruction for instruction in block.instructions if instruction not in gone]


_Accesses = dict[VirtualRegister, list[MachineInstruction]]


def _accesses(function: MachineFunction) -> tuple[_Accesses, _Accesses]:
    """Writers and readers of every virtual register."""
    writers: _Accesses = defaultdict(list)
    readers: _Accesses = defaultdict(list)
    for instruction in function.instructions():
        for definition in instruction.defs:
            if isinstance(definition.register, VirtualRegister):
                writers[definition.register].append(instruction)
        for use in instruction.all_uses():
            if isinstance(use.register, VirtualRegister):
                readers[use.register].append(instruction)
    return writers, readers


def _foldable_writer(limit: MachineInstruction, writers: _Accesses, readers: _Accesses) -> MachineInstruction | None:
    source, target = limit.uses[0], limit.defs[0]
    register = source.register
    if source.negate or source.absolute or not isinstance(register, VirtualRegister):
        return None
    if source.lanes != tuple(range(register.width)) or not isinstance(target.register, VirtualRegister):
        return None
    if len(writers[register]) != 1 or len(readers[register]) != 1 or len(writers[target.register]) != 1:
        return None
    writer = writers[register][0]
    is_whole = writer.defs[0].lanes == source.lanes and target.lanes == source.lanes
    return writer if is_whole and writer.op not in FETCHES and writer.op.result != "none" else None


def _write_limited(writer: MachineInstruction, limit: MachineInstruction) -> None:
    writer.defs = limit.defs
    writer.attributes["clamp"] = True
    if writer.op.copy:
        writer.op = CHANGE


# ---------------------------------------------------------------------------------------------- unread results
#: Register -> the components that something reads, as a set of bits.
_Read = dict[VirtualRegister, int]


def drop_unread(function: MachineFunction) -> None:
    """Shrink definitions to the components that something needed reads; drop what then does nothing."""
    writers, _ = _accesses(function)
    read: _Read = defaultdict(int)
    needed: set[MachineInstruction] = set()
    instructions = list(function.instructions())
    number = {instruction: index for index, instruction in enumerate(instructions)}
    #: Their numbers, negated: from the end backwards, readers come before what they read.
    pending = sorted(-number[i] for i in instructions if i.op.effect or _is_export(i))
    waiting = set(pending)
    while pending:
        place = heappop(pending)
        waiting.discard(place)
        instruction = instructions[-place]
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


# ------------------------------------------------------------------------------------------------------- order
def fetch_first(function: MachineFunction) -> None:
    """Move vertex fetches, which read only the index of the vertex, to the start."""
    fetches = [instruction for instruction in function.instructions() if instruction.op is VERTEX]
    if not fetches:
        return
    for block in function.blocks:
        block.instructions = [instruction for instruction in block.instructions if instruction.op is not VERTEX]
    function.entry.instructions[:0] = fetches


def position_first(block: MachineBlock) -> None:
    """Reorder a block: what exports of the position and point size need, then the rest, each as they were."""
    wanted: set[object] = set()
    first: set[MachineInstruction] = set()
    for instruction in reversed(block.instructions):
        if _exports_position(instruction) or any(d.register in wanted for d in instruction.defs):
            first.add(instruction)
            wanted |= {use.register for use in instruction.all_uses() if isinstance(use.register, VirtualRegister)}
    body = [instruction for instruction in block.instructions if not instruction.op.terminator]
    ends = [instruction for instruction in block.instructions if instruction.op.terminator]
    rest = [instruction for instruction in body if instruction not in first]
    block.instructions = [*(instruction for instruction in body if instruction in first), *rest, *ends]


def _exports_position(instruction: MachineInstruction) -> bool:
    return any(
        d.register.file is EXPORT and d.register.index >= POSITION.index
        for d in instruction.defs
        if not isinstance(d.register, VirtualRegister)
    )
