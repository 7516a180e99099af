"""Loop rotation: a test moves from the head of a loop to its latch (Muchnick, section 18.5: loop inversion).

In: a loop that runs once at least.  Out: it ends with its test, as loops do that hardware counts: no part of it runs
once more than the rest.  Behind the loop, what the head would have seen in one more round is used: the values that the
latch brings.
"""

from __future__ import annotations

from compiler.analysis.loops import Loop
from compiler.ir import ops
from compiler.ir.block_edits import replace_terminator
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Instruction, Value


def may_rotate(loop: Loop, outside: Block) -> bool:
    """Whether the head may be left to itself when it would leave to `outside`: nothing that it computes, but phis, is
    used after the loop, which is the only way to there."""
    (latch,) = loop.latches
    if latch.terminator is None or latch.terminator.op is not ops.BR:
        return False
    for instruction in loop.header:
        if instruction.op is ops.PHI or instruction.is_terminator:
            continue
        if instruction.op.effect == "effect" or any(user.block not in loop.blocks for user in instruction.users):
            return False
    return all(predecessor in loop.blocks for predecessor in _predecessors(outside))


def end_with(loop: Loop, condition: Value, exiting: Block, inside: Block, outside: Block) -> Instruction:
    """Let the latch test `condition`, in the place of the test in `exiting`, the head or the latch; the branch."""
    (latch,) = loop.latches
    if exiting is not latch:
        _carry_out(loop, outside)
        replace_terminator(exiting, inside)
    terminator = latch.terminator
    assert terminator is not None
    builder = Builder(latch)
    builder.span = terminator.span
    terminator.erase()
    return builder.condbr(condition, loop.header, outside)


def _predecessors(block: Block) -> list[Block]:
    return [each for each in block.function.blocks if block in each.successors]


def _carry_out(loop: Loop, outside: Block) -> None:
    """Let what was seen from the head after the loop be seen from the latch."""
    latch, header = loop.latches[0], loop.header
    brought = {phi: phi.operands[phi.attribute.index(latch)] for phi in header.phis()}
    for phi in outside.phis():
        position = phi.attribute.index(header)
        value = phi.operands[position]
        phi.attribute[position] = latch
        if isinstance(value, Instruction) and value in brought:
            phi.set_operand(position, brought[value])
    # All uses are found before the first one changes: what the latch brings may be another phi of the head.
    places = {phi: _uses_outside(phi, loop, outside) for phi in brought}
    for phi, uses in places.items():
        value = _merged(phi, brought[phi], latch, outside) if uses else phi
        for user, position in uses:
            user.set_operand(position, value)


def _uses_outside(phi: Instruction, loop: Loop, outside: Block) -> list[tuple[Instruction, int]]:
    """Users of a phi behind the loop, but for the phis that begin there, and which of their operands it is."""
    users = [
        user
        for user in phi.users
        if user.block not in loop.blocks and not (user.op is ops.PHI and user.block is outside)
    ]
    return [(user, position) for user in users for position, operand in enumerate(user.operands) if operand is phi]


def _merged(phi: Instruction, value: Value, latch: Block, outside: Block) -> Value:
    """The head's phi as it is after the loop: what the latch brings, or, after another exit, itself."""
    others = [block for block in _predecessors(outside) if block is not phi.block]
    if not others:
        return value
    return Builder(outside).phi(phi.type, [(value, latch), *((phi, block) for block in others)])
