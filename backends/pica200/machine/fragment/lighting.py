"""The lighting unit: two colours of a pixel from its normal, the direction to the eye, and lights.

All in single precision, as the known emulator has it, whose results may be a step away from those of doubles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.isa.fragment.registers.lighting import ENTRY
from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES
from glslc_multi.backends.pica200.machine.fragment import words
from glslc_multi.backends.pica200.machine.fragment.colours import Colours
from glslc_multi.backends.pica200.machine.fragment.lights import Light, Lighting
from glslc_multi.backends.pica200.machine.fragment.vectors import Vector, VectorArithmetic
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.records import dataclass

#: Channels of a texel.
Texel = Callable[[int], Sequence[Any]]

#: What fields of an entry are divided by.
_VALUE_ONE, _DIFFERENCE_ONE = 4095.0, 2047.0
_FIELDS = "value", "difference", "negative"
_REFLECTIONS = ("rr", "rg", "rb")


@dataclass(frozen=True, slots=True)
class _Surface:
    """A pixel's surface and the eye."""

    normal: Vector
    tangent: Vector
    to_eye: Vector
    #: Not normalised.
    view: Vector


@dataclass(frozen=True, slots=True)
class _Directions:
    """Where a light is from a pixel; `half` is between it and the eye, once as the sum and once normalised."""

    to_light: Vector
    distance: Number
    half: Vector
    half_normalised: Vector
    #: Normal and light, before and after what faces away is taken out.
    cosine: Number
    facing: Number


