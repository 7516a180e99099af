"""Loops that an int uniform bounds: the host puts the count into an i register, and a guard tests whether it is 0.

    for (int i = 0; i < n; i++) { ... }        if (0 < n) { for (...) { ... } }

In: a plain loop whose test stands in its head and compares a counter, which goes up by 1 from 0 (or from 1 where the
test is <=), with an int uniform.  Out: the same in a guard, so that the loop runs once at least.  Behind it, what
the loop leaves and what was there before it meet in phis.  Shaders for browsers have no such loops, which GLSL ES 1.00
need not allow; those that are written for this machine do.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.loops import Loop
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import rename_incoming, retarget
from glslc_multi.compiler.ir.builder import Builder, int_constant
from glslc_multi.compiler.ir.module import Block, Constant, Instruction, Value
from glslc_multi.compiler.ir.variables import Variable

#: Test -> where its counter starts when the bound is the number of rounds.
_STARTS = {ops.ILT: 0, ops.ILE: 1}


def bounding_uniform(loop: Loop) -> Variable | None:
    """The int uniform that is the number of rounds of a loop."""
    test = loop.header.terminator
    if test is None or test.op is not ops.CONDBR or len(loop.latches) != 1:
        return None
    if [target in loop.blocks for target in test.targets] != [True, False]:
        return None
    comparison = test.operands[0]
    if not isinstance(comparison, Instruction) or comparison.op not in _STARTS:
        return None
    counter, bound = comparison.operands
    if not _counts_from(counter, loop, _STARTS[comparison.op]) or not isinstance(bound, Instruction):
        return None
    if bound.op is not ops.LOAD or bound.address.is_dynamic or bound.address.variable.storage != "uniform":
        return None
    variable = bound.address.variable
    return None if variable.is_array or not variable.type.is_scalar else variable


def _counts_from(counter: Value, loop: Loop, start: int) -> bool:
    """Whether a phi of the head goes up by 1 from `start`."""
    if not isinstance(counter, Instruction) or counter.op is not ops.PHI or counter.block is not loop.header:
        return False
    for value, block in counter.incoming():
        if block not in loop.blocks:
            if not (isinstance(value, Constant) and value.components[0] == start):
                return False
        elif not (isinstance(value, Instruction) and value.op is ops.IADD and _is_next(value, counter)):
            return False
    return True


def _is_next(value: Instruction, counter: Instruction) -> bool:
    others = [operand for operand in value.operands if operand is not counter]
    return len(others) == 1 and isinstance(others[0], Constant) and others[0].components[0] == 1


def can_be_guarded(loop: Loop) -> bool:
    """Whether one block enters the loop, one block follows all exits, and the head only passes phis on."""
    outside = {target for _, target in loop.exits}
    if len(loop.entering) != 1 or len(outside) != 1:
        return False
    (following,) = outside
    if any(predecessor not in loop.blocks for predecessor in following.function.predecessors()[following]):
        return False
    phis = set(loop.header.phis())
    made_inside = [
        phi.operands[phi.attribute.index(loop.header)] for phi in following.phis() if loop.header in phi.attribute
    ]
    return all(_block_of(value) not in loop.blocks or value in phis for value in made_inside)


def _block_of(value: Value) -> Block | None:
    return value.block if isinstance(value, Instruction) else None


def guard(loop: Loop, bound: Variable) -> None:
    """Put the guard around a loop."""
    function, header = loop.header.function, loop.header
    following = next(target for _, target in loop.exits)
    (entering,) = loop.entering
    before = function.add_block("guard", after=entering)
    after = function.add_block("ran", after=loop.latches[0])
    initial: dict[Value, Value] = {phi: phi.operands[phi.attribute.index(entering)] for phi in header.phis()}
    header = loop.header
    builder = Builder(before)
    assert header.terminator is not None
    builder.span = header.terminator.span
    runs = builder.op(ops.ILT, int_constant(0), builder.load(bound))
    builder.condbr(runs, header, following)
    retarget(entering, header, before)
    rename_incoming(header, entering, before)
    _close(loop, following, after, before, initial)


def _close(loop: Loop, following: Block, after: Block, before: Block, initial: dict[Value, Value]) -> None:
    """Let the exits go through `after`, and what they bring meet what the guard brings."""
    sources = list(dict.fromkeys(block for block, _ in loop.exits))
    for source in sources:
        retarget(source, following, after)
    builder = Builder(after)
    builder.br(following)
    for phi in list(following.phis()):
        brought = list(phi.incoming())
        at_head = next(value for value, block in brought if block is loop.header)
        left = Builder(after).phi(phi.type, brought)
        for _, block in brought:
            phi.remove_incoming(block)
        phi.add_incoming(left, after)
        phi.add_incoming(initial.get(at_head, at_head), before)
    for head, value in initial.items():
        # Let those who use a head's phi after the loop use what it is there, with or without a round.
        assert isinstance(head, Instruction)
        users = [user for user in head.users if user.block not in loop.blocks and user.block is not after]
        if users:
            merged = Builder(following).phi(head.type, [(head, after), (value, before)])
            _replace(head, merged, users)


def _replace(old: Instruction, new: Value, users: list[Instruction]) -> None:
    for user in users:
        for position, operand in enumerate(user.operands):
            if operand is old:
                user.set_operand(position, new)
