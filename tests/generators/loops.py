"""Random loops that carry vectors from round to round and exchange their components, as GLSL text.

Where a machine runs part of a loop once more, or once less, than the graph of its code says, or copies of what is
carried run in another order, such loops end with components in other places.  Counters start and step in many ways,
loops nest, lanes leave them and skip rounds, and what the last round left is read after them.

Values are multiples of 1/4 between -4 and 4, so that they are exact in every machine's number format.
"""

from __future__ import annotations

from random import Random

from tests.generators.glsl import LANES, Program, Stage

_WIDTHS = {"a": 4, "b": 4, "c": 3, "d": 2, "s": 1}
_TYPES = ("", "float", "vec2", "vec3", "vec4")
#: How a loop begins and ends.  What could skip the step of a counter comes after it.
_FORMS = (
    ("for ({type} {n} = {start}; {n} {test}; {n} += {step}) {{", "}}"),
    ("for ({type} {n} = {start}; {n} {test}; {n} += {step}) {{", "}}"),
    ("{type} {n} = {start}; while ({n} {test}) {{ {n} += {step};", "}}"),
    ("{type} {n} = {start}; do {{ {n} += {step};", "}} while ({n} {test});"),
)
#: Least and most rounds, with the share of loops that run so often: machines unroll or count them.
_ROUNDS = {(2, 6): 0.6, (7, 40): 0.3, (41, 255): 0.1}
_INNER_ROUNDS = (1, 4)
_DEEPEST = 3
OPERATIONS = (
    "clamp({x} + {y}, -4.0, 4.0)",
    "clamp({x} - {y}, -4.0, 4.0)",
    "max({x}, {y})",
    "min({x}, {y})",
    "mod({x} + {y}, 2.0)",
    "(-{x})",
    "abs({x})",
)


def generate_loops(random: Random, stage: Stage, statements: int) -> Program:
    """A shader with up to three loops one after the other, of at most so many statements each."""
    return _Writer(random, stage, statements).program()


