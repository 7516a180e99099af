"""The grammar of one line of IR text, in pyparsing: a line in, one record of `syntax.py` out.

The form is predictive: the next character or word decides what follows, so no element ever tries and
fails.  The first word that does not fit is the mistake, and raises a `ParseException` whose message
names what was expected there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from pyparsing import ParseException, ParserElement
from compiler.ir.parse import syntax
from compiler.ir.parse.syntax import Word
from compiler.ir.text import FLAGS, PLAIN_BLOCK_NAME, PLAIN_NAME
from compiler.ir.variables import STORAGES

#: Where an element ended, and its values: none for punctuation, one for everything else.
Match = tuple[int, list[Any]]

_BLANKS = re.compile(r"[ \t]*")
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
STRING = r'"(?:[^"\\\x00-\x1f]|\\.)*"'


class Element(ParserElement):
    """Base of the elements here; each skips blanks by itself."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.skipWhitespace = self.callPreparse = self.mayIndexError = False
        self.set_name(name)

    def _generateDefaultName(self) -> str:  # noqa: N802 (pyparsing's name)
        return type(self).__name__

    def fail(self, line: str, loc: int) -> ParseException:
        return ParseException(line, skip_blanks(line, loc), self.name, self)


def skip_blanks(line: str, loc: int) -> int:
    """The first place from `loc` on that is no blank."""
    found = _BLANKS.match(line, loc)
    return loc if found is None else found.end()


def word_at(line: str, loc: int) -> str:
    """The identifier that begins exactly at `loc`, or the one character there, or nothing."""
    found = _WORD.match(line, loc)
    return line[loc : loc + 1] if found is None else found[0]


class Token(Element):
    """A word matched by a regular expression; `glued` ones allow no blanks in front."""

    def __init__(self, name: str, pattern: str, *, glued: bool = False) -> None:
        super().__init__(name)
        blanks = "" if glued else r"[ \t]*"
        self.match = re.compile(f"{blanks}({pattern})", re.ASCII).match

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        found = self.match(instring, loc)
        if found is None:
            raise self.fail(instring, loc)
        start, end = found.span(1)
        return end, [Word(found[1], start, end)]


class Mark(Token):
    """Punctuation or a fixed word: must be there, has no value."""

    def __init__(self, text: str) -> None:
        super().__init__(f"'{text}'", re.escape(text) + (r"\b" if text.isalpha() else ""))

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        return super().parseImpl(instring, loc)[0], []


class Node(Element):
    """A sequence, made into one value by `build`, which gets the values of the parts."""

    def __init__(self, name: str, build: Callable[..., Any], *parts: Element) -> None:
        super().__init__(name)
        self.build = build
        self.parts = parts

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        values: list[Any] = []
        for part in self.parts:
            loc, more = part.parseImpl(instring, loc)
            values += more
        return loc, [self.build(*values)]


class Maybe(Element):
    """The element where one of `starts` (words or characters) comes next, else None."""

    def __init__(self, starts: frozenset[str], element: Element) -> None:
        super().__init__(element.name)
        self.starts = starts
        self.element = element

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        if word_at(instring, skip_blanks(instring, loc)) not in self.starts:
            return loc, [None]
        return self.element.parseImpl(instring, loc)


class Many(Element):
    """A list of as many elements as follow; the next word or character tells whether one does."""

    def __init__(self, follows: Callable[[str], bool], element: Element) -> None:
        super().__init__(element.name)
        self.follows = follows
        self.element = element

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        values: list[Any] = []
        while self.follows(word_at(instring, skip_blanks(instring, loc))):
            loc, more = self.element.parseImpl(instring, loc)
            values += more
        return loc, [values]


class Separated(Element):
    """A list of one or more elements with commas between them."""

    def __init__(self, element: Element) -> None:
        super().__init__(element.name)
        self.element = element

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        loc, values = self.element.parseImpl(instring, loc)
        while (comma := skip_blanks(instring, loc)) < len(instring) and instring[comma] == ",":
            loc, more = self.element.parseImpl(instring, comma + 1)
            values += more
        return loc, [values]


