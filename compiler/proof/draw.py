"""One draw: the values that inputs, uniforms and textures have, on both sides of a comparison.

A value belongs to a name of the source (variable, element, column, component), and is the same wherever it is read.
All of it follows from a seed, so that a verdict is the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from glslc_multi.compiler.ir.variables import WINDOW_HEIGHT_NAME, SourceKind
from glslc_multi.compiler.lowering.interface.texture_sizes import SIZE_OF
from glslc_multi.compiler.proof.field import PRIME, Element, oracle, oracles
from glslc_multi.compiler.proof.numbers import PROMISED, Number, Redraw
from glslc_multi.compiler.proof.quad import LANES

#: What a float input is drawn from, by the seed: ordinary numbers; of every other draw those that stay what colours and
#: coordinates are, of some also after they were added up or doubled.
_USUAL = ((0.0, 1.0), (0.0, 1.0), (-1.5, 1.5))
_RANGES = (((0.0, 0.25),), _USUAL, ((0.0, 1.0),), _USUAL)
_MOST_INT = 5
#: Of gl_FragCoord.xy in front of its half, of the window's height and of sizes of textures.
_PIXELS = 64
#: How much a value grows within a quad, at most.
_SLOPE = 0.125
#: The largest byte.
_WHOLE = 255
#: Colours by the element of their first channel.
Texels = dict[Element, list[Number]]
#: By name, between which numbers inputs are.
Limits = Mapping[str, tuple[float, float]]
_CHANNELS = 4
#: Numbers that colours follow from: one for each coordinate and what says the level, and one more.
_WAVES = 8


class Part(NamedTuple):
    """A component of a variable of the source; of a matrix in rows, too, `column` counts the source's columns."""

    name: str
    element: int
    column: int
    component: int


def home(seed: int) -> int:
    """The lane of a quad whose results are compared."""
    return seed % LANES


#: The last level that a texture may have.
_LAST_LEVEL = 15.0


