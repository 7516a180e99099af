"""Loops of which one half of the test counts iterations: `while (i < 4 && condition)`.

In: loops whose exit test is a conjunction.  Out: two tests, one behind the other, the one that depends on nothing but
counters where `loop-unroll` looks for it: in the head of the loop, or at its end.
"""

from __future__ import annotations

from compiler.analysis.loops import Loop, loop_nest
from compiler.analysis.manager import AnalysisManager
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Block, Constant, Function, Instruction, Value
from compiler.passes.blocks import rename_incoming


def split_tests(function: Function) -> None:
    """Split the tests of all loops that can be counted then."""
    if len(function.blocks) == 1:
        return
    for loop in AnalysisManager(function).get(loop_nest).all_loops():
        places = [block for block in (loop.header, *loop.latches) if any(source is block for source, _ in loop.exits)]
        for block in dict.fromkeys(places):
            _split(block, loop)


def _split(block: Block, loop: Loop) -> None:
    """Make two tests of the one that ends `block`, if it is a conjunction of which one half counts."""
    test = block.terminator
    assert test is not None
    stays_on = test.targets[0] in loop.blocks
    condition = test.operands[0]
    joined = ops.AND if stays_on else ops.OR
    if not isinstance(condition, Instruction) or condition.op is not joined:
        return
    halves = sorted(condition.operands, key=lambda half: not _counts(half, loop, set()))
    if not _counts(halves[0], loop, set()):
        return
    first, second = halves if block is loop.header else halves[::-1]
    _test_one_after_the_other(block, test, first, second, stays_on)


def _test_one_after_the_other(block: Block, test: Instruction, first: Value, second: Value, stays_on: bool) -> None:
    stay, leave = test.targets if stays_on else test.targets[::-1]
    between = block.function.add_block("and", after=block)
    rename_incoming(stay, block, between)
    for phi in leave.phis():
        phi.add_incoming(phi.operands[phi.attribute.index(block)], between)
    builder = Builder(between)
    builder.span = test.span
    builder.condbr(second, *((stay, leave) if stays_on else (leave, stay)))
    builder.at_end_of(block)
    test.erase()
    builder.condbr(first, *((between, leave) if stays_on else (leave, between)))


def _counts(value: Value, loop: Loop, seen: set[Value]) -> bool:
    """Whether a value depends on nothing but constants and phis of the loop's head that count from a constant."""
    if isinstance(value, Constant) or value in seen:
        return True
    seen.add(value)
    if not isinstance(value, Instruction) or value.block not in loop.blocks:
        return False
    if value.op is ops.PHI:
        is_counter = value.block is loop.header and all(
            isinstance(start, Constant) or source in loop.blocks for start, source in value.incoming()
        )
        return is_counter and all(_counts(operand, loop, seen) for operand in value.operands)
    return value.op.is_pure and all(_counts(operand, loop, seen) for operand in value.operands)
