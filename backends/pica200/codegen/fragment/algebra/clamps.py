"""clamp, max, min and abs as polynomials over clamped values, in one canonical form.

All of them are the positive part of something: max(a, b) = b + part(a - b), min(a, b) = a - part(a - b), abs(x) = 2
part(x) - x.  Of x and -x one has the atom, since part(-x) = part(x) - x: the one with a positive constant term, so
that min(x, 1) is 1 - part(1 - x), however many terms x has.
"""

from __future__ import annotations

from backends.pica200.codegen.fragment.algebra.polynomials import ONE, ZERO, Clamp, Polynomial, polynomial
from backends.pica200.codegen.fragment.algebra.ranges import TOLERANCE, range_of


def positive_part(value: Polynomial) -> Polynomial:
    """max(value, 0): a narrow clamp, of the value divided by a power of two where it is larger than 1."""
    low, high = range_of(value)
    if high <= 0:
        return ZERO
    if low >= -TOLERANCE:
        return value
    if _is_turned(value):
        return positive_part(-value) + value
    scale = 1
    while scale + TOLERANCE < max(high, -low):
        scale *= 2
    return polynomial(Clamp(value / scale, narrow=True)) * scale


def inside_of_part(value: Polynomial) -> Polynomial | None:
    """The x whose positive part this is, if there is one: `positive_part(x)` as it was made, of x or of -x."""
    for monomial in value.terms:
        if len(monomial) == 1 and isinstance(monomial[0], Clamp) and monomial[0].narrow:
            inside = monomial[0].inner * value.terms[monomial]
            for found in (inside, -inside):
                if positive_part(found) == value:
                    return found
    return None


def _is_turned(value: Polynomial) -> bool:
    """Whether the negative has the atom."""
    return (value.terms.get(()) or value.leading_factor()) < 0


def clamp(value: Polynomial) -> Polynomial:
    """clamp(value, 0, 1)."""
    low, high = range_of(value)
    if low >= 1:
        return ONE
    if high <= 1 + TOLERANCE:
        return positive_part(value)
    if low >= -TOLERANCE:
        return 1 - positive_part(1 - value)
    if value.leading_factor() < 0:
        # Most shaders write what grows, whose powers then are those of the atom.
        return 1 - polynomial(Clamp(1 - value, narrow=False))
    return polynomial(Clamp(value, narrow=False))


def maximum(a: Polynomial, b: Polynomial) -> Polynomial:
    """max(a, b)."""
    return b + positive_part(a - b)


def minimum(a: Polynomial, b: Polynomial) -> Polynomial:
    """min(a, b)."""
    return a - positive_part(a - b)


def absolute(value: Polynomial) -> Polynomial:
    """abs(value)."""
    return positive_part(value) * 2 - value
