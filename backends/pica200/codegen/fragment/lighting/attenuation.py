"""What each light does for the two colours, and what dims it as a whole: its distance, and the angle of its spot.

    light l = table of its distance * table of its spot * (its part of the primary, of the secondary colour)

Both colours are looked at together, since the machine dims both.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.pica200.codegen.fragment.algebra.polynomials import ZERO, Monomial, Polynomial
from backends.pica200.codegen.fragment.algebra.ranges import TOLERANCE, range_of
from backends.pica200.codegen.fragment.lighting.cosines import Input, Light
from backends.pica200.codegen.fragment.lighting.functions import LitNumber, lit_numbers
from backends.pica200.codegen.fragment.lighting.terms import BLACK, Colour, colour, separated, sum_of
from backends.pica200.codegen.fragment.lighting.unit import TableUse
from compiler.records import dataclass, field

#: Tables of one light -> what they are looked up at.
_DIMMERS: dict[str, Input] = {"spot": "l_dot_spot", "distance": "distance"}
_PRIMARY = slice(0, 3)
_SECONDARY = slice(3, 6)


@dataclass(frozen=True, slots=True)
class Part:
    """What one light does."""

    primary: Colour = BLACK
    secondary: Colour = BLACK
    #: By the names of `_DIMMERS`.
    dimmers: dict[str, TableUse] = field(default_factory=dict)


#: None: what is the same whatever the lights are.
Parts = dict[Light | None, Part]


def parts_of(primary: Colour, secondary: Colour) -> Parts | None:
    """Tell what each light does; None where a product has two lights."""
    channels: dict[Light | None, list[Polynomial]] = {}
    for number, value in enumerate((*primary, *secondary)):
        for monomial, factor in value.terms.items():
            lights = _lights(monomial)
            if len(lights) > 1:
                return None
            parts_of_light = channels.setdefault(next(iter(lights), None), [ZERO] * 6)
            parts_of_light[number] = parts_of_light[number] + Polynomial({monomial: factor})
    return _joined({light: _dimmed(values) for light, values in channels.items()})


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
        numbers = (number for value in values for number in lit_numbers(value))
        domains = {number.domain for number in numbers if number.domain.cosine.input == input_}
        separate = separated(values, *domains) if len(domains) == 1 else None
        low, high = range_of(separate[0]) if separate else (0, 0)
        if separate and low >= -TOLERANCE:
            most = max(high, 1)  # What a table does not hold, colours and other tables may.
            dimmers[name] = TableUse(domains.pop(), separate[0] / most)
            values = [part * most for part in separate[1]]
    return Part(colour(values[_PRIMARY]), colour(values[_SECONDARY]), dimmers)
