"""Forms for numbers of the host that may be negative: no constant holds them, but one holds each of their parts.

With p = max(k, 0) and n = max(-k, 0), of which one is 0, x*k + y is x*p + clamp(y - x*n) if y is not negative: where k
is positive the clamp takes nothing away, and elsewhere it is the clamp of the result.  In the same way y + k is
clamp(y + p) - n if y is at most 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import add, mul, sub

from backends.pica200.codegen.fragment.algebra.polynomials import ONE, ZERO, HostPart, Polynomial, polynomial
from backends.pica200.codegen.fragment.algebra.ranges import TOLERANCE, range_of
from backends.pica200.codegen.fragment.search.constants import at_black
from backends.pica200.codegen.fragment.search.forms import Form
from backends.pica200.codegen.fragment.search.operands import Need, Reading
from backends.pica200.codegen.fragment.search.vectors import Vector, simplest


def signed_forms(goal: Vector, choices: Mapping[Reading, Vector]) -> Iterator[Form]:
    """With a number of the host that is added, or that a leaf is multiplied by."""
    black = at_black(goal)
    if _has_both_signs(black):
        yield from _sums(goal, black)
    for reading, leaf in choices.items():
        white = at_black(goal, leaf, ONE)
        factors = _each(sub, black, white) if reading.complement else _each(sub, white, black)
        if _has_both_signs(factors):
            rest = _each(sub, goal, _each(mul, leaf, factors))
            above, below = _parts(factors)
            if all(value is None or range_of(value)[0] >= -TOLERANCE for value in rest):
                left = _each(sub, rest, _each(mul, leaf, below))
                yield Form("MULTIPLY_ADD", (reading, _need(above), _need(left)))


def _has_both_signs(factors: Vector) -> bool:
    """Whether one of them does, and all have parts in 0 to 1."""
    ranges = [range_of(factor) for factor in factors if factor is not None]
    is_within = all(factor is None or factor.is_host for factor in factors) and all(
        low >= -1 - TOLERANCE and high <= 1 + TOLERANCE for low, high in ranges
    )
    return is_within and any(low < -TOLERANCE and high > TOLERANCE for low, high in ranges)


def _sums(goal: Vector, added: Vector) -> Iterator[Form]:
    rest = _each(sub, goal, added)
    above, below = _parts(added)
    ranges = [range_of(value) for value in rest if value is not None]
    if all(low >= -TOLERANCE for low, _ in ranges):
        yield Form("ADD", (_need(_each(sub, rest, below)), _need(above)))
    if all(high <= 1 + TOLERANCE for _, high in ranges):
        yield Form("SUBTRACT", (_need(_each(add, rest, above)), _need(below)))


def _need(vector: Vector) -> Need:
    return Need(simplest(vector))


def _parts(factors: Vector) -> tuple[Vector, Vector]:
    above = tuple(None if factor is None else _part(factor) for factor in factors)
    below = tuple(None if factor is None else _part(-factor) for factor in factors)
    return above, below


def _part(factor: Polynomial) -> Polynomial:
    low, high = range_of(factor)
    if low >= 0:
        return factor
    return polynomial(HostPart(factor)) if high > 0 else ZERO


def _each(function: Callable[[Polynomial, Polynomial], Polynomial], left: Vector, right: Vector) -> Vector:
    return tuple(None if x is None or y is None else function(x, y) for x, y in zip(left, right, strict=True))