class Draw:
    """Values by name, in one lane of a quad."""

    def __init__(
        self,
        seed: int,
        nudge: float = 0.0,
        way: int = 0,
        lane: int | None = None,
        varying: Collection[str] = (),
        limits: Limits = MappingProxyType({}),
        corner: int = 0,
        given: Mapping[Part, Number | int] = MappingProxyType({}),
        texels: Texels | None = None,
    ) -> None:
        self.seed = seed
        self._lane = home(seed) if lane is None else lane
        #: Of the variables in `varying` each lane has its own values, and so has each corner of a primitive.
        self._varying = () if self._lane == home(seed) else varying
        self._of_corners = varying if corner else ()
        self._corner = corner
        #: Where there are limits, inputs are bytes of them, and channels of colours are bytes.
        self._limits = limits
        #: By how much float inputs are moved, in parts of themselves, to see how much the results depend on rounding;
        #: each in a direction that follows from `way`.
        self._nudge = nudge
        self._way = way
        self._numbers: dict[Part, Number] = {}
        self._columns: dict[Hashable, list[int]] = {}
        #: What the stage before has left.
        self._given = given
        #: What lookups have yielded.
        self._texels = texels
        #: Of each sampler, for each channel, what its colours follow from.
        self._waves: dict[Hashable, list[list[float]]] = {}

    def number(self, part: Part) -> Number:
        """A float."""
        found = self._numbers.get(part)
        if found is None:
            found = self._numbers[part] = self._made(part)
        return found

    def _made(self, part: Part) -> Number:
        given = self._given.get(part)
        if isinstance(given, Number):
            low, high = self._limits.get(part.name, (-math.inf, math.inf))
            if given.value < low or given.value > high:
                raise Redraw(PROMISED)
            return given
        place, step = self._place(part), 0
        share, element = self._pair(part, *place)
        value = self._value(part, share / PRIME)
        if part.name == "gl_FragCoord" and part.component < 2:
            step = self._lane >> part.component & 1
        elif part.name in self._varying:
            place += (self._lane,)
            share, element = self._pair(part, *place)
            value += _SLOPE * (share / PRIME)
        if self._nudge:
            value *= 1.0 + self._nudge * (1 if oracle(self._way, *part, *place) & 1 else -1)
        return Number(value + step, (element + step) % PRIME)

    def _pair(self, part: Part, *place: Hashable) -> Sequence[int]:
        """Return two random elements; the components of a column come of one oracle."""
        key = (*part[:3], *place)
        column = self._columns.get(key)
        if column is None:
            column = self._columns[key] = oracles(2 * _CHANNELS, self.seed, *key)
        return column[2 * part.component : 2 * part.component + 2]

    def _value(self, part: Part, share: float) -> float:
        """A float in the lane that is compared, or a pixel's place in the quad's first, by a number from 0 to 1."""
        if part.name == WINDOW_HEIGHT_NAME:
            value = float(_PIXELS)
        elif part.name == "gl_FragCoord":
            value = 2 * int(share * _PIXELS / 2) + 0.5 if part.component < 2 else 0.2 + 0.8 * share
        elif part.name == "gl_PointCoord":
            value = share
        elif part.name in self._limits:
            low, high = self._limits[part.name]
            value = low + (high - low) * round(share * _WHOLE) / _WHOLE
        else:
            ranges = _RANGES[self.seed % len(_RANGES)]
            rest, choice = math.modf(share * len(ranges))
            low, high = ranges[int(choice)]
            value = low + (high - low) * rest
        return value

    def whole(self, part: Part, kind: SourceKind) -> int:
        """An int, or a bool as one."""
        given = self._given.get(part)
        if given is not None and not isinstance(given, Number):
            return given
        share = self._share(part, *self._place(part))
        if kind == "bool":
            return int(share * 2)
        if part.name.startswith(SIZE_OF):
            return 1 + int(share * _PIXELS)
        least, most = 0 if kind == "uint" or part.name.startswith("gl_") else -_MOST_INT, _MOST_INT
        if part.name in self._limits:
            least, most = map(int, self._limits[part.name])
        return least + int(share * (most + 1 - least))

    def _place(self, part: Part) -> tuple[Hashable, ...]:
        """What sets a part apart from that of the first corner."""
        return ("corner", self._corner) if part.name in self._of_corners else ()

    def _share(self, *key: Hashable) -> float:
        """A random number from 0 to 1."""
        return oracle("share", self.seed, *key) / PRIME

    def colour(self, sampler: Hashable, place: Sequence[Number], detail: Sequence[Number]) -> list[Number]:
        """What a texture has at a place and level; its floats are a smooth function, so that a rounding moves them a
        little."""
        level, *steps = detail
        # No texture has others, whatever is asked for.
        level = Number(min(max(level.value, 0.0), _LAST_LEVEL), level.element)
        where = [*place, level, *steps]
        elements = oracles(_CHANNELS, self.seed, sampler, *(x.element for x in where))
        if self._texels is None:
            return self._texel(sampler, where, elements)
        found = self._texels.get(elements[0])
        if found is None:
            found = self._texels[elements[0]] = self._texel(sampler, where, elements)
        return found

    def _texel(self, sampler: Hashable, where: Sequence[Number], elements: Sequence[int]) -> list[Number]:
        waves = self._waves.get(sampler)
        if waves is None:
            waves = self._waves[sampler] = [self._new_waves(sampler, channel) for channel in range(_CHANNELS)]
        return [Number(self._shade(wave, where), element) for wave, element in zip(waves, elements, strict=True)]

    def _new_waves(self, sampler: Hashable, channel: int) -> list[float]:
        return [1.0 + 3.0 * (x / PRIME) for x in oracles(_WAVES, "waves", self.seed, sampler, channel)]

    def _shade(self, waves: Sequence[float], where: Sequence[Number]) -> float:
        angle = waves[-1] + sum(wave * x.value for wave, x in zip(waves, where, strict=False))
        if not math.isfinite(angle):
            return math.nan
        value = 0.5 + 0.5 * math.sin(angle)
        return round(value * _WHOLE) / _WHOLE if self._limits else value
