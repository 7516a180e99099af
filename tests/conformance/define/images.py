"""Textures for cases, and what a lookup in them must give: the rules of OpenGL ES 2.0 section 3.7, texel by texel.

Written for one lookup at a time in plain arithmetic, independent of the project's own sampler on purpose.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

Colour = NDArray[np.float64]

#: Face -> (axis and sign of s, axis and sign of t): OpenGL ES 2.0 table 3.21.
_CUBE_FACES = (
    ((2, -1), (1, -1)),
    ((2, 1), (1, -1)),
    ((0, 1), (2, 1)),
    ((0, 1), (2, -1)),
    ((0, 1), (1, -1)),
    ((0, -1), (1, -1)),
)


@dataclass(frozen=True, slots=True)
class Image:
    """A texture: levels of rows of RGBA bytes, bottom row first; a cube map has its six faces one below the other."""

    kind: str
    size: int
    levels: tuple[bytes, ...]
    minify: str = "nearest"
    magnify: str = "nearest"
    wrap_s: str = "repeat"
    wrap_t: str = "repeat"

    def row(self) -> dict[str, Any]:
        """As a record holds it."""
        texts = [base64.b64encode(level).decode() for level in self.levels]
        return {
            "kind": self.kind, "width": self.size, "height": self.size, "format": "rgba8",
            "data": texts[0], "mips": texts[1:] or "none", "min": self.minify, "mag": self.magnify,
            "wrap_s": self.wrap_s, "wrap_t": self.wrap_t,
        }  # fmt: skip

    def at(self, place: Sequence[float] | Colour, level: int = 0, face: int = 0) -> Colour:
        """The colour at `place` of one level, by the magnification filter (the same in all levels here)."""
        s, t = place
        size = self.size >> level
        if self.magnify == "nearest":
            return self._texel(level, face, math.floor(s * size), math.floor(t * size))
        column, row = math.floor(s * size - 0.5), math.floor(t * size - 0.5)
        right, upper = s * size - 0.5 - column, t * size - 0.5 - row
        lower_row = (1 - right) * self._texel(level, face, column, row) + right * self._texel(
            level, face, column + 1, row
        )
        upper_row = (1 - right) * self._texel(level, face, column, row + 1) + right * self._texel(
            level, face, column + 1, row + 1
        )
        return (1 - upper) * lower_row + upper * upper_row

    def along(self, direction: Sequence[float], level: int = 0) -> Colour:
        """The colour of a cube map in a direction."""
        axis = max(range(3), key=lambda i: abs(direction[i]))
        face = 2 * axis + (direction[axis] < 0)
        (s_axis, s_sign), (t_axis, t_sign) = _CUBE_FACES[face]
        longest = abs(direction[axis])
        s, t = s_sign * direction[s_axis] / longest, t_sign * direction[t_axis] / longest
        return self.at(((s + 1) / 2, (t + 1) / 2), level, face)

    def _texel(self, level: int, face: int, column: int, row: int) -> Colour:
        size = self.size >> level
        column, row = _wrapped(self.wrap_s, column, size), _wrapped(self.wrap_t, row, size)
        start = 4 * ((face * size + row) * size + column)
        return np.array([byte / 255 for byte in self.levels[level][start : start + 4]])


def _wrapped(wrap: str, texel: int, size: int) -> int:
    if wrap == "repeat":
        return texel % size
    if wrap == "clamp":
        return min(max(texel, 0), size - 1)
    phase = texel % (2 * size)
    return min(phase, 2 * size - 1 - phase)


def noise(
    name: str, *, kind: str = "2d", size: int = 4, levels: int = 1, filter: str = "nearest", **more: str
) -> Image:
    """A texture of seeded bytes; with several levels the nearest one is chosen."""
    random = Random(name)
    faces = 6 if kind == "cube" else 1
    data = tuple(random.randbytes(4 * faces * (size >> level) ** 2) for level in range(levels))
    minify = f"{filter}_mipmap_nearest" if levels > 1 else filter
    return Image(kind, size, data, minify, filter, **more)
