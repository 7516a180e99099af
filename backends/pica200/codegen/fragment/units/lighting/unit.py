"""Lit colours, and what the lighting unit is set up to: lights, tables, and which of its colours is what.

A lit colour is three polynomials over `LitNumber`s and numbers of the host.  Division of polynomials is exact, so it
finds the factors that are there, however the shader wrote them.  `registers.py` makes register writes of the numbers of
a set-up, which are polynomials of the host.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import ONE, ZERO, Atom, Monomial, Polynomial, Rgb
from glslc_multi.backends.pica200.codegen.fragment.read.ranges import TOLERANCE, range_of
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.cosines import Light
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.functions import Domain, LitNumber, lit_numbers
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.vectors import Vector
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import CONFIGURATIONS
from glslc_multi.compiler.records import dataclass, field

#: Red, green, blue.
Colour = Rgb

BLACK: Colour = (ZERO, ZERO, ZERO)
WHITE: Colour = (ONE, ONE, ONE)
#: Factors that the machine can multiply what a table says by, and that a compiler needs.
TABLE_SCALES = (1, 2, 4, 8)
REFLECTIONS = ("rr", "rg", "rb")
HALF_STEP = Fraction(1, 2 * 255)


# --- Lit colours ------------------------------------------------------------------------------------------------------


def sum_of(one: Colour, other: Colour) -> Colour:
    return tuple(x + y for x, y in zip(one, other, strict=True))


def difference(one: Colour, other: Colour) -> Colour:
    return tuple(x - y for x, y in zip(one, other, strict=True))


def domains_of(value: Colour) -> list[Domain]:
    """What a colour depends on."""
    return list(dict.fromkeys(number.domain for part in value for number in lit_numbers(part)))


def is_of(domains: Iterable[Domain]) -> Callable[[Atom], bool]:
    """Tell whether an atom is a function of one of them."""
    wanted = frozenset(domains)
    return lambda atom: isinstance(atom, LitNumber) and atom.domain in wanted


def part_with(value: Polynomial, domains: Iterable[Domain]) -> Polynomial:
    """The terms that depend on all of the domains, and on no other."""
    wanted = frozenset(domains)
    return Polynomial(
        {m: f for m, f in value.terms.items() if wanted == {atom.domain for atom in m if isinstance(atom, LitNumber)}}
    )


def separated(value: Sequence[Polynomial], domain: Domain) -> tuple[Polynomial, tuple[Polynomial, ...]] | None:
    """The parts of a colour as u(x) times parts without x, where they are such products.

    Each part is a sum of functions X of x times something without x; these must be in the same ratios in all parts.
    """
    parts = [part.grouped(is_of([domain])) for part in value]
    monomials = sorted({m for part in parts for m in part}, key=lambda m: (len(m), m))
    if not monomials:
        return None
    # The first that all parts have, if there is one: ratios to it are found.
    first = next((m for m in reversed(monomials) if all(m in part for part in parts if part)), None)
    if first is None:
        return None
    function = ZERO
    for monomial in monomials:
        ratio = _ratio(parts, monomial, first)
        if ratio is None:
            return None
        function = function + ratio * Polynomial({monomial: Fraction(1)})
    # A function that is not negative, and not above 1 if the rest has room for the factor.
    rest = tuple(part.get(first, ZERO) for part in parts)
    low, high = range_of(function)
    factor = Fraction(1)
    if high <= TOLERANCE and low < 0:
        factor, high = Fraction(-1), -low
    if high > 1 and all(range_of(part * factor * high)[1] <= 1 + TOLERANCE for part in rest):
        factor *= high
    return function / factor, tuple(part * factor for part in rest)


def _ratio(parts: Sequence[dict[Monomial, Polynomial]], monomial: Monomial, first: Monomial) -> Polynomial | None:
    """By what the factors of one monomial differ from those of another in all parts, if the host knows it."""
    ratios = set()
    for part in filter(None, parts):
        ratio = part.get(monomial, ZERO).divided_by(part[first])
        if ratio is None or not ratio.is_host:
            return None
        ratios.add(ratio)
    return ratios.pop() if len(ratios) == 1 else None


# --- What the unit is set up to ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableUse:
    """A table: a function of a cosine, as a polynomial of `LitNumber`s of one domain, 0 to 1."""

    domain: Domain
    content: Polynomial
    scale: int = 1


@dataclass(slots=True)
class LightUse:
    """A light and its colours."""

    light: Light
    diffuse: Colour = BLACK
    #: Ambient light that is dimmed with the light.
    ambient: Colour = BLACK
    specular0: Colour = BLACK
    specular1: Colour = BLACK
    #: The direction in which it shines, where it is a spot.
    spot: Vector | None = None
    #: How bright it is by its direction, "spot", and by its "distance".
    dimmers: dict[str, TableUse] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bump:
    """A texture unit with normals, which the quaternion turns; z is made of x and y unless the texture has it."""

    unit: int
    has_z: bool


@dataclass(slots=True)
class Unit:
    """The whole set-up."""

    lights: list[LightUse] = field(default_factory=list)
    ambient: Colour = BLACK
    #: By the names of `INPUT_TABLES`, without spots.
    tables: dict[str, TableUse] = field(default_factory=dict)
    clamps_highlights: bool = False
    bump: Bump | None = None

    @property
    def configuration(self) -> int | None:
        """The code of the first configuration that has all tables; the first ones take fewer cycles."""
        names = set(self.tables) | ({"sp"} if any("spot" in light.dimmers for light in self.lights) else set())
        return next((code for code, has in CONFIGURATIONS.items() if names <= set(has)), None)

    def light(self, light: Light) -> LightUse:
        """The use of a light, which is a new one the first time."""
        for use in self.lights:
            if use.light == light:
                return use
        self.lights.append(LightUse(light))
        return self.lights[-1]


def raised_tables(unit: Unit) -> dict[str, Fraction]:
    """What is added to tables: the machine cuts colours off, and with half a step more that is rounding.

    Only where one product of tables makes the colour: the halves of two would make a step of nothing. Half a step that
    is dimmed is less.
    """
    parts = [(light.specular0, "d0") for light in unit.lights] + [(light.specular1, "rr") for light in unit.lights]
    used = [name for colour, name in parts if colour != BLACK]
    if len(used) != 1 or any(light.dimmers for light in unit.lights):
        return {}
    names = ("d0",) if used == ["d0"] else REFLECTIONS if "rr" in unit.tables else ("d1",)
    return {name: HALF_STEP / unit.tables[name].scale for name in names if name in unit.tables}
