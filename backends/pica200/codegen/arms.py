"""The arms of an if as words have them: which comes first, under which condition."""

from __future__ import annotations

from typing import NamedTuple

from glslc_multi.backends.pica200.codegen.machine_ops import BRANCH, END, Condition, OnBool, OnCount, OnFlags
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineInstruction
from glslc_multi.compiler.codegen.regions import If, Region, Seq, blocks_of

#: An else part that is longer is swapped with the other arm, whose length is not encoded.
_LONG_ARM = 200


class Arms(NamedTuple):
    """Hold what runs under a condition, and what runs otherwise."""

    condition: OnFlags | OnBool
    first: Seq[MachineBlock]
    second: Seq[MachineBlock]


def order_arms(region: If[MachineBlock]) -> Arms:
    """Put the arms of an if into the order of their words."""
    condition = condition_of(region.block, inverted=region.inverted)
    first, second = region.then, region.orelse or Seq()
    if _should_be_swapped(condition, first, second):
        return Arms(condition.inverted(), second, first)
    return Arms(condition, first, second)


def condition_of(block: MachineBlock, *, inverted: bool) -> OnFlags | OnBool:
    """The condition of the branch at the end of a block."""
    condition: Condition = branch_of(block).attributes["condition"]
    assert not isinstance(condition, OnCount)
    return condition.inverted() if inverted else condition


def branch_of(block: MachineBlock) -> MachineInstruction:
    """The branch at the end of a block."""
    instruction = block.instructions[-1]
    assert instruction.op is BRANCH, f"{block} ends without a branch"
    return instruction


def has_code(region: Region[MachineBlock]) -> bool:
    """Tell whether a region takes any words."""
    return bool(_size(region))


def _should_be_swapped(condition: Condition, first: Seq[MachineBlock], second: Seq[MachineBlock]) -> bool:
    """Tell whether the arms of an if change places: IFU tests for true, a first arm has code, a second one is short."""
    if isinstance(condition, OnBool):
        return not condition.wanted
    if not has_code(first):
        return has_code(second)
    return _size(second) > max(_LONG_ARM, _size(first))


def _size(region: Region[MachineBlock]) -> int:
    """About as many words as a region takes."""
    return sum(
        not instruction.op.terminator or instruction.op in (BRANCH, END)
        for block in blocks_of(region)
        for instruction in block.instructions
    )
