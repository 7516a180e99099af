"""Comparisons that ranges decide, against their definition on the ends of the range."""

from __future__ import annotations

from fractions import Fraction

import pytest

from glslc_multi.backends.pica200.codegen.fragment.read.arithmetic import Comparison, HostTruth, Relation, compare
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import ONE, ZERO, Channel, polynomial

STEP = Fraction(1, 255)


@pytest.mark.parametrize("relation", ["<", "<=", "=="])
@pytest.mark.parametrize("shift", [-2, -1 - STEP, -1, -1 + STEP, -STEP, 0, STEP, 1])
def test_a_comparison_is_decided_where_both_ends_agree(relation: Relation, shift: Fraction) -> None:
    """A channel of a texture is from 0 to 1."""
    difference = polynomial(Channel("texture0", "r")) + Fraction(shift)
    low, high = shift, 1 + shift
    wanted = {
        "<": True if high < 0 else False if low >= 0 else None,
        "<=": True if high <= 0 else False if low > 0 else None,
        "==": False if low > 0 or high < 0 else None,
    }[relation]
    found = compare(relation, difference)
    if wanted is None:
        assert found == Comparison(relation, difference)
    else:
        assert found == HostTruth(ONE if wanted else ZERO)


@pytest.mark.parametrize("number", [-1, 0, 1])
def test_numbers_are_compared(number: int) -> None:
    found = [compare(relation, polynomial(number)) == HostTruth(ONE) for relation in ("<", "<=", "==")]
    assert found == [number < 0, number <= 0, number == 0]
