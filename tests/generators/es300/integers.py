"""Random shaders in GLSL ES 3.00 on whole numbers with ranges: `python -m tests.generated --kind integers`.

Each variable keeps a range from its declaration on, whatever is assigned, so that what is computed of it is defined:
indices, divisors, rounds of loops.  Floats are multiples of 1/4 between -4 and 4.  Every machine computes both exactly.
What survives to the end of `main` enters the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from glslc_multi.compiler.records import dataclass, replace
from tests.generators.es300.ranged_expressions import RangedExpressions
from tests.generators.es300.whole_expressions import Whole, literal, type_of
from tests.generators.glsl import LANES, Program, Stage
from tests.generators.loops import OPERATIONS

_HEAD = ["#version 300 es", "precision highp float;", "precision highp int;"]
_UNIFORMS = ["uniform ivec2 k;", "uniform uint w;", "uniform int at;", "uniform int list[4];", "uniform vec4 q;"]
#: Ranges of variables; those of numbers without a sign begin at 0.
_RANGES = ((-8, 7), (0, 3), (-1, 1), (-64, 64), (0, 63), (0, 40), (-5, 60))
#: A variable whose largest magnitude is more enters the result by a remainder.
_SHOWN = 31


@dataclass(frozen=True, slots=True)
class Vector:
    """A float, or a vector of floats, between -4 and 4."""

    text: str
    width: int


def generate_integers(random: Random, stage: Stage, statements: int) -> Program:
    """A shader of so many statements and what is inside of them."""
    return Writer(random, stage, statements).program()


class Writer:
    """Writes one program from top to bottom."""

    #: How deep expressions are, and blocks.
    detail, deepest = 2, 3

    def __init__(self, random: Random, stage: Stage, statements: int) -> None:
        self.random = random
        self.stage: Stage = stage
        self.statements = statements
        self.lines: list[str] = []
        #: Types and functions, before `main`.
        self.globals: list[str] = []
        #: What is read, and what is written, too.
        self.leaves: list[Whole] = []
        self.variables: list[Whole] = []
        self.floats: list[Vector] = []
        self.vectors: list[Vector] = []
        self.bools: list[str] = []
        self.whole = RangedExpressions(random, self.leaves, wraps=random.random() < 0.05)
        self.depth = 0
        self.names = 0
        self.kinds: list[Callable[[], None]] = [
            self._declare, self._declare, self._assign, self._assign, self._assign, self._assign_part, self._compound,
            self._assign_floats, self._assign_floats, self._truth, self._if, self._if,
        ]  # fmt: skip

    def program(self) -> Program:
        is_vertex = self.stage == "vertex"
        self._begin()
        for _ in range(self.statements):
            self.statement()
        self._finish()
        ways = ("in", "in") if is_vertex else ("flat in", "in")
        ins = [f"{ways[0]} ivec4 n;", f"{ways[0]} uvec2 r;", f"{ways[1]} vec4 p;"]
        out = "out vec4 rest;" if is_vertex else "out vec4 colour;"
        last = ["gl_Position = vec4(count);", "rest = sum;"] if is_vertex else ["colour = vec4(count) + sum;"]
        body = ["void main() {", *self.lines, *last, "}"]
        source = "\n".join([*_HEAD, *ins, *_UNIFORMS, out, *self.globals, *body]) + "\n"
        outputs = {"gl_Position": True, "rest": True} if is_vertex else {"colour": True}
        return Program(self.stage, source, self._uniforms(), self._inputs(), {}, outputs, quads=False)

    def _inputs(self) -> dict[str, list[Any]]:
        return {
            "n": [[self.random.randint(-64, 64) for _ in range(4)] for _ in range(LANES)],
            "r": [[self.random.randint(0, 64) for _ in range(2)] for _ in range(LANES)],
            "p": [[self.random.randint(-16, 16) / 4 for _ in range(4)] for _ in range(LANES)],
        }

    def _uniforms(self) -> dict[str, Any]:
        return {
            "k": [-3, 17],
            "w": self.random.randint(0, 40),
            "at": self.random.randint(0, 3),
            "list": [self.random.randint(-9, 9) for _ in range(4)],
            "q": [self.random.randint(-16, 16) / 4 for _ in range(4)],
        }

    # scope -----------------------------------------------------------------------------------
    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    @property
    def scopes(self) -> tuple[list[Any], ...]:
        return self.leaves, self.variables, self.floats, self.vectors, self.bools

    @contextmanager
    def block(self, opening: str, closing: str = "}") -> Iterator[None]:
        """What is declared inside goes out of scope at its end."""
        sizes = [len(scope) for scope in self.scopes]
        self.lines.append(opening)
        self.depth += 1
        yield
        self.depth -= 1
        self.lines.append(closing)
        for scope, size in zip(self.scopes, sizes, strict=True):
            del scope[size:]

    def add(self, variable: Whole) -> None:
        self.leaves.append(variable)
        self.variables.append(variable)

    def add_vector(self, vector: Vector) -> None:
        self.floats.append(vector)
        self.vectors.append(vector)

    def range_of(self, kind: str) -> tuple[int, int]:
        low, high = self.random.choice(_RANGES)
        return (0 if kind == "uint" else low), high

    def _begin(self) -> None:
        """Ranges of what comes from outside, by the code itself or by promise; and the first variables."""
        for name, leaf in (("n", Whole("n", "int", 4, -64, 64)), ("r", Whole("r", "uint", 2, 0, 64))):
            if self.random.random() < 0.25:
                self.leaves.append(leaf)
                continue
            cut = self.whole.clamped(leaf)
            self.lines.append(f"{type_of(leaf.kind, leaf.width)} {name}0 = {cut.text};")
            self.leaves.append(replace(cut, text=f"{name}0"))
        self.leaves += [Whole("clamp(k, -3, 17)", "int", 2, -3, 17), Whole("clamp(w, 0u, 40u)", "uint", 1, 0, 40)]
        index = self.index(4)
        self.leaves += [
            Whole(f"clamp(list[{place}], -9, 9)", "int", 1, -9, 9) for place in (index, self.random.randrange(4))
        ]
        self.floats += [Vector("p", 4), Vector("q", 4)]
        for _ in range(3):
            self._declare()
        for width in self.random.sample(range(1, 5), 2):
            self._declare_floats(width)

    def index(self, count: int) -> str:
        """An index into so many elements."""
        if self.random.random() < 0.3:
            return str(self.random.randrange(count))
        return self.whole.between(self.random.choice(("int", "int", "uint")), 0, count - 1).text

    def _finish(self) -> None:
        """All variables and vectors enter the results."""
        self.lines += ["ivec4 count = ivec4(0);", "vec4 sum = vec4(0.0);"]
        for leaf in self.variables:
            made = self.whole.converted(leaf, "int")
            text = made.text if max(made.high, -made.low) <= _SHOWN else f"(clamp({made.text}, -500, 500) / 4)"
            if made.low < 0 and text != made.text:
                text = f"clamp({made.text}, -{_SHOWN}, {_SHOWN})"
            self.lines.append(f"count.{self._lanes(made.width)} += {text};")
        for vector in self.vectors:
            self.lines.append(f"sum.{self._lanes(vector.width)} += {vector.text};")
        for name in self.bools:
            self.lines.append(f"if ({name}) count.{self.random.choice('xyzw')} += 1;")

    def _lanes(self, width: int) -> str:
        return "".join(self.random.sample("xyzw", width))

    # statements ------------------------------------------------------------------------------
    def statement(self) -> None:
        self.random.choice(self.kinds)()

    def some(self, most: int = 3) -> None:
        """Some statements."""
        for _ in range(self.random.randint(1, most)):
            self.statement()

    def _declare(self) -> None:
        kind, width = self.random.choice(("int", "int", "uint")), self.random.choice((1, 1, 2, 3, 4))
        low, high = self.range_of(kind)
        value = self.whole.fitted(self.whole.make(kind, width, self.detail), low, high)
        name = self.fresh("i" if kind == "int" else "j")
        self.lines.append(f"{type_of(kind, width)} {name} = {value.text};")
        self.add(Whole(name, kind, width, low, high))

    def _assign(self) -> None:
        variable = self.random.choice(self.variables)
        self.lines.append(f"{variable.text} = {self.value_for(variable).text};")

    def value_for(self, variable: Whole, width: int = 0) -> Whole:
        """Of the range of a variable."""
        made = self.whole.make(variable.kind, width or variable.width, self.detail)
        return self.whole.fitted(made, variable.low, variable.high)

    def _assign_part(self) -> None:
        variable = self.random.choice(self.variables)
        if variable.width == 1:
            return self._assign()
        if variable.width == 4 and self.random.random() < 0.3:
            self.lines.append(f"{variable.text}[{self.index(4)}] = {self.value_for(variable, 1).text};")
            return None
        lanes = "".join(self.random.sample("xyzw"[: variable.width], self.random.randint(1, variable.width)))
        self.lines.append(f"{variable.text}.{lanes} = {self.value_for(variable, len(lanes)).text};")
        return None

    def _compound(self) -> None:
        """An operator with an assignment, which keeps the range by itself, or by a second statement."""
        variable = self.random.choice(self.variables)
        text, kind = variable.text, variable.kind
        if variable.low < 0 or self.random.random() < 0.5:
            operator = self.random.choice("+-" if kind == "int" else "+")
            by = self.random.choice((f"{text}++", f"{text} {operator}= {self.whole.make(kind, 1, 1).text}"))
            bounds = f"{literal(kind, variable.low)}, {literal(kind, variable.high)}"
            self.lines.append(f"{by}; {text} = clamp({text}, {bounds});")
            return
        operator, operand = self.random.choice((("&=", 13), (">>=", 1), ("%=", 5), ("/=", 3)))
        self.lines.append(f"{text} {operator} {literal(kind, operand)};")

    def _truth(self) -> None:
        if self.bools and self.random.random() < 0.4:
            name = self.random.choice(self.bools)
            self.lines.append(f"{name} = {self.condition()};")
            return
        self._name_truth(self.condition())

    def _name_truth(self, condition: str) -> None:
        name = self.fresh("t")
        self.lines.append(f"bool {name} = {condition};")
        self.bools.append(name)

    def _if(self) -> None:
        if self.depth >= self.deepest:
            return self._assign()
        with self.block(f"if ({self.condition()}) {{"):
            self.some(2)
        if self.random.random() < 0.4:
            other = f" if ({self.condition()})" if self.random.random() < 0.3 else ""
            with self.block(f"else{other} {{"):
                self.some(2)
        return None

    def condition(self, depth: int = 1) -> str:
        form = self.random.random()
        if depth > 0 and form < 0.3:
            operator = self.random.choice(("&&", "||", "^^"))
            return f"({self.condition(depth - 1)}) {operator} ({self.condition(depth - 1)})"
        if self.bools and form < 0.45:
            return self.random.choice(("", "!")) + self.random.choice(self.bools)
        if form < 0.6:
            relation = self.random.choice(("<", ">", "==", "!="))
            return f"{self.floating(1)} {relation} {self.random.choice((self.floating(1), '0.5', '2.0'))}"
        return self.whole.compared(self.detail - 1)

    # floats ----------------------------------------------------------------------------------
    def _declare_floats(self, width: int) -> None:
        name = self.fresh("f")
        self.lines.append(f"{float_type(width)} {name} = {self.floating(width)};")
        self.add_vector(Vector(name, width))

    def _assign_floats(self) -> None:
        if not self.vectors or self.random.random() < 0.2:
            return self._declare_floats(self.random.randint(1, 4))
        vector = self.random.choice(self.vectors)
        self.lines.append(f"{vector.text} = {self.float_value(vector.width)};")
        return None

    def float_value(self, width: int) -> str:
        form = self.random.random()
        if form < 0.15:
            made = self.whole.fitted(self.whole.make(self.random.choice(("int", "uint")), width), -4, 4)
            return f"{float_type(width)}({made.text})"
        if form < 0.35:
            return self.floating(width)
        return self.random.choice(OPERATIONS).format(x=self.floating(width), y=self.floating(width))

    def floating(self, width: int) -> str:
        """Some components of what there is."""
        return self.swizzled(self.random.choice(self.floats), width)

    def swizzled(self, vector: Vector, width: int) -> str:
        if vector.width == 1:
            return vector.text if width == 1 else f"{float_type(width)}({vector.text})"
        return f"{vector.text}.{''.join(self.random.choices('xyzw'[: vector.width], k=width))}"


def float_type(width: int) -> str:
    return "float" if width == 1 else f"vec{width}"
