"""Common ends: what both arms of an if begin with is done before it, and what both end with after it.

In: allocated code.  Out: such instructions once, each a word instead of two.

An instruction counts as the first one of its block if nothing that has to stay before it does, and as the last one
likewise.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from glslc_multi.backends.pica200.codegen.machine_ops import BRANCH, COMPUTING, EMIT, OPS, SETEMIT
from glslc_multi.backends.pica200.codegen.register_files import ADDRESS, FLAGS, OUTPUTS
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction, operation_of
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.step import step

#: What others may pass.
_PASSED = COMPUTING | {OPS["CMP"], BRANCH}
#: Beside registers: what EMIT takes, and how; and the place of what nothing passes: calls, and a MOVA, as nothing may
#: bring it next to another one.
_OUTPUTS, _VERTEX, _PLACE = "outputs", "vertex", "place"


@step("merge common ends")
def merge_common_ends(function: MachineFunction) -> None:
    """Change `function` in place."""
    predecessors = function.predecessors()
    for block in function.blocks:
        arms = block.successors
        if len(arms) == 2 and all(predecessors[arm] == [block] for arm in arms):
            *body, branch = block.instructions
            block.instructions = [*body, *_take_common([_body(arm) for arm in arms], arms, [branch]), branch]
    for block in reversed(function.blocks):
        arms = predecessors[block]
        if len(arms) == 2 and all(arm.successors == [block] for arm in arms):
            common = _take_common([_body(arm)[::-1] for arm in arms], arms, [])
            block.instructions[:0] = common[::-1]


def _body(block: MachineBlock) -> list[MachineInstruction]:
    return [each for each in block.instructions if not each.op.terminator]


def _take_common(
    rows: Sequence[list[MachineInstruction]], arms: Sequence[MachineBlock], staying: Sequence[MachineInstruction]
) -> list[MachineInstruction]:
    """Take out of two arms what their rows of instructions have in common; what comes after one that stays, and may
    not change places with it, stays too."""
    first, second = rows
    kept = list(staying)
    common: dict[MachineInstruction, MachineInstruction] = {}
    for instruction in first:
        before = [each for each in second if each not in common.values()]
        other = next((each for each in before if operation_of(each) == operation_of(instruction)), None)
        if other is None or _conflicts(instruction, [*kept, *before[: before.index(other)]]):
            kept.append(instruction)
        else:
            common[instruction] = other
    taken = {*common, *common.values()}
    for arm in arms if taken else ():
        arm.instructions = [each for each in arm.instructions if each not in taken]
    return list(common)


def _conflicts(instruction: MachineInstruction, others: Iterable[MachineInstruction]) -> bool:
    """Tell whether an instruction may not change places with one of the others."""
    reads, writes = set(_reads(instruction)), set(_writes(instruction))
    return any(
        not writes.isdisjoint([*_reads(other), *_writes(other)]) or not reads.isdisjoint(_writes(other))
        for other in others
    )


def _reads(instruction: MachineInstruction) -> Iterator[Hashable]:
    if instruction.op is BRANCH:
        yield from (FLAGS, *((ADDRESS, lane) for lane in range(ADDRESS.file.components)))
        return
    yield _PLACE
    for use in instruction.all_uses():
        yield from ((use.register, lane) for lane in use.lanes)
    yield from instruction.op.reads
    if any(isinstance(each.register, Register) and each.register.file is OUTPUTS for each in instruction.defs):
        yield _OUTPUTS


def _writes(instruction: MachineInstruction) -> Iterator[Hashable]:
    for definition in instruction.defs:
        yield from ((definition.register, lane) for lane in definition.lanes)
    yield from instruction.op.writes
    if instruction.op is EMIT:
        yield _OUTPUTS
    if instruction.op in (EMIT, SETEMIT):
        yield _VERTEX
    elif instruction.op not in _PASSED:
        yield _PLACE