class Choice(Element):
    """The element that the next word or character picks, or `otherwise`."""

    def __init__(self, name: str, elements: Mapping[str, Element], otherwise: Element | None = None) -> None:
        super().__init__(name)
        self.elements = elements
        self.otherwise = otherwise

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        element = self.elements.get(word_at(instring, skip_blanks(instring, loc)), self.otherwise)
        if element is None:
            raise self.fail(instring, loc)
        return element.parseImpl(instring, loc)


# -------------------------------------------------------------------------------------- words
_NAME = Token("a name", _WORD.pattern)
_TYPE = Token("a type", _WORD.pattern)
_TEXT = Token("a text in double quotes", STRING)
_NUMBER = Token("a number", r"\d+")
_SYMBOL = Token("'@' and a name", f"@(?:{PLAIN_NAME}|{STRING})")
_LABEL = Token("'^' and the name of a block", rf"\^(?:{PLAIN_BLOCK_NAME}|{STRING})")
_VALUE = Token("'%' and a number", r"%\d+")
_SCALAR_PATTERN = r"[-+]?(?:\d[\w.]*(?:(?<=[eE])[-+]\d+)?|[A-Za-z]\w*)"
_SCALAR = Token("a number, 'true', 'false' or 'undef'", _SCALAR_PATTERN)
_SCALAR_OR_TYPE = Token("a value, such as %1 or 1.0", _SCALAR_PATTERN)
_STAGE = Token("a stage", _WORD.pattern)
#: The end of the line; a comment may stand in front of it.
_END = Token("the end of the line", r"(?:;.*)?$")

# ------------------------------------------------------------------------------------- places
_RANGE = Node(
    "a place",
    lambda file, *numbers: syntax.Range(file, list(numbers)),
    *(Mark("at"), _TEXT, _NUMBER, Mark(":"), _NUMBER, Mark("-"), _NUMBER, Mark(":"), _NUMBER),
)
_ORIGIN = Node("an origin", syntax.OriginLink, _NAME, _TEXT, _RANGE)
_PLACE = Maybe(
    frozenset({"at"}),
    Node("a place", syntax.Place, _RANGE, Many({"macro", "inlined"}.__contains__, _ORIGIN)),
)

# ----------------------------------------------------------------------------------- operands
_USE = Node("a value", syntax.ValueUse, _VALUE)


class _LiteralElement(Element):
    """`1.0`, `undef` or `vec3(1.0, undef, 2.0)`: a word with an opening parenthesis is a type."""

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> Match:  # noqa: N802
        loc, (first,) = _SCALAR_OR_TYPE.parseImpl(instring, loc)
        opening = skip_blanks(instring, loc)
        if not first.text[0].isalpha() or instring[opening : opening + 1] != "(":
            return loc, [syntax.Literal(None, [first], loc)]
        loc, (components,) = _COMPONENTS.parseImpl(instring, opening + 1)
        loc, _ = _CLOSING.parseImpl(instring, loc)
        return loc, [syntax.Literal(first, components, loc)]


