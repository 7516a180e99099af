"""Random pairs of stages: the vertex stage writes varyings, the fragment stage reads some parts of them in many ways.

Components that are written differ from each other, and every part that is read enters the colour with weights: a
component that is lost or exchanged on the way changes the colour.  Values are multiples of 1/8 of few bits.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from glslc_multi.compiler.records import dataclass

LANES = 16
#: Type -> columns, components of a column.
_SHAPES = {
    "float": (1, 1),
    "vec2": (1, 2),
    "vec3": (1, 3),
    "vec4": (1, 4),
    "mat2": (2, 2),
    "mat3": (3, 3),
    "mat4": (4, 4),
}
#: What GLSL ES guarantees, and one for the index (gl_MaxVaryingVectors, section 7.4).
_MOST_ROWS = 7


@dataclass(frozen=True, slots=True)
class Varying:
    """A varying; `length` is 0 where it is no array."""

    name: str
    type: str
    length: int

    @property
    def elements(self) -> list[str]:
        return [f"{self.name}[{index}]" for index in range(self.length)] or [self.name]

    @property
    def rows(self) -> int:
        return _SHAPES[self.type][0] * max(self.length, 1)

    @property
    def declaration(self) -> str:
        return f"varying {self.type} {self.name}{f'[{self.length}]' if self.length else ''};"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sources, and the values to run them on."""

    vertex: str
    fragment: str
    inputs: dict[str, list[tuple[float, ...]]]
    uniforms: dict[str, tuple[float, ...]]


def generate_pair(random: Random) -> Pair:
    """A pair; indices come from constants, a uniform and a varying."""
    varyings = _varyings(random)
    reader = _Reader(random)
    for varying in random.sample(varyings, random.randint(1, len(varyings))):
        for _ in range(random.randint(1, 3)):
            reader.read(varying)
    declarations = ["varying float place;", *(varying.declaration for varying in varyings)]
    inputs: dict[str, list[tuple[float, ...]]] = {
        "a": [tuple(random.randint(-16, 16) / 8 for _ in range(4)) for _ in range(LANES)],
        "b": [(float(lane % 2),) for lane in range(LANES)],
    }
    return Pair(_vertex(random, declarations, varyings), reader.fragment(declarations), inputs, {"at": (1.0,)})


def _varyings(random: Random) -> list[Varying]:
    found: list[Varying] = []
    for number in range(random.randint(1, 4)):
        varying = Varying(f"v{number}", random.choice(tuple(_SHAPES)), random.choice((0, 0, 2, 3)))
        if varying.rows + sum(other.rows for other in found) <= _MOST_ROWS:
            found.append(varying)
    return found or [Varying("v0", "vec4", 0)]


def _vertex(random: Random, declarations: list[str], varyings: list[Varying]) -> str:
    lines = ["attribute vec4 a;", "attribute float b;", *declarations, "void main() {", "place = b;"]
    for varying in varyings:
        columns, size = _SHAPES[varying.type]
        for element in varying.elements:
            places = [f"{element}[{column}]" for column in range(columns)] if columns > 1 else [element]
            lines += [f"{place} = {_written(random, size)};" for place in places]
        if random.random() < 0.3 and (varying.length or columns > 1):
            # Over what is there, at a place that is not known: whole elements, or columns.
            value = f"{varying.name}[0] * 2.0" if varying.length else _written(random, size)
            lines.append(f"{varying.name}[int(b)] = {value};")
    return "\n".join([*lines, "gl_Position = a;", "}"]) + "\n"


def _written(random: Random, size: int) -> str:
    """A vector of different numbers that depend on the lane."""
    factors = [random.choice((-2.0, -1.25, -0.5, 0.75, 1.5)) for _ in range(size)]
    parts = [f"a.{random.choice('xyzw')} * {factor} + {random.randint(-16, 16) / 8}" for factor in factors]
    return f"vec{size}({', '.join(parts)})" if size > 1 else parts[0]


