"""Uniformity, ranges and trip counts against what running programs shows.

The witness is the one-lane interpreter: it records each value with the loop rounds it was made in.
"""

from __future__ import annotations

import math
from functools import cache
from random import Random

import numpy as np
import pytest

from glslc_multi.compiler.analysis.loops import loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.ranges import INTERVALS, SHARPER, Interval, intervals_of, value_ranges
from glslc_multi.compiler.analysis.trips import trip_counts
from glslc_multi.compiler.analysis.uniformity import uniformity
from glslc_multi.compiler.arithmetic.protocol import INT_MAX, INT_MIN, PYTHON
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Function, Module
from glslc_multi.compiler.ir.ops import OPCODES, evaluate
from glslc_multi.compiler.ir.parse import parse_module
from tests.generators.ir import Program, generate
from tests.generators.trace import TracedLane

PROGRAMS = 120
INT_SIGNATURES = ("I -> I", "I, I -> I", "I, I -> B", "I -> F")


@cache
def sample() -> list[tuple[Program, list[TracedLane]]]:
    programs = [generate(Random(seed), statements=10) for seed in range(PROGRAMS)]
    return [(program, [TracedLane(program, lane) for lane in range(program.lanes)]) for program in programs]


def read(text: str) -> Module:
    module = parse_module(text, "test.sir", DiagnosticSink())
    assert module is not None
    return module


# --------------------------------------------------------------------------------------- uniformity
def test_values_called_uniform_are_the_same_in_all_lanes() -> None:
    uniform = diverging = 0
    for program, runs in sample():
        result = AnalysisManager(program.module.main).get(uniformity)
        seen: dict[tuple[int, tuple[int, ...]], object] = {}
        for run in runs:
            for event in run.events:
                if not result.is_uniform(event.instruction):
                    diverging += 1
                    continue
                uniform += 1
                key = (event.instruction.id, event.iterations)
                assert repr(seen.setdefault(key, event.value)) == repr(event.value)
    assert uniform > 1000
    assert diverging > 1000


def test_blocks_called_whole_run_with_all_lanes() -> None:
    for program, runs in sample():
        result = AnalysisManager(program.module.main).get(uniformity)
        paths = [[block for block in run.path if not result.is_partial(block)] for run in runs]
        assert all(path == paths[0] for path in paths)


DIVERGING_LOOP = """shader vertex
attribute @a: float
uniform @u: float
output @gl_Position: vec4 role(position)

func @main {
^entry:
  %0:float = load @a
  %1:float = load @u
  br ^head
^head:
  %2:float = phi [0.0, ^entry], [%5, ^join]
  %3:bool = flt %2, %0
  condbr %3, ^body, ^exit
^body:
  %4:bool = flt %1, 2.0
  condbr %4, ^then, ^join
^then:
  br ^join
^join:
  %6:float = phi [1.0, ^body], [2.0, ^then]
  %5:float = fadd %2, %6
  br ^head
^exit:
  %7:vec4 = swizzle.xxxx %2
  store @gl_Position, %7
  ret
}
"""


def test_a_loop_left_at_different_times_diverges_outside_only() -> None:
    function = read(DIVERGING_LOOP).main
    result = AnalysisManager(function).get(uniformity)
    values = {instruction.id: instruction for instruction in function.instructions() if instruction.type.width}
    uniform = {number for number, value in values.items() if result.is_uniform(value)}
    # %2 counts the same for all lanes still inside; %7 reads it after they left one by one.
    assert uniform == {1, 2, 4, 5, 6}
    assert {block.name for block in result.diverging_branches} == {"head"}
    assert {block.name for block in result.partial_blocks} == {"head", "body", "then", "join"}


LOOP_LEFT_IN_A_BRANCH = """shader vertex
attribute @a: float
uniform @u: float
output @gl_Position: vec4 role(position)

func @main {
^entry:
  %0:float = load @a
  %1:float = load @u
  br ^head
^head:
  %2:float = phi [0.0, ^entry], [%3, ^latch]
  %3:float = fadd %2, %1
  %4:bool = flt %0, %3
  condbr %4, ^then, ^latch
^then:
  %5:bool = flt 0.5, %1
  condbr %5, ^exit, ^latch
^latch:
  br ^head
^exit:
  %6:vec4 = swizzle.xxxx %3
  store @gl_Position, %6
  ret
}
"""


