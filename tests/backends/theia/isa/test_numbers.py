"""Patterns and values."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from glslc_multi.backends.theia.isa.numbers import ONE, pattern_of, signed, value_of


@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        (1.0, 0x20000),
        (-1.0, 0xFFFE0000),
        (0.5, 0x10000),
        (12.0, 0x180000),
        (-16384.0, 0x80000000),
        (1.5 / ONE, 2),
        (2.5 / ONE, 2),
        (-1.5 / ONE, 0xFFFFFFFE),
        (16384.0, 0x7FFFFFFF),
        (-1e30, 0x80000000),
        (math.inf, 0x7FFFFFFF),
        (math.nan, 0),
    ],
)
def test_patterns(value: float, pattern: int) -> None:
    assert pattern_of(value) == pattern


@pytest.mark.parametrize("pattern", [0, 1, 0x1FFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xDEADBEEF])
def test_values_are_exact(pattern: int) -> None:
    assert Fraction(value_of(pattern)) == Fraction(signed(pattern), 1 << 17)
    assert pattern_of(value_of(pattern)) == pattern
