"""Texture units: the coordinates of a pixel to the bytes of a texel."""

from __future__ import annotations

from collections.abc import Sequence

from backends.pica200.isa.fragment.combiners import CHANNELS
from backends.pica200.machine.fragment import words
from backends.pica200.machine.fragment.arithmetic import WHOLE
from compiler.arithmetic.protocol import Number
from compiler.execution.program import Lanes
from compiler.records import dataclass

#: What unit 0 can take coordinates for; the others are all of the first kind.
KINDS = ("2d", "cube", "projection")


@dataclass(frozen=True, slots=True)
class Sampler:
    """What a unit does; filter and wrap are those of its texture."""

    unit: int
    #: Which pair of coordinates it takes.
    coordinate: int
    kind: str = "2d"
    #: Whether the border's colour is beyond the edges, to the sides, and above and below.
    borders: tuple[bool, bool] = (False, False)


class TextureUnit:
    """Reads one texture."""

    def __init__(self, lanes: Lanes, sampler: Sampler) -> None:
        self._lanes, self._a, self._sampler = lanes, lanes.operations, sampler

    def texel(self) -> list[Number]:
        """Four bytes; how the machine rounds what it has filtered is not known, this is to nearest."""
        a, sampler = self._a, self._sampler
        point = self._point()
        no_bias = a.dconst(0.0)
        is_cube = sampler.kind == "cube"
        colour = self._lanes.sample(sampler.unit, point, no_bias, by_steps=True, is_cube=is_cube)
        found = [self._byte(channel) for channel in colour]
        return self._with_border(point, found) if any(sampler.borders) else found

    def _byte(self, x: Number) -> Number:
        a = self._a
        return a.narrowed(a.dtol(a.fadd(a.fmul(x, a.dconst(float(WHOLE))), a.dconst(0.5))))

    def _point(self) -> list[Number]:
        a, name = self._a, f"texcoord{self._sampler.coordinate}"
        point = [a.widened(self._lanes.input((name, component))) for component in range(2)]
        if self._sampler.kind == "2d":
            return point
        w = a.widened(self._lanes.input((f"{name}w", 0)))
        return [*point, w] if self._sampler.kind == "cube" else [a.fdiv(x, w) for x in point]

    def _with_border(self, point: Sequence[Number], texel: Sequence[Number]) -> list[Number]:
        """The border's colour outside of 0 to 1."""
        a = self._a
        outside = a.bconst(False)
        for x, has_border in zip(point, self._sampler.borders, strict=False):
            if has_border:
                outside = a.bor(outside, a.bor(a.flt(x, a.dconst(0.0)), a.fle(a.dconst(1.0), x)))
        first = words.BORDERS + len(CHANNELS) * self._sampler.unit
        border = [self._lanes.constant(first + number, "i32") for number in range(len(CHANNELS))]
        return [a.select(outside, x, y) for x, y in zip(border, texel, strict=True)]