class _Reader:
    """Writes a fragment shader: each read adds a vec4 to the colour."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.helpers: list[str] = []
        self.lines: list[str] = []

    def read(self, varying: Varying) -> None:
        """One more read of a part of a varying."""
        if varying.length:
            ways: list[Callable[[Varying], str]] = [self._element, self._looped, self._passed]
            text = self.random.choice(ways)(varying)
        else:
            text = varying.name
        self._add(text, varying.type)

    def fragment(self, declarations: list[str]) -> str:
        head = ["precision highp float;", "uniform int at;", *declarations, *self.helpers]
        return (
            "\n".join([*head, "void main() {", "vec4 sum = vec4(0.0);", *self.lines, "gl_FragColor = sum;", "}"]) + "\n"
        )

    def _index(self) -> str:
        """0 or 1: all vectors, matrices and arrays have these."""
        return self.random.choice(("0", "1", "at", "at", "int(place)", "1 - at"))

    def _fresh(self, prefix: str) -> str:
        return f"{prefix}{len(self.helpers) + len(self.lines)}"

    def _element(self, varying: Varying) -> str:
        index = self.random.choice((self._index(), str(varying.length - 1)))
        return f"{varying.name}[{index}]"

    def _looped(self, varying: Varying) -> str:
        total = self._fresh("total")
        self.lines.append(f"{varying.type} {total} = {varying.type}(0.0);")
        self.lines.append(
            f"for (int i = 0; i < {varying.length}; i++) {total} += {varying.name}[i] * (float(i) + 0.5);"
        )
        return total

    def _passed(self, varying: Varying) -> str:
        """The whole array is an argument."""
        name, index = self._fresh("f"), self._index()
        parameter = f"{varying.type} x[{varying.length}]"
        self.helpers.append(
            f"{varying.type} {name}({parameter}) {{ return x[{index}] - x[{varying.length - 1}] * 0.5; }}"
        )
        return f"{name}({varying.name})"

    def _add(self, text: str, type_: str) -> None:
        """Add a value of a float type with weights, whole or in part."""
        columns, size = _SHAPES[type_]
        if columns > 1:
            return self._add_matrix(text, type_, size)
        if size == 1:
            return self._sum(f"{text} * {self._weights()}")
        way = self.random.choice(("swizzle", "component", "index", "whole", "struct", "branch"))
        if way == "swizzle":
            return self._sum(f"{text}.{''.join(self.random.choices('xyzw'[:size], k=4))} * {self._weights()}")
        if way == "component":
            return self._sum(f"{text}.{self.random.choice('xyzw'[:size])} * {self._weights()}")
        if way == "index":
            return self._sum(f"{text}[{self._index()}] * {self._weights()}")
        if way == "struct":
            name = self._fresh("s")
            self.lines.append(f"struct T{name} {{ float q; {type_} p; }};")
            self.lines.append(f"T{name} {name} = T{name}(0.5, {text});")
            return self._sum(f"{name}.p[{self._index()}] * {self._weights()}")
        if way == "branch":
            chosen = f"(place > 0.5 ? {text}.x : {text}.y)"
            return self._sum(f"{chosen} * {self._weights()}")
        weights = ", ".join(self._weight() for _ in range(size))
        return self._sum(f"dot({text}, vec{size}({weights})) * {self._weights()}")

    def _add_matrix(self, text: str, type_: str, size: int) -> None:
        way = self.random.choice(("column", "product", "copy", "element", "loop"))
        if way == "column":
            return self._add(f"{text}[{self._index()}]", f"vec{size}")
        if way == "element":
            return self._sum(f"{text}[{self._index()}][{self._index()}] * {self._weights()}")
        if way == "product":
            vector = ", ".join(self._weight() for _ in range(size))
            return self._add(f"({text} * vec{size}({vector}))", f"vec{size}")
        if way == "loop":
            total = self._fresh("total")
            self.lines.append(f"vec{size} {total} = vec{size}(0.0);")
            self.lines.append(f"for (int i = 0; i < {size}; i++) {total} += {text}[i] * (float(i) - 0.5);")
            return self._add(total, f"vec{size}")
        name = self._fresh("m")
        self.lines.append(f"{type_} {name} = {text};")
        return self._add(f"{name}[{self._index()}]", f"vec{size}")

    def _weight(self) -> str:
        return self.random.choice(("1.0", "2.0", "0.5", "(-1.0)", "(-0.5)"))

    def _weights(self) -> str:
        return f"vec4({', '.join(self._weight() for _ in range(4))})"

    def _sum(self, text: str) -> None:
        self.lines.append(f"sum {self.random.choice(('+=', '+=', '-='))} {text};")
