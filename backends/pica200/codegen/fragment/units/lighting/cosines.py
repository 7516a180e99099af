"""Which vector is the normal, which looks to the eye, which are lights; and so what products the machine can look up.

In: the vectors and products of a block.  Out: normal and view, and products as cosines: a table's input of
one light, times a factor of the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import ONE, Polynomial
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.rotation import Rotation
from glslc_multi.backends.pica200.codegen.fragment.units.lighting.vectors import (
    Direction,
    Halfway,
    Product,
    VaryingNumber,
    Vector,
    Vectors,
    minus,
    most_used,
    negated,
    positive,
)
from glslc_multi.backends.pica200.codegen.fragment.units.textures import LIGHTING_INPUTS
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Value
from glslc_multi.compiler.records import dataclass

QUATERNION, VIEW = LIGHTING_INPUTS
#: Names of `INPUTS` of the registers; the distance has a table of its own.
Input = Literal["n_dot_h", "v_dot_h", "n_dot_v", "l_dot_n", "l_dot_spot", "distance"]


@dataclass(frozen=True, slots=True)
class Light:
    """Where light comes from: a direction, or a place (less the view vector, as the machine wants it)."""

    vector: Vector
    is_directional: bool


@dataclass(frozen=True, slots=True)
class Cosine:
    """What a table is looked up at."""

    input: Input
    #: None for what is the same of all lights.
    light: Light | None
    #: Where the light shines from, for `l_dot_spot`.
    spot: Vector | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A product of vectors: so many times a cosine."""

    cosine: Cosine
    factor: Polynomial


class Cosines:
    """What the machine can look up of a block."""

    def __init__(self, vectors: Vectors) -> None:
        products = list(vectors.products.values())
        #: The vectors that the vertex shader leaves; the view is not normalised.
        self.normal = _normal(products, vectors.components.values())
        self._eye = _eye(products, self.normal)
        ways = [*(way for way, _ in vectors.distances.values()), *(part.left for part in vectors.parts.values())]
        self.view = self._eye.vector if self._eye is not None else self._base_of_lamps(products, ways)
        self.readings: dict[Instruction, Reading] = {}
        for instruction, product in (vectors.products | vectors.parts).items():
            reading = self._reading(product)
            if reading is not None:
                self.readings[instruction] = reading
        #: Distances of lamps, one of each, and the furthest that it can be.
        self.distances: dict[Cosine, tuple[Instruction, Value]] = {}
        for instruction, (way, most) in vectors.distances.items():
            light, _ = self._light(way)
            if light is not None:
                self.distances.setdefault(Cosine("distance", light), (instruction, most))
        #: Unit normals whose components are read.
        self.normals = {i: sign for i, d in vectors.components.items() if (sign := self._sign(d, self.normal))}

    def turned(self, instruction: Instruction) -> Reading | None:
        """Minus the cosine of a far light is that of a light on the other side."""
        operand = instruction.operands[0] if instruction.op is ops.FNEG else None
        reading = self.readings.get(operand) if isinstance(operand, Instruction) else None
        light = None if reading is None else reading.cosine.light
        if reading is None or light is None or not light.is_directional or reading.cosine.input != "l_dot_n":
            return None
        other = Light(negated(light.vector), is_directional=True)
        self.readings[instruction] = Reading(Cosine("l_dot_n", other), reading.factor)
        return self.readings[instruction]

    @property
    def rotation(self) -> Rotation | None:
        """What turns the normal, where the shader has a quaternion."""
        return None if self.normal is None else self.normal.rotation

    @property
    def is_carried(self) -> bool:
        """Tell whether normal and view come from where the unit reads them."""
        atoms = (atom for part in self.view or () for atom in part.atoms())
        view = {atom.variable.name for atom in atoms if isinstance(atom, VaryingNumber)}
        rotation = self.rotation
        is_turned = rotation is not None and rotation.quaternion.address.variable.name == QUATERNION
        return (self.normal is None or is_turned) and view <= {VIEW}

    def _base_of_lamps(self, products: Sequence[Product], ways: Sequence[Direction]) -> Vector | None:
        """Without an eye the view vector is what varies of the way to a lamp."""
        lamps = (way for way in (*most_used(products), *ways) if not self._is(way, self.normal))
        return next((_as_written(way, products, ways).varying for way in lamps), None)

    def _reading(self, product: Product) -> Reading | None:
        left, right, factor = product.left, product.right, product.factor
        if isinstance(right, Halfway):
            return self._of_halfway(left, right, factor)
        if self._is(right, self.normal):
            left, right = right, left
        if self._is(left, self.normal):
            sign = self._sign(left, self.normal)
            if self._is(right, self._eye):
                return Reading(Cosine("n_dot_v", None), factor * (sign * self._sign(right, self._eye)))
            light, turned = self._light(right)
            return None if light is None else Reading(Cosine("l_dot_n", light), factor * (sign * turned))
        if self._is(left, self._eye):
            return None
        light, turned = self._light(left)
        # The machine normalises no direction of a spot.
        if light is None or light.is_directional or not right.is_host or factor != ONE:
            return None
        spot = right.vector if turned > 0 else negated(right.vector)
        return Reading(Cosine("l_dot_spot", light, spot), factor)

    def _of_halfway(self, left: Direction, half: Halfway, factor: Polynomial) -> Reading | None:
        """The halfway vector is between the eye and a light, and points as they do."""
        sides = (half.one, half.other)
        if self._eye not in sides:
            return None
        light, turned = self._light(sides[1] if sides[0] == self._eye else sides[0])
        if light is None or turned < 0:
            return None
        sign = self._sign(left, self.normal)
        if sign:
            return Reading(Cosine("n_dot_h", light), factor * sign)
        sign = self._sign(left, self._eye)
        return Reading(Cosine("v_dot_h", light), factor * sign) if sign else None

    def _light(self, direction: Direction) -> tuple[Light | None, int]:
        """The light in a direction, and -1 where it is in the opposite one."""
        if direction.is_host:
            return Light(direction.vector, is_directional=True), 1
        if self.view is None:
            return None, 0
        for sign, vector in ((1, direction.vector), (-1, negated(direction.vector))):
            difference = minus(vector, self.view)
            if all(part.is_host for part in difference):
                return Light(difference, is_directional=False), sign
        return None, 0

    def _is(self, one: Direction, other: Direction | None) -> bool:
        return self._sign(one, other) != 0

    @staticmethod
    def _sign(one: Direction, other: Direction | None) -> int:
        """1 where they are the same, -1 where they are opposite."""
        if other is None:
            return 0
        return 1 if one == other else -1 if one.vector == negated(other.vector) else 0


