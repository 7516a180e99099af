"""Loop rotation: a test moves from the head of a loop to its latch (Muchnick, section 18.5: loop inversion).

In: a loop that runs once at least.  Out: it ends with its test, as loops do that hardware counts: no part of it runs
once more than the rest.  Behind the loop, what the head would have seen in one more round is used: the values that the
latch brings.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.loops import Loop
from glslc_multi.compiler.analysis.trips import TripCount
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import replace_terminator
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Instruction, Value


def rounds_by_latch(loop: Loop, test: TripCount) -> int:
    """Return how often a loop runs whose test stands at the latch in the end; 0 where it cannot stand there."""
    if test.exiting in loop.latches:
        return test.stays + 1
    return test.stays if test.exiting is loop.header and may_rotate(loop) else 0


def may_rotate(loop: Loop) -> bool:
    """Tell whether the head, which leaves the loop, may be left to itself then: nothing that it computes, but phis, is
    used after the loop, which is the only way to there."""
    (latch,) = loop.latches
    if latch.terminator is None or latch.terminator.op is not ops.BR:
        return False
    for instruction in loop.header:
        if instruction.op is ops.PHI or instruction.is_terminator:
            continue
        if instruction.op.effect == "effect" or any(user.block not in loop.blocks for user in instruction.users):
            return False
    _, outside = _ways(loop, loop.header)
    return all(predecessor in loop.blocks for predecessor in _predecessors(outside))


def end_with(loop: Loop, condition: Value) -> Instruction:
    """Let the latch test `condition`, in the place of its own test or of that of the head; return the branch."""
    (latch,) = loop.latches
    terminator = latch.terminator
    assert terminator is not None
    inside, outside = _ways(loop, latch if terminator.op is ops.CONDBR else loop.header)
    if terminator.op is ops.BR:
        _carry_out(loop, outside)
        replace_terminator(loop.header, inside)
    builder = Builder(latch)
    builder.span = terminator.span
    terminator.erase()
    return builder.condbr(condition, loop.header, outside)


def _ways(loop: Loop, exiting: Block) -> tuple[Block, Block]:
    """Return the block inside that a test goes on to, and the block outside."""
    inside, outside = sorted(exiting.successors, key=lambda block: block not in loop.blocks)
    return inside, outside


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
