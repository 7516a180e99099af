"""Random pairs of stages in GLSL ES 3.00: flat and smooth varyings of all types, of which parts are not read.

As in the pairs of GLSL ES 1.00, what is written differs from component to component and all that is read enters the
colour.  Values are multiples of small powers of two, and whole numbers (`whole_expressions.py`), so that every machine
computes the colour exactly: each vertex is a pixel.
"""

from __future__ import annotations

from itertools import product
from random import Random

from glslc_multi.compiler.records import dataclass, field
from tests.generators.es300.whole_expressions import Whole, WholeExpressions, type_of
from tests.generators.glsl_facts import Fact
from tests.generators.pairs import LANES, Pair

#: What a varying, or a member of a struct, can be: columns, and components of a column.
_SHAPES = {
    **{name: (1, int(name[-1]) if name[-1].isdigit() else 1) for name in ("float", "vec2", "vec3", "vec4")},
    **{type_of(kind, width): (1, width) for kind, width in product(("int", "uint"), range(1, 5))},
    "mat2": (2, 2),
    "mat3": (3, 3),
    "mat2x3": (2, 3),
    "mat3x2": (3, 2),
    "mat2x4": (2, 4),
    "mat4x2": (4, 2),
}
#: Rows of four components; GLSL ES 3.00 guarantees 15 (section 7.3), machines have 8.
_MOST_ROWS = 7
#: What is known of a float that is written to a varying, and of the colour after it was cut.
_WRITTEN, _CUT = Fact(8.0, 3), Fact(8.0, 3)
_HEAD = ["#version 300 es", "precision highp float;", "precision highp int;"]
#: The largest magnitudes of `count`, and of whole numbers between the stages (THEIA promises 1024: `whole_numbers`).
_COUNT, _SENT = 512, 1000


@dataclass(slots=True)
class Piece:
    """A part of a varying that is no array and no struct."""

    path: str
    type: str
    #: Of whole numbers, what the vertex stage writes.
    low: int = 0
    high: int = 0

    @property
    def kind(self) -> str:
        """float, int or uint."""
        return {"i": "int", "u": "uint"}.get(self.type[0], "float")

    @property
    def width(self) -> int:
        return _SHAPES[self.type][1]

    @property
    def columns(self) -> list[str]:
        count = _SHAPES[self.type][0]
        return [f"{self.path}[{column}]" for column in range(count)] if count > 1 else [self.path]


@dataclass(slots=True)
class Varying:
    """A varying with its pieces; `members` are those of a struct, `length` is 0 where it is no array."""

    name: str
    type: str
    length: int = 0
    members: dict[str, str] = field(default_factory=dict)
    qualifier: str = ""
    pieces: list[Piece] = field(default_factory=list)

    @property
    def rows(self) -> int:
        return sum(len(piece.columns) for piece in self.pieces)

    def declaration(self, direction: str) -> str:
        array = f"[{self.length}]" if self.length else ""
        return f"{self.qualifier}{direction} {self.type} {self.name}{array};"


def generate_es300_pair(random: Random) -> Pair:
    """A pair; indices come from constants, uniforms and varyings."""
    varyings = _varyings(random)
    structs = [
        f"struct {varying.type} {{ {' '.join(f'{type_} {name};' for name, type_ in varying.members.items())} }};"
        for varying in varyings
        if varying.members
    ]
    wraps = random.random() < 0.1
    vertex = _Vertex(random, wraps=wraps).text(structs, varyings)
    read = random.sample(varyings, random.randint(1, len(varyings)))
    declared = [*read, *(varying for varying in varyings if varying not in read and random.random() < 0.5)]
    random.shuffle(declared)
    fragment = _Fragment(random, ranged=random.random() < 0.75, wraps=wraps).text(structs, declared, read)
    inputs: dict[str, list[tuple[float, ...]]] = {
        "a": [tuple(random.randint(-16, 16) / 8 for _ in range(4)) for _ in range(LANES)],
        "n": [tuple(random.randint(-64, 64) for _ in range(4)) for _ in range(LANES)],
        "r": [tuple(random.randint(0, 64) for _ in range(2)) for _ in range(LANES)],
        "b": [(float(lane % 2),) for lane in range(LANES)],
    }
    uniforms = {"at": (float(random.randint(0, 1)),), "k": (-3.0, 17.0), "w": (float(random.randint(0, 40)),)}
    return Pair(vertex, fragment, inputs, uniforms)


