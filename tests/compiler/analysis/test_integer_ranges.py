"""Ranges of ints that believe branches: what holds where a value is used, against what running programs shows."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from glslc_multi.compiler.analysis.integer_ranges import integer_ranges
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Function, Instruction, Module
from glslc_multi.compiler.ir.parse import parse_module
from tests.generators.ir import generate
from tests.generators.trace import TracedLane

PROGRAMS = 25


def test_ranges_hold_every_value() -> None:
    """The witness is the one-lane interpreter."""
    seen = 0
    for seed in range(PROGRAMS):
        program = generate(Random(seed), statements=10)
        function = program.module.main
        ranges = integer_ranges(function, {})
        for lane in range(min(program.lanes, 3)):
            for event in TracedLane(program, lane).events:
                if event.instruction.type.kind != "int":
                    continue
                for interval, number in zip(ranges.of(event.instruction), event.value, strict=True):
                    assert interval.low <= number <= interval.high, event.instruction
                    seen += interval != Interval(-(2**31), 2**31 - 1)
    assert seen > 200


def function_of(body: str) -> tuple[Module, Function]:
    head = "shader vertex\nuniform @n: int\nuniform @m: int\noutput @o: float\n"
    text = f"{head}\nfunc @main {{\n  local @a: int[4]\n{body}}}\n"
    module = parse_module(text, "test.sir", DiagnosticSink())
    assert module is not None
    return module, module.main


def used_by_store(function: Function, ranges_of: Module, low: int = -100, high: int = 100) -> Interval:
    """The range, where it is stored, of the int that becomes the output."""
    known = {ranges_of.variables[name]: Interval(low, high) for name in ("n", "m")}
    ranges = integer_ranges(function, known)
    conversion = next(i for i in function.instructions() if i.op.name == "itof")
    assert isinstance(conversion.operands[0], Instruction) and conversion.block is not None
    return ranges.at(conversion.operands[0], conversion.block)[0]


COUNTED = """^entry:
  %0:int = load @n
  br ^head
^head:
  %1:int = phi [0, ^entry], [%3, ^body]
  %2:bool = {test}
  condbr %2, ^body, ^end
^body:
  %3:int = iadd %1, {step}
  br ^head
^end:
  %4:float = itof %1
  store @o, %4
  ret
"""


@pytest.mark.parametrize(
    ("test", "step", "low", "high"),
    [
        ("ilt %1, %0", 1, 0, 100),
        ("ile %1, %0", 1, 0, 101),
        ("ilt %1, %0", 3, 0, 102),
        # Steps down: the test above is no bound below.
        ("ilt %0, %1", -1, -100, 0),
    ],
)
def test_a_loop_with_a_bound_from_outside(test: str, step: int, low: int, high: int) -> None:
    module, function = function_of(COUNTED.format(test=test, step=step))
    assert used_by_store(function, module) == Interval(low, high)


def test_what_leaves_the_loop_holds_behind_it() -> None:
    """After `while (i < n)` with n >= 5 the counter is 5 at least; after `while (i != n)` it is n."""
    module, function = function_of(COUNTED.format(test="ilt %1, %0", step=1))
    assert used_by_store(function, module, low=5) == Interval(5, 100)
    module, function = function_of(COUNTED.format(test="ine %1, %0", step=1))
    assert used_by_store(function, module) == Interval(-100, 100)


BRANCH = """^entry:
  %0:int = load @n
  %5:bool = {condition}
  condbr %5, ^then, ^end
^then:
  %4:float = itof %0
  store @o, %4
  br ^end
^end:
  ret
"""


@pytest.mark.parametrize(
    ("condition", "low", "high"),
    [
        ("ilt %0, 7", -100, 6),
        ("ile 3, %0", 3, 100),
        ("ieq %0, 5", 5, 5),
        ("ine %0, 100", -100, 99),
        # Where nothing would remain the code is never reached, and any range will do.
        ("ilt %0, -500", -100, 100),
    ],
)
def test_a_comparison_bounds_what_follows(condition: str, low: int, high: int) -> None:
    module, function = function_of(BRANCH.format(condition=condition))
    assert used_by_store(function, module) == Interval(low, high)


def test_what_was_stored_is_what_is_loaded() -> None:
    body = """^entry:
  %0:int = load @n
  store @a[1], %0
  store @a[%0], 700
  %6:int = load @a[%0]
  %4:float = itof %6
  store @o, %4
  ret
"""
    module, function = function_of(body)
    assert used_by_store(function, module) == Interval(-100, 700)


def test_components_are_bounded_each_by_its_own_condition() -> None:
    """clamp(v, ivec2(10, -3), ivec2(53, 5)), of which a component is taken twice, for the test and the choice."""
    body = """^entry:
  %0:int = load @n
  %1:int = load @m
  %2:ivec2 = construct %0, %1
  %3:bvec2 = ilt %2, ivec2(10, -3)
  %4:ivec2 = select %3, ivec2(10, -3), %2
  %5:int = swizzle.y %4
  %6:bool = ilt 5, %5
  %7:int = swizzle.y %4
  %8:int = select %6, 5, %7
  %9:float = itof {chosen}
  store @o, %9
  ret
"""
    for chosen, wanted in (("%8", Interval(-3, 5)), ("%5", Interval(-3, 100))):
        module, function = function_of(body.format(chosen=chosen))
        assert used_by_store(function, module) == wanted


def test_an_alternative_is_bounded_by_its_condition() -> None:
    body = """^entry:
  %0:int = load @n
  %5:bool = ilt %0, 10
  %6:int = select %5, %0, 10
  %4:float = itof %6
  store @o, %4
  ret
