"""What each light does for the two colours, and what dims it as a whole: its distance, and the angle of its spot.

    light l = table of its distance * table of its spot * (its part of the primary, of the secondary colour)

Both colours are looked at together, since the machine dims both.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.pica200.codegen.fragment.algebra.polynomials import ZERO, Monomial, Polynomial
from backends.pica200.codegen.fragment.algebra.ranges import TOLERANCE, range_of
from backends.pica200.codegen.fragment.lighting.cosines import Input, Light
from backends.pica200.codegen.fragment.lighting.functions import Domain, LitNumber, lit_numbers
from backends.pica200.codegen.fragment.lighting.terms import BLACK, Colour, colour, separated, sum_of
from backends.pica200.codegen.fragment.lighting.unit import TableUse
from compiler.records import dataclass, field

#: Tables of one light -> what they are looked up at.
_DIMMERS: dict[str, Input] = {"distance": "distance", "sp": "l_dot_spot"}
_PRIMARY = slice(0, 3)
_SECONDARY = slice(3, 6)


@dataclass(frozen=True, slots=True)
class Part:
    """What one light does."""

    primary: Colour = BLACK
    secondary: Colour = BLACK
    #: "distance" and "sp".
    dimmers: dict[str, TableUse] = field(default_factory=dict)


#: None: what is the same whatever the lights are.
Parts = dict[Light | None, Part]


def parts_of(primary: Colour, secondary: Colour) -> Parts | None:
    """Those of all lights; None where a product has two lights, or a distance does not dim all that its light does."""
    channels: dict[Light | None, list[Polynomial]] = {}
    for number, value in enumerate((*primary, *secondary)):
        for monomial, factor in value.terms.items():
            lights = _lights(monomial)
            if len(lights) > 1:
                return None
            parts_of_light = channels.setdefault(next(iter(lights), None), [ZERO] * 6)
            parts_of_light[number] = parts_of_light[number] + Polynomial({monomial: factor})
    parts = {light: _dimmed(values) for light, values in channels.items()}
    return None if any(map(_has_distance, parts.values())) else _joined(parts)


def _lights(monomial: Monomial) -> set[Light]:
    lights = (atom.domain.cosine.light for atom in monomial if isinstance(atom, LitNumber))
    return {light for light in lights if light is not None}


def _joined(parts: Parts) -> Parts:
    """Highlights that are of no light go to the only one that has some, unless it is dimmed."""
    lit = [light for light, part in parts.items() if light is not None and part.secondary != BLACK]
    common = parts.get(None)
    if common is None or len(lit) != 1 or parts[lit[0]].dimmers:
        return parts
    (light,) = lit
    joined = Part(parts[light].primary, sum_of(parts[light].secondary, common.secondary))
    return {**parts, light: joined, None: Part(common.primary)}


def _dimmed(values: Sequence[Polynomial]) -> Part:
    dimmers: dict[str, TableUse] = {}
    for name, input_ in _DIMMERS.items():
        domains = {number.domain for value in values for number in lit_numbers(value) if _is_of(number, input_)}
        separate = _separated(values, domains.pop()) if len(domains) == 1 else None
        if separate is not None:
            dimmers[name], values = separate
    return Part(colour(values[_PRIMARY]), colour(values[_SECONDARY]), dimmers)


def _is_of(number: LitNumber, input_: Input) -> bool:
    return number.domain.cosine.input == input_


def _separated(values: Sequence[Polynomial], domain: Domain) -> tuple[TableUse, Sequence[Polynomial]] | None:
    """All of them as a table times others."""
    separate = separated(values, domain)
    if separate is None:
        return None
    function, rest = separate
    low, high = range_of(function)
    if low < -TOLERANCE:
        return None
    most = max(high, 1)  # What a table does not hold, colours and other tables may.
    return TableUse(domain, function / most), [part * most for part in rest]


def _has_distance(part: Part) -> bool:
    """Whether one is left over."""
    values = (*part.primary, *part.secondary)
    return any(_is_of(number, "distance") for value in values for number in lit_numbers(value))