def _normal(products: list[Product], components: Iterable[Direction]) -> Direction | None:
    """What is multiplied by directions of the host or halfway vectors; else by whatever; else what is read as it is."""
    strong = [
        p
        for p in products
        if (p.right.is_host if isinstance(p.right, Direction) else p.left not in (p.right.one, p.right.other))
    ]
    varying = [c for c in components if c.varying == c.vector]
    others = [p for p in products if isinstance(p.right, Direction)]
    for direction in (*most_used(strong), *most_used(others), *varying):
        if all(not part for part in direction.offset):
            return _as_written(direction, products, varying)
    return None


def _as_written(direction: Direction, products: Iterable[Product], components: Iterable[Direction]) -> Direction:
    """Of a direction and its opposite the one that the shader has."""
    sides = [side for p in products for side in (p.left, p.right) if isinstance(side, Direction)]
    return next((side for side in (*sides, *components) if positive(side) == direction), direction)


def _eye(products: list[Product], normal: Direction | None) -> Direction | None:
    """What is in halfway vectors with lights; else what varies without an offset beside far lights."""
    halves = [p.right for p in products if isinstance(p.right, Halfway)]
    for half in halves:
        sides = [side for side in (half.one, half.other) if not side.is_host]
        if len(sides) == 1 or all(not part for part in sides[0].offset):
            return sides[0]
        return sides[1]
    has_far_light = any(isinstance(p.right, Direction) and p.right.is_host for p in products)
    others = [
        side
        for p in products
        for side in (p.left, p.right)
        if isinstance(side, Direction) and not side.is_host and (normal is None or positive(side) != positive(normal))
    ]
    free = [side for side in others if has_far_light and all(not part for part in side.offset)]
    return free[0] if free else None
