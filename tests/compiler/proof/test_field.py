"""GF(p) and its roots, by the rules of fields."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from glslc_multi.compiler.proof.field import PRIME, Element, Pair, element_of, inverse, oracle, root


def _elements(count: int) -> list[int]:
    random = Random(61)
    return [1, 2, PRIME - 1, PRIME - 2, *(random.randrange(1, PRIME) for _ in range(count))]


def _pairs(count: int) -> list[Element]:
    random = Random(62)
    return [Pair(random.randrange(PRIME), random.randrange(1, PRIME)) for _ in range(count)]


@pytest.mark.parametrize("number", [0.0, 1.0, -1.0, 0.5, 2.0**-61, 2.0**-62, 2.0**61, 2.0**-149, 0.1, -3.75e20])
def test_a_float_is_the_element_of_its_fraction(number: float) -> None:
    fraction = Fraction(number)
    assert element_of(number) * fraction.denominator % PRIME == fraction.numerator % PRIME


@pytest.mark.parametrize("x", [*_elements(20), *_pairs(20)])
def test_an_element_times_its_inverse_is_1(x: Element) -> None:
    assert x * inverse(x) % PRIME == 1


@pytest.mark.parametrize("x", _elements(40))
def test_every_element_has_a_root_always_the_same_one(x: int) -> None:
    found = root(x)
    assert found is not None
    assert found * found % PRIME == x
    assert root(x) == found


@pytest.mark.parametrize("x", _pairs(20))
def test_a_square_of_pairs_has_a_root(x: Element) -> None:
    square = x * x % PRIME
    found = root(square)
    assert found is not None
    assert found * found % PRIME == square


def test_some_pairs_have_none() -> None:
    roots = [root(x) for x in _pairs(40)]
    assert None in roots
    assert all(found is None or found * found % PRIME == x for x, found in zip(_pairs(40), roots, strict=True))


def test_oracles_depend_on_name_and_operands() -> None:
    assert oracle("sin", 1) == oracle("sin", 1)
    assert len({oracle("sin", 1), oracle("cos", 1), oracle("sin", 2), oracle("sin", 1, 2)}) == 4