def test_lanes_do_not_meet_where_some_go_round_the_loop_first() -> None:
    """Every exit leads through ^then, which lanes reach in different iterations."""
    function = read(LOOP_LEFT_IN_A_BRANCH).main
    result = AnalysisManager(function).get(uniformity)
    values = {instruction.id: instruction for instruction in function.instructions() if instruction.type.width}
    assert not result.is_uniform(values[6])
    assert {block.name for block in result.partial_blocks} == {"head", "then", "latch"}


# ------------------------------------------------------------------------------------------- ranges
def holds(interval: Interval, number: float) -> bool:
    """Whether a number, or none, is one that an interval allows."""
    return interval.nan if np.isnan(number) else interval.low <= number <= interval.high


def test_ranges_hold_every_value() -> None:
    bounded = 0
    for program, runs in sample():
        ranges = AnalysisManager(program.module.main).get(value_ranges)
        for run in runs:
            for event in run.events:
                for interval, number in zip(ranges.of(event.instruction), event.value, strict=True):
                    assert holds(interval, number), (event, interval)
                    bounded += np.isfinite(interval.low) and event.instruction.type.kind == "float"
    assert bounded > 1000


@pytest.mark.parametrize(
    ("expression", "low", "high"),
    [
        ("fadd %0, 3.0", 1.0, 7.0),
        ("fmul %0, 3.0", -6.0, 12.0),
        ("fneg %0", -4.0, 2.0),
        ("fabs %0", 0.0, 4.0),
        ("fclamp %0, 0.0, 9.0", 0.0, 4.0),
        ("fsaturate %0", 0.0, 1.0),
        ("fmin %0, 1.0", -2.0, 1.0),
        ("ffloor %0", -2.0, 4.0),
        ("fsign %0", -1.0, 1.0),
        ("ffract %0", 0.0, 1.0),
        ("fsin %0", -1.0, 1.0),
        ("fexp2 %0", 0.25, 16.0),
        ("fstep 5.0, %0", 0.0, 0.0),
        ("fsmoothstep 0.0, 2.0, %0", 0.0, 1.0),
        ("fdiv %0, 2.0", -1.0, 2.0),
        ("fmix %0, 1.0, 0.5", -0.5, 2.5),
        ("fpow 0.5, %0", 0.0625, 4.0),
        ("fmul %0, %2", -8.0, 16.0),
        ("fmul %0, %0", 0.0, 16.0),
        ("fmad %0, %0, %0", -2.0, 20.0),
        ("dot %0, %2", -8.0, 16.0),
        ("dot %3, %3", 4.0, 20.0),
        ("length %3", 2.0, math.sqrt(20.0)),
    ],
)
def test_range_of_an_expression(expression: str, low: float, high: float) -> None:
    """%0 and %2 are two numbers of one range, %3 is the first of them and 2."""
    function = read(
        "shader vertex\nattribute @a: float\nattribute @b: float\noutput @gl_Position: vec4 role(position)\n"
        "func @main {\n^entry:\n  %0:float = load @a\n  %2:float = load @b\n  %3:vec2 = construct %0, 2.0\n"
        f"  %1:float = {expression}\n  %4:vec4 = swizzle.xxxx %1\n"
        "  store @gl_Position, %4\n  ret\n}\n"
    ).main
    assumed = dict.fromkeys(map(function.module.variables.__getitem__, "ab"), Interval(-2.0, 4.0))
    ranges = value_ranges(function, AnalysisManager(function), assumed)
    (interval,) = ranges.of(next(i for i in function.instructions() if i.id == 1))
    assert (interval.low, interval.high, interval.nan) == (low, PYTHON.fconst(high), False)


SAME = """shader vertex
attribute @a: {type}
output @gl_Position: vec4 role(position)

func @main {{
^entry:
  %0:{type} = load @a
  %1:{type} = {op} %0, %0
  store @gl_Position, vec4(0.0, 0.0, 0.0, 1.0)
  ret
}}
"""


@pytest.mark.parametrize(("op", "type"), [("fmul", "float"), ("fpow", "float"), ("dot", "float"), ("imul", "int")])
def test_ranges_of_a_number_and_itself_hold_the_results(op: str, type: str) -> None:
    generator = Random(op)
    instruction = next(i for i in read(SAME.format(op=op, type=type)).main.instructions() if i.op is OPCODES[op])
    for _ in range(500):
        interval = int_interval(generator) if type == "int" else float_interval(generator)
        (found,) = intervals_of(instruction, [[interval], [interval]])
        for number in (point(interval, generator) if type == "int" else between(interval, generator) for _ in range(9)):
            (result,) = evaluate(instruction.op, PYTHON, None, [[number], [number]])
            assert holds(found, result), (interval, number, found)


