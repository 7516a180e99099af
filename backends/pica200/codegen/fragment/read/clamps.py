"""clamp, max, min, abs, and choices by comparisons, as polynomials over clamped values in one canonical form.

All of them are the positive part of something: max(a, b) = b + part(a - b), min(a, b) = a - part(a - b), abs(x) = 2
part(x) - x.  Of x and -x one has the atom, since part(-x) = part(x) - x: the one with a positive constant term, so
that min(x, 1) is 1 - part(1 - x), however many terms x has.

`step` and choices are 1 or 0 by a *jump*, an atom.  No stage computes one, but for bytes (`steps.py`).  But (d < 0) * d
is min(d, 0), so that whatever is a multiple of d needs no more than a clamp: mix(x, y, step(0.5, a)) is continuous
where y - x is a multiple of a - 0.5, as in blending by overlay or hard light, and in ramps of several pieces.
"""

from __future__ import annotations

from fractions import Fraction

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    BY_KEY,
    ONE,
    ZERO,
    Atom,
    Clamp,
    Jump,
    Polynomial,
    polynomial,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import TOLERANCE, range_of


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
    """Return the x whose positive part this is, if there is one: of x or of -x."""
    for monomial in value.terms:
        if len(monomial) == 1 and isinstance(monomial[0], Clamp) and monomial[0].narrow:
            inside = monomial[0].inner * value.terms[monomial]
            for signed in (inside, -inside):
                if positive_part(signed) == value:
                    return signed
    return None


def _is_turned(value: Polynomial) -> bool:
    """Tell whether the negative has the atom."""
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


# --- Jumps ------------------------------------------------------------------------------------------------------------


def jump_where(difference: Polynomial, or_equal: bool) -> Polynomial:
    """1 where the difference is below 0, or is 0 `or_equal`, else 0."""
    factor = difference.leading_factor()
    inner = difference / factor
    # With all of the range of a clamp: max(1 - 2a, 0) is more often part of a pixel than max(0.5 - a, 0).
    low, high = range_of(inner)
    jump = polynomial(Jump(inner / max(-low, high), or_equal == (factor > 0)))
    return jump if factor > 0 else 1 - jump


def jumps_of(value: Polynomial) -> list[Jump]:
    return sorted((atom for atom in value.atoms() if isinstance(atom, Jump)), key=BY_KEY)


def continuous(value: Polynomial) -> Polynomial:
    """The same with clamps for jumps that something makes continuous."""
    for jump in jumps_of(value):
        value = _continuous_at(value, jump)
    return value


def _continuous_at(value: Polynomial, jump: Jump) -> Polynomial:
    beside = Polynomial({m: factor for m, factor in value.terms.items() if jump not in m})
    # What counts where the jump is 1, powers of which are 1 as well.
    factor = _where(value.substitute({jump: ONE}) - beside, jump)
    quotient = factor.divided_by(jump.inner)
    if quotient is None:
        return beside + factor * polynomial(jump)
    return beside - quotient * positive_part(-jump.inner)


def _where(value: Polynomial, jump: Jump) -> Polynomial:
    """What the value is where a jump is 1: other clamps and jumps may be decided there."""
    known: dict[Atom, Polynomial] = {}
    for atom in value.atoms():
        if isinstance(atom, Clamp | Jump):
            decided = _decided(atom, jump)
            if decided is not None:
                known[atom] = decided
    return value.substitute(known)


def _decided(atom: Clamp | Jump, where: Jump) -> Polynomial | None:
    negative = where.inner
    lead = negative.leading_monomial()
    slope = Fraction(atom.inner.terms.get(lead, 0)) / negative.terms[lead]
    constant = (atom.inner - negative * slope).constant
    if not slope or constant is None:
        return None
    if isinstance(atom, Jump) and constant == 0 and where.or_equal and atom.or_equal != (slope > 0):
        return None  # Where both are 0 it is not as elsewhere.
    # The inside is below the constant where the slope is positive, else above it.
    if slope > 0 and constant <= 0:
        return ONE if isinstance(atom, Jump) else ZERO
    if slope < 0 and constant >= 0:
        if isinstance(atom, Jump):
            return ZERO
        if atom.narrow:
            return atom.inner
        return ONE if constant >= 1 else None
    return None