# ------------------------------------------------------------------------------------------------ varyings
def _varyings(random: Random) -> list[Varying]:
    found: list[Varying] = []
    rows = 0
    for number in range(random.randint(1, 5)):
        varying = _struct(random, number) if random.random() < 0.25 else _plain(random, number)
        if rows + varying.rows <= _MOST_ROWS:
            found.append(varying)
            rows += varying.rows
    return found or [Varying("v9", "vec4", pieces=[Piece("v9", "vec4")])]


def _plain(random: Random, number: int) -> Varying:
    name, type_, length = f"v{number}", random.choice([*_SHAPES]), random.choice((0, 0, 0, 2, 3))
    paths = [f"{name}[{index}]" for index in range(length)] or [name]
    pieces = [Piece(path, type_) for path in paths]
    return Varying(name, type_, length, qualifier=_qualifier(random, pieces), pieces=pieces)


def _struct(random: Random, number: int) -> Varying:
    """A struct has neither arrays nor structs between stages (section 4.3.6)."""
    name = f"v{number}"
    members = {f"m{index}": random.choice([*_SHAPES]) for index in range(random.randint(1, 3))}
    pieces = [Piece(f"{name}.{member}", type_) for member, type_ in members.items()]
    return Varying(name, f"S{number}", 0, members, _qualifier(random, pieces), pieces)


def _qualifier(random: Random, pieces: list[Piece]) -> str:
    if any(piece.kind != "float" for piece in pieces):
        return "flat "
    return random.choice(("", "", "smooth ", "centroid ", "flat ", "flat "))


# -------------------------------------------------------------------------------------------------- stages
class _Vertex:
    """Writes the vertex stage."""

    def __init__(self, random: Random, *, wraps: bool) -> None:
        self.random = random
        self.whole = WholeExpressions(random, [], wraps=wraps)
        self.lines: list[str] = []

    def text(self, structs: list[str], varyings: list[Varying]) -> str:
        declarations = ["in vec4 a;", "in ivec4 n;", "in uvec2 r;", "in float b;", *structs]
        self._leaves()
        for varying in varyings:
            for piece in varying.pieces:
                (self._write if piece.kind == "float" else self._write_whole)(piece)
        outs = [varying.declaration("out") for varying in varyings]
        body = ["void main() {", *self.lines, "gl_Position = a;", "}"]
        return "\n".join([*_HEAD, *declarations, *outs, *body]) + "\n"

    def _leaves(self) -> None:
        for name, leaf in (("n", Whole("n", "int", 4, -64, 64)), ("r", Whole("r", "uint", 2, 0, 64))):
            cut = self.whole.clamped(leaf)
            self.lines.append(f"{type_of(leaf.kind, leaf.width)} {name}0 = {cut.text};")
            self.whole.leaves.append(Whole(f"{name}0", leaf.kind, leaf.width, cut.low, cut.high))

    def _write(self, piece: Piece) -> None:
        """All components; at times one of them again, in some lanes."""
        for column in piece.columns:
            self.lines.append(f"{column} = {self._value(piece.width)};")
        if self.random.random() < 0.3:
            column = self.random.choice(piece.columns)
            component = "" if piece.width == 1 else "." + self.random.choice("xyzw"[: piece.width])
            self.lines.append(f"if ({self._condition()}) {column}{component} = {self._value(1)};")

    def _write_whole(self, piece: Piece) -> None:
        made = self._sent(piece)
        self.lines.append(f"{piece.path} = {made.text};")
        if self.random.random() < 0.3:
            again = self._sent(piece)
            self.lines.append(f"if ({self._condition()}) {piece.path} = {again.text};")
            made = made.joined(again)
        piece.low, piece.high = made.low, made.high

    def _sent(self, piece: Piece) -> Whole:
        """Whole numbers as small as code expects them from outside."""
        made = self.whole.make(piece.kind, piece.width)
        return made if made.low >= -_SENT and made.high <= _SENT else self.whole.clamped(made)

    def _condition(self) -> str:
        if self.random.random() < 0.5:
            return "b > 0.5"
        return f"{self.whole.make('int', 1, 1).text} < {self.whole.make('int', 1, 1).text}"

    def _value(self, width: int) -> str:
        """Different numbers that depend on the lane."""
        parts = []
        for _ in range(width):
            factor = self.random.choice((-2.0, -1.0, 1.0, 2.0, 3.0))
            parts.append(f"a.{self.random.choice('xyzw')} * {factor} + {self.random.randint(-16, 16) / 8}")
        return f"vec{width}({', '.join(parts)})" if width > 1 else parts[0]