def float_interval(generator: Random) -> Interval:
    ends = [generator.choice((0.0, -math.inf, math.inf, generator.gauss(0, 1), -1e30, 1e-30)) for _ in "ab"]
    low, high = sorted(map(PYTHON.fconst, ends))
    return Interval(low, high, nan=generator.random() < 0.3)


def between(interval: Interval, generator: Random) -> float:
    """A number of 32 bits."""
    inside = min(max(generator.gauss(0, 1), interval.low), interval.high)
    number = generator.choice((interval.low, interval.high, inside, math.nan if interval.nan else inside))
    return PYTHON.fconst(number)


def point(interval: Interval, generator: Random) -> int:
    ends = int(interval.low), int(interval.high)
    return generator.choice((*ends, generator.randint(*ends), min(max(0, ends[0]), ends[1])))


def int_interval(generator: Random) -> Interval:
    """Of any size, at any place: often with an end at 0, or without width."""
    ends = [generator.choice((0, 1, -1, generator.randint(INT_MIN, INT_MAX) >> generator.randrange(31))) for _ in "ab"]
    return Interval(min(ends), ends[0] if generator.random() < 0.2 else max(ends))


@pytest.mark.parametrize("name", [op.name for op in OPCODES.values() if op.signature in INT_SIGNATURES])
def test_ranges_of_operations_on_ints_hold_their_results(name: str) -> None:
    generator = Random(name)
    row = OPCODES[name]
    for _ in range(2000):
        intervals = [int_interval(generator) for _ in range(row.signature.count("I") - row.signature.endswith("I"))]
        rule = SHARPER.get(row)
        found = rule(*intervals) if rule else evaluate(row, INTERVALS, None, [[i] for i in intervals])[0]
        for _ in range(20):
            points = [point(interval, generator) for interval in intervals]
            assert holds(found, evaluate(row, PYTHON, None, [[p] for p in points])[0]), (intervals, points, found)


@pytest.mark.parametrize(
    ("name", "x", "y", "want"),
    [
        ("iand", (-100, 100), (7, 7), (0, 7)),
        ("iand", (5, 5), (6, 6), (4, 4)),
        ("ior", (0, 5), (8, 9), (8, 15)),
        ("ixor", (0, 5), (0, 3), (0, 7)),
        ("ishl", (1, 3), (4, 4), (16, 48)),
        ("ishr", (-9, 8), (1, 1), (-5, 4)),
        ("ushr", (INT_MIN, INT_MAX), (8, 8), (0, 2**24 - 1)),
        ("irem", (-100, 100), (7, 7), (-6, 6)),
        ("irem", (0, 4), (7, 7), (0, 4)),
        ("urem", (INT_MIN, INT_MAX), (7, 7), (0, 6)),
        ("udiv", (INT_MIN, INT_MAX), (16, 16), (0, 2**28 - 1)),
        ("ult", (INT_MIN, -1), (0, 9), (0, 0)),
        ("ult", (0, 8), (9, INT_MAX), (1, 1)),
    ],
)
def test_range_of_an_operation_on_ints(
    name: str, x: tuple[int, int], y: tuple[int, int], want: tuple[int, int]
) -> None:
    row = OPCODES[name]
    operands = [Interval(*x), Interval(*y)]
    found = SHARPER[row](*operands) if row in SHARPER else evaluate(row, INTERVALS, None, [[i] for i in operands])[0]
    assert (found.low, found.high) == want


# -------------------------------------------------------------------------------------- trip counts
LOOP = """shader vertex
output @gl_Position: vec4 role(position)

func @main {{
^entry:
  br ^head
^head:
  %0:{type} = phi [{start}, ^entry], [%2, ^body]
  %1:bool = {test}
  condbr %1, {targets}
^body:
  %2:{type} = {step}
  br ^head
^exit:
  store @gl_Position, vec4(0.0, 0.0, 0.0, 1.0)
  ret
}}
"""
BODY_FIRST, EXIT_FIRST = "^body, ^exit", "^exit, ^body"


def loop(type: str, start: str, test: str, step: str, targets: str = BODY_FIRST) -> Function:
    return read(LOOP.format(type=type, start=start, test=test, step=step, targets=targets)).main


