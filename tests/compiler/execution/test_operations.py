"""Every lane operation on both engines, against plain Python's numbers."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.arithmetic.operations import LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Arithmetic
from glslc_multi.compiler.execution.program import Element
from tests.compiler.execution.engines import ENGINES, computed
from tests.compiler.ir.numbers_for_tests import FLOATS, INTS, random_floats, random_ints

_INTS = [*INTS, *random_ints(1, 30)]
_LONGS = [0, 1, -1, 5, -(2**63), 2**63 - 1, 2**32, -(2**32) - 7, 0x0123456789ABCDEF, -0x0123456789ABCDEF]
_FLOATS = [*FLOATS, *random_floats(2, 30)]
_DOUBLES = [0.0, -0.0, 1.5, -2.75, 1e300, -1e-300, 0.1, 2.0**-149, 3.4e38, 1e39, math.inf, -math.inf]
_SHIFTS = [0, 1, 7, 24, 31]


def wrap(value: int, bits: int = 32) -> int:
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def unsigned(value: int, bits: int = 32) -> int:
    return value % (1 << bits)


def recast(form: str, other: str) -> Callable[[Any], Any]:
    return lambda x: struct.unpack(other, struct.pack(form, x))[0]


def float_of(x: float) -> float:
    try:
        return float(struct.unpack("<f", struct.pack("<f", x))[0])
    except OverflowError:
        return math.copysign(math.inf, x)


def half_of(x: float) -> int:
    try:
        return int(struct.unpack("<H", struct.pack("<e", x))[0])
    except OverflowError:
        return 0xFC00 if x < 0 else 0x7C00


#: Operation -> the kinds of its operands (i, l, f, d; s: a shift), the type of its result, and what it is.
_CASES: dict[str, tuple[str, Element, Callable[..., Any]]] = {
    "widened": ("i", "i64", lambda x: x),
    "extended": ("i", "i64", unsigned),
    "narrowed": ("l", "i32", wrap),
    "bits": ("f", "i32", recast("<f", "<i")),
    "number": ("i", "float", recast("<i", "<f")),
    "itod": ("i", "double", float),
    "ult": ("ii", "i1", lambda x, y: unsigned(x) < unsigned(y)),
    "udiv": ("ii", "i32", lambda x, y: wrap(unsigned(x) // unsigned(y)) if y else 0),
    "imin": ("ii", "i32", min),
    "imax": ("ii", "i32", max),
    "umin": ("ii", "i32", lambda x, y: min(x, y, key=unsigned)),
    "umax": ("ii", "i32", lambda x, y: max(x, y, key=unsigned)),
    "iabs": ("i", "i32", lambda x: wrap(abs(x))),
    "bits_and": ("ii", "i32", lambda x, y: x & y),
    "bits_or": ("ii", "i32", lambda x, y: x | y),
    "bits_xor": ("ii", "i32", lambda x, y: x ^ y),
    "bits_not": ("i", "i32", lambda x: ~x),
    "shl": ("is", "i32", lambda x, y: wrap(x << y)),
    "shr": ("is", "i32", lambda x, y: wrap(unsigned(x) >> y)),
    "asr": ("is", "i32", lambda x, y: x >> y),
    "leading_zeros": ("i", "i32", lambda x: 32 - unsigned(x).bit_length()),
    "copysign": ("ff", "float", math.copysign),
    "half_to_float": ("h", "float", lambda x: struct.unpack("<e", struct.pack("<H", x & 0xFFFF))[0]),
    "float_to_half": ("f", "i32", half_of),
}
#: The same for the wider types.
_WIDE_CASES: dict[str, tuple[str, Element, Callable[..., Any]]] = {
    "widened": ("f", "double", lambda x: x),
    "narrowed": ("d", "float", float_of),
    "bits": ("d", "i64", recast("<d", "<q")),
    "number": ("l", "double", recast("<q", "<d")),
    "itod": ("l", "double", float),
    "dtol": ("w", "i64", math.trunc),
    "bits_and": ("ll", "i64", lambda x, y: x & y),
    "bits_not": ("l", "i64", lambda x: ~x),
    "shl": ("lt", "i64", lambda x, y: wrap(x << y, 64)),
    "shr": ("lt", "i64", lambda x, y: wrap(unsigned(x, 64) >> y, 64)),
    "asr": ("lt", "i64", lambda x, y: x >> y),
    "umax": ("ll", "i64", lambda x, y: max(x, y, key=lambda z: unsigned(z, 64))),
    "ult": ("ll", "i1", lambda x, y: unsigned(x, 64) < unsigned(y, 64)),
}
_POOLS: dict[str, tuple[list[Any], Any]] = {
    "i": (_INTS, np.int32),
    "l": (_LONGS, np.int64),
    "f": (_FLOATS, np.float32),
    "d": (_DOUBLES, np.float64),
    "w": ([0.0, 0.75, -0.75, 1e15 + 0.5, -1e15 - 0.5, 2.0**62, -(2.0**63)], np.float64),
    "s": (_SHIFTS, np.int32),
    "t": ([0, 1, 31, 32, 63], np.int64),
    "h": ([0, 0x3C00, 0x8000, 0x0001, 0x03FF, 0x7BFF, 0x7C00, 0xFC00, 0x12345678], np.int32),
}


def assert_equal(found: Any, wanted: Any) -> None:
    """The same numbers, NaN included, and the same signs of zeros."""
    np.testing.assert_array_equal(found, wanted)
    if found.dtype.kind == "f":
        is_number = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(found)[is_number], np.signbit(wanted)[is_number])


def test_every_operation_is_tried() -> None:
    others = {"lconst", "dconst", "stray", "permuted", "unless", "never", "is_float", "exp2", "log2", "below"}
    own = {name for name in vars(LaneOperations) if not name.startswith("_")}
    assert own - others == (_CASES.keys() | _WIDE_CASES.keys()) - vars(Arithmetic).keys()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("name", "case"),
    [*_CASES.items(), *_WIDE_CASES.items()],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_an_operation_is_what_python_says(
    engine: str, name: str, case: tuple[str, Element, Callable[..., Any]]
) -> None:
    kinds, element, reference = case
    pools = [_POOLS[kind][0] for kind in kinds]
    rows = [(x,) for x in pools[0]] if len(pools) == 1 else [(x, y) for x in pools[0] for y in pools[1]]
    operands = [
        np.array(column, dtype=np.float64 if _POOLS[kind][1] is np.float64 else None).astype(_POOLS[kind][1])
        for kind, column in zip(kinds, zip(*rows, strict=True), strict=True)
    ]
    found = computed(engine, lambda a, *values: getattr(a, name)(*values), *operands, element=element)
    wanted = np.array([reference(*(operand.item() for operand in row)) for row in zip(*operands, strict=True)])
    assert_equal(found, wanted.astype(found.dtype))


@pytest.mark.parametrize("engine", ENGINES)
def test_constants(engine: str) -> None:
    x = np.zeros(5, np.float64)
    assert_equal(computed(engine, lambda a, x: a.dconst(0.1), x), np.full(5, 0.1))
    assert_equal(computed(engine, lambda a, x: a.lconst(-(2**40) - 3), x, element="i64"), np.full(5, -(2**40) - 3))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["exp2", "log2"])
def test_powers_and_logarithms(engine: str, name: str) -> None:
    """Python's, rounded to floats."""
    x = np.array([1.0, 2.0, 0.1, 3.75, 100.0, 1e-30 if name == "log2" else -30.5, math.inf])
    found = computed(engine, lambda a, x: a.narrowed(getattr(a, name)(x)), x, element="float")
    assert_equal(found, np.array([getattr(math, name)(number) for number in x], np.float32))
    if name == "log2":
        assert computed(engine, lambda a, x: a.log2(x), np.zeros(1)).tolist() == [-math.inf]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("low", [2.0**-126, 1.0])
