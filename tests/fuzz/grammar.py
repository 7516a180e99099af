"""Texts that the reference grammar makes: every production of `tests/frontends/glsl/reference/grammar.py` can occur.

The rules are pyparsing elements, which are walked with a choice at each alternative, option and repetition.  Names come
from a small pool that a prologue declares, so that part of what comes out passes the checker's first questions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from pyparsing import (
    And,
    Empty,
    Forward,
    MatchFirst,
    NotAny,
    OneOrMore,
    Opt,
    ParseElementEnhance,
    ParserElement,
    StringEnd,
    ZeroOrMore,
)

from glslc_multi.frontends.glsl.builtins import names as builtin_names
from glslc_multi.frontends.glsl.language.versions import Language, features_of
from glslc_multi.frontends.glsl.language.words import word_kinds
from glslc_multi.frontends.glsl.library.functions import FUNCTION_NAMES
from glslc_multi.frontends.glsl.preprocess.extensions import BEHAVIOURS, supported_extensions
from tests.frontends.glsl.reference import grammar
from tests.frontends.glsl.reference.grammar import Terminal
from tests.fuzz.versions import head

PROLOGUE = """struct S { vec3 n; float x; };
uniform vec4 a, b[3]; uniform S s; uniform sampler2D t; uniform int i; uniform mat3 m;
float x; vec3 n; bool c;
float f(float x) { return x; }
void g(inout vec3 n, out float x, const int i) { n.x = x = float(i); }
"""
#: What a version with a feature (or keyword) has beside that.
_NEWER_PROLOGUE: tuple[tuple[str, str], ...] = (
    ("precision", "precision mediump float;\n"),
    ("array values", "const float k[3] = float[3](1.0, 0.5, 0.25);\n"),
    ("uint", "uniform uint u; uvec3 v = uvec3(u); uniform isampler2D d;\n"),
    ("layout", "layout(std140) uniform B { vec4 q[2]; mat2x3 w; } l; uniform E { S o; };\n"),
)
_NAMES = [
    "a",
    "b",
    "s",
    "t",
    "i",
    "m",
    "x",
    "n",
    "c",
    "f",
    "g",
    "S",
    "xy",
    "rgb",
    "main",
    "layout",
    "location",
    "M",
    "p",
]
#: Of newer versions.
_NEWER_NAMES = "k u v l q w o d length std140 shared row_major".split()
_NUMBERS = (
    "0 1 2 3 7 255 2147483647 2147483648 4294967296 010 0x1F 0 1 2 1.0 .5 0.0 2. 1e5 1e-40 1e39 1.5e+3 3.14159"
).split()
_NEWER_NUMBERS = "0u 3u 31u 32u 4294967295u 0x7FFFFFFF 0xFFFFFFFFu 0x80000000 0.5f".split()


@cache
def words_of(version: int) -> dict[str, list[str]]:
    """What a terminal is called -> the words that it can be in a version, where these depend on the version."""
    kinds = word_kinds(version)
    newer = version != 100
    types = {word: kinds.get(word) for word in grammar.TYPE.words}
    qualifiers = [word for word in grammar.STORAGE.words if kinds.get(word) == "keyword"]
    return {
        grammar.IDENTIFIER.shown: [
            *(_NAMES + _NEWER_NAMES * newer) * 6,
            *builtin_names(Language(version)),
            *FUNCTION_NAMES,
        ],
        grammar.NUMBER.shown: _NUMBERS + _NEWER_NUMBERS * newer,
        grammar.TYPE.shown: [word for word, kind in types.items() if kind == "keyword"],
        grammar.STORAGE.shown: qualifiers,
    }


#: How often a repetition goes on: lists of statements and declarations, and lists inside of them.
_MORE_ITEMS, _MORE_PARTS = 0.75, 0.3
#: The levels of expressions are eleven repetitions around each other.
_MORE_OPERATORS = 0.06
_ITEMS = (grammar.external_declaration, grammar.statement, grammar.struct_declaration)
_OPTION = 0.4
#: Elements around each other; an expression in parentheses is some thirty.
_DEEPEST = 200


def write_shader(random: Random, version: int = 100, tokens: int = 120) -> str:
    """A text of about `tokens` tokens that parses, with directives here and there."""
    lines = Walk(random, tokens, version).text(grammar.translation_unit).split("\n")
    for _ in range(random.choice((0, 0, 0, 1, 3))):
        lines.insert(random.randrange(len(lines) + 1), write_directive(random, version))
    if random.random() < 0.6:
        lines.insert(0, write_prologue(version))
    if random.random() < 0.6:
        lines.append(f"void main() {{ {Walk(random, tokens // 4, version).text(grammar.statement)} }}")
    return head(version) + "\n".join(lines)


def write_prologue(version: int) -> str:
    """Declarations of the names that the walk uses, with those that a version has of its own."""
    known = {word for word, kind in word_kinds(version).items() if kind == "keyword"}
    known |= {feature for feature, has in features_of(version).items() if has}
    return PROLOGUE + "".join(text for needed, text in _NEWER_PROLOGUE if needed in known)


class Walk:
    """One way through the rules; `seen` collects the elements on it."""

    def __init__(self, random: Random, budget: int, version: int = 100, seen: set[int] | None = None) -> None:
        self.random = random
        self.version = version
        self.words_of = words_of(version)
        #: Tokens that may still be spent; when it is down to the floor, every choice takes the shortest way out.
        self.budget = budget
        self.floor = 0
        self.depth = 0
        self.seen = set() if seen is None else seen
        self.words: list[str] = []

    def text(self, element: ParserElement) -> str:
        self.walk(element)
        return " ".join(self.words)

    def walk(self, element: ParserElement) -> None:
        self.seen.add(id(element))
        self.depth += 1
        _method_of(type(element))(self, element)
        self.depth -= 1

    @property
    def _may_grow(self) -> bool:
        return self.budget > self.floor and self.depth < _DEEPEST

    def _emit(self, word: str) -> None:
        self.budget -= 1
        self.words.append(word + "\n" if word in ";{}" else word)

    def _luck(self, chance: float) -> bool:
        return self._may_grow and self.random.random() < chance

    def _pick(self, elements: Sequence[ParserElement]) -> ParserElement:
        if self._may_grow:
            return self.random.choice(elements)
        return min(elements, key=lambda element: _LENGTHS[id(element)])

    # ------------------------------------------------------------------------------------ elements
    def _terminal(self, element: Terminal) -> None:
        self._emit(self.random.choice(self.words_of.get(element.shown, element.words)))

    def _nothing(self, element: ParserElement) -> None:
        """What reads no token."""

    def _option(self, element: Opt) -> None:
        if self._luck(_OPTION):
            self.walk(element.expr)

    def _repeat(self, element: ZeroOrMore | OneOrMore) -> None:
        if element.expr in _ITEMS:
            self._items(element.expr)
            return
        is_list = isinstance(element, OneOrMore) or isinstance(element.expr, And)
        more = _MORE_PARTS if is_list and not _has_operator(element.expr) else _MORE_OPERATORS
        while self._luck(more):
            self.walk(element.expr)

    def _once_or_more(self, element: OneOrMore) -> None:
        self.walk(element.expr)
        self._repeat(element)

    def _items(self, item: ParserElement) -> None:
        """Each item gets a share of the budget, so that the first one does not spend it all."""
        outer = self.floor
        more = 1.0 if item is grammar.external_declaration else _MORE_ITEMS
        while self._luck(more):
            self.floor = max(outer, self.budget - self.random.randint(3, 100))
            self.walk(item)
            self.floor = outer

    def _sequence(self, element: And) -> None:
        for part in element.exprs:
            self.walk(part)

    def _first(self, element: MatchFirst) -> None:
        self.walk(self._pick(element.exprs))

    def _inner(self, element: ParseElementEnhance) -> None:
        self.walk(element.expr)


def _has_operator(element: ParserElement) -> bool:
    """Whether it is an operator with its operand: what levels of expressions repeat."""
    return isinstance(element, And) and isinstance(element.exprs[0], MatchFirst)


#: Kind of element -> what walks it; the more special kinds first.
_METHODS: tuple[tuple[type, Callable[[Walk, ParserElement], None]], ...] = (
    (Terminal, Walk._terminal),
    (NotAny, Walk._nothing),
    (Empty, Walk._nothing),
    (StringEnd, Walk._nothing),
    (Opt, Walk._option),
    (ZeroOrMore, Walk._repeat),
    (OneOrMore, Walk._once_or_more),
    (And, Walk._sequence),
    (MatchFirst, Walk._first),
    (Forward, Walk._inner),
)  # type: ignore[assignment]


@cache
def _method_of(kind: type) -> Callable[[Walk, ParserElement], None]:
    for known, method in _METHODS:
        if issubclass(kind, known):
            return method
    raise TypeError(f"the grammar has an element that is unknown here: {kind}")


def parts_of(element: ParserElement) -> list[ParserElement]:
    """The elements that a walk may go on to."""
    if isinstance(element, NotAny):
        return []
    if isinstance(element, And | MatchFirst):
        return list(element.exprs)
    return [element.expr] if isinstance(element, ParseElementEnhance) else []


def all_elements() -> list[ParserElement]:
    """Every element of the grammar."""
    found: dict[int, ParserElement] = {}
    waiting: list[ParserElement] = [grammar.translation_unit]
    while waiting:
        element = waiting.pop()
        if id(element) not in found:
            found[id(element)] = element
            waiting += parts_of(element)
    return list(found.values())


def _lengths() -> dict[int, float]:
    """Element -> the fewest tokens that it can be."""
    elements = all_elements()
    # pyparsing does this when an element is first used, and then there are other ones.
    for element in elements:
        element.streamline()
    elements = all_elements()
    lengths = dict.fromkeys(map(id, elements), math.inf)
    while True:
        renewed = {id(element): _length(element, lengths) for element in elements}
        if renewed == lengths:
            return lengths
        lengths = renewed


def _length(element: ParserElement, lengths: dict[int, float]) -> float:
    parts = [lengths[id(part)] for part in parts_of(element)]
    if isinstance(element, Opt | ZeroOrMore | NotAny | Empty | StringEnd):
        return 0
    if isinstance(element, MatchFirst):
        return min(parts)
    return sum(parts) if parts else 1


_LENGTHS = _lengths()


# ---------------------------------------------------------------------------------------- directives
_DIRECTIVES: tuple[str, ...] = (
    "#define {name} {text}",
    "#define {name}({name}, {name}) {text} {name} ## {name}",
    "#define {name}() {text}",
    "#undef {name}",
    "#if {condition}\n{text}\n#elif {condition}\n#else\n{text}\n#endif",
    "#if {condition}",
    "#ifdef {name}\n{text}\n#endif",
    "#ifndef {name}\n#endif",
    "#elif {condition}",
    "#else",
    "#endif",
    "#error {text}",
    "#pragma {text}",
    "#pragma STDGL invariant(all)",
    "#pragma optimize(off)",
    "#pragma shader_stage({name})",
    "#version {number} es",
    "#version {number}",
    "#version 100",
    "#extension {extension} : {behaviour}",
    "#extension all : {behaviour}",
    "#line {number} {number}",
    "#line {text}",
    '#include "{name}"',
    "# {name}",
    "#",
    "{name}({text}, {name})",
)


def write_directive(random: Random, version: int = 100) -> str:
    """A line for the preprocessor, or a use of a macro."""
    shape = random.choice(_DIRECTIVES)
    while "{" in shape:
        hole = shape[shape.index("{") + 1 : shape.index("}")]
        shape = shape.replace(f"{{{hole}}}", _FILLERS[hole](random, version), 1)
    return shape


def _tokens(random: Random, count: int, version: int) -> str:
    return Walk(random, count, version).text(grammar.expression).replace("{", "").replace("}", "")


_FILLERS: dict[str, Callable[[Random, int], str]] = {
    "name": lambda random, _: random.choice((*_NAMES, "defined", "GL_ES", "__LINE__", "__VERSION__")),
    "text": lambda random, version: _tokens(random, random.randrange(12), version),
    "condition": lambda random, version: random.choice(
        ("defined(M)", "!defined p", "__VERSION__ > 99", _tokens(random, 8, version))
    ),
    "number": lambda random, _: random.choice((*_NUMBERS, "300", "330")),
    "extension": lambda random, version: random.choice((*sorted(supported_extensions(version)), "GL_unknown")),
    "behaviour": lambda random, _: random.choice((*BEHAVIOURS, "maybe")),
}
