"""A pixel as fog over a colour: P = f * body + (1 - f) * colour.

In: polynomials.  Out: f, which depends on depth and the host alone, the colour of the fog, which is the host's, and the
body, which knows no depth and is for the combiners.

Grouped by products of pixels, P = sum of p * c_p + c_1, where c_p and c_1 depend on depth and the host alone.  So all
c_p are f times a number of the host, and c_1 = u + f * v with numbers u and v of the host: u is the colour of the fog,
and the body is the sum of p * c_p / f, plus u + v.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backends.pica200.codegen.fragment.algebra.polynomials import (
    ONE,
    ZERO,
    Clamp,
    HostNumber,
    Monomial,
    Number,
    Polynomial,
    all_atoms,
)
from backends.pica200.codegen.fragment.algebra.ranges import lies_in_unit, range_of
from backends.pica200.codegen.fragment.fog.depths import DepthNumber, depth_numbers, sees_depth
from compiler.records import dataclass

Rgb = tuple[Polynomial, Polynomial, Polynomial]
#: What stands before each product of pixels.
_Parts = Mapping[Monomial, Polynomial]
_NO_PIXEL: Monomial = ()


@dataclass(frozen=True, slots=True)
class Fog:
    """How much of the body remains, and what of the colour."""

    factor: Polynomial
    colour: Rgb
    body: Rgb


def split(pixel: Rgb) -> Fog | None:
    """Fog over a body; None where depth is used otherwise."""
    if any(isinstance(atom, Clamp) and sees_depth(atom.inner) for channel in pixel for atom in all_atoms(channel)):
        return None
    red, green, blue = parts = [_parts(channel) for channel in pixel]
    best: Fog | None = None
    for factor in _factors(parts):
        channels = [_channel(each, factor) for each in (red, green, blue)]
        if None in channels:
            continue
        (r, x), (g, y), (b, z) = (each for each in channels if each is not None)
        fog = Fog(factor, (r, g, b), (x, y, z))
        if all(map(lies_in_unit, fog.body)):
            return fog
        best = best or fog
    return best


def _parts(value: Polynomial) -> _Parts:
    """The polynomial by its products of pixels."""
    parts: dict[Monomial, dict[Monomial, Number]] = {}
    for monomial, number in value.terms.items():
        pixel = tuple(atom for atom in monomial if not isinstance(atom, DepthNumber | HostNumber))
        rest = tuple(atom for atom in monomial if isinstance(atom, DepthNumber | HostNumber))
        parts.setdefault(pixel, {})[rest] = number
    return {pixel: Polynomial(terms) for pixel, terms in parts.items()}


def _by_depth(value: Polynomial) -> dict[Monomial, Polynomial]:
    """Numbers of the host by the products of functions of depth that they stand before."""
    parts: dict[Monomial, dict[Monomial, Number]] = {}
    for monomial, number in value.terms.items():
        depth = tuple(atom for atom in monomial if isinstance(atom, DepthNumber))
        rest = tuple(atom for atom in monomial if not isinstance(atom, DepthNumber))
        parts.setdefault(depth, {})[rest] = number
    return {depth: Polynomial(terms) for depth, terms in parts.items()}


# --- Factors ----------------------------------------------------------------------------------------------------------


def _factors(parts: Sequence[_Parts]) -> Iterator[Polynomial]:
    """What f may be, each of which lies in 0 to 1."""
    of_pixels = [value for each in parts for pixel, value in each.items() if pixel != _NO_PIXEL]
    if of_pixels:
        for value in dict.fromkeys(of_pixels):
            yield from _shares(value)
        return
    for value in dict.fromkeys(each.get(_NO_PIXEL, ZERO) for each in parts):
        for share in _shares(value - _by_depth(value).get((), ZERO)):
            yield share
            yield ONE - share


def _shares(value: Polynomial) -> Iterator[Polynomial]:
    """The polynomial without a number of the host that it is a multiple of, as large as it may be."""
    if not depth_numbers(value):
        return
    for divisor in dict.fromkeys([*_by_depth(value).values(), ONE]):
        quotient = value.divided_by(divisor)
        for candidate in [] if quotient is None else [quotient, -quotient]:
            _, high = range_of(candidate)
            scaled = candidate / high if high > 1 else candidate
            if lies_in_unit(scaled):
                yield scaled


# --- Channels ---------------------------------------------------------------------------------------------------------


def _channel(parts: _Parts, factor: Polynomial) -> tuple[Polynomial, Polynomial] | None:
    """The fog's colour in a channel, and the body."""
    body = ZERO
    for pixel, value in parts.items():
        if pixel != _NO_PIXEL:
            share = value.divided_by(factor)
            if share is None or not share.is_host:
                return None
            body = body + share * Polynomial({pixel: 1})
    rest = parts.get(_NO_PIXEL, ZERO)
    # How often the factor is in a polynomial; if it is not, what remains shows that.
    own, other = _by_depth(factor), _by_depth(rest)
    depth = next(monomial for monomial in own if monomial)
    slope = other.get(depth, ZERO).divided_by(own[depth]) or ZERO
    colour = rest - slope * factor
    if not (slope.is_host and colour.is_host and lies_in_unit(colour)):
        return None
    return colour, body + colour + slope
