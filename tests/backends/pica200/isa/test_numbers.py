"""The 24-bit float and arithmetic in it."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glslc_multi.backends.pica200.isa import numbers
from glslc_multi.backends.pica200.isa.meanings import sum_of_products
from glslc_multi.backends.pica200.machine.lane_arithmetic import F24, F32
from glslc_multi.compiler.arithmetic.lanes import Array, LaneArithmetic, quiet

INF, NAN = math.inf, math.nan
SMALLEST, LARGEST = numbers.SMALLEST_NORMAL, numbers.LARGEST
#: Largest subnormal: a pattern without exponent.
SUBNORMAL = numbers.value_of(0xFFFF)


@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        (0.0, 0x000000),
        (1.0, 0x3F0000),
        (-2.0, 0xC00000),
        (0.5, 0x3E0000),
        (3.0, 0x408000),
        (LARGEST, 0x7EFFFF),
        (SMALLEST, 0x010000),
        (INF, 0x7F0000),
        (-INF, 0xFF0000),
    ],
)
def test_patterns(value: float, pattern: int) -> None:
    assert numbers.pattern_of(value) == pattern
    assert numbers.value_of(pattern) == value


@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        (1 + 2.0**-17, 0x3F0000),  # the mantissa is cut off, not rounded
        (1 + 3 * 2.0**-17, 0x3F0001),
        (2.0**-62.5, 0x000000),  # would be a subnormal pattern
        (2.0**64, 0x7F0000),  # would be a NaN pattern
        (1e300, 0x7F0000),
    ],
)
def test_literals_outside_of_the_format(value: float, pattern: int) -> None:
    assert numbers.pattern_of(value) == pattern


@given(st.integers(0, 2**24 - 1))
@settings(derandomize=True, max_examples=300)
def test_writable_patterns_come_back(pattern: int) -> None:
    exponent, mantissa = pattern >> 16 & 0x7F, pattern & 0xFFFF
    expected = not (exponent in (0, 127) and mantissa) or pattern & 0x7FFFFF == 0x7F8000
    assert numbers.is_writable(pattern) == expected


def number(value: float) -> Array:
    """One lane's number, as 24 bits are stored."""
    return np.asarray(value, np.float64)


def nearest(value: float) -> float:
    """The nearest number of 1-7-16 by exact arithmetic, ties to the even mantissa."""
    if value == 0 or not math.isfinite(value):
        return value if value else 0.0
    exponent = math.frexp(value)[1] - 1
    unit = Fraction(2) ** (exponent - 16)
    rounded = float(round(Fraction(value) / unit) * unit)
    if abs(rounded) >= 2.0**64:
        return math.copysign(INF, value)
    return rounded if abs(rounded) >= SMALLEST else 0.0


@given(st.floats(-1e300, 1e300) | st.sampled_from((INF, -INF)))
@settings(derandomize=True, max_examples=400)
def test_rounding_is_to_nearest_even(value: float) -> None:
    with quiet():
        assert float(F24.encode("float", value)) == nearest(value)
    assert numbers.nearest(value) == nearest(value)


small = st.floats(-1e6, 1e6, width=32).map(lambda x: float(F24.encode("float", x)))


@given(small, small)
@settings(derandomize=True, max_examples=300)
def test_operations_are_rounded_once(x: float, y: float) -> None:
    a, b = number(x), number(y)
    with quiet():
        assert float(F24.fadd(a, b)) == nearest(x + y)
        assert float(F24.fmul(a, b)) == nearest(x * y)
        if y:
            assert float(F24.fdiv(a, b)) == nearest(x / y)


def test_dot_products_are_sums_of_rounded_products() -> None:
    random = np.random.default_rng(3)
    for reach in (0, 10, 22, 30, 31, 32, 40, 63):
        numbers = random.normal(size=(2, 4, 500)) * 2.0 ** random.integers(-reach, reach + 1, (2, 4, 1))
        numbers[0, :, :100] *= random.random((4, 100)) < 0.5
        with quiet():
            s, t = F24.encode("float", numbers)
            np.testing.assert_array_equal(F24.dot(s, t), sum_of_products(F24, s, t))
            np.testing.assert_array_equal(F24.dot(s[:3], t[:3, :1]), sum_of_products(F24, s[:3], t[:3, :1]))


@pytest.mark.parametrize("arithmetic", [F32, F24], ids=["f32", "f24"])
def test_infinity_times_zero_is_zero_but_nan_stays(arithmetic: LaneArithmetic) -> None:
    with quiet():
        products = [float(arithmetic.fmul(number(x), number(y))) for x, y in ((INF, 0.0), (0.0, -INF), (NAN, 0.0))]
    assert products[:2] == [0.0, 0.0]
    assert math.isnan(products[2])


def test_arithmetic_flushes_subnormals_and_has_no_negative_zero() -> None:
    with quiet():
        assert float(F24.encode("float", SUBNORMAL)) == 0.0
        assert float(F24.fmul(number(SMALLEST), number(0.5))) == 0.0
        assert math.copysign(1.0, float(F24.fneg(number(0.0)))) == 1.0
        assert math.copysign(1.0, float(F24.fmul(number(-1.0), number(0.0)))) == 1.0
        assert float(F24.fmul(number(LARGEST), number(2.0))) == INF
        assert not F24.feq(number(SUBNORMAL), number(0.0))
