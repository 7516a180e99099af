"""Polynomials against plain numbers: arithmetic, division, clamps, ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random

import pytest

from glslc_multi.backends.pica200.codegen.fragment.read import ranges
from glslc_multi.backends.pica200.codegen.fragment.read.clamps import (
    absolute,
    clamp,
    inside_of_part,
    maximum,
    minimum,
    positive_part,
)
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    ONE,
    ZERO,
    Atom,
    Channel,
    HostNumber,
    Polynomial,
    polynomial,
    rational,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import range_of

A = polynomial(Channel("texture0", "r"))
B = polynomial(Channel("texture1", "r"))
C = polynomial(Channel("primary", "a"))
K = polynomial(HostNumber("u_k", -1, 3))
ATOMS = [next(iter(value.atoms())) for value in (A, B, C, K)]


def _points(count: int, random: Random) -> list[dict[Atom, float]]:
    corners = [dict(zip(ATOMS, values, strict=True)) for values in product((0.0, 1.0), (0.0, 1.0), (0.0, 1.0), (-1, 3))]
    inside = [
        {atom: random.uniform(-1, 3) if atom is ATOMS[3] else random.random() for atom in ATOMS} for _ in range(count)
    ]
    return corners + inside


def _random_polynomial(random: Random) -> Polynomial:
    total = polynomial(Fraction(random.randrange(-4, 5), 4))
    for _ in range(random.randrange(1, 5)):
        term = polynomial(Fraction(random.choice((-2, -1, 1, 2, 3)), random.choice((1, 2, 4))))
        for _ in range(random.randrange(1, 4)):
            term = term * random.choice((A, B, C, K))
        total = total + term
    return total


def _at(value: Polynomial, point: Mapping[Atom, float]) -> float:
    return value.compiled()(point)


def test_equal_values_are_equal_objects() -> None:
    assert 1 - (1 - A) * (1 - B) == A + B - A * B
    assert A * (1 - C) + B * C == A + (B - A) * C
    assert hash(A * B + C) == hash(C + B * A)
    assert A - A == ZERO
    assert A * 2 / 2 == A
    assert Channel("texture0", "r") is Channel("texture0", "r")


def test_arithmetic_is_that_of_numbers() -> None:
    random = Random(1)
    for _ in range(60):
        x, y = _random_polynomial(random), _random_polynomial(random)
        for point in _points(4, random):
            a, b = _at(x, point), _at(y, point)
            assert abs(_at(x + y, point) - (a + b)) < 1e-6
            assert abs(_at(x - y, point) - (a - b)) < 1e-6
            assert abs(_at(x * y, point) - a * b) < 1e-6


def test_quotients_are_exact_or_none() -> None:
    random = Random(2)
    for _ in range(80):
        x, y = _random_polynomial(random), _random_polynomial(random)
        if y:
            assert (x * y).divided_by(y) == x
            if y.constant is None:
                assert (x * y + 1).divided_by(y) is None


def test_division_by_clamps_comes_to_an_end() -> None:
    """Squares of clamps become products with what is inside, which may be larger than what was divided."""
    doubled = minimum(A * 2, ONE)
    assert (A * doubled).divided_by(A) == doubled
    for divisor in (doubled, 1 - doubled, doubled + B, A + 1 - doubled):
        quotient = (A * doubled).divided_by(divisor)
        assert quotient is None or quotient * divisor == A * doubled


def test_clamps_are_canonical() -> None:
    assert maximum(A, B) == maximum(B, A)
    assert minimum(A, B) + maximum(A, B) == A + B
    assert absolute(A - B) == absolute(B - A)
    assert absolute(A - B) * absolute(A - B) == (A - B) * (A - B)
    assert clamp(A) == A
    assert clamp(A + 1) == ONE
    assert clamp(A + B) == minimum(A + B, ONE)


def test_the_inside_of_a_positive_part_is_found_again() -> None:
    for value in (A - B, B - A, A * 2 - 1, 1 - A * 2, A + B - C - 1, K - A):
        assert inside_of_part(positive_part(value)) == value
        assert inside_of_part(positive_part(value) + A) is None


def test_outer_clamps_are_taken_apart_first() -> None:
    """max(clamp(x) - y, 0) is in 0 to 1, which inner cases alone do not show."""
    assert range_of(maximum(clamp(A * 4 - 1) - B, ZERO)) == (0, 1)


def test_clamps_are_those_of_numbers() -> None:
    random = Random(3)
    for _ in range(60):
        x, y = _random_polynomial(random), _random_polynomial(random)
        for point in _points(4, random):
            a, b = _at(x, point), _at(y, point)
            assert abs(_at(clamp(x), point) - min(1.0, max(0.0, a))) < 1e-4
            assert abs(_at(maximum(x, y), point) - max(a, b)) < 1e-3
            assert abs(_at(absolute(x), point) - abs(a)) < 1e-3


def test_ranges_hold() -> None:
    random = Random(4)
    for _ in range(60):
        x, y = _random_polynomial(random), _random_polynomial(random)
        for value in (x, x * y, clamp(x) * y, maximum(x, y) - y):
            low, high = range_of(value)
            for point in _points(8, random):
                assert float(low) - 1e-3 <= _at(value, point) <= float(high) + 1e-3


def test_cases_of_clamps_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest of four differences has clamps in clamps: their cases multiply, and the work must not."""
    seen: list[Polynomial] = []

    def counted(value: Polynomial) -> ranges.Range:
        seen.append(value)
        return over_box(value)

    over_box = ranges._range_over_box
    monkeypatch.setattr(ranges, "_range_over_box", counted)
    fresh = [[polynomial(Channel(f"texture{unit}", name)) for unit in range(3)] for name in "rgba"]
    offs = [absolute(x + y + z - K) for x, y, z in fresh]
    low, high = range_of(maximum(maximum(offs[0], offs[1]), maximum(offs[2], offs[3])))
    assert low <= 0 and high >= 4
    assert len(seen) < 10_000


