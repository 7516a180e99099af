"""Cheap values computed again where they are read again, so that no register holds them in between (rematerialisation:
Briggs, Cooper and Torczon, 1992).

In: code before allocation that needs more registers than there are in any order.  Out: the same, where sums and
products are repeated before readers that come long after the one before, as long as their operands live anyway.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.step import step

_CHEAP = frozenset({"add", "sub", "mul", "min", "max"})
#: Readers that are nearer than this to the one before read the same value.
_NEAR = 4


@step("compute again")
def recompute(function: MachineFunction) -> None:
    """Change `function` in place."""
    writers = Counter(each.register for instruction in function.instructions() for each in instruction.defs)
    for block in function.blocks:
        again: dict[int, list[MachineInstruction]] = {}
        readers = _readers(block)
        for instruction in block.instructions:
            operands = {use.register for use in instruction.all_uses() if isinstance(use.register, VirtualRegister)}
            registers = [*operands, *(each.register for each in instruction.defs)]
            if instruction.op.name not in _CHEAP or not operands or any(writers[each] > 1 for each in registers):
                continue
            last = min(readers.get(operand, [-1])[-1] for operand in operands)
            for before, reader in pairwise(readers.get(instruction.defs[0].register, ())):
                if before + _NEAR <= reader <= last:
                    again.setdefault(reader, []).append(_repeat(function, instruction, block.instructions[reader]))
        block.instructions = [
            each for index, reader in enumerate(block.instructions) for each in (*again.get(index, ()), reader)
        ]


def _readers(block: MachineBlock) -> dict[AnyRegister, list[int]]:
    """Find the places in a block that read each register."""
    readers: dict[AnyRegister, list[int]] = {}
    for index, instruction in enumerate(block.instructions):
        for register in dict.fromkeys(use.register for use in instruction.all_uses()):
            readers.setdefault(register, []).append(index)
    return readers


def _repeat(
    function: MachineFunction, instruction: MachineInstruction, reader: MachineInstruction
) -> MachineInstruction:
    """Copy an instruction for one reader, which takes the result of the copy."""
    ((old, lanes),) = [(each.register, each.lanes) for each in instruction.defs]
    assert isinstance(old, VirtualRegister)
    new = function.new_register(old.width, old.register_class, name=old.name, span=old.span)
    for use in reader.all_uses():
        if use.register is old:
            use.register = new
    uses = [Use(use.register, use.lanes, relative=use.relative) for use in instruction.uses]
    return MachineInstruction(instruction.op, [Def(new, lanes)], uses, span=instruction.span)
