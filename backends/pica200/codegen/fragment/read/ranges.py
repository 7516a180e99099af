"""Between which numbers a polynomial lies, whatever its atoms are.

Over a box of its atoms a polynomial lies between its least and its greatest Bernstein coefficient (Cargo and Shisha,
1966; Garloff, 1985); where it is linear in each atom these are its values at the corners, and the bounds are exact.  A
clamped value that occurs in a polynomial is 0, or what is inside it, or 1: each case has a range, and the condition of
the case sharpens it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm, prod
from operator import add, mul

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    BY_KEY,
    ONE,
    ZERO,
    Atom,
    Channel,
    Clamp,
    HostNumber,
    Monomial,
    Number,
    Polynomial,
)

Range = tuple[Number, Number]

#: Larger grids of coefficients give way to interval arithmetic, larger numbers of clamped values to their plain range.
_GRID = 4096
_CASES = 4
#: Cases in cases in cases would take long; what is clamped so often is taken to lie in 0 to 1 and no more.
_NESTED = 2
#: Powers of what is clamped have many terms: beyond these the plain range has to do.
_TERMS = 400
#: So many coefficients may be summed for one value, along each atom; where cases come to more, the plain range has to
#: do.  Values of programs that fit take 5,000.
_SUMS = 1 << 16

#: So many ranges are remembered, which is about what the search for one shader asks for.
_REMEMBERED = 2_000

#: What literals lost when they were rounded to 32 bits, and their sums, is far below a step of 1/255.
TOLERANCE = Fraction(1, 2**16)
_LEAST, _GREATEST = -TOLERANCE, 1 + TOLERANCE

_UNIT: Range = (0, 1)


@lru_cache(maxsize=_REMEMBERED)
def range_of(value: Polynomial) -> Range:
    """Least and greatest value, proven; exact where each atom occurs to the first power and no clamp does."""
    try:
        return _Cases().range_of(value)
    except _TooMany:
        return _range_over_box(value)


def _depth(value: Polynomial) -> int:
    """How deep clamped values stand in clamped values."""
    return max((1 + _depth(atom.inner) for atom in value.atoms() if isinstance(atom, Clamp)), default=0)


def _terms_inside(value: Polynomial, clamp: Clamp) -> int:
    """How many terms there may be with the inside in the place of a clamped value."""
    power = max(monomial.count(clamp) for monomial in value.terms)
    return len(value.terms) * comb(len(clamp.inner.terms) + power - 1, power)


def lies_in_unit(value: Polynomial) -> bool:
    """Tell whether a byte holds it: 0 to 1, but for what the rounding of literals may have done."""
    low, high = range_of(value)
    return low >= _LEAST and high <= _GREATEST


class _TooMany(Exception):
    """More ranges of cases than it is worth."""


class _Cases:
    """Ranges by the cases of clamped values, whose number is counted: cases in cases multiply."""

    def __init__(self) -> None:
        self._known: dict[Polynomial, Range] = {}
        self._left = _SUMS

    def range_of(self, value: Polynomial) -> Range:
        if value not in self._known:
            powers = _powers(value)
            self._left -= 1 + min(_size(powers), _GRID) * len(powers)
            if self._left < 0:
                raise _TooMany
            self._known[value] = self._computed(value)
        return self._known[value]

    def _computed(self, value: Polynomial) -> Range:
        number = value.constant
        if number is not None:
            return number, number
        # Outer ones first: their insides may cancel what else there is of inner ones.
        clamps = sorted(
            (atom for atom in value.atoms() if isinstance(atom, Clamp)),
            key=lambda clamp: (-_depth(clamp.inner), clamp.key),
        )
        if not clamps or len(clamps) > _CASES or _depth(value) > _NESTED or _terms_inside(value, clamps[0]) > _TERMS:
            return _range_over_box(value)
        # The union of the ranges that the value has where the clamped one is 0, its inside, or 1. Cases do not know
        # that the inside is at most 1 where it is not cut off; the box does, so nothing beyond counts.
        least, greatest = _range_over_box(value)
        low, high = greatest, least
        for case, condition in _cases(value, clamps[0]):
            if low <= least and high >= greatest:
                break
            part = self._range_where(case, condition, (low, high))
            low, high = min(low, part[0]), max(high, part[1])
        return max(low, least), min(high, greatest)

    def _range_where(self, value: Polynomial, condition: Polynomial, found: Range) -> Range:
        """The range where the condition is not negative: what it multiplies by a positive number cannot lower.

        Any range does that is within `found`.
        """
        low, high = self.range_of(value)
        for factor in _factors(value, condition):
            if low < found[0]:
                # If x - f*c >= low and f*c >= 0, then x >= low; the same from above with x + f*c.
                low = max(low, self.range_of(value - condition * factor)[0])
            if high > found[1]:
                high = min(high, self.range_of(value + condition * factor)[1])
        return low, high


def _cases(value: Polynomial, clamp: Clamp) -> Iterator[tuple[Polynomial, Polynomial]]:
    """What the value is in each case that happens, and what is not negative there."""
    inner = clamp.inner
    low, high = range_of(inner)
    yield value.substitute({clamp: inner}), inner
    if low <= 0:
        yield value.substitute({clamp: ZERO}), -inner
    if high >= 1 and not clamp.narrow:
        yield value.substitute({clamp: ONE}), inner - 1


def _factors(value: Polynomial, condition: Polynomial) -> Sequence[Number]:
    """Those that cancel a term of the value."""
    ratios = {
        abs(Fraction(value.terms[monomial]) / condition.terms[monomial])
        for monomial in value.terms.keys() & condition.terms
    }
    return sorted(ratios)[:3]


def _range_over_box(value: Polynomial) -> Range:
    powers = _powers(value)
    if _size(powers) > _GRID:
        low: Number = 0
        high: Number = 0
        for monomial, factor in value.terms.items():
            least, greatest = _interval_of_product(monomial)
            low += min(factor * least, factor * greatest)
            high += max(factor * least, factor * greatest)
        return low, high
    return _bernstein(value, list(powers), list(powers.values()))


def _powers(value: Polynomial) -> dict[Atom, int]:
    """The highest power of each atom."""
    return {atom: max(monomial.count(atom) for monomial in value.terms) for atom in sorted(value.atoms(), key=BY_KEY)}


def _size(powers: Mapping[Atom, int]) -> int:
    """How many coefficients there are."""
    return prod(power + 1 for power in powers.values())


def bounds_of_atom(atom: Atom) -> Range:
    """The interval that an atom is promised to lie in."""
    return (atom.low, atom.high) if isinstance(atom, HostNumber) else _UNIT


def _bernstein(value: Polynomial, atoms: Sequence[Atom], powers: Sequence[int]) -> Range:
    """The least and the greatest coefficient in the Bernstein basis.

    For one atom after the other, b(i) is the sum of a(e) * C(i, e) / C(n, e).

    In whole numbers over a common denominator, since they are many times faster than fractions.
    """
    strides = [prod(power + 1 for power in powers[index + 1 :]) for index in range(len(atoms))]
    scaled = _over_unit_box(value, atoms)
    rows: list[tuple[int, int, int]] = []
    for monomial, number in scaled.numerators.items():
        exponents = list(map(monomial.count, atoms))
        share = prod(map(comb, powers, exponents))
        rows.append((sum(map(mul, exponents, strides)), number, share))
    common = lcm(*(share for _, _, share in rows))
    grid = [0] * prod(power + 1 for power in powers)
    for place, number, share in rows:
        grid[place] = number * (common // share)
    for power, stride in zip(powers, strides, strict=True):
        _sum_along(grid, power, stride)
    denominator = common * scaled.denominator
    return Fraction(min(grid), denominator), Fraction(max(grid), denominator)


def _sum_along(grid: list[int], power: int, stride: int) -> None:
    """Row i along one atom becomes the sum of rows e <= i, times C(i, e)."""
    for start in range(0, len(grid), (power + 1) * stride):
        rows = [grid[index : index + stride] for index in range(start, start + (power + 1) * stride, stride)]
        for i in range(1, power + 1):
            total = rows[i]
            for e in range(i):
                row = rows[e] if i == 1 else [comb(i, e) * number for number in rows[e]]
                total = list(map(add, total, row))
            grid[start + i * stride : start + (i + 1) * stride] = total


def _over_unit_box(value: Polynomial, atoms: Sequence[Atom]) -> Polynomial:
    """The same with each atom that is not in 0 to 1 written as low + (high - low) * atom."""
    scaled = {
        atom: Polynomial({(): low, (atom,): high - low} if low else {(atom,): high - low})
        for atom in atoms
        for low, high in [bounds_of_atom(atom)]
        if (low, high) != _UNIT
    }
    return value.substitute(scaled)


def _interval_of_product(monomial: Monomial) -> Range:
    least: Number = 1
    greatest: Number = 1
    for atom in monomial:
        low, high = bounds_of_atom(atom)
        ends = [least * low, least * high, greatest * low, greatest * high]
        least, greatest = min(ends), max(ends)
    return least, greatest


def pixel_atoms(value: Polynomial) -> Iterator[Atom]:
    """The atoms that differ from pixel to pixel, in order."""
    return (atom for atom in sorted(value.atoms(), key=BY_KEY) if isinstance(atom, Channel | Clamp))
