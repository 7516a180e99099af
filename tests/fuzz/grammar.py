"""Texts that the front end's own grammar makes: every production of `frontends.glsl.grammar` can occur.

The rules are pyparsing elements, with which the parser reads; here they are walked the other way, with a choice at each
alternative, option and repetition.  Names come from a small pool that a prologue declares, so that part of what comes
out passes the checker's first questions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from pyparsing import And, Forward, MatchFirst, Opt, ParseElementEnhance, ParserElement, ZeroOrMore

from frontends.glsl.builtins import names as builtin_names
from frontends.glsl.grammar import rules
from frontends.glsl.grammar.alphabet import END, IDENTIFIER, LETTERS, NUMBER, QUALIFIER, RESERVED, TYPE
from frontends.glsl.grammar.elements import Choice, CommaList, Many, Node, Refuse, Spelled, Terminal
from frontends.glsl.grammar.expressions import ExpressionElement
from frontends.glsl.grammar.recovery import Externals, Guard, Items
from frontends.glsl.language.versions import Language, features_of
from frontends.glsl.language.words import word_kinds
from frontends.glsl.library.functions import FUNCTION_NAMES
from frontends.glsl.preprocess.extensions import BEHAVIOURS, supported_extensions
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
def words_of_letters(version: int) -> dict[str, list[str]]:
    """Letter of the grammar's alphabet -> the words that it can be in a version."""
    kinds = word_kinds(version)
    newer = version != 100
    found = {
        IDENTIFIER: [*(_NAMES + _NEWER_NAMES * newer) * 6, *builtin_names(Language(version)), *FUNCTION_NAMES],
        NUMBER: _NUMBERS + _NEWER_NUMBERS * newer,
        TYPE: [word for word, kind in kinds.items() if kind == "keyword" and word not in LETTERS],
        RESERVED: [*(word for word, kind in kinds.items() if kind == "reserved"), "#", "@", "$", "\\"],
        END: [""],
    }
    for word, letter in LETTERS.items():
        if letter not in _FREE and (letter != QUALIFIER or kinds.get(word) == "keyword"):
            found.setdefault(letter, []).append(word)
    return found


#: Letters whose words are no operators or keywords of the alphabet.
_FREE = (IDENTIFIER, NUMBER, TYPE, RESERVED, END)

#: How often a repetition goes on: lists of statements and declarations, and lists inside of them.
_MORE_ITEMS, _MORE_PARTS = 0.75, 0.3
#: The levels of expressions are eleven repetitions around each other.
_MORE_OPERATORS = 0.06
_OPTION = 0.4
#: Elements around each other; an expression in parentheses is some thirty.
_DEEPEST = 200


def write_shader(random: Random, version: int = 100, tokens: int = 120) -> str:
    """A text of about `tokens` tokens that parses, with directives here and there."""
    lines = Walk(random, tokens, version).text(rules.translation_unit).split("\n")
    for _ in range(random.choice((0, 0, 0, 1, 3))):
        lines.insert(random.randrange(len(lines) + 1), write_directive(random, version))
    if random.random() < 0.6:
        lines.insert(0, write_prologue(version))
    if random.random() < 0.6:
        lines.append(f"void main() {{ {Walk(random, tokens // 4, version).text(rules.statement)} }}")
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
        self.words_of_letter = words_of_letters(version)
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
        self._emit(self.random.choice(self.words_of_letter[element.letter]))

    def _spelled(self, element: Spelled) -> None:
        self._emit(element.word)

    def _nothing(self, element: ParserElement) -> None:
        """A guard, which reads no token."""

    def _choice(self, element: Choice) -> None:
        choices = list(element.alternatives.items())
        if element.otherwise is not None:
            choices += [("", element.otherwise)] * max(1, len(choices) // 2)
        chosen = self._pick([alternative for _, alternative in choices])
        if isinstance(chosen, Refuse):
            self.seen.add(id(chosen))
            self._emit(next(self.words_of_letter[letters[0]][0] for letters, found in choices if found is chosen))
            return
        self.walk(chosen)

    def _option(self, element: Opt) -> None:
        if self._luck(_OPTION):
            self.walk(element.expr)

    def _repeat(self, element: ParserElement, separator: str, more: float) -> None:
        while self._luck(more):
            if separator:
                self._emit(separator)
            self.walk(element)

    def _items(self, element: Items) -> None:
        """Each item gets a share of the budget, so that the first one does not spend it all."""
        outer = self.floor
        more = 1.0 if isinstance(element, Externals) else _MORE_ITEMS
        while self._luck(more):
            self.floor = max(outer, self.budget - self.random.randint(3, 100))
            self.walk(element.expr)
            self.floor = outer

    def _many(self, element: Many) -> None:
        self._repeat(element.choice, "", _MORE_PARTS)

    def _list(self, element: CommaList) -> None:
        self.walk(element.element)
        self._repeat(element.element, ",", _MORE_PARTS)

    def _zero_or_more(self, element: ZeroOrMore) -> None:
        self._repeat(element.expr, "", _MORE_OPERATORS)

    def _sequence(self, element: And) -> None:
        for part in element.exprs:
            self.walk(part)

    def _first(self, element: MatchFirst) -> None:
        self.walk(self._pick(element.exprs))

    def _inner(self, element: ParseElementEnhance) -> None:
        self.walk(element.expr)

    def _expression(self, element: ExpressionElement) -> None:
        self.walk(element.recurse()[0])


#: Kind of element -> what walks it; the more special kinds first.
_METHODS: tuple[tuple[type, Callable[[Walk, ParserElement], None]], ...] = (
    (Guard, Walk._nothing),
    (Spelled, Walk._spelled),
    (Terminal, Walk._terminal),
    (Items, Walk._items),
    (Many, Walk._many),
    (CommaList, Walk._list),
    (Choice, Walk._choice),
    (Opt, Walk._option),
    (ZeroOrMore, Walk._zero_or_more),
    (ExpressionElement, Walk._expression),
    (And, Walk._sequence),
    (MatchFirst, Walk._first),
    (Node, Walk._inner),
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
    if isinstance(element, Choice):
        return [*element.alternatives.values(), *([] if element.otherwise is None else [element.otherwise])]
    if isinstance(element, ExpressionElement):
        return element.recurse()
    if isinstance(element, CommaList):
        return [element.element]
    if isinstance(element, And | MatchFirst):
        return list(element.exprs)
    return [element.expr] if isinstance(element, ParseElementEnhance) else []


def all_elements() -> list[ParserElement]:
    """Every element of the grammar, that of expressions included."""
    found: dict[int, ParserElement] = {}
    waiting: list[ParserElement] = [rules.translation_unit]
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
    if isinstance(element, Opt | ZeroOrMore | Guard):
        return 0
    if isinstance(element, Choice | MatchFirst):
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
    return Walk(random, count, version).text(rules.expression).replace("{", "").replace("}", "")


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
