"""Lit colours as set-ups of the unit: one as its primary colour, one as its secondary.

    light l   = table of its distance * table of its spot * (its part of the primary, of the secondary colour)
    primary   = ambient + sum over lights of diffuse * max(N.L, 0)
    secondary = sum over lights of  specular0 * D0  +  specular1 * D1 * (RR, RG, RB)

Both colours are looked at together, since the machine dims both.  A table that is not there is 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    ZERO,
    Atom,
    Channel,
    HostNumber,
    Monomial,
    Polynomial,
)
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import TOLERANCE, lies_in_unit, range_of
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.cosines import Input, Light
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.functions import Domain, LitNumber, lit_numbers
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.unit import (
    BLACK,
    REFLECTIONS,
    TABLE_SCALES,
    WHITE,
    Colour,
    LightUse,
    TableUse,
    Unit,
    difference,
    domains_of,
    part_with,
    separated,
    sum_of,
)
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.vectors import axis
from glslc_multi.backends.pica200.isa.fragment.tables import LIGHTS
from glslc_multi.compiler.records import dataclass, field, replace

#: Tables of one light -> what they are looked up at.
_DIMMERS: dict[str, Input] = {"spot": "l_dot_spot", "distance": "distance"}
_PRIMARY = slice(0, 3)
_SECONDARY = slice(3, 6)
#: Ways to try of one light, and of all lights together.
_MOST_SPECULARS = 16
_MOST_COMBINATIONS = 512


# --- What each light does ---------------------------------------------------------------------------------------------


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
    return _with_common_highlights({light: _dimmed(values) for light, values in channels.items()})


def _lights(monomial: Monomial) -> set[Light]:
    lights = (atom.domain.cosine.light for atom in monomial if isinstance(atom, LitNumber))
    return {light for light in lights if light is not None}


def _with_common_highlights(parts: Parts) -> Parts:
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
    return Part(tuple(values[_PRIMARY]), tuple(values[_SECONDARY]), dimmers)


# --- Highlights of one light ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Specular:
    """What one light does for the secondary colour."""

    tables: dict[str, TableUse] = field(default_factory=dict)
    specular0: Colour = BLACK
    specular1: Colour = BLACK


def speculars(value: Colour) -> Iterator[Specular]:
    """All ways that are known."""
    domains = domains_of(value)
    if len(domains) > 3:
        return
    constant = tuple(part_with(part, ()) for part in value)
    yield from _first_alone(value)
    yield from _second(value)
    if constant != BLACK:
        yield from _both(difference(value, constant), constant)
    for chosen in domains:
        of_one = tuple(part_with(part, (chosen,)) for part in value)
        yield from _both(of_one, difference(value, of_one))
        yield from _both(sum_of(of_one, constant), difference(difference(value, of_one), constant))


def _both(first: Colour, second: Colour) -> Iterator[Specular]:
    """One part by distribution 0, the other one by distribution 1."""
    if BLACK in (first, second):
        return
    for one in _first_alone(first):
        for other in _second(second):
            yield Specular({**one.tables, **other.tables}, one.specular0, other.specular1)


def _first_alone(value: Colour) -> Iterator[Specular]:
    """A colour times a function."""
    domains = domains_of(value)
    if len(domains) == 1:
        for table, factor in _colour_times_table(value, domains[0]):
            yield Specular({"d0": table}, factor)


def _second(value: Colour) -> Iterator[Specular]:
    """A colour times a product of functions of two cosines, of which one may differ by channel."""
    domains = domains_of(value)
    if not domains and all(map(lies_in_unit, value)):
        yield Specular({}, specular1=value)
    if len(domains) == 1:
        for table, factor in _colour_times_table(value, domains[0]):
            yield Specular({"d1": table}, specular1=factor)
        yield from _by_channel(value, {})
    if len(domains) == 2:
        for first, second in permutations(domains):
            yield from _product(value, first, second)


def _product(value: Colour, first: Domain, second: Domain) -> Iterator[Specular]:
    parts = separated(value, first)
    if parts is None:
        return
    table, rest = _table(first, parts[0]), tuple(parts[1])
    if table is None or domains_of(rest) != [second]:
        return
    for other, factor in _colour_times_table(rest, second):
        yield Specular({"d1": table, **dict.fromkeys(REFLECTIONS, other)}, specular1=factor)
    yield from _by_channel(rest, {"d1": table})


def _by_channel(value: Colour, others: dict[str, TableUse]) -> Iterator[Specular]:
    """A function for each channel."""
    (domain,) = domains_of(value)
    tables = [_table(domain, part) for part in value]
    tables_by_name = {name: table for name, table in zip(REFLECTIONS, tables, strict=True) if table is not None}
    if len(tables_by_name) == len(tables):
        yield Specular({**others, **tables_by_name}, specular1=WHITE)


def _colour_times_table(value: Colour, domain: Domain) -> Iterator[tuple[TableUse, Colour]]:
    parts = separated(value, domain)
    if parts is None:
        return
    function, factor = parts[0], tuple(parts[1])
    table = _table(domain, function)
    if table is not None and all(map(lies_in_unit, factor)):
        yield table, factor


def _table(domain: Domain, content: Polynomial) -> TableUse | None:
    """The table of a function that is never negative and not too large."""
    if domain.cosine.input == "distance":
        return None  # That has a table of its own, for each light.
    low, high = range_of(content)
    scale = next((scale for scale in TABLE_SCALES if high <= scale * (1 + TOLERANCE)), None)
    if low < -TOLERANCE or scale is None:
        return None
    return TableUse(domain, content / scale, scale)


# --- Set-ups ----------------------------------------------------------------------------------------------------------


def set_up(primary: Colour, secondary: Colour) -> Unit | None:
    """Find the set-up that yields them; None where there is none."""
    numbers = (*primary, *secondary)
    if not all(isinstance(atom, LitNumber | HostNumber) for number in numbers for atom in number.atoms()):
        return None
    parts = parts_of(primary, secondary)
    if parts is None:
        return None
    unit = Unit()
    for light, part in parts.items():
        if light is not None and part.dimmers:
            unit.light(light).dimmers = part.dimmers
    # Whether the cosine has a sign is the same for all spots.
    spots = {use.light: use.dimmers["spot"] for use in unit.lights if "spot" in use.dimmers}
    are_positive = all(table.domain.is_positive for table in spots.values())
    for light, table in spots.items():
        use = unit.light(light)
        use.spot = table.domain.cosine.spot
        use.dimmers["spot"] = replace(table, domain=replace(table.domain, is_positive=are_positive))
    if not all(_add_primary(unit, light, part.primary) for light, part in parts.items()):
        return None
    if not _add_secondary(unit, parts) or not _set_spots(unit):
        return None
    return unit if len(unit.lights) <= LIGHTS and unit.configuration is not None else None


# --- What dims lights -------------------------------------------------------------------------------------------------


def _set_spots(unit: Unit) -> bool:
    """Where spots shine from that tables of all lights look up."""
    for cosine in dict.fromkeys(use.domain.cosine for use in unit.tables.values()):
        if cosine.spot is None or cosine.light is None:
            continue
        light = unit.light(cosine.light)
        # A table is of all lights, and the others would need a spot, too.
        if light.spot not in (None, cosine.spot) or len(unit.lights) > 1:
            return False
        light.spot = cosine.spot
    return True


# --- Primary ----------------------------------------------------------------------------------------------------------


def _add_primary(unit: Unit, light: Light | None, value: Colour) -> bool:
    """diffuse * max(N.L, 0) + ambient of one light; ambient is the unit's own where nothing dims it."""
    parts = [_linear(part) for part in value]
    diffuse = [part[0] for part in parts if part is not None]
    ambient = [part[1] for part in parts if part is not None]
    if None in parts or not all(map(lies_in_unit, (*diffuse, *ambient))):
        return False
    if any(ambient) and light is None:
        unit.ambient = tuple(ambient)
    elif any(ambient) and light is not None:
        unit.light(light).ambient = tuple(ambient)
    if any(diffuse) and light is not None:
        unit.light(light).diffuse = tuple(diffuse)
    return True


