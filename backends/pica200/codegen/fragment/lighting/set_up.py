"""Lit colours as set-ups of the unit: one as its primary colour, one as its secondary.

primary = ambient + sum over lights of diffuse * max(N.L, 0), dimmed (`attenuation.py`); and see `specular.py`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from backends.pica200.codegen.fragment.algebra.polynomials import ZERO, Atom, Channel, HostNumber, Monomial, Polynomial
from backends.pica200.codegen.fragment.algebra.ranges import TOLERANCE, range_of
from backends.pica200.codegen.fragment.lighting.attenuation import Parts, parts_of
from backends.pica200.codegen.fragment.lighting.cosines import Light
from backends.pica200.codegen.fragment.lighting.functions import LitNumber
from backends.pica200.codegen.fragment.lighting.specular import Specular, speculars
from backends.pica200.codegen.fragment.lighting.terms import BLACK, Colour, colour, difference, sum_of
from backends.pica200.codegen.fragment.lighting.unit import LightUse, TableUse, Unit
from backends.pica200.codegen.fragment.lighting.vectors import axis
from backends.pica200.isa.fragment.tables import LIGHTS
from compiler.records import replace

#: Ways to try of one light, and of all lights together.
_MOST_WAYS = 16
_MOST_COMBINATIONS = 512


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


# ------------------------------------------------------------------------------------ what dims lights
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


# ------------------------------------------------------------------------------------ primary
def _add_primary(unit: Unit, light: Light | None, value: Colour) -> bool:
    """diffuse * max(N.L, 0) + ambient of one light; ambient is the unit's own where nothing dims it."""
    parts = [_linear(part) for part in value]
    diffuse = [part[0] for part in parts if part is not None]
    ambient = [part[1] for part in parts if part is not None]
    if None in parts or not all(map(_fits, (*diffuse, *ambient))):
        return False
    if any(ambient) and light is None:
        unit.ambient = colour(ambient)
    elif any(ambient) and light is not None:
        unit.light(light).ambient = colour(ambient)
    if any(diffuse) and light is not None:
        unit.light(light).diffuse = colour(diffuse)
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


def _fits(factor: Polynomial) -> bool:
    low, high = range_of(factor)
    return low >= -TOLERANCE and high <= 1 + TOLERANCE


# ------------------------------------------------------------------------------------ secondary
def _add_secondary(unit: Unit, parts: Parts) -> bool:
    by_light = {light: part.secondary for light, part in parts.items() if part.secondary != BLACK}
    clamps = _is_clamped(part for value in by_light.values() for part in value)
    if clamps is None:
        return False
    choices = [_ways(colour(map(_stripped, each))) for each in by_light.values()]
    for number, chosen in enumerate(product(*choices)):
        if number == _MOST_COMBINATIONS:
            return False
        tables = _joined(chosen)
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


def _ways(value: Colour) -> list[Specular]:
    found: list[Specular] = []
    for way in speculars(value):
        if way not in found:
            found.append(way)
        if len(found) == _MOST_WAYS:
            break
    return found


def _free_light(unit: Unit) -> LightUse:
    """One that nothing dims."""
    free = next((use for use in unit.lights if not use.dimmers), None)
    return free or unit.light(Light(axis(2).vector, is_directional=True))


def _is_clamped(parts: Iterable[Polynomial]) -> bool | None:
    """Whether the surface must face the light, which the unit knows; None where that is not a condition of all."""
    monomials = [monomial for part in parts for monomial in part.terms]
    facing = [[atom for atom in monomial if isinstance(atom, LitNumber) and atom.is_facing] for monomial in monomials]
    if not any(facing):
        return False
    return True if all(len(found) == 1 for found in facing) else None


def _stripped(part: Polynomial) -> Polynomial:
    """Without the condition that the surface faces the light."""

    def rest(monomial: Monomial) -> tuple[Atom, ...]:
        return tuple(atom for atom in monomial if not (isinstance(atom, LitNumber) and atom.is_facing))

    total = ZERO
    for monomial, factor in part.terms.items():
        total = total + Polynomial({rest(monomial): factor})
    return total


def _joined(chosen: Sequence[Specular]) -> dict[str, TableUse] | None:
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


# ------------------------------------------------------------------------------------ versions
def divided(value: Colour) -> tuple[Colour, Colour]:
    """What can be in the primary colour, and the rest."""
    first = colour(Polynomial({m: f for m, f in part.terms.items() if _is_for_primary(m)}) for part in value)
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
        value = colour(part.substitute(finer) for part in value)
        yield value