@pytest.mark.parametrize("x", [0.0, -0.0, 2.0**-127, 2.0**-126, -0.99, 1.0, -1.0, 3e38, -math.inf, math.nan])
def test_magnitudes_that_are_low(engine: str, low: float, x: float) -> None:
    found = computed(engine, lambda a, x: a.below(x, low), np.array([2.0, x, 3.0], np.float32), element="i1")
    assert bool(found[1]) == (not abs(x) >= low)
    if found[0]:
        # All are so in the arrays, where one is.
        assert engine == "arrays" and found.all()


@pytest.mark.parametrize("engine", ENGINES)
def test_floats_tell_that_they_are(engine: str) -> None:
    def formula(a: LaneOperations, x: Any) -> Any:
        return a.iconst(10 * a.is_float(x) + a.is_float(a.bits(x)))

    assert computed(engine, formula, np.ones(1, np.float32), element="i32").tolist() == [10]


@pytest.mark.parametrize("engine", ENGINES)
def test_lanes_are_permuted_in_their_runs(engine: str) -> None:
    x = np.arange(16, dtype=np.int32) * 10
    found = computed(engine, lambda a, x: a.permuted(x, (1, 1, 3, 0)), x)
    assert found.tolist() == [x[4 * (lane // 4) + (1, 1, 3, 0)[lane % 4]] for lane in range(16)]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rare", [None, 0, 33])
def test_what_is_rare_is_computed_for_all_lanes(engine: str, rare: int | None) -> None:
    """Where no lane is rare, the usual values stand; in a group with one, the others' are computed, too."""
    x = np.ones(40, np.float32)
    if rare is not None:
        x[rare] = -1.0

    def formula(a: LaneOperations, x: Any) -> Any:
        (found,) = a.unless(a.flt(x, a.fconst(0.0)), [a.fconst(1.0)], lambda: [a.fadd(x, a.fconst(2.0))])
        return found

    found = computed(engine, formula, x)
    wanted = x + 2.0
    assert (found[x < 0] == wanted[x < 0]).all()
    assert set(found[x > 0].tolist()) <= {1.0, 3.0}
    assert (3.0 in found) == (rare is not None)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("type", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("x", "is_stray"),
    [
        (0.0, False),
        (-0.0, False),
        (0.25, False),
        (-0.25, False),
        (7.75, False),
        (0.21875, True),
        (-1e-40, True),
        (-8.0, True),
        (math.inf, True),
        (-math.nan, True),
    ],
)
def test_stray_numbers(engine: str, type: type[np.generic], x: float, is_stray: bool) -> None:
    """Where one strays, it is said at least there; where none does, nowhere."""
    rows = np.array([[0.0, -0.25, 1.0, 7.75] * 10] * 2, type)
    rows[1, 21] = x
    found = computed(engine, lambda a, x, y: a.stray([x, y], 0.25, 8.0), *rows, element="i1")
    assert bool(found[21]) == found.any() == is_stray


@pytest.mark.parametrize("lane", [None, 0, 33])
def test_only_who_has_the_lanes_knows_that_a_mask_never_holds(lane: int | None) -> None:
    x = np.ones(40, np.float32)
    if lane is not None:
        x[lane] = -1.0

    def formula(a: LaneOperations, x: Any) -> Any:
        is_negative = a.flt(x, a.fconst(0.0))
        return a.fconst(5.0) if a.never(is_negative) else a.select(is_negative, a.fconst(7.0), x)

    wanted = np.where(x < 0, 7.0, x)
    assert_equal(computed("translated", formula, x), wanted)
    assert_equal(computed("arrays", formula, x), np.full(40, 5.0) if lane is None else wanted)