def _linear(part: Polynomial) -> tuple[Polynomial, Polynomial] | None:
    """The factor of the cosine, and what is added."""
    diffuse, ambient = ZERO, ZERO
    for monomial, number in part.terms.items():
        lit = [atom for atom in monomial if isinstance(atom, LitNumber)]
        rest = Polynomial({tuple(atom for atom in monomial if not isinstance(atom, LitNumber)): number})
        if len(lit) > 1 or (lit and not _is_lambert(lit[0])):
            return None
        diffuse, ambient = (diffuse + rest, ambient) if lit else (diffuse, ambient + rest)
    return diffuse, ambient


def _is_lambert(number: LitNumber) -> bool:
    return number.is_cosine and number.domain.is_positive and number.domain.cosine.input == "l_dot_n"


# --- Secondary --------------------------------------------------------------------------------------------------------


def _add_secondary(unit: Unit, parts: Parts) -> bool:
    by_light = {light: part.secondary for light, part in parts.items() if part.secondary != BLACK}
    clamps = _is_clamped(part for value in by_light.values() for part in value)
    if clamps is None:
        return False
    choices = [_speculars(tuple(map(_stripped, each))) for each in by_light.values()]
    for number, chosen in enumerate(product(*choices)):
        if number == _MOST_COMBINATIONS:
            return False
        tables = _shared_tables(chosen)
        if tables is not None:
            unit.tables.update(tables)
            unit.clamps_highlights = clamps
            # What is the same of all lights is done by one of them, which has nothing else to do.
            for light, way in zip(list(by_light), chosen, strict=True):
                use = unit.light(light) if light is not None else _free_light(unit)
                use.specular0, use.specular1 = (
                    sum_of(use.specular0, way.specular0),
                    sum_of(use.specular1, way.specular1),
                )
            return True
    return False


