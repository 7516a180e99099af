"""Conditions that earlier branches have decided: a machine with predicates asks for them again at every instruction.

In: a function whose registers are variables still, but for its flags.  So a way may go past a block that only branches
without that any value needs a phi.  Out: where a branch has decided, its condition is known, and nobody branches on it.
Ways go past a block if all of them do: else control would no longer be a nest of branches.
"""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.analysis.conditions import implied_parts
from glslc_multi.compiler.analysis.dominators import dominators
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import remove_unreachable_blocks, retarget
from glslc_multi.compiler.ir.builder import bool_constant
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Value

#: A value of type bool, and what it is.
_Fact = tuple[Value, bool]


def decide_conditions(function: Function) -> None:
    """Skip branches that earlier ones have decided, and let conditions be constants where they are known."""
    _skip_branches(function)
    remove_unreachable_blocks(function)
    tree = AnalysisManager(function).get(dominators)
    for _, target, facts in _decisions(function):
        for value, outcome in facts:
            for user in list(value.users) if isinstance(value, Instruction) else ():
                for number, operand in enumerate(user.operands):
                    where = user.attribute[number] if user.op is ops.PHI else user.block
                    if operand is value and tree.dominates(target, where):
                        user.set_operand(number, bool_constant(outcome))


def _decisions(function: Function) -> Iterator[tuple[Block, Block, list[_Fact]]]:
    """List the blocks that branch, those that they alone lead to, and what is known there."""
    predecessors = function.predecessors()
    for block in function.blocks:
        terminator = block.terminator
        if terminator is None or terminator.op is not ops.CONDBR or terminator.targets[0] is terminator.targets[1]:
            continue
        for target, outcome in zip(terminator.targets, (True, False), strict=True):
            if len(predecessors[target]) == 1:
                yield block, target, list(_implied(terminator.operands[0], outcome))


def _implied(condition: Value, outcome: bool) -> Iterator[_Fact]:
    """List what is known where a condition has an outcome, of other conditions, too."""
    facts: dict[Value, bool] = {condition: outcome, **dict(implied_parts(condition, outcome))}
    for value, is_true in facts.items():
        yield value, is_true
        if isinstance(value, Instruction):
            yield from ((user, not is_true) for user in value.users if user.op is ops.NOT)


def _skip_branches(function: Function) -> None:
    """Let all ways to a block that only branches, on what each of them knows, go where it leads them."""
    tree = AnalysisManager(function).get(dominators)
    facts: dict[Value, list[tuple[Block, bool]]] = {}
    for _, target, implied in _decisions(function):
        for value, outcome in implied:
            facts.setdefault(value, []).append((target, outcome))

    def outcome_after(way: Block, block: Block, condition: Value) -> bool | None:
        """What a condition is where a block leads to another one; None where nobody knows."""
        value, is_true = _plain(condition)
        terminator = way.terminator
        assert terminator is not None
        if terminator.op is ops.CONDBR and terminator.targets[0] is not terminator.targets[1]:
            own, is_own = _plain(terminator.operands[0])
            if own is value:
                return (block is terminator.targets[0]) == (is_own == is_true)
        return next((fact == is_true for target, fact in facts.get(value, ()) if tree.dominates(target, way)), None)

    for block in function.blocks:
        terminator = block.terminator
        if terminator is None or terminator.op is not ops.CONDBR or not _only_branches(block):
            continue
        ways = dict.fromkeys(function.predecessors()[block])
        outcomes = {way: outcome_after(way, block, terminator.operands[0]) for way in ways}
        if None in outcomes.values() or any(tree.dominates(block, way) for way in ways):
            continue
        for way, is_true in outcomes.items():
            target = terminator.targets[0 if is_true else 1]
            retarget(way, block, target)
            for phi in target.phis():
                phi.add_incoming(phi.operands[phi.attribute.index(block)], way)


def _only_branches(block: Block) -> bool:
    """Tell whether nobody else sees what a block computes."""
    return all(
        i.is_terminator or (i.op.is_pure and i.op is not ops.PHI and all(user.block is block for user in i.users))
        for i in block
    )


def _plain(condition: Value) -> tuple[Value, bool]:
    """Return a condition without negations, and whether there was an even number of them."""
    is_true = True
    while isinstance(condition, Instruction) and condition.op is ops.NOT:
        condition, is_true = condition.operands[0], not is_true
    return condition, is_true
