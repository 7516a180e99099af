"""Where lit colours are in a pixel: its polynomials with the unit's colours in the place of functions of cosines.

In: the pixel as polynomials over channels, host numbers and `LitNumber`s.  Out: the same over channels and host
numbers alone, and the set-up of the unit; or None where the unit cannot do it.

Each channel is a sum of products of channels (textures, the vertices' colour), each times a *lit* factor, which
depends on cosines and the host.  Factors of one product in red, green and blue are a lit colour; those that differ by
what the host knows are one.  The unit has two such colours.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    ZERO,
    Channel,
    HostNumber,
    Monomial,
    Polynomial,
    all_atoms,
    polynomial,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import TOLERANCE, range_of
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.functions import LitNumber
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.set_up import divided, set_up, smaller
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.unit import BLACK, Colour, Unit
from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS, SCALES
from glslc_multi.compiler.records import dataclass, replace

PRIMARY, SECONDARY = "lighting0", "lighting1"
_ALPHA = CHANNELS.index("a")
#: Family -> the sources that it is the sum of.
_Places = Sequence[tuple[str, ...]]


@dataclass(slots=True)
class _Family:
    """A lit colour: the factors of red, green and blue, as far as they are used."""

    channels: list[Polynomial | None]

    @property
    def colour(self) -> Colour:
        """What nobody reads is as something else, which costs no table."""
        filled = next(part for part in self.channels if part is not None)
        return tuple(filled if part is None else part for part in self.channels)


@dataclass(frozen=True, slots=True)
class _Use:
    """In a channel of the pixel: a product, times offset + factor * a channel of a lit colour."""

    channel: int
    product: Monomial
    family: int
    lit_channel: int
    offset: Polynomial
    factor: Fraction


@dataclass(frozen=True, slots=True)
class LitPixel:
    """The pixel by what the unit yields."""

    channels: tuple[Polynomial, ...]
    unit: Unit
    #: Lit colours that may exceed 1, where the unit clamps them, as far as is known.
    exceeding: tuple[Polynomial, ...]


def is_lit(value: Polynomial) -> bool:
    return any(isinstance(atom, LitNumber) for atom in all_atoms(value))


def lit_pixels(channels: Sequence[Polynomial]) -> Iterator[LitPixel]:
    """Yield the pixel by set-ups of the unit; `channels` are red, green, blue, and alpha if somebody reads it.

    A stage multiplies by 2 or 4 for nothing, and half a lit colour may take a light where the whole one, which exceeds
    the bytes of lights, takes tables.
    """
    uses: list[_Use] = []
    families: list[_Family] = []
    rest: list[Polynomial] = []
    for channel, value in enumerate(channels):
        unlit = ZERO
        parts = value.grouped(lambda atom: not isinstance(atom, HostNumber) and not is_lit(polynomial(atom)))
        for product, factor in parts.items():
            if is_lit(factor):
                uses.append(_use(channel, product, factor, families))
            else:
                unlit = unlit + factor * Polynomial({product: Fraction(1)})
        rest.append(unlit)
    for scale in SCALES:
        scaled = [_Family([None if part is None else part / scale for part in each.channels]) for each in families]
        multiplied = [replace(use, factor=use.factor * scale) for use in uses]
        for places, unit in itertools.islice(_set_ups(scaled), 1):
            yield LitPixel(_substituted(rest, multiplied, places), unit, tuple(_exceeding(scaled, multiplied)))


# --- Lit colours ------------------------------------------------------------------------------------------------------


def _use(channel: int, product: Monomial, value: Polynomial, families: list[_Family]) -> _Use:
    """The lit colour that has this factor, a new one if none has."""
    for number, family in enumerate(families):
        for lit_channel in [channel] if channel < _ALPHA else range(_ALPHA):
            known = family.channels[lit_channel]
            relation = None if known is None else _affine(value, known)
            if relation is not None:
                return _Use(channel, product, number, lit_channel, *relation)
    if channel < _ALPHA:
        # The factors of one product, red, green and blue, belong together.
        for number, family in enumerate(families):
            if family.channels[channel] is None and (channel == 0 or family.channels[channel - 1] is not None):
                family.channels[channel] = value
                return _Use(channel, product, number, channel, ZERO, Fraction(1))
    families.append(_Family([value if c == min(channel, _ALPHA - 1) else None for c in range(_ALPHA)]))
    return _Use(channel, product, len(families) - 1, min(channel, _ALPHA - 1), ZERO, Fraction(1))


def _affine(value: Polynomial, known: Polynomial) -> tuple[Polynomial, Fraction] | None:
    """offset and factor such that the value is offset + factor * known, if the host knows them."""
    lit = [monomial for monomial in known.terms if any(isinstance(atom, LitNumber) for atom in monomial)]
    if not lit:
        return (ZERO, Fraction(1)) if value == known else None
    factor = Fraction(value.terms.get(lit[0], 0)) / Fraction(known.terms[lit[0]])
    offset = value - known * factor
    return (offset, factor) if factor and offset.is_host else None


# --- Set-ups ----------------------------------------------------------------------------------------------------------


def _set_ups(families: Sequence[_Family]) -> Iterator[tuple[_Places, Unit]]:
    """Yield the ways in which the unit has the lit colours, simple ones first."""
    for places, primary, secondary in _placed([list(smaller(family.colour)) for family in families]):
        unit = set_up(primary, secondary)
        if unit is not None:
            yield places, unit


def _placed(versions: Sequence[Sequence[Colour]]) -> Iterator[tuple[_Places, Colour, Colour]]:
    """Yield one colour as one of the unit's two, or as their sum; two as both."""
    if len(versions) == 1:
        (values,) = versions
        yield from (([(PRIMARY,)], value, BLACK) for value in values)
        yield from (([(SECONDARY,)], BLACK, value) for value in values)
        yield from (([(PRIMARY, SECONDARY)], *divided(value)) for value in values)
    if len(versions) == 2:
        one, other = versions
        yield from (([(PRIMARY,), (SECONDARY,)], *both) for both in itertools.product(one, other))
        yield from (([(SECONDARY,), (PRIMARY,)], *both) for both in itertools.product(other, one))


# --- The pixel --------------------------------------------------------------------------------------------------------


def _substituted(rest: Sequence[Polynomial], uses: Sequence[_Use], places: _Places) -> tuple[Polynomial, ...]:
    found = list(rest)
    for use in uses:
        lit = ZERO
        for source in places[use.family]:
            lit = lit + polynomial(Channel(source, CHANNELS[use.lit_channel]))
        value = lit * use.factor + use.offset
        found[use.channel] = found[use.channel] + value * Polynomial({use.product: Fraction(1)})
    return tuple(found)


def _exceeding(families: Sequence[_Family], uses: Sequence[_Use]) -> Iterator[Polynomial]:
    """What the unit may clamp though the pixel does not."""
    for number, family in enumerate(families):
        used = [use for use in uses if use.family == number]
        is_pixel_itself = all(not use.product and use.factor > 0 for use in used)
        for part in () if is_pixel_itself else (part for part in family.channels if part is not None):
            if range_of(part)[1] > 1 + TOLERANCE:
                yield part
                break