class LightingUnit:
    """One set-up of the unit."""

    def __init__(self, colours: Colours, lighting: Lighting, texel: Texel) -> None:
        self._colours, self._lanes, self._lighting, self._texel = colours, colours.lanes, lighting, texel
        self._a = VectorArithmetic(self._lanes.operations)

    def colours(self) -> tuple[list[Any], list[Any]]:
        """The primary and the secondary colour."""
        a = self._a
        surface, shade = self._surface(), self._shade()
        primary: list[Number] = [a.zero, a.zero, a.zero]
        secondary, fresnel = list(primary), a.one
        for light in self._lighting.lights:
            directions = self._directions(surface, light)
            fade = a.fmul(self._distance_factor(light, directions), self._table("sp", light, surface, directions))
            shadow = shade[:3] if light.has_shadow else [a.one] * 3
            primary = a.plus(primary, self._diffuse(light, directions, shadow, fade))
            secondary = a.plus(secondary, self._specular(light, surface, directions, shadow, fade))
            # The last light counts.
            fresnel = self._table("fr", light, surface, directions)
        primary = a.plus(primary, self._constants(words.AMBIENT))
        alphas = [self._alpha(fresnel, shade[3], is_on) for is_on in self._lighting.fresnel]
        return self._channels([*primary, alphas[0]]), self._channels([*secondary, alphas[1]])

    def _channels(self, colour: Sequence[Number]) -> list[Any]:
        return [self._colours.below(self._a.clamped(x)) for x in colour]

    def _alpha(self, fresnel: Number, shade: Number, is_on: bool) -> Number:
        """1, or where the Fresnel factor is wanted, this with the shadow if that is wanted."""
        if not is_on:
            return self._a.one
        factor = fresnel if "fr" in self._lighting.lookups else self._a.one
        shadow = self._lighting.shadow
        return self._a.fmul(factor, shade) if shadow is not None and shadow.alpha else factor

    # --- Surface ------------------------------------------------------------------------------------------------------

    def _surface(self) -> _Surface:
        a = self._a
        view = [self._lanes.input(("view", n)) for n in range(3)]
        normal, tangent = self._frame()
        return _Surface(normal, tangent, a.normalised(view), view)

    def _frame(self) -> tuple[Vector, Vector]:
        """The normal and a tangent."""
        a = self._a
        quaternion = a.normalised([self._lanes.input(("normalquat", n)) for n in range(4)])
        normal: Vector = [a.zero, a.zero, a.one]
        tangent: Vector = [a.one, a.zero, a.zero]
        bump = self._lighting.bump
        if bump is not None and bump.bends_tangent:
            tangent = self._bent(bump.unit, makes_z=False)
        elif bump is not None:
            normal = self._bent(bump.unit, makes_z=bump.makes_z)
        return a.rotated(quaternion, normal), a.rotated(quaternion, tangent)

    def _bent(self, unit: int, *, makes_z: bool) -> list[Number]:
        """The vector of a texel, -1 to 1."""
        a = self._a
        x, y, z = (a.fsub(self._colours.float_of(x, WHOLE / 2), a.one) for x in self._texel(unit)[:3])
        if makes_z:
            z = a.fsqrt(a.at_least_zero(a.fsub(a.one, a.dot([x, y], [x, y]))))
        return [x, y, z]

    def _shade(self) -> list[Number]:
        """How much light a shadow leaves, by channel."""
        a, shadow = self._a, self._lighting.shadow
        if shadow is None:
            return [a.one] * len(CHANNELS)
        shade = [self._colours.float_of(x) for x in self._texel(shadow.unit)]
        return [a.fsub(a.one, x) for x in shade] if shadow.is_inverted else shade

    # --- One light ----------------------------------------------------------------------------------------------------

    def _directions(self, surface: _Surface, light: Light) -> _Directions:
        a = self._a
        position = self._constants(words.light_value(light.number, "position"))
        to_light = position if light.is_directional else a.plus(position, surface.view)
        distance = a.length(to_light)
        direction = [a.fdiv(x, distance) for x in to_light]
        half = a.plus(surface.to_eye, direction)
        cosine = a.dot(direction, surface.normal)
        facing = a.fabs(cosine) if light.is_two_sided else a.at_least_zero(cosine)
        return _Directions(direction, distance, half, a.normalised(half), cosine, facing)

    def _diffuse(self, light: Light, directions: _Directions, shadow: Vector, fade: Number) -> list[Number]:
        a = self._a
        diffuse, ambient = (self._light_colour(light, name) for name in ("diffuse", "ambient"))
        lit = a.times(diffuse, directions.facing)
        if self._lighting.shadow is not None and self._lighting.shadow.primary:
            lit = a.product(lit, shadow)
        return a.times(a.plus(lit, ambient), fade)

    def _specular(
        self, light: Light, surface: _Surface, directions: _Directions, shadow: Vector, fade: Number
    ) -> list[Number]:
        a = self._a
        first = a.times(self._light_colour(light, "specular0"), self._table("d0", light, surface, directions))
        # By channel; green and blue have the factor of red where they have no table.
        names = [name if name in self._lighting.lookups else "rr" for name in _REFLECTIONS]
        tables = {name: self._table(name, light, surface, directions) for name in dict.fromkeys(names)}
        second = a.product(
            a.times(self._light_colour(light, "specular1"), self._table("d1", light, surface, directions)),
            [tables[name] for name in names],
        )
        if any(light.geometric):
            factor = self._geometric_factor(directions)
            first, second = (
                a.times(part, factor) if is_on else part
                for part, is_on in zip((first, second), light.geometric, strict=True)
            )
        specular = a.times(a.plus(first, second), fade)
        if self._lighting.clamps_highlights:
            is_lit = a.flt(a.zero, directions.facing)
            specular = [a.select(is_lit, x, a.zero) for x in specular]
        shades = self._lighting.shadow is not None and self._lighting.shadow.secondary
        return a.product(specular, shadow) if shades else specular

    def _geometric_factor(self, directions: _Directions) -> Number:
        a = self._a
        square = a.dot(directions.half, directions.half)
        factor = a.at_most_one(a.fdiv(directions.facing, square))
        return a.select(a.feq(square, a.zero), a.zero, factor)

    # --- Tables -------------------------------------------------------------------------------------------------------

    def _table(self, name: str, light: Light, surface: _Surface, directions: _Directions) -> Number:
        """The factor of a table, 1 where there is none."""
        lookup = self._lighting.lookups.get(name)
        if lookup is None or (name == "sp" and not light.has_spot):
            return self._a.one
        table = TABLES[f"spot{light.number}" if name == "sp" else name].number
        cosine = self._cosine(lookup.input, light, surface, directions)
        looked_up = (
            self._signed(table, cosine) if lookup.is_signed else self._unsigned(table, self._sided(light, cosine))
        )
        return self._a.fmul(looked_up, self._a.fconst(lookup.scale))

    def _sided(self, light: Light, cosine: Number) -> Number:
        return self._a.fabs(cosine) if light.is_two_sided else self._a.at_least_zero(cosine)

    def _cosine(self, name: str, light: Light, surface: _Surface, directions: _Directions) -> Number:
        a = self._a
        if name == "cos_phi" and not self._lighting.has_projections:
            return a.zero
        if name == "cos_phi":
            along = a.times(surface.normal, a.dot(surface.normal, directions.half_normalised))
            return a.dot(a.minus(directions.half_normalised, along), surface.tangent)
        if name == "l_dot_spot":
            return a.dot(directions.to_light, self._constants(words.light_value(light.number, "spot_direction")))
        pairs: Mapping[str, tuple[Vector, Vector]] = {
            "n_dot_h": (surface.normal, directions.half_normalised),
            "v_dot_h": (surface.to_eye, directions.half_normalised),
            "n_dot_v": (surface.normal, surface.to_eye),
            "l_dot_n": (directions.to_light, surface.normal),
        }
        return a.dot(*pairs[name])

    def _distance_factor(self, light: Light, directions: _Directions) -> Number:
        if not light.has_distance:
            return self._a.one
        first = words.light_value(light.number, "attenuation")
        scale, bias = (self._lanes.constant(word) for word in (first, first + 1))
        argument = self._a.fadd(self._a.fmul(scale, directions.distance), bias)
        return self._unsigned(TABLES[f"distance{light.number}"].number, self._a.clamped(argument))

    def _unsigned(self, table: int, x: Number) -> Number:
        """A table of 256 entries over 0 to 1."""
        return self._entry(table, x, 0, words.ENTRIES - 1)

    def _signed(self, table: int, x: Number) -> Number:
        """A table of 256 entries over -1 to 1, of which those for -1 to 0 are the second half."""
        return self._entry(table, x, -words.ENTRIES // 2, words.ENTRIES // 2 - 1)

    def _entry(self, table: int, x: Number, low: int, high: int) -> Number:
        """The entry that x is after, and its difference for the rest of the way."""
        a = self._a
        scaled = a.fmul(x, a.fconst(float(high + 1)))
        index = a.imax(a.imin(a.ftoi(a.ffloor(scaled)), a.iconst(high)), a.iconst(low))
        rest = a.fsub(scaled, a.itof(index))
        number = a.bits_and(index, a.iconst(words.ENTRIES - 1))
        entry = self._lanes.constant_at(a.widened(a.iadd(number, a.iconst(words.table(table)))), "i32")
        value, difference, is_negative = (a.field(entry, ENTRY.format.by_name[name]) for name in _FIELDS)
        size = a.fdiv(a.itof(difference), a.fconst(_DIFFERENCE_ONE))
        slope = a.select(a.ieq(is_negative, a.iconst(1)), a.fneg(size), size)
        return a.fadd(a.fdiv(a.itof(value), a.fconst(_VALUE_ONE)), a.fmul(slope, rest))

    # --- Constants ----------------------------------------------------------------------------------------------------

    def _light_colour(self, light: Light, name: str) -> list[Number]:
        return self._constants(words.light_value(light.number, name))

    def _constants(self, first: int) -> list[Number]:
        return [self._lanes.constant(first + axis) for axis in range(words.AXES)]