"""
    module, function = function_of(body)
    assert used_by_store(function, module) == Interval(-100, 10)


SUM = """^entry:
  %0:int = load @n
  %9:int = load @m
  br ^head
^head:
  %1:int = phi [0, ^entry], [%3, ^body]
  %7:int = phi [5, ^entry], [%8, ^body]
  %2:bool = ilt %1, {bound}
  condbr %2, ^body, ^end
^body:
  %8:int = {sum}
  %3:int = iadd %1, 1
  br ^head
^end:
  %4:float = itof %7
  store @o, %4
  ret
"""


@pytest.mark.parametrize(
    ("bound", "sum_", "low", "high"),
    [
        # At most 100 rounds, each adds -100 to 100; the counter is from 0 to 99 inside.
        ("%0", "iadd %7, %9", 5 - 100 * 100, 5 + 100 * 100),
        ("%0", "iadd %1, %7", 5, 5 + 100 * 99),
        ("%0", "isub %7, %1", 5 - 100 * 99, 5),
        # Products grow otherwise.
        ("%0", "imul %7, 2", -(2**31), 2**31 - 1),
        ("%0", "isub %9, %7", -(2**31), 2**31 - 1),
    ],
)
def test_a_sum_grows_with_the_rounds(bound: str, sum_: str, low: int, high: int) -> None:
    module, function = function_of(SUM.format(bound=bound, sum=sum_))
    assert used_by_store(function, module) == Interval(low, high)


NEST = """^entry:
  %0:int = load @n
  %9:int = load @m
  br ^rows
^rows:
  %1:int = phi [0, ^entry], [%3, ^row_end]
  %10:int = phi [7, ^entry], [%15, ^row_end]
  %2:bool = ilt %1, {rows}
  condbr %2, ^row, ^end
^row:
  %11:int = iadd %10, {before}
  br ^columns
^columns:
  %5:int = phi [0, ^row], [%6, ^column]
  %12:int = phi [%11, ^row], [%13, ^column]
  %7:bool = ilt %5, {columns}
  condbr %7, ^column, ^row_end
^column:
  %13:int = {sum}
  %6:int = iadd %5, 1
  br ^columns
^row_end:
  %15:int = iadd %12, {after}
  %3:int = iadd %1, 1
  br ^rows
^end:
  %4:float = itof %10
  store @o, %4
  ret
"""


def final(rows: int, columns: Callable[[int], int], before: int, step: Callable[[int], int], after: int) -> int:
    """What the nest counts to."""
    total = 7
    for row in range(rows):
        total += before + sum(step(column) for column in range(columns(row))) + after
    return total


@pytest.mark.parametrize(
    ("rows", "columns", "before", "sum_", "after", "expected"),
    [
        ("5", "5", "0", "iadd %12, 1", "0", [final(5, lambda row: 5, 0, lambda column: 1, 0)]),
        ("5", "4", "-3", "isub %12, 2", "-1", [final(5, lambda row: 4, -3, lambda column: -2, -1)]),
        ("5", "4", "3", "iadd %5, %12", "0", [final(5, lambda row: 4, 3, lambda column: column, 0)]),
        # A triangle, and loops whose bounds come from outside: 0 to 100 here, the sums from 0 to 100 or -100 to 100.
        ("6", "%1", "0", "iadd %12, 1", "1", [final(6, lambda row: row, 0, lambda column: 1, 1)]),
        ("%0", "%0", "0", "iadd %12, 1", "0", [7 + n * n for n in (0, 50, 100)]),
        ("%0", "3", "0", "iadd %12, %9", "0", [7 + 100 * 3 * m for m in (-100, 100)]),
    ],
)
def test_a_sum_over_nested_loops_is_bounded(
    rows: str, columns: str, before: str, sum_: str, after: str, expected: list[int]
) -> None:
    text = NEST.format(rows=rows, columns=columns, before=before, sum=sum_, after=after)
    module, function = function_of(text)
    found = used_by_store(function, module)
    # Both ends are within what twice as many rounds would give, in either direction.
    reach = 2 * (max(abs(number) for number in expected) + 100)
    assert all(found.low <= number <= found.high for number in expected)
    assert -reach <= found.low and found.high <= reach


@pytest.mark.parametrize(
    ("rows", "columns", "sum_"),
    [("5", "5", "imul %12, 2"), ("5", "5", "iadd %12, %12"), ("5", "5", "iadd %12, %10")],
)
def test_what_is_no_sum_is_not_bounded(rows: str, columns: str, sum_: str) -> None:
    text = NEST.format(rows=rows, columns=columns, before="0", sum=sum_, after="0")
    module, function = function_of(text)
    found = used_by_store(function, module)
    assert found == Interval(-(2**31), 2**31 - 1)


def test_counters_that_bound_each_other_bound_nothing() -> None:
    """Two sums with constant steps, neither of which a test compares, in a loop that a uniform ends."""
    body = """^entry:
  %0:int = load @n
  br ^head
^head:
  %1:int = phi [0, ^entry], [%3, ^body]
  %7:int = phi [0, ^entry], [%8, ^body]
  %2:bool = ine %0, 0
  condbr %2, ^body, ^end
^body:
  %8:int = iadd %7, 1
  %3:int = iadd %1, 1
  br ^head
^end:
  %9:int = iadd %1, %7
  %4:float = itof %9
  store @o, %4
  ret
"""
    module, function = function_of(body)
    assert used_by_store(function, module) == Interval(-(2**31), 2**31 - 1)
