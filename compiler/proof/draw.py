"""One draw: the values that inputs, uniforms and textures have, on both sides of a comparison.

A value belongs to a name of the source (variable, element, column, component), and is the same wherever it is read.
All of it follows from a seed, so that a verdict is the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from compiler.ir.variables import WINDOW_HEIGHT_NAME, SourceKind
from compiler.proof.field import oracle
from compiler.proof.numbers import Number
from compiler.proof.operations import ProofOperations

#: What a float input is drawn from; edges and ordinary numbers.
_RANGES = ((0.0, 1.0), (0.0, 1.0), (-1.5, 1.5))
_MOST_INT = 5
#: Steps of a random number from 0 to 1.
_FINE = 1 << 32
#: Of gl_FragCoord.xy in front of its half, and of the window's height.
_PIXELS = 64


class Part(NamedTuple):
    """A component of a variable of the source; of a matrix in rows, too, `column` counts the source's columns."""

    name: str
    element: int
    column: int
    component: int


class Draw:
    """Values by name."""

    def __init__(self, seed: int, nudge: float = 0.0, way: int = 0) -> None:
        self.seed = seed
        #: By how much float inputs are moved, in parts of themselves, to see how much the results depend on rounding;
        #: each in a direction that follows from `way`.
        self._nudge = nudge
        self._way = way
        self._numbers: dict[Part, Number] = {}

    def number(self, part: Part) -> Number:
        """A float."""
        found = self._numbers.get(part)
        if found is None:
            found = self._numbers[part] = Number(self._moved(part), oracle(self.seed, *part))
        return found

    def _moved(self, part: Part) -> float:
        choice, fraction = self._chance("float", *part)
        if part.name == WINDOW_HEIGHT_NAME:
            value = float(_PIXELS)
        elif part.name == "gl_FragCoord":
            value = choice % _PIXELS + 0.5 if part.component < 2 else 0.2 + 0.8 * fraction
        elif part.name == "gl_PointCoord":
            value = fraction
        else:
            low, high = _RANGES[choice % len(_RANGES)]
            value = low + (high - low) * fraction
        if self._nudge:
            value *= 1.0 + self._nudge * (-1.0, 1.0)[oracle(self._way, *part) % 2]
        return value

    def whole(self, part: Part, kind: SourceKind) -> int:
        """An int, or a bool as one."""
        choice, _ = self._chance("int", *part)
        if kind == "bool":
            return choice % 2
        if kind == "uint" or part.name.startswith("gl_"):
            return choice % (_MOST_INT + 1)
        return choice % (2 * _MOST_INT + 1) - _MOST_INT

    def colour(self, sampler: Hashable, place: Sequence[Number], rest: Hashable) -> list[Number]:
        """What a texture has at a place; its floats are a smooth function, so that a rounding moves them a little."""
        values = [x.value for x in place]
        elements = [x.element for x in place]
        return [
            Number(self._texel(sampler, channel, values), oracle(self.seed, sampler, elements, rest, channel))
            for channel in range(4)
        ]

    def _texel(self, sampler: Hashable, channel: int, place: Sequence[float]) -> float:
        angle = 6.0 * self._chance(sampler, channel)[1]
        for number, x in enumerate(place):
            angle += (1.0 + 3.0 * self._chance(sampler, channel, number)[1]) * x
        return 0.5 + 0.5 * math.sin(angle) if math.isfinite(angle) else math.nan

    def _chance(self, *key: object) -> tuple[int, float]:
        """Two random numbers for a name, a large whole one and one from 0 to 1."""
        choice, fraction = divmod(oracle(self.seed, *key), _FINE)
        return choice, fraction / _FINE


def on_cube(a: ProofOperations, direction: Sequence[Number]) -> list[Number]:
    """The point of a cube in a direction: all that a lookup sees of it."""
    major = direction[0]
    for component in direction[1:]:
        if a.flt(a.fabs(major), a.fabs(component)):
            major = component
    return [a.fdiv(component, a.fabs(major)) for component in direction]