def test_coefficients_of_cases_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dot products of clamped dot products have few cases, with thousands of coefficients each."""
    summed = 0

    def counted(value: Polynomial, atoms: Sequence[Atom], powers: Sequence[int]) -> ranges.Range:
        nonlocal summed
        summed += prod(power + 1 for power in powers) * len(powers)
        return bernstein(value, atoms, powers)

    bernstein = ranges._bernstein
    monkeypatch.setattr(ranges, "_bernstein", counted)
    v, a = ([polynomial(Channel(source, name)) for name in "rgb"] for source in ("primary", "texture0"))
    first = clamp(2 * v[2] - v[0])
    second = clamp(_dot([first * x * 2 - 1 for x in v], [x * 2 - 1 for x in a]))
    low, high = range_of(second * second * a[0] - first * v[1])
    assert low <= -1 and high >= 1
    assert summed < 100_000


def _dot(left: Sequence[Polynomial], right: Sequence[Polynomial]) -> Polynomial:
    return sum((x * y for x, y in zip(left, right, strict=True)), ZERO)


def test_ranges_are_exact_where_each_atom_is_linear() -> None:
    assert range_of(A + B - 2 * A * B) == (0, 1)
    assert range_of(A * K - 1) == (-2, 2)
    assert range_of(absolute(A - B)) == (0, 1)
    assert range_of(maximum(A, B) - B) == (0, 1)
    assert range_of(A * A * (3 - 2 * A)) == (0, 1)


def test_literals_are_what_was_meant() -> None:
    assert rational(0.3) == Fraction(3, 10)
    assert rational(0.30000001192092896) == Fraction(3, 10)
    assert 1 - rational(0.7) == rational(0.3)
    assert rational(1 / 3) == Fraction(1, 3)
    assert rational(0.5) == Fraction(1, 2)