_COMPONENTS = Separated(_SCALAR)
_CLOSING = Mark(")")
_LITERAL = _LiteralElement("a value, such as %1 or 1.0")
_VALUE_OPERAND = Choice("a value, such as %1 or 1.0", {"%": _USE}, _LITERAL)
_PARENTHESISED = Node("a value", lambda literal: literal, Mark("("), _LITERAL, _CLOSING)
_DYNAMIC = Choice("a value", {"%": _USE, "(": _PARENTHESISED})
_SIGN = Token("'+' or '-'", "[-+]")
_DYNAMIC_INDEX = Node(
    "an index",
    lambda operand, offset: syntax.Index(operand, *(offset or (None, None))),
    _DYNAMIC,
    Maybe(frozenset("+-"), Node("an offset", lambda sign, number: (sign, number), _SIGN, _NUMBER)),
)
_CONSTANT_INDEX = Node(
    "an index", lambda sign, number: syntax.Index(None, sign, number), Maybe(frozenset("-"), _SIGN), _NUMBER
)
_INDEX = Node(
    "an index",
    lambda index: index,
    Mark("["),
    Choice("an index", {"%": _DYNAMIC_INDEX, "(": _DYNAMIC_INDEX}, _CONSTANT_INDEX),
    Mark("]"),
)
_COLUMN = Node(
    "a column", lambda column: column, Mark("."), Choice("a column", {"%": _USE, "(": _PARENTHESISED}, _NUMBER)
)
_SYMBOL_USE = Node(
    "a variable", syntax.SymbolUse, _SYMBOL, Maybe(frozenset("["), _INDEX), Maybe(frozenset("."), _COLUMN)
)
_BLOCK_USE = Node("a block", syntax.BlockUse, _LABEL)
_INCOMING = Node("a value and its block", syntax.Incoming, Mark("["), _VALUE_OPERAND, Mark(","), _LABEL, Mark("]"))
_OPERAND = Choice("an operand", {"%": _USE, "@": _SYMBOL_USE, "^": _BLOCK_USE, "[": _INCOMING}, _LITERAL)
_NO_OPERANDS = Node("no operands", list)
_OPERANDS = Choice("operands", dict.fromkeys(("", ";", "at"), _NO_OPERANDS), Separated(_OPERAND))

# -------------------------------------------------------------------------------------- lines
_SUFFIX = Maybe(frozenset("."), Token("a suffix, such as '.xyz'", r"\.\w+", glued=True))
_FLAGS = Many(FLAGS.__contains__, _NAME)
_OPERATION = (Token("an opcode", _WORD.pattern), _SUFFIX, _FLAGS, _OPERANDS, _PLACE)
_DEFINITION = Node("an instruction", syntax.InstructionLine, _VALUE, Mark(":"), _TYPE, Mark("="), *_OPERATION)
_EFFECT = Node("an instruction", lambda *parts: syntax.InstructionLine(None, None, *parts), *_OPERATION)
_ARGUMENT = Node("an argument", lambda word: word, Mark("("), Token("a number or name", r"\w+"), Mark(")"))
_PROPERTIES = Many(
    lambda word: word.isidentifier() and word != "at",
    Node("a property", syntax.Property, _NAME, Maybe(frozenset("("), _ARGUMENT)),
)
_DIMS = Many("[".__eq__, Node("an array size", lambda size: size, Mark("["), _NUMBER, Mark("]")))
_VARIABLE = Node("a variable", syntax.VariableLine, _NAME, _SYMBOL, Mark(":"), _TYPE, _DIMS, _PROPERTIES, _PLACE)

_STATEMENT = Choice(
    "a declaration, a block or an instruction",
    {
        "shader": Node("a header", syntax.ShaderLine, Mark("shader"), _STAGE, Maybe(frozenset('"'), _TEXT)),
        "pragma": Node("a pragma", syntax.PragmaLine, Mark("pragma"), _TEXT),
        "func": Node("a function", syntax.FunctionLine, Mark("func"), _SYMBOL, _PLACE, Mark("{")),
        "}": Node("'}'", syntax.CloseLine, Token("'}'", r"\}")),
        "^": Node("a block", syntax.BlockLine, _LABEL, Mark(":")),
        "%": _DEFINITION,
        **dict.fromkeys(STORAGES, _VARIABLE),
    },
    _EFFECT,
)
_EMPTY = Node("nothing", lambda: None)
#: One line, to its end; None for an empty one.
LINE = Node(
    "a line", lambda record, _end: record, Choice("a line", {"": _EMPTY, ";": _EMPTY}, _STATEMENT), _END
).parse_with_tabs()