class _Writer:
    """Writes one program from top to bottom."""

    def __init__(self, random: Random, stage: Stage, statements: int) -> None:
        self.random = random
        self.stage: Stage = stage
        self.statements = statements
        self.lines: list[str] = []
        #: Of the loops around the current statement.
        self.counters: list[str] = []
        self.names = 0

    def program(self) -> Program:
        is_vertex = self.stage == "vertex"
        for name, width in _WIDTHS.items():
            self.lines.append(f"{_TYPES[width]} {name} = {self._swizzle(self.random.choice('pqu'), 4, width)};")
        for _ in range(self.random.randint(1, 3)):
            self._loop()
        results = ["a + b * 2.0 + c.xyzz * 0.5", "d.xyxy + vec4(s) + b.wzyx"]
        if is_vertex:
            self.lines.append(f"rest = {results.pop(self.random.randrange(2))};")
        output = "gl_Position" if is_vertex else "gl_FragColor"
        head = ["attribute vec4 p, q;", "varying vec4 rest;"] if is_vertex else ["varying vec4 p, q;"]
        lines = ["precision highp float;", *head, "uniform vec4 u;", "void main() {", *self.lines]
        source = "\n".join([*lines, f"{output} = {' + '.join(results)};", "}"]) + "\n"
        inputs = {name: [self._numbers() for _ in range(LANES)] for name in "pq"}
        outputs = {"gl_Position": True, "rest": False} if is_vertex else {output: False}
        return Program(self.stage, source, {"u": self._numbers()}, inputs, {}, outputs, quads=False)

    def _numbers(self) -> list[float]:
        return [self.random.randint(-16, 16) / 4 for _ in range(4)]

    def _fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    # statements ------------------------------------------------------------------------------
    def _loop(self) -> None:
        opening, closing = self.random.choice(_FORMS)
        (bounds,) = self.random.choices([*_ROUNDS], [*_ROUNDS.values()])
        rounds = self.random.randint(*(_INNER_ROUNDS if self.counters else bounds))
        counter = self._fresh("n")
        words = _counter(self.random, counter, rounds)
        self.lines.append(opening.format(**words))
        self.counters.append(counter)
        for _ in range(self.random.randint(1, self.statements)):
            self._statement()
        self.counters.pop()
        self.lines.append(closing.format(**words))

    def _statement(self) -> None:
        kinds = [self._assign, self._assign, self._assign_part, self._exchange, self._turn, self._if, self._leave]
        if len(self.counters) < _DEEPEST:
            kinds.append(self._loop)
        self.random.choice(kinds)()

    def _assign(self) -> None:
        name = self._carried()
        self.lines.append(f"{name} = {self._value(_WIDTHS[name])};")

    def _assign_part(self) -> None:
        name = self.random.choice("abcd")
        letters = self.random.sample("xyzw"[: _WIDTHS[name]], self.random.randint(1, _WIDTHS[name]))
        self.lines.append(f"{name}.{''.join(letters)} = {self._value(len(letters))};")

    def _exchange(self) -> None:
        """Two vectors change places, whole or with their components in another order."""
        one, other = self.random.sample([*_WIDTHS], 2)
        width, kept = _WIDTHS[one], self._fresh("t")
        self.lines.append(f"{_TYPES[width]} {kept} = {one};")
        self.lines.append(f"{one} = {self._swizzle(other, _WIDTHS[other], width)};")
        self.lines.append(f"{other} = {self._swizzle(kept, width, _WIDTHS[other])};")

    def _turn(self) -> None:
        """The components of one vector change places."""
        name = self.random.choice("abcd")
        letters = "xyzw"[: _WIDTHS[name]]
        self.lines.append(f"{name} = {name}.{''.join(self.random.sample(letters, len(letters)))};")

    def _if(self) -> None:
        self.lines.append(f"if ({self._condition()}) {{")
        self._assign()
        if self.random.random() < 0.5:
            self.lines.append("} else {")
            self.random.choice((self._assign, self._assign_part, self._turn))()
        self.lines.append("}")

    def _leave(self) -> None:
        self.lines.append(f"if ({self._condition()}) {self.random.choice(('break', 'continue'))};")

    # values ----------------------------------------------------------------------------------
    def _carried(self) -> str:
        return self.random.choice([*_WIDTHS])

    def _swizzle(self, name: str, of: int, width: int) -> str:
        """So many components of a vector of `of` components, in any order."""
        if of == 1:
            return name if width == 1 else f"{_TYPES[width]}({name})"
        return f"{name}.{''.join(self.random.choices('xyzw'[:of], k=width))}"

    def _value(self, width: int) -> str:
        form = self.random.random()
        if form < 0.4 and width > 1:
            return f"{_TYPES[width]}({', '.join(self._operand(1) for _ in range(width))})"
        if form < 0.7:
            return self._operand(width)
        return self.random.choice(OPERATIONS).format(x=self._operand(width), y=self._operand(width))

    def _operand(self, width: int) -> str:
        """What a round carries; now and then an input or the counter."""
        kind = self.random.random()
        if kind < 0.8:
            name = self._carried()
            return self._swizzle(name, _WIDTHS[name], width)
        if kind < 0.95:
            return self._swizzle(self.random.choice("pqu"), 4, width)
        return f"{_TYPES[width]}(mod(float({self.random.choice(self.counters)}), 4.0))"

    def _condition(self) -> str:
        relation = self.random.choice(("<", ">", "==", "!="))
        if self.random.random() < 0.3:
            return f"float({self.random.choice(self.counters)}) {relation} {self.random.randint(-9, 9)}.0"
        return f"{self._operand(1)} {relation} {self.random.choice((self._operand(1), '0.5', '2.0'))}"


def _counter(random: Random, name: str, rounds: int) -> dict[str, str]:
    """The words of a counter that steps so often before its test ends the loop."""
    type_ = random.choice(("int", "int", "int", "float"))
    start, step = random.randint(-20, 20), random.choice((1, 1, 1, 2, 3, -1, -1, -2, -5))
    end = start + step * rounds
    strict, loose = ("<", "<=") if step > 0 else (">", ">=")
    relation, end = random.choice(((strict, end), ("!=", end), (loose, end - step), (strict, end - step // 2)))
    start_, step_, end_ = (str(number) if type_ == "int" else f"{number / 4}" for number in (start, step, end))
    return {"n": name, "type": type_, "start": start_, "step": step_, "test": f"{relation} {end_}"}
