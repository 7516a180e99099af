"""Choices that are decided where their result is read: behind a branch by the same condition, or in a discarded pixel.

Machines without branches for single lanes go on with what a lane had, lane by lane; and what a discarded pixel has is
read by nobody.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.analysis.conditions import implied_parts
from glslc_multi.compiler.analysis.dominators import dominators
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Function, Instruction, Value

#: What is true or false.
_Facts = dict[Value, bool]


def decide_choices(function: Function) -> None:
    """Let readers of choices read what is chosen where the condition is known."""
    tree, predecessors = dominators(function, AnalysisManager(function)), function.predecessors()
    for block in function.blocks:
        branch = block.terminator
        if branch is None or branch.op is not ops.CONDBR or branch.targets[0] is branch.targets[1]:
            continue
        for target, holds in zip(branch.targets, (True, False), strict=True):
            is_only_way = predecessors[target] == [block]
            for choice, chosen in _decided(_facts_of(branch.operands[0], holds)):
                for reader in list(choice.users):
                    for index, operand in enumerate(reader.operands):
                        at = reader.attribute[index] if reader.op is ops.PHI else reader.block
                        is_edge = reader.op is ops.PHI and at is block and reader.block is target
                        if operand is choice and (is_edge or (is_only_way and tree.dominates(target, at))):
                            reader.set_operand(index, chosen)
    for kill in [instruction for instruction in function.instructions() if instruction.op is ops.KILL]:
        for choice, chosen in _decided(_facts_of(kill.operands[0], False)):
            if _is_result(choice):
                choice.replace_all_uses_with(chosen)


def _facts_of(condition: Value, holds: bool) -> _Facts:
    """Return what follows of a condition."""
    return {condition: holds, **dict(implied_parts(condition, holds))}


def _decided(facts: _Facts) -> Iterator[tuple[Instruction, Value]]:
    """List the choices that facts decide, and what is chosen."""
    for condition, holds in facts.items():
        for user in list(condition.users) if isinstance(condition, Instruction) else ():
            if user.op is ops.NOT:
                yield from _decided({user: not holds} if user not in facts else {})
            elif user.op is ops.SELECT and user.operands[0] is condition:
                yield user, user.operands[1 if holds else 2]


def _is_result(value: Instruction) -> bool:
    """Tell whether a value is only stored as an output of the shader."""
    return all(
        (user.op is ops.STORE and user.address.variable.storage == "output")
        or (user.op in (ops.CONSTRUCT, ops.SELECT) and _is_result(user))
        for user in value.users
    )
