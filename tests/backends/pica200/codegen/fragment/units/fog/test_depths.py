"""A function of depth is 0 to 1 of a unit, scaled to what it may be."""

from __future__ import annotations

from fractions import Fraction

import pytest

from glslc_multi.backends.pica200.codegen.fragment.read.clamps import clamp
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import Channel, Polynomial, polynomial
from glslc_multi.backends.pica200.codegen.fragment.units.fog import DepthNumber, depth_numbers, sees_depth
from glslc_multi.compiler.analysis.ranges import Interval


@pytest.mark.parametrize(
    ("interval", "low", "width"),
    [
        (Interval(0.0, 1.0), 0, 1),
        # 0 and 1 always belong to it, so that what lies between them is as it is.
        (Interval(0.25, 0.5), 0, 1),
        (Interval(-0.5, 0.25), Fraction(-1, 2), 1),
        (Interval(-1.0, 2.0), -1, 3),
        (Interval(0.5, 4.0), 0, 4),
        (Interval(-3.0, -2.0), -3, 1),
    ],
)
def test_the_scale_of_a_function(interval: Interval, low: Fraction, width: Fraction) -> None:
    number = DepthNumber(None, 0, interval)
    assert (number.low, number.width) == (low, width)
    # The table holds a number for each value that the function takes.
    assert all(0 <= (Fraction(end) - number.low) / number.width <= 1 for end in (interval.low, interval.high))


def test_depth_is_seen_in_clamped_values_too() -> None:
    depth, other = polynomial(DepthNumber(None, 0, Interval(0.0, 1.0))), polynomial(Channel("texture0", "r"))
    inside: Polynomial = clamp(depth * 2 - other)
    assert sees_depth(depth * other)
    assert sees_depth(inside * other)
    assert not sees_depth(other)
    assert depth_numbers(depth * other + inside) == list(depth.atoms())
    assert depth_numbers(inside) == []
