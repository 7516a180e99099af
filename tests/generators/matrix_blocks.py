"""Uniform blocks with a matrix of any shape in any place, and where each of their numbers lies.

The layout is a second one, from the rules of std140 (OpenGL ES 3.0 section 2.12.6.4).
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Sequence
from itertools import product

from glslc_multi.compiler.records import dataclass

_VECTOR = 16


@dataclass(frozen=True, slots=True)
class Laid:
    """Size and alignment of a value, and by the path of each number in it how many bytes are before it."""

    size: int
    alignment: int
    places: dict[str, int]

    def first(self, path: str) -> int:
        """How many bytes are before a member, or before the element of an array."""
        return min(place for each, place in self.places.items() if each.startswith(path))


FLOAT, VEC2 = Laid(4, 4, {"": 0}), Laid(8, 8, {".x": 0, ".y": 4})


def matrix(columns: int, rows: int, by_rows: bool, stride: int) -> Laid:
    """Lay out a matrix: its columns, or rows, begin at the places of vec4 (rules 5 and 7), or after another stride."""
    across, down = (4, stride) if by_rows else (stride, 4)
    places = {f"[{c}][{r}]": c * across + r * down for c, r in product(range(columns), range(rows))}
    return Laid((rows if by_rows else columns) * stride, _VECTOR, places)


def array(element: Laid, length: int) -> Laid:
    """Lay out an array: its elements begin at the places of vec4 (rules 4, 6, 8 and 10)."""
    stride = _up(element.size, _VECTOR)
    places = {f"[{i}]{path}": i * stride + place for i in range(length) for path, place in element.places.items()}
    return Laid(stride * length, _VECTOR, places)


def structure(members: Sequence[tuple[str, Laid]]) -> Laid:
    """Lay out a structure, or a block: its members one after the other (rule 9)."""
    places, end = {}, 0
    for name, member in members:
        start = _up(end, member.alignment)
        places.update({f".{name}{path}": start + place for path, place in member.places.items()})
        end = start + member.size
    return Laid(_up(end, _VECTOR), _VECTOR, places)


def _up(size: int, step: int) -> int:
    return (size + step - 1) // step * step


Members = list[tuple[str, Laid]]
_BEFORE, _AFTER = ("before", FLOAT), ("after", FLOAT)
#: Where the matrix stands -> the members of the block in GLSL; and what they are, of a matrix and of the structure.
FORMS: dict[str, tuple[str, Callable[[Laid, Laid], Members]]] = {
    "alone": ("float before; M m; float after;", lambda m, s: [_BEFORE, ("m", m), _AFTER]),
    "array": ("float before; M m[3]; float after;", lambda m, s: [_BEFORE, ("m", array(m, 3)), _AFTER]),
    "struct": ("float before; S s; float after;", lambda m, s: [_BEFORE, ("s", s), _AFTER]),
    "structs": ("float before; S s[2]; float after;", lambda m, s: [_BEFORE, ("s", array(s, 2)), _AFTER]),
    "last": ("vec2 before; M m;", lambda m, s: [("before", VEC2), ("m", m)]),
}


@dataclass(frozen=True, slots=True)
class MatrixBlock:
    """A block with a matrix."""

    columns: int
    rows: int
    by_rows: bool
    form: str
    stride: int = _VECTOR

    @property
    def name(self) -> str:
        return f"{self.type}-{'rows' if self.by_rows else 'columns'}-{self.form}-{self.stride}"

    @property
    def type(self) -> str:
        return f"mat{self.columns}x{self.rows}"

    @property
    def matrix(self) -> Laid:
        return matrix(self.columns, self.rows, self.by_rows, self.stride)

    @property
    def structure(self) -> Laid:
        return structure([("f", FLOAT), ("m", self.matrix), ("g", VEC2)])

    @property
    def laid(self) -> Laid:
        return structure(FORMS[self.form][1](self.matrix, self.structure))

    def glsl(self, suffix: str = "") -> str:
        """Declare it as B with the name b, and the structure S."""
        order = "row_major" if self.by_rows else "column_major"
        members = re.sub(r"\bM\b", self.type, FORMS[self.form][0])
        head = f"struct S{suffix} {{ float f; {self.type} m; vec2 g; }};\n"
        members = re.sub(r"\bS\b", f"S{suffix}", members)
        return f"{head}layout(std140, {order}) uniform B{suffix} {{ {members} }} b{suffix};\n"

    def buffer(self) -> bytes:
        """Give each number its place in the order of the paths, from 0 on; between them is what is no number."""
        words = [math.nan] * (self.laid.size // 4)
        for number, place in enumerate(self.laid.places.values()):
            words[place // 4] = float(number)
        return struct.pack(f"<{len(words)}f", *words)


def matrix_blocks(*strides: int) -> list[MatrixBlock]:
    """List all of them with some strides."""
    return [MatrixBlock(*each) for each in product((2, 3, 4), (2, 3, 4), (False, True), FORMS, strides or (_VECTOR,))]
