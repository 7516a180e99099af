"""Nested control flow as GLSL text, with what it computes: interpreted here, statement by statement and lane by lane.

In: names of shapes from the outside in (an arm of an if, a loop, a case of a switch), and the jump within the innermost
one.  Nothing repairs a wrong turn: what is passed leaves marks that say how often, and in which order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Literal, Protocol

from glslc_multi.compiler.records import dataclass, field

Stage = Literal["vertex", "fragment"]
#: Of each lane four bits, so that conditions meet in all combinations.
LANES = [tuple(map(float, bits)) for bits in product((0, 1), repeat=4)]
UNIFORMS = {"k": [0.0, 1.0, 0.5, 2.0], "bound": 3}
JUMPS = ("break", "continue", "return", "discard", "")
_MARKS, _ROUNDS = 6, 3


@dataclass(slots=True)
class _State:
    """What the statements of a lane read and write."""

    a: tuple[float, ...]
    r: list[float] = field(default_factory=lambda: [0.0] * 4)
    counters: dict[str, int] = field(default_factory=dict)


class _Jump(Exception):
    """Control leaves for where a word says."""

    def __init__(self, word: str) -> None:
        self.word = word


class _Statement(Protocol):
    def text(self, returning: str) -> str: ...

    def run(self, state: _State) -> None: ...


@dataclass(frozen=True, slots=True)
class _Value:
    """An expression, as text and as what it is in a lane."""

    text: str
    of: Callable[[_State], int | bool]


@dataclass(frozen=True, slots=True)
class _Block:
    statements: Sequence[_Statement]

    def text(self, returning: str) -> str:
        return "{ " + " ".join(each.text(returning) for each in self.statements) + " }"

    def run(self, state: _State) -> None:
        for each in self.statements:
            each.run(state)


@dataclass(frozen=True, slots=True)
class _Mark:
    """Counts in one component, and shifts its number into the last one."""

    number: int

    def text(self, returning: str) -> str:
        return f"r = r * vec4(1.0, 1.0, 1.0, 0.5) + vec4({', '.join(map(str, self._added()))});"

    def _added(self) -> list[float]:
        added = [0.0, 0.0, 0.0, (self.number + 1) / 8]
        added[self.number % 3] = 1.0 if self.number < 3 else 8.0
        return added

    def run(self, state: _State) -> None:
        state.r = [r * decay + more for r, decay, more in zip(state.r, (1, 1, 1, 0.5), self._added(), strict=True)]


@dataclass(frozen=True, slots=True)
class _Leave:
    word: str

    def text(self, returning: str) -> str:
        return returning if self.word == "return" else f"{self.word};"

    def run(self, state: _State) -> None:
        raise _Jump(self.word)


@dataclass(frozen=True, slots=True)
class _If:
    condition: _Value
    then: _Block
    other: _Block | None = None

    def text(self, returning: str) -> str:
        other = "" if self.other is None else f" else {self.other.text(returning)}"
        return f"if ({self.condition.text}) {self.then.text(returning)}{other}"

    def run(self, state: _State) -> None:
        arm = self.then if self.condition.of(state) else self.other
        if arm is not None:
            arm.run(state)


@dataclass(frozen=True, slots=True)
class _Loop:
    """A loop of some rounds; `going` is a further condition of the next one."""

    kind: Literal["for", "while", "do"]
    counter: str
    bound: str
    going: _Value | None
    body: _Block

    def text(self, returning: str) -> str:
        name, body = self.counter, self.body.text(returning)
        test = f"{name} < {self.bound}" + ("" if self.going is None else f" && {self.going.text}")
        if self.kind == "for":
            return f"for (int {name} = 0; {test}; {name}++) {body}"
        counted = f"{{ {name}++; {body} }}"
        loop = f"while ({test}) {counted}" if self.kind == "while" else f"do {counted} while ({test});"
        return f"{{ int {name} = 0; {loop} }}"

    def run(self, state: _State) -> None:
        state.counters[self.counter] = 0
        while (self.kind == "do" and not state.counters[self.counter]) or self._goes_on(state):
            state.counters[self.counter] += self.kind != "for"
            try:
                self.body.run(state)
            except _Jump as jump:
                if jump.word == "break":
                    break
                if jump.word != "continue":
                    raise
            state.counters[self.counter] += self.kind == "for"

    def _goes_on(self, state: _State) -> bool:
        return state.counters[self.counter] < _ROUNDS and (self.going is None or bool(self.going.of(state)))


@dataclass(frozen=True, slots=True)
class _Switch:
    """Sections with their labels, None for `default`; each falls into the next one unless it jumps."""

    selector: _Value
    sections: Sequence[tuple[int | None, _Block]]

    def text(self, returning: str) -> str:
        labels = ("default" if label is None else f"case {label}" for label, _ in self.sections)
        inside = (f"{label}: {block.text(returning)}" for label, (_, block) in zip(labels, self.sections, strict=True))
        return f"switch ({self.selector.text}) {{ {' '.join(inside)} }}"

    def run(self, state: _State) -> None:
        labels = [label for label, _ in self.sections]
        value = self.selector.of(state)
        wanted = value if value in labels else None
        try:
            for _, block in self.sections[labels.index(wanted) if wanted in labels else len(labels) :]:
                block.run(state)
        except _Jump as jump:
            if jump.word != "break":
                raise


# ------------------------------------------------------------------------------------------ the shapes
class _Writer:
    """Makes the parts of a program from the outside in."""

    def __init__(self, random: Random, jump: str) -> None:
        self.random = random
        self.jump = jump
        self.marks = 0
        #: Of the loops around, from the outside in.
        self.counters: list[str] = []
        self.names = 0

    def mark(self) -> _Mark:
        self.marks += 1
        return _Mark((self.marks - 1) % _MARKS)

    def marked(self) -> _Block:
        return _Block([self.mark()])

    def condition(self) -> _Value:
        one = self._test()
        form = self.random.random()
        if form < 0.7:
            return one
        other = self._test()
        if form < 0.85:
            return _Value(f"({one.text} && {other.text})", lambda s: one.of(s) and other.of(s))
        return _Value(f"({one.text} || {other.text})", lambda s: one.of(s) or other.of(s))

    def _test(self) -> _Value:
        """A bit of the lane, a count so far, the round, or what is the same in all lanes."""
        place = self.random.randrange(4)
        forms = [_Value(f"a.{'xyzw'[place]} > 0.5", lambda s: s.a[place] > 0.5)] * 3
        forms.append(_Value(f"a.{'xyzw'[place]} < 0.5", lambda s: s.a[place] < 0.5))
        forms.append(_Value(f"r.{'xyz'[place % 3]} < 1.5", lambda s: s.r[place % 3] < 1.5))
        forms.append(_Value(f"k.{'xy'[place % 2]} > 0.5", lambda s: bool(place % 2)))
        if self.counters:
            name, number = self.random.choice(self.counters), self.random.randint(1, 2)
            forms += [_Value(f"{name} == {number}", lambda s: s.counters[name] == number)] * 2
        return self.random.choice(forms)

    def selector(self) -> _Value:
        if self.counters and self.random.random() < 0.3:
            name = self.counters[-1]
            return _Value(name, lambda s: s.counters[name])
        one, other = self.random.sample(range(4), 2)
        return _Value(f"int(a.{'xyzw'[one]} * 2.0 + a.{'xyzw'[other]})", lambda s: int(s.a[one] * 2 + s.a[other]))

    def inside(self, shapes: Sequence[str]) -> _Block:
        """Nest the shapes, perhaps with marks around each."""
        before, after = ([self.mark()] if self.random.random() < share else [] for share in (0.4, 0.8))
        if not shapes:
            return _Block([*before, *([_Leave(self.jump)] if self.jump else [self.mark()])])
        return _Block([*before, *SHAPES[shapes[0]](self, lambda: self.inside(shapes[1:])), *after])


Inside = Callable[[], _Block]
Shape = Callable[[_Writer, Inside], list[_Statement]]


def _if(then: Literal["inside", "mark", ""], other: Literal["inside", "mark", None]) -> Shape:
    def arm(w: _Writer, inside: Inside, what: str) -> _Block:
        return inside() if what == "inside" else _Block([w.mark()] if what else [])

    return lambda w, inside: [
        _If(w.condition(), arm(w, inside, then), None if other is None else arm(w, inside, other))
    ]


def _loop(kind: Literal["for", "while", "do"], *, bound: str = str(_ROUNDS), goes_on: bool = False) -> Shape:
    def shape(w: _Writer, inside: Inside) -> list[_Statement]:
        name = f"i{w.names}"
        w.names += 1
        w.counters.append(name)
        loop = _Loop(kind, name, bound, w.condition() if goes_on else None, inside())
        w.counters.pop()
        return [loop]

    return shape


def _switch(*sections: tuple[int | None, str]) -> Shape:
    """Make a switch of labels with words: inside, mark, break; and then or else, for arms around what is inside."""

    def section(w: _Writer, inside: Inside, words: str) -> _Block:
        made: dict[str, Callable[[], _Statement]] = {
            "inside": inside,
            "mark": w.mark,
            "break": lambda: _Leave("break"),
            "then": lambda: _If(w.condition(), inside()),
            "else": lambda: _If(w.condition(), _Block([w.mark(), _Leave("break")]), inside()),
        }
        return _Block([made[word]() for word in words.split()])

    return lambda w, inside: [_Switch(w.selector(), [(label, section(w, inside, words)) for label, words in sections])]


SHAPES: dict[str, Shape] = {
    "then": _if("inside", None),
    "then beside else": _if("inside", "mark"),
    "else": _if("mark", "inside"),
    "else alone": _if("", "inside"),
    "else if": lambda w, inside: [_If(w.condition(), _Block([w.mark()]), _Block(_if("inside", None)(w, inside)))],
    "two ifs": lambda w, inside: [_If(w.condition(), inside()), _If(w.condition(), _Block([w.mark()]))],
    "for": _loop("for"),
    "while": _loop("while"),
    "do": _loop("do"),
    "for while": _loop("for", goes_on=True),
    "while while": _loop("while", goes_on=True),
    "do while": _loop("do", goes_on=True),
    "for uniform": _loop("for", bound="bound"),
    "case": _switch((0, "inside break"), (None, "mark")),
    "case falls": _switch((1, "inside"), (0, "mark break"), (None, "mark")),
    "case falls from then": _switch((0, "then"), (2, "mark break"), (None, "mark")),
    "case falls from else": _switch((0, "else"), (None, "mark"), (1, "mark")),
    "default": _switch((1, "mark"), (None, "inside"), (3, "mark")),
}
_LOOPS = frozenset(name for name in SHAPES if name.split()[0] in ("for", "while", "do"))
_SWITCHES = frozenset(name for name in SHAPES if name.split()[0] in ("case", "default"))
#: How a program ends early -> what stands around its statements.
_FORMS = {
    "return r;": "vec4 flow() {{ vec4 r = vec4(0.0); {body} return r; }} void main() {{ {output} = flow(); }}",
    "return;": "void flow(inout vec4 r) {{ {body} }} void main() {{ vec4 r = vec4(0.0); flow(r); {output} = r; }}",
    "{{ {output} = r; return; }}": "void main() {{ vec4 r = vec4(0.0); {body} {output} = r; }}",
}


@dataclass(frozen=True, slots=True)
class FlowProgram:
    """A shader that reads `a` of `LANES`, with its output and the lanes that it discards."""

    source: str
    output: str
    wanted: list[list[float]]
    discarded: list[bool]


def has_target(shapes: Sequence[str], jump: str) -> bool:
    """Tell whether a jump has somewhere to go to."""
    if jump == "continue":
        return not _LOOPS.isdisjoint(shapes)
    return jump != "break" or not (_LOOPS | _SWITCHES).isdisjoint(shapes)


def write(shapes: Sequence[str], jump: str, stage: Stage, random: Random) -> FlowProgram:
    """Write a program; the conditions and marks are drawn."""
    body = _Writer(random, jump).inside(shapes)
    is_vertex = stage == "vertex"
    output, storage = ("gl_Position", "in vec4 a;") if is_vertex else ("colour", "in vec4 a; out vec4 colour;")
    returning, frame = random.choice([*_FORMS.items()])
    text = frame.format(body=body.text(returning.format(output=output)), output=output)
    head = f"#version 300 es\nprecision highp float;\n{storage}\nuniform vec4 k; uniform int bound;\n"
    wanted, discarded = [], []
    for lane in LANES:
        state, word = _State(lane), ""
        try:
            body.run(state)
        except _Jump as jumped:
            word = jumped.word
        wanted.append(state.r)
        discarded.append(word == "discard")
    return FlowProgram(f"{head}{text}\n", output, wanted, discarded)
