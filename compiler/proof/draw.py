"""One draw: the values that inputs, uniforms and textures have, on both sides of a comparison.

A value belongs to a name of the source (variable, element, column, component), and is the same wherever it is read.
All of it follows from a seed, so that a verdict is the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from random import Random
from typing import NamedTuple

from compiler.ir.variables import WINDOW_HEIGHT_NAME, SourceKind
from compiler.proof.field import oracle
from compiler.proof.numbers import Number
from compiler.proof.operations import ProofOperations

#: What a float input is drawn from; edges and ordinary numbers.
_RANGES = ((0.0, 1.0), (0.0, 1.0), (-1.5, 1.5))
_MOST_INT = 5
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

    def number(self, part: Part) -> Number:
        """A float."""
        random = Random(repr((self.seed, part)))
        if part.name == WINDOW_HEIGHT_NAME:
            value = float(_PIXELS)
        elif part.name == "gl_FragCoord":
            value = random.randrange(_PIXELS) + 0.5 if part.component < 2 else random.uniform(0.2, 1.0)
        else:
            value = random.uniform(*random.choice(_RANGES))
        if self._nudge:
            value *= 1.0 + self._nudge * Random(repr((self._way, part))).choice((-1.0, 1.0))
        return Number(value, oracle(self.seed, *part))

    def whole(self, part: Part, kind: SourceKind) -> int:
        """An int, or a bool as one."""
        random = Random(repr((self.seed, part)))
        if kind == "bool":
            return random.randrange(2)
        is_positive = kind == "uint" or part.name.startswith("gl_")
        return random.randrange(0 if is_positive else -_MOST_INT, _MOST_INT + 1)

    def colour(self, sampler: Hashable, place: Sequence[Number], rest: Hashable) -> list[Number]:
        """What a texture has at a place; its floats are a smooth function, so that a rounding moves them a little."""
        return [self._texel(sampler, place, rest, channel) for channel in range(4)]

    def _texel(self, sampler: Hashable, place: Sequence[Number], rest: Hashable, channel: int) -> Number:
        random = Random(repr((self.seed, sampler, channel)))
        angle = sum((random.uniform(1, 4) * x.value for x in place), random.uniform(0, 6))
        element = oracle(self.seed, sampler, *(x.element for x in place), rest, channel)
        return Number(0.5 + 0.5 * math.sin(angle) if math.isfinite(angle) else math.nan, element)


def on_cube(a: ProofOperations, direction: Sequence[Number]) -> list[Number]:
    """The point of a cube in a direction: all that a lookup sees of it."""
    major = direction[0]
    for component in direction[1:]:
        if a.flt(a.fabs(major), a.fabs(component)):
            major = component
    return [a.fdiv(component, a.fabs(major)) for component in direction]