def _speculars(value: Colour) -> list[Specular]:
    candidates: list[Specular] = []
    for way in speculars(value):
        if way not in candidates:
            candidates.append(way)
        if len(candidates) == _MOST_SPECULARS:
            break
    return candidates


def _free_light(unit: Unit) -> LightUse:
    """One that nothing dims."""
    free = next((use for use in unit.lights if not use.dimmers), None)
    return free or unit.light(Light(axis(2).vector, is_directional=True))


def _is_clamped(parts: Iterable[Polynomial]) -> bool | None:
    """Tell whether the surface must face the light, which the unit knows; None where that is not a condition of all."""
    monomials = [monomial for part in parts for monomial in part.terms]
    facing = [[atom for atom in monomial if isinstance(atom, LitNumber) and atom.is_facing] for monomial in monomials]
    if not any(facing):
        return False
    return True if all(len(sides) == 1 for sides in facing) else None


def _stripped(part: Polynomial) -> Polynomial:
    """Without the condition that the surface faces the light."""

    def rest(monomial: Monomial) -> tuple[Atom, ...]:
        return tuple(atom for atom in monomial if not (isinstance(atom, LitNumber) and atom.is_facing))

    total = ZERO
    for monomial, factor in part.terms.items():
        total = total + Polynomial({rest(monomial): factor})
    return total


def _shared_tables(chosen: Sequence[Specular]) -> dict[str, TableUse] | None:
    """The tables of all lights, which are shared: each must be one function."""
    tables: dict[str, TableUse] = {}
    for way in chosen:
        for name, table in way.tables.items():
            if _shape(tables.setdefault(name, table)) != _shape(table):
                return None
    # What a light has no table for would be 1, and another light has one.
    seconds = set(tables) - {"d0"}
    if any(way.specular1 != BLACK and not seconds <= set(way.tables) for way in chosen):
        return None
    return tables


def _shape(table: TableUse) -> tuple[str, bool, Polynomial, int]:
    """What must be equal in tables that lights share."""
    shapes: dict[Atom, Polynomial] = {}
    for monomial in table.content.terms:
        for atom in monomial:
            if isinstance(atom, LitNumber):
                shapes[atom] = Polynomial({(Channel("shape", atom.shape),): Fraction(1)})
    return (
        table.domain.cosine.input,
        table.domain.is_positive,
        table.content.substitute(shapes),
        table.scale,
    )


# --- Versions ---------------------------------------------------------------------------------------------------------


def divided(value: Colour) -> tuple[Colour, Colour]:
    """What can be in the primary colour, and the rest."""
    first = tuple(Polynomial({m: f for m, f in part.terms.items() if _is_for_primary(m)}) for part in value)
    return first, difference(value, first)


def _is_for_primary(monomial: Monomial) -> bool:
    lit = [atom for atom in monomial if isinstance(atom, LitNumber)]
    bright = [atom for atom in lit if atom.domain.cosine.input not in ("distance", "l_dot_spot")]
    return all(map(_is_lambert, bright)) and len(bright) <= 1


def smaller(value: Colour) -> Iterator[Colour]:
    """The colour as it is, then with functions as the polynomials of smaller ones that they are."""
    yield value
    while True:
        finer: dict[Atom, Polynomial] = {
            atom: (atom.finer - atom.low) / atom.width
            for part in value
            for atom in part.atoms()
            if isinstance(atom, LitNumber) and atom.finer is not None
        }
        if not finer:
            return
        value = tuple(part.substitute(finer) for part in value)
        yield value
