"""Between which numbers a polynomial lies, whatever its atoms are.

Over a box of its atoms a polynomial lies between its least and its greatest Bernstein coefficient (Cargo and Shisha,
1966; Garloff, 1985); where it is linear in each atom these are its values at the corners, and the bounds are exact.  A
clamped value that occurs in a polynomial is 0, or what is inside it, or 1: each case has a range, and the condition of
the case sharpens it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb

from backends.pica200.codegen.fragment.polynomials import (
    ONE,
    ZERO,
    Atom,
    Channel,
    Clamp,
    HostNumber,
    Monomial,
    Polynomial,
)

Range = tuple[Fraction, Fraction]

#: Larger grids of coefficients give way to interval arithmetic, larger numbers of clamped values to their plain range.
_GRID = 4096
_CASES = 4

#: What literals lost when they were rounded to 32 bits, and their sums, is far below a step of 1/255.
TOLERANCE = Fraction(1, 2**16)

_UNIT: Range = (Fraction(0), Fraction(1))


@lru_cache(maxsize=100_000)
def range_of(value: Polynomial) -> Range:
    """Least and greatest value, proven; exact where each atom occurs to the first power and no clamp does."""
    number = value.constant
    if number is not None:
        return number, number
    clamps = sorted(atom for atom in value.atoms() if isinstance(atom, Clamp))
    if not clamps or len(clamps) > _CASES:
        return _range_over_box(value)
    return _range_by_cases(value, clamps[0])


def lies_in_unit(value: Polynomial) -> bool:
    """Whether a byte holds it: 0 to 1, but for what the rounding of literals may have done."""
    low, high = range_of(value)
    return low >= -TOLERANCE and high <= 1 + TOLERANCE


def _range_by_cases(value: Polynomial, clamp: Clamp) -> Range:
    """The union of the ranges that the value has where the clamped one is 0, its inside, or 1."""
    inner = clamp.inner
    low, high = range_of(inner)
    cases = [
        (value.substitute({clamp: ZERO}), -inner, low <= 0),
        (value.substitute({clamp: inner}), inner, True),
        (value.substitute({clamp: ONE}), inner - 1, high >= 1 and not clamp.narrow),
    ]
    ranges = [_range_where(case, condition) for case, condition, happens in cases if happens]
    return min(low for low, _ in ranges), max(high for _, high in ranges)


def _range_where(value: Polynomial, condition: Polynomial) -> Range:
    """The range where the condition is not negative: what it multiplies by a positive number cannot lower."""
    lows, highs = zip(*[_range_beside(value, condition, factor) for factor in _factors(value, condition)], strict=True)
    return max(lows), min(highs)


def _range_beside(value: Polynomial, condition: Polynomial, factor: Fraction) -> Range:
    """If x - f*c >= low and f*c >= 0, then x >= low; the same from above with x + f*c."""
    if not factor:
        return range_of(value)
    return range_of(value - condition * factor)[0], range_of(value + condition * factor)[1]


def _factors(value: Polynomial, condition: Polynomial) -> set[Fraction]:
    """Those that cancel a term of the value."""
    found = {
        abs(value.terms[monomial] / condition.terms[monomial]) for monomial in value.terms.keys() & condition.terms
    }
    return {Fraction(0), *sorted(found - {0})[:3]}


def _range_over_box(value: Polynomial) -> Range:
    atoms = sorted(value.atoms())
    powers = [max(monomial.count(atom) for monomial in value.terms) for atom in atoms]
    size = 1
    for power in powers:
        size *= power + 1
    if size * len(value.terms) > _GRID:
        return _range_by_intervals(value)
    coefficients = _bernstein(value, atoms, powers)
    return min(coefficients), max(coefficients)


def bounds_of_atom(atom: Atom) -> Range:
    """The interval that an atom is promised to lie in."""
    return (atom.low, atom.high) if isinstance(atom, HostNumber) else _UNIT


def _bernstein(value: Polynomial, atoms: Sequence[Atom], powers: Sequence[int]) -> list[Fraction]:
    """The coefficients in the Bernstein basis over the box of the atoms, each scaled to 0 to 1."""
    unit = _over_unit_box(value, atoms)
    rows = [(factor, [monomial.count(atom) for atom in atoms]) for monomial, factor in unit.terms.items()]
    return [
        sum((factor * _share(index, exponents, powers) for factor, exponents in rows), Fraction(0))
        for index in product(*(range(power + 1) for power in powers))
    ]


def _share(index: Sequence[int], exponents: Sequence[int], powers: Sequence[int]) -> Fraction:
    """What a monomial gives the coefficient at `index`: the product of C(i, e) / C(n, e)."""
    share = Fraction(1)
    for i, exponent, power in zip(index, exponents, powers, strict=True):
        if exponent > i:
            return Fraction(0)
        if exponent:
            share *= Fraction(comb(i, exponent), comb(power, exponent))
    return share


def _over_unit_box(value: Polynomial, atoms: Sequence[Atom]) -> Polynomial:
    """The same with each atom that is not in 0 to 1 written as low + (high - low) * atom."""
    scaled = {
        atom: Polynomial({(): low, (atom,): high - low} if low else {(atom,): high - low})
        for atom in atoms
        for low, high in [bounds_of_atom(atom)]
        if (low, high) != _UNIT
    }
    return value.substitute(scaled)


def _range_by_intervals(value: Polynomial) -> Range:
    low = high = Fraction(0)
    for monomial, factor in value.terms.items():
        least, greatest = _interval_of_product(monomial)
        low += min(factor * least, factor * greatest)
        high += max(factor * least, factor * greatest)
    return low, high


def _interval_of_product(monomial: Monomial) -> Range:
    least = greatest = Fraction(1)
    for atom in monomial:
        low, high = bounds_of_atom(atom)
        ends = [least * low, least * high, greatest * low, greatest * high]
        least, greatest = min(ends), max(ends)
    return least, greatest


def pixel_atoms(value: Polynomial) -> Iterator[Atom]:
    """The atoms that differ from pixel to pixel, in order."""
    return (atom for atom in sorted(value.atoms()) if isinstance(atom, Channel | Clamp))
