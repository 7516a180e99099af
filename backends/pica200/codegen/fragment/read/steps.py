"""Choices by comparisons of bytes: what jumps between two bytes is a ramp that is one step of 1/255 wide.

    [S < n/255]  is  clamp(256 (n/255 - S))  and  1 - clamp(256 (S - (n - 1)/255))

where S is a sum of bytes, and n is whole; both are exact for bytes.  A number that is compared with is brought to a
whole one, upwards or downwards, by the compiler or by the host.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, gcd, lcm

from glslc_multi.backends.pica200.codegen.fragment.read.clamps import clamp, positive_part
from glslc_multi.backends.pica200.codegen.fragment.read.hosting import Host
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    BY_KEY,
    Atom,
    Channel,
    Clamp,
    HostNumber,
    HostPart,
    Jump,
    Number,
    Polynomial,
    all_atoms,
    polynomial,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import TOLERANCE, lies_in_unit, range_of
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE

#: More than a step as a byte, and a row of doublings.
_GAIN = 256
_STEP = Fraction(1, WHOLE)
#: So often a byte may be in a sum: each time more costs stages.
_MOST = 2
#: In steps: how far numbers may be off.
_NEAR = Fraction(1, 1024)


def with_steps(value: Polynomial, host: Host) -> Polynomial:
    """The value without those jumps that are between two bytes, in clamped values, too."""
    steps: dict[Atom, Polynomial] = {}
    for atom in sorted(value.atoms(), key=BY_KEY):
        stepped: Polynomial | None = None
        if isinstance(atom, Jump):
            stepped = _step(atom, value.terms.get((atom,), 0), host)
        elif isinstance(atom, Clamp) and any(isinstance(inner, Jump) for inner in all_atoms(atom.inner)):
            stepped = (positive_part if atom.narrow else clamp)(with_steps(atom.inner, host))
        if stepped is not None:
            steps[atom] = stepped
    return value.substitute(steps)


def _step(jump: Jump, factor: Number, host: Host) -> Polynomial | None:
    """What is the jump for all bytes; None if it compares other numbers."""
    # What makes whole numbers of the factors of bytes, and the sum of bytes then.
    factors = {
        monomial: Fraction(f) for monomial, f in jump.inner.terms.items() if not Polynomial({monomial: f}).is_host
    }
    is_of_bytes = all(len(monomial) == 1 and type(monomial[0]) is Channel for monomial in factors)
    if not factors or not is_of_bytes:
        total = None
    else:
        scale = Fraction(lcm(*(f.denominator for f in factors.values())))
        scale /= gcd(*(int(f * scale) for f in factors.values()))
        whole = {monomial: f * scale for monomial, f in factors.items()}
        total = (scale, Polynomial(whole)) if all(abs(f) <= _MOST for f in whole.values()) else None
    if total is None:
        return None
    scale, pixel = total
    if pixel.leading_factor() < 0:
        opposite = _step(Jump(-jump.inner, not jump.or_equal), -factor, host)
        return None if opposite is None else 1 - opposite
    limit = _whole(pixel - jump.inner * scale, len(pixel.terms), host, up=not jump.or_equal)
    if limit is None:
        return None
    # S <= n is S < n + 1.
    return _below(pixel, limit + _STEP if jump.or_equal else limit, factor)


def _below(pixel: Polynomial, limit: Polynomial, factor: Number) -> Polynomial:
    """1 where bytes are below a whole number of steps, else 0.

    Constants are no less than 0 and no more than 1, so that the limits 0 and 256 steps have one of the two forms alone.
    `factor` says how often the result is in a pixel: what is a clamp needs no stage that takes it from 1.  Where a
    pixel should have the form that lacks a limit, the host adds that.
    """
    low, high = range_of(limit)
    if factor < 0 and low < _STEP and limit.constant is None:
        always = 1 - polynomial(HostPart(limit * WHOLE))
        return 1 - clamp(_ramp(pixel - polynomial(HostPart(limit - _STEP))) + always)
    if factor > 0 and high > 1 and limit.constant is None:
        always = polynomial(HostPart((limit - 1) * WHOLE))
        return clamp(_ramp(polynomial(HostPart(limit)) - pixel) + always)
    is_plain = len(pixel.terms) > 1 and limit == polynomial(_STEP)
    if low >= _STEP and (factor < 0 or high > 1 or is_plain):
        return 1 - _ramp(pixel - limit + _STEP)
    return _ramp(limit - pixel)


def _ramp(value: Polynomial) -> Polynomial:
    """0 where a whole number of steps is not above 0, else 1.

    As it is: 1 less the clamp of 1 less the value would have constants that are not whole.
    """
    low, high = range_of(value)
    is_cut = low * _GAIN < 0 and high * _GAIN > 1
    return polynomial(Clamp(value * _GAIN, narrow=False)) if is_cut else clamp(value * _GAIN)


def _whole(limit: Polynomial, count: int, host: Host, *, up: bool) -> Polynomial | None:
    """The limit of a sum of so many bytes as a whole number of steps.

    None where it may be outside of 0 to 1, is no number of uniforms, or where single precision would decide: floats
    that were computed need not be equal to a limit that they should be equal to.
    """
    constant = limit.constant
    if constant is not None:
        steps = Fraction(constant) * WHOLE
        if abs(steps - round(steps)) <= _NEAR:
            return polynomial(Fraction(round(steps), WHOLE)) if count == 1 or (count == 2 and not limit) else None
        return polynomial(Fraction(ceil(steps) if up else floor(steps), WHOLE))
    low, high = range_of(limit)
    if count > 1 or low < 0 or high > 1 or not _is_float(limit):
        return None
    return host.whole(limit, up=up)


def _is_float(limit: Polynomial) -> bool:
    """Tell whether the host has the very number that a shader would compare with a byte: a number of uniforms,
    doubled or halved, or a product of two."""
    ((monomial, factor), *others) = limit.terms.items()
    is_exact = all(number & (number - 1) == 0 for number in Fraction(factor).as_integer_ratio())
    return not others and is_exact and 0 < len(monomial) <= 2 and all(type(atom) is HostNumber for atom in monomial)


def saturated(channel: Polynomial, host: Host) -> Polynomial:
    """The same of a channel of the pixel, as it is after its clamp."""
    fixed = channel.host_part
    rest = channel - fixed
    if not rest:
        return channel if lies_in_unit(channel) else polynomial(HostPart(channel))
    low, high = range_of(fixed)
    if fixed.constant is not None or high <= 1 + TOLERANCE or range_of(rest)[0] < -TOLERANCE:
        return channel
    return rest + host.at_most_one(fixed, float(low))
