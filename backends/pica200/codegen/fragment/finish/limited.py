"""Comparisons through a clamp: alpha is clamp(x), and x is compared with a limit, or the other way round.

    x < l  is  clamp(x) < l   for 0 < l <= 1, and so is >=
    x > l  is  clamp(x) > l   for 0 <= l < 1, and so is <=

Of max(x, 0), where x is never above 1, the upper end does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from backends.pica200.codegen.fragment.algebra.conditions import Comparison
from backends.pica200.codegen.fragment.algebra.polynomials import Clamp, Number, Polynomial, polynomial
from backends.pica200.codegen.fragment.algebra.ranges import range_of
from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class _Limited:
    """offset + factor * clamp(inner)."""

    inner: Polynomial
    factor: Fraction
    offset: Polynomial
    #: Whether the inside may be above 1.
    has_top: bool


def through_clamps(comparison: Comparison, alpha: Polynomial) -> Iterator[Polynomial]:
    """Differences that decide the comparison as well, with alpha for what it is the clamp of."""
    for difference in (comparison.difference, *_without_clamp(comparison)):
        yield difference
        for limited in _limited(alpha):
            line = _line(difference, limited.inner)
            if line is not None and _is_within(comparison, *line, limited.has_top):
                slope, rest = line
                yield (alpha - limited.offset) * (slope / limited.factor) + rest


def _without_clamp(comparison: Comparison) -> Iterator[Polynomial]:
    for limited in _limited(comparison.difference):
        if _is_within(comparison, limited.factor, limited.offset, limited.has_top):
            yield limited.inner * limited.factor + limited.offset


def _limited(value: Polynomial) -> Iterator[_Limited]:
    """What a value is the clamp of, but for numbers of the host."""
    for atom in value.atoms():
        if not isinstance(atom, Clamp) or (atom,) not in value.terms:
            continue
        factor = Fraction(value.terms[(atom,)])
        rest = value - polynomial(atom) * factor
        if rest.is_host:
            yield _Limited(atom.inner, factor, rest, not atom.narrow)
        opposite = rest + atom.inner * factor
        if atom.narrow and opposite.is_host:
            # max(x, 0) - x is max(-x, 0).
            yield _Limited(-atom.inner, factor, opposite, has_top=False)


def _line(value: Polynomial, inner: Polynomial) -> tuple[Fraction, Polynomial] | None:
    """The slope and the rest of the host where a value is a line over another one."""
    lead = inner.leading_monomial()
    slope = Fraction(value.terms.get(lead, 0)) / inner.terms[lead]
    rest = value - inner * slope
    return (slope, rest) if slope and rest.is_host else None


def _is_within(comparison: Comparison, slope: Number, rest: Polynomial, has_top: bool) -> bool:
    """Whether the limit lies where a clamp changes nothing that the comparison sees."""
    low, high = range_of(rest / -slope)
    # What is 0 may have been below 0, and what is 1 above 1.
    sees_zero = comparison.relation == "==" or (comparison.relation == "<") == (slope > 0)
    sees_one = comparison.relation == "==" or not sees_zero
    return (low > 0 if sees_zero else low >= 0) and (not has_top or (high < 1 if sees_one else high <= 1))
