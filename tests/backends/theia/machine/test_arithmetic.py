"""The arithmetic unit against the hardware's own results, and against exact arithmetic written a second time."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np
import pytest

from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.isa.registers import VARIANTS, Variant
from glslc_multi.backends.theia.machine.arithmetic import UNITS
from glslc_multi.backends.theia.machine.simulate import simulate
from glslc_multi.compiler.arithmetic.lanes import LANES
from tests.backends.theia.helpers import program_of
from tests.backends.theia.recorded import EXECUTIONS, RECORDED_VARIANTS, Row

_R1, _R2, _R3 = 71, 72, 73
Lanes = Sequence[int]


def execute(line: str, rows: Mapping[int, Lanes], variant: Variant) -> list[int] | None:
    """R3 after an instruction; None if it never completes."""
    program = Program((*program_of(line, variant=variant).words, 0, 0x0040000000000001), variant)
    outcome, machine = simulate(program, rows)
    return list(machine.patterns(_R3)) if outcome.completes else None


def lanes_of(text: str) -> list[int]:
    return [int(lane, 16) for lane in text.split()]


@pytest.mark.parametrize("recorded", EXECUTIONS, ids=lambda row: row[0])
def test_results_of_the_hardware(recorded: Row) -> None:
    line, first, second, third, on_trunk, on_icarus, cycles = recorded
    rows = {_R1: lanes_of(first), _R2: lanes_of(second), _R3: lanes_of(third)}
    for variant, expected in zip(RECORDED_VARIANTS, (on_trunk, on_icarus), strict=True):
        found = execute(line, rows, variant)
        if expected == "-":
            assert found is None
            continue
        assert found is not None
        compared = slice(2, 3) if line.startswith("MULP") else slice(3)
        assert found[compared] == lanes_of(expected)[compared], variant
    assert instructions.BY_NAME[line.split()[0]].cycles("icarus") == cycles


# --- Exact arithmetic -------------------------------------------------------------------------------------------------


def value(pattern: int) -> Fraction:
    return Fraction(pattern - (pattern >> 31 << 32), 1 << 17)


def pattern(exact: Fraction) -> int:
    """The pattern of a value in range, cut off towards zero."""
    return math.trunc(exact * (1 << 17)) & 0xFFFFFFFF


Formula = Callable[[Lanes, Lanes], list[Fraction]]


def lane_wise(formula: Callable[[Fraction, Fraction], Fraction]) -> Formula:
    return lambda a, b: [formula(value(x), value(y)) for x, y in zip(a, b, strict=True)]


def cut(exact: Fraction) -> Fraction:
    return value(pattern(exact))


def dot(a: Lanes, b: Lanes) -> list[Fraction]:
    return [sum((cut(value(x) * value(y)) for x, y in zip(a, b, strict=True)), Fraction(0))] * 3


def cross(a: Lanes, b: Lanes) -> list[Fraction]:
    x, y = [value(lane) for lane in a], [value(lane) for lane in b]
    return [cut(x[i] * y[j]) - cut(x[j] * y[i]) for i, j in ((1, 2), (2, 0), (0, 1))]


ONE = Fraction(1)
FORMULAS: dict[str, Formula] = {
    "ADD R3 R1 R2": lane_wise(lambda x, y: x + y),
    "SUB R3 R1 R2": lane_wise(lambda x, y: x - y),
    "MUL R3 R1 R2": lane_wise(lambda x, y: x * y),
    "DIV R3 R1 R2": lane_wise(lambda x, y: x / y),
    "INC R3 R1 VOID": lane_wise(lambda x, y: x + 1),
    "DEC R3 R1 VOID": lane_wise(lambda x, y: x - 1),
    "NEG R3 R1 VOID": lane_wise(lambda x, y: -x),
    "COPY R3 R1 VOID": lane_wise(lambda x, y: x),
    "ZERO R3 VOID VOID": lane_wise(lambda x, y: Fraction(0)),
    "FRAC R3 R1 VOID": lane_wise(lambda x, y: x - math.floor(x)),
    "INCX R3 R1 VOID": lambda a, b: [value(a[0]) + 1, value(a[1]), value(a[2])],
    "INCY R3 R1 VOID": lambda a, b: [value(a[0]), value(a[1]) + 1, value(a[2])],
    "INCZ R3 R1 VOID": lambda a, b: [value(a[0]), value(a[1]), value(a[2]) + 1],
    "XCHANGEX R3 R1 R2": lambda a, b: [value(b[0]), value(a[1]), value(a[2])],
    "DOT R3 R1 R2": dot,
    "CROSS R3 R1 R2": cross,
}


@pytest.mark.parametrize("line", FORMULAS)
def test_numbers_in_range_follow_the_formula(line: str) -> None:
    rng = random.Random(line)
    for variant in VARIANTS:
        for _ in range(20):
            rows = [[rng.choice((1, -1)) * rng.randrange(1, 1 << 23) & 0xFFFFFFFF for _ in range(3)] for _ in range(2)]
            if line.startswith("DIV"):
                rows[1] = [lane | 0x1000 for lane in rows[1]]
            expected = [pattern(exact) for exact in FORMULAS[line](*rows)]
            assert execute(line, {_R1: rows[0], _R2: rows[1]}, variant) == expected, rows


@pytest.mark.parametrize("sign", [1, -1])
def test_an_overflowing_sum_keeps_its_sign(sign: int) -> None:
    total = execute("ADD R3 R1 R2", {_R1: [0x7FFFFFFF] * 3, _R2: [1] * 3}, "trunk")
    assert total == [0] * 3
    total = execute("ADD R3 R1 R2", {_R1: [0x80000000] * 3, _R2: [0xFFFFFFFF] * 3}, "trunk")
    assert total == [0xFFFFFFFF] * 3


def test_length_on_trunk_is_the_exact_root_of_the_cut_squares() -> None:
    rng = random.Random(3)
    for _ in range(50):
        row = [rng.randrange(1 << 27) for _ in range(3)]
        squares = sum(x * x >> 17 for x in row)
        assert execute("MAG R3 R1 VOID", {_R1: row}, "trunk") == [math.isqrt(squares << 17)] * 3


def test_length_on_icarus_is_a_table() -> None:
    for squared in (0, 1, 2, 9, 99, 127):
        row = [math.isqrt(squared << 34) + 1 if squared else 0, 0, 0]
        assert execute("MAG R3 R1 VOID", {_R1: row}, "icarus") == [math.isqrt(squared << 34)] * 3
    assert execute("MAG R3 R1 VOID", {_R1: [12 << 17, 0, 0]}, "icarus") == [2 * math.isqrt(2 << 34)] * 3
    assert execute("MAG R3 R1 VOID", {_R1: [23 << 17, 0, 0]}, "icarus") == [0xCACA] * 3


def test_bits() -> None:
    rng = random.Random(4)
    for variant in VARIANTS:
        for _ in range(20):
            a, b = ([rng.randrange(1 << 32) for _ in range(3)] for _ in range(2))
            rows = {_R1: a, _R2: b}
            masks = [(y - 0x20000) % (1 << 32) for y in b]
            assert execute("MOD R3 R1 R2", rows, variant) == [x & m for x, m in zip(a, masks, strict=True)]
            assert execute("UNSCALE R3 R1 VOID", rows, variant) == [x >> 17 for x in a]
            shifted = [x << 17 & 0xFFFFFFFF for x in a]
            assert execute("RESCALE R3 R1 VOID", rows, variant) == (shifted if variant == "icarus" else None)


def test_integers_multiply_without_a_shift() -> None:
    rows = {_R1: [3, 0xFFFFFFFD, 0x10000], _R2: [7, 7, 0x10000]}
    assert execute("IMUL R3 R1 R2", rows, "trunk") == [21, 0xFFFFFFEB, 0]


def test_the_multiplier_cuts_its_multiples_to_32_bits() -> None:
    """3 << 17 has the base-4 digits 2 (place 8) and 1 (place 9), and twice 0x60000000 fits."""
    magnitude = 0x60000000
    assert execute("MUL R3 R1 R2", {_R1: [magnitude] * 3, _R2: [3 << 17, 1 << 17, 0]}, "trunk") == [
        (((2 * magnitude % (1 << 32)) << 16) + (magnitude << 18)) >> 17 & 0xFFFFFFFF,
        magnitude,
        0,
    ]
    # Three times it does not: one place, digit 3.
    assert (
        execute("MUL R3 R1 R2", {_R1: [magnitude] * 3, _R2: [3 << 18] * 3}, "trunk")
        == [((3 * magnitude % (1 << 32)) << 18) >> 17 & 0xFFFFFFFF] * 3
    )


@pytest.mark.parametrize(
    ("variant", "expected"),
    [("trunk", [0x0FFFFFFF, 0xF0000001, 0x0FFFFFFF]), ("icarus", [0xFFFFFFFF, 1, 0xFFFFFFFF])],
)
def test_division_by_zero(variant: Variant, expected: list[int]) -> None:
    assert execute("DIV R3 R1 R2", {_R1: [0x20000, 0xFFFE0000, 0]}, variant) == expected


def test_lanes_are_independent_of_each_other() -> None:
    """Many pixels at once give what each gives alone."""
    rng = np.random.default_rng(7)
    first, second = (rng.integers(-(2**31), 2**31, size=(3, 64)).astype(np.int32) for _ in range(2))
    for variant in VARIANTS:
        unit = UNITS[variant](LANES)
        for name in ("DIV", "MUL", "MAG", "DOT", "CROSS", "ADD"):
            compute = instructions.BY_NAME[name].compute
            assert compute is not None
            operands = (first,) if name == "MAG" else (first, second)
            together = np.array(compute(unit, *operands))
            for pixel in (0, 31, 63):
                alone = compute(unit, *(operand[:, pixel] for operand in operands))
                assert (together[:, pixel] == alone).all(), name


def digit_root(radicand: int) -> int:
    """The recurrence of trunk's square root, whose registers have 32 bits (section 5.6 of the reference)."""
    mask, root2, rest, root = 0xFFFFFFFF, 0, 0, 0
    for position in range(31, -1, -1):
        root2 = 2 * root2 + 1 & mask
        rest = 4 * rest + (radicand >> 2 * position & 3) & mask
        if root2 <= rest:
            root, rest, root2 = root + (1 << position), rest - root2, root2 + 1 & mask
        else:
            root2 = root2 - 1 & mask
    return root


@pytest.mark.parametrize("bits", [20, 28, 29, 30])
def test_lengths_up_to_where_the_root_overflows_and_beyond(bits: int) -> None:
    random = np.random.default_rng(bits)
    lanes = random.integers(-(1 << bits), 1 << bits, (3, 300)).astype(np.int32)
    lanes[:, 0] = 0
    lanes[1:, 1:60] = 0
    unit = UNITS["trunk"](LANES)
    with_overflow = unit.length(list(lanes))
    for column, found in zip(lanes.T, with_overflow.tolist(), strict=True):
        radicand = sum(int(lane) * int(lane) >> 17 for lane in column) << 17
        alone = unit.length(list(column.reshape(3, 1)))
        assert found & 0xFFFFFFFF == int(alone[0]) & 0xFFFFFFFF == digit_root(radicand)