@pytest.mark.parametrize(
    ("function", "stays"),
    [
        (loop("int", "0", "ilt %0, 10", "iadd %0, 3"), len(range(0, 10, 3))),
        (loop("int", "10", "ilt 0, %0", "iadd %0, -1"), len(range(10, 0, -1))),
        (loop("int", "1", "ile %0, 100", "imul %0, 3"), len([3**k for k in range(9) if 3**k <= 100])),
        (loop("int", "5", "ieq %0, 0", "isub %0, 1", EXIT_FIRST), 5),
        (loop("float", "0.0", "flt %0, 1.0", "fadd %0, 0.125"), 8),
        (loop("float", "64.0", "flt 1.0, %0", "fmul %0, 0.5"), 6),
        (loop("int", "3", "ilt %0, 2", "iadd %0, 1"), 0),
    ],
)
def test_trip_count(function: Function, stays: int) -> None:
    (count,) = AnalysisManager(function).get(trip_counts).values()
    assert (count.stays, count.exact) == (stays, True)


BOUNDED = """shader vertex
attribute @a: float
output @gl_Position: vec4 role(position)

func @main {{
^entry:
  %9:float = load @a
  br ^head
^head:
  %0:int = phi [0, ^entry], [%3, ^rest]
  %1:bool = flt %9, 4.0
  {test}
  condbr %2, {targets}
^rest:
  %3:int = iadd %0, 1
  br ^head
^exit:
  store @gl_Position, vec4(0.0, 0.0, 0.0, 1.0)
  ret
}}
"""


@pytest.mark.parametrize(
    ("test", "targets", "stays"),
    [
        ("%4:bool = ilt %0, 5\n  %2:bool = and %4, %1", "^rest, ^exit", 5),
        ("%4:bool = ile 3, %0\n  %2:bool = or %1, %4", "^exit, ^rest", 3),
        ("%4:bool = ile 3, %0\n  %5:bool = or %1, %4\n  %2:bool = not %5", "^rest, ^exit", 3),
        (
            "%4:bool = ilt %0, 9\n  %5:bool = ilt %0, 7\n  %6:bool = and %4, %1\n  %2:bool = and %5, %6",
            "^rest, ^exit",
            7,
        ),
    ],
)
def test_a_part_of_the_test_bounds_the_count(test: str, targets: str, stays: int) -> None:
    function = read(BOUNDED.format(test=test, targets=targets)).main
    (count,) = AnalysisManager(function).get(trip_counts).values()
    assert (count.stays, count.decided, count.exact) == (stays, False, False)


@pytest.mark.parametrize(
    ("test", "targets"),
    [
        ("%4:bool = ilt %0, 5\n  %2:bool = or %4, %1", "^rest, ^exit"),
        ("%4:bool = ile 3, %0\n  %2:bool = and %1, %4", "^exit, ^rest"),
    ],
)
def test_a_part_that_another_one_overrules_bounds_nothing(test: str, targets: str) -> None:
    function = read(BOUNDED.format(test=test, targets=targets)).main
    assert AnalysisManager(function).get(trip_counts) == {}


@pytest.mark.parametrize(
    "function",
    [
        loop("int", "0", "ine %0, 7", "iadd %0, 2"),
        loop("float", "0.0", "flt %0, 1.0", "fmul %0, 0.5"),
        loop("int", "0", "ile 0, 1", "iadd %0, 1"),
    ],
)
def test_loops_without_a_small_count_have_none(function: Function) -> None:
    assert AnalysisManager(function).get(trip_counts) == {}


def test_float_steps_count_as_float32_does() -> None:
    value, stays = np.float32(0.0), 0
    while value < np.float32(1.0):
        value, stays = value + np.float32(0.1), stays + 1
    (count,) = AnalysisManager(loop("float", "0.0", "flt %0, 1.0", "fadd %0, 0.1")).get(trip_counts).values()
    assert count.stays == stays


def test_counted_rounds_happen_in_generated_programs() -> None:
    checked = 0
    for program, runs in sample():
        manager = AnalysisManager(program.module.main)
        counts = manager.get(trip_counts)
        nest = manager.get(loop_nest)
        for found, count in counts.items():
            assert found in nest.all_loops()
            for run in runs:
                longest = 0
                rounds = 0
                for block in run.path:
                    rounds = rounds + 1 if block is found.header else rounds if block in found.blocks else 0
                    longest = max(longest, rounds)
                bound = count.stays + 1
                assert longest <= bound
                checked += longest == bound
    assert checked > 20
