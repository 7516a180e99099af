"""Where lit colours are in a pixel: its polynomials with the unit's colours in the place of functions of cosines.

In: the pixel as polynomials over channels, host numbers and `LitNumber`s.  Out: the same over channels and host
numbers alone, and the set-up of the unit; or None where the unit cannot do it.

Each channel is a sum of products of channels (textures, the vertices' colour), each times a *lit* factor, which
depends on cosines and the host.  Factors of one product in red, green and blue are a lit colour; those that differ by
what the host knows are one.  The unit has two such colours, and the alpha of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from backends.pica200.codegen.fragment.algebra.polynomials import (
    ZERO,
    Atom,
    Channel,
    HostNumber,
    Monomial,
    Polynomial,
    all_atoms,
    polynomial,
)
from backends.pica200.codegen.fragment.algebra.ranges import TOLERANCE, range_of
from backends.pica200.codegen.fragment.lighting.cosines import Surface
from backends.pica200.codegen.fragment.lighting.functions import LitNumber
from backends.pica200.codegen.fragment.lighting.set_up import divided, set_up, smaller
from backends.pica200.codegen.fragment.lighting.terms import BLACK, Colour, colour, grouped
from backends.pica200.codegen.fragment.lighting.unit import Unit
from backends.pica200.isa.fragment.combiners import CHANNELS
from compiler.records import dataclass

PRIMARY, SECONDARY = "lighting0", "lighting1"
_ALPHA = CHANNELS.index("a")


@dataclass(slots=True)
class _Family:
    """A lit colour: the factors of red, green and blue, as far as they are used."""

    channels: list[Polynomial | None]

    @property
    def colour(self) -> Colour:
        """What nobody reads is as something else, which costs no table."""
        filled = next(part for part in self.channels if part is not None)
        return colour(filled if part is None else part for part in self.channels)

    @property
    def number(self) -> Polynomial | None:
        """What all channels are, if they are alike."""
        parts = set(self.colour)
        return parts.pop() if len(parts) == 1 else None


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


def light_pixel(channels: Sequence[Polynomial], surface: Surface) -> LitPixel | None:
    """`channels`: red, green, blue, and alpha if somebody reads it."""
    uses: list[_Use] = []
    families: list[_Family] = []
    rest: list[Polynomial] = []
    for channel, value in enumerate(channels):
        unlit = ZERO
        for product, factor in grouped(value, _is_unlit).items():
            if is_lit(factor):
                uses.append(_use(channel, product, factor, families))
            else:
                unlit = unlit + factor * Polynomial({product: Fraction(1)})
        rest.append(unlit)
    for places, unit in _set_ups(families, surface):
        return LitPixel(_substituted(rest, uses, places), unit, tuple(_exceeding(families, uses)))
    return None


def _is_unlit(atom: Atom) -> bool:
    return not isinstance(atom, HostNumber) and not any(isinstance(a, LitNumber) for a in all_atoms(polynomial(atom)))


# ------------------------------------------------------------------------------------ lit colours
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


# ------------------------------------------------------------------------------------ set-ups
#: A source of colours, and its channel where all parts of a family are that.
_Place = tuple[str, str | None]
#: Family -> where its parts are: in one place, or in two that are added.
_Places = list[tuple[_Place, ...]]


def _set_ups(families: Sequence[_Family], surface: Surface) -> Iterator[tuple[_Places, Unit]]:
    """In what ways the unit yields the lit colours, simple ones first."""
    if len(families) == 1:
        for source in (PRIMARY, SECONDARY):
            yield from _tried(families, [(source, None)], surface)
        # One colour as the sum of the unit's two.
        for value in _versions(families[0]):
            first, second = divided(value or BLACK)
            unit = None if BLACK in (first, second) else set_up(first, second, None, surface)
            if unit is not None:
                yield [((PRIMARY, None), (SECONDARY, None))], unit
    if len(families) == 2:
        for pair in ((PRIMARY, SECONDARY), (SECONDARY, PRIMARY)):
            yield from _tried(families, [(source, None) for source in pair], surface)
        for source in (PRIMARY, SECONDARY):
            yield from _tried(families, [(source, None), (SECONDARY, "a")], surface)
            yield from _tried(families, [(SECONDARY, "a"), (source, None)], surface)
    if len(families) == 3:
        for position in range(3):
            for pair in ((PRIMARY, SECONDARY), (SECONDARY, PRIMARY)):
                places: list[_Place] = [(source, None) for source in pair]
                places.insert(position, (SECONDARY, "a"))
                yield from _tried(families, places, surface)


def _tried(families: Sequence[_Family], places: Sequence[_Place], surface: Surface) -> Iterator[tuple[_Places, Unit]]:
    of = dict(zip(places, families, strict=True))
    primary, secondary, alpha = (of.get(key) for key in ((PRIMARY, None), (SECONDARY, None), (SECONDARY, "a")))
    number = None if alpha is None else alpha.number
    if alpha is not None and number is None:
        return
    for first in _versions(primary):
        for second in _versions(secondary):
            for third in [None] if number is None else (each[0] for each in smaller((number, number, number))):
                unit = set_up(first, second, third, surface)
                if unit is not None:
                    yield [(place,) for place in places], unit


def _versions(family: _Family | None) -> Iterator[Colour | None]:
    if family is None:
        yield None
    else:
        yield from smaller(family.colour)


# ------------------------------------------------------------------------------------ the pixel
def _substituted(rest: Sequence[Polynomial], uses: Sequence[_Use], places: _Places) -> tuple[Polynomial, ...]:
    found = list(rest)
    for use in uses:
        lit = ZERO
        for source, channel in places[use.family]:
            lit = lit + polynomial(Channel(source, channel or CHANNELS[use.lit_channel]))
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