class _Fragment:
    """Writes the fragment stage: each read adds to `sum`, or to the whole numbers `count`."""

    def __init__(self, random: Random, *, ranged: bool, wraps: bool) -> None:
        self.random = random
        #: Whether the code itself says between what the whole numbers are that it reads.
        self.ranged = ranged
        self.whole = WholeExpressions(random, [], wraps=wraps)
        self.lines: list[str] = []
        self.helpers: list[str] = []
        self.fact = Fact(0.0)
        self.floats: list[Piece] = []

    def text(self, structs: list[str], declared: list[Varying], read: list[Varying]) -> str:
        pieces = [piece for varying in read for piece in self.random.sample(varying.pieces, self._share(varying))]
        self.floats = [piece for piece in pieces if piece.kind == "float"]
        for piece in (Piece("k", "ivec2", -3, 17), Piece("w", "uint", 0, 40), *pieces):
            if piece.kind != "float":
                self._leaf(piece)
        for _ in range(self.random.randint(1, 3)):
            for piece in pieces:
                if piece.kind == "float":
                    self._read(piece)
                else:
                    self._count()
        for varying in read:
            self._read_whole_varying(varying)
        uniforms = ["uniform int at;", "uniform ivec2 k;", "uniform uint w;", "out vec4 colour;"]
        ins = [varying.declaration("in") for varying in declared]
        body = ["void main() {", "vec4 sum = vec4(0.0);", "ivec4 count = ivec4(0);", *self.lines]
        self._cut(body)
        last = "colour = sum + vec4(count) * 0.125;"
        return "\n".join([*_HEAD, *uniforms, *structs, *ins, *self.helpers, *body, last, "}"]) + "\n"

    def _share(self, varying: Varying) -> int:
        return self.random.randint(1, len(varying.pieces))

    # whole numbers -------------------------------------------------------------------------
    def _leaf(self, piece: Piece) -> None:
        leaf = Whole(piece.path, piece.kind, piece.width, piece.low, piece.high)
        if self.ranged:
            cut = self.whole.clamped(leaf)
            name = f"n{len(self.whole.leaves)}"
            self.lines.append(f"{piece.type} {name} = {cut.text};")
            leaf = Whole(name, piece.kind, piece.width, cut.low, cut.high)
        self.whole.leaves.append(leaf)

    def _count(self) -> None:
        width = self.random.randint(1, 4)
        made = self.whole.converted(self.whole.make(self.random.choice(("int", "uint")), width), "int")
        lanes = "".join(self.random.sample("xyzw", width))
        self._guarded(f"count.{lanes} += {made.text};")
        self.lines.append(f"count = clamp(count, -{_COUNT}, {_COUNT});")

    # floats --------------------------------------------------------------------------------
    def _read(self, piece: Piece) -> None:
        self.random.choice((self._part, self._part, self._product, self._dot))(piece)

    def _part(self, piece: Piece) -> None:
        width = self.random.choice((1, 2, 4))
        text = f"{self._swizzle(self._column(piece), piece.width, width)} * {self._weight()}"
        self._add(text, width, Fact(16.0, 4))

    def _dot(self, piece: Piece) -> None:
        if piece.width == 1:
            self._part(piece)
            return
        weights = ", ".join(self._weight() for _ in range(piece.width))
        self._add(f"dot({self._column(piece)}, vec{piece.width}({weights}))", 1, Fact(64.0, 4))

    def _product(self, piece: Piece) -> None:
        """Of components in different orders."""
        other, width = self.random.choice(self.floats), self.random.choice((1, 2, 4))
        factors = [self._swizzle(self._column(each), each.width, width) for each in (piece, other)]
        self._add(" * ".join(factors), width, Fact(64.0, 6))

    def _column(self, piece: Piece) -> str:
        if len(piece.columns) > 1 and self.random.random() < 0.4:
            return f"{piece.path}[{self._index(len(piece.columns))}]"
        return self.random.choice(piece.columns)

    def _index(self, count: int) -> str:
        chosen = self.whole.make("int", 1, 1)
        return self.random.choice(("at", "1 - at", f"clamp({chosen.text}, 0, {count - 1})"))

    def _swizzle(self, text: str, width: int, wanted: int) -> str:
        if width == 1:
            return text if wanted == 1 else f"vec{wanted}({text})"
        return f"{text}.{''.join(self.random.choices('xyzw'[:width], k=wanted))}"

    def _weight(self) -> str:
        return self.random.choice(("1.0", "2.0", "0.5", "(-1.0)", "(-0.5)"))

    def _add(self, text: str, width: int, fact: Fact) -> None:
        if not self.fact.add(fact).fits:
            self._cut(self.lines)
        self.fact = self.fact.add(fact)
        lanes = "".join(self.random.sample("xyzw", width))
        self._guarded(f"sum.{lanes} {self.random.choice(('+=', '+=', '-='))} {text};")

    def _cut(self, lines: list[str]) -> None:
        lines.append("sum = floor(clamp(sum, -8.0, 8.0) * 8.0) * 0.125;")
        self.fact = _CUT

    def _guarded(self, statement: str) -> None:
        """A statement, at times under a condition."""
        if self.random.random() < 0.2:
            statement = f"if ({self._condition()}) {{ {statement} }}"
        self.lines.append(statement)

    def _condition(self) -> str:
        if self.floats and self.random.random() < 0.5:
            piece = self.random.choice(self.floats)
            return f"{self._swizzle(self._column(piece), piece.width, 1)} > {self.random.randint(-8, 8) / 8}"
        return f"{self.whole.make('int', 1, 1).text} < {self.whole.make('int', 1, 1).text}"

    # arrays and structs --------------------------------------------------------------------
    def _read_whole_varying(self, varying: Varying) -> None:
        """A loop over elements, or a struct as an argument."""
        if self.random.random() < 0.5:
            return
        if varying.length and varying.pieces[0].kind == "float":
            piece = varying.pieces[0]
            column = "[1]" if len(piece.columns) > 1 else ""
            read = self._swizzle(f"{varying.name}[i]{column}", piece.width, 2)
            self._cut(self.lines)
            self.lines.append(f"for (int i = 0; i < {varying.length}; i++) sum.yz += {read} * (float(i) + 0.5);")
            self.fact = self.fact.add(Fact(64.0, 4))
        elif varying.members:
            self._passed(varying)

    def _passed(self, varying: Varying) -> None:
        floats = [piece for piece in varying.pieces if piece.kind == "float"]
        if not floats:
            return
        piece = self.random.choice(floats)
        member = self._swizzle(piece.columns[-1].replace(varying.name, "s", 1), piece.width, 4)
        name = f"f{len(self.helpers)}"
        self.helpers.append(f"vec4 {name}({varying.type} s) {{ return {member} * {self._weight()}; }}")
        self._add(f"{name}({varying.name}).{self.random.choice(('xy', 'zw'))}", 2, Fact(16.0, 4))
