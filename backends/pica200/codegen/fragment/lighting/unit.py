"""What the lighting unit is set up to: lights, tables, and which of its colours is what.

Numbers are polynomials of the host; `registers.py` makes register writes of them.
"""

from __future__ import annotations

from fractions import Fraction

from backends.pica200.codegen.fragment.algebra.polynomials import Polynomial
from backends.pica200.codegen.fragment.lighting.cosines import Light
from backends.pica200.codegen.fragment.lighting.functions import Domain
from backends.pica200.codegen.fragment.lighting.terms import BLACK, Colour
from backends.pica200.codegen.fragment.lighting.vectors import Vector
from backends.pica200.isa.fragment.registers.lighting import CONFIGURATIONS
from compiler.records import dataclass, field

#: Factors that the machine can multiply what a table says by, and that a compiler needs.
TABLE_SCALES = (1, 2, 4, 8)
REFLECTIONS = ("rr", "rg", "rb")
HALF_STEP = Fraction(1, 2 * 255)


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
