"""From words to Python values: numbers, names, literals and places, with messages for what does not fit.

A `Mistake` ends the line it is found in, so that one mistake gives one message.
"""

from __future__ import annotations

import math
import re
from json import JSONDecodeError, loads
from typing import Any

from compiler.arithmetic.protocol import INT_MAX, INT_MIN, round_to_float32
from compiler.diagnostics.catalogue import ir as messages
from compiler.diagnostics.model import DiagnosticSink, Entry, Label
from compiler.diagnostics.span import Origin, OriginKind, SourceFile, Span
from compiler.diagnostics.suggest import did_you_mean
from compiler.ir.module import Constant, Scalar
from compiler.ir.parse.syntax import Literal, Place, Range, Word
from compiler.ir.types import BOOL, BY_NAME, FLOAT, INT, Type

_INT = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:inf|nan|[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)")
_FOUND = re.compile(r'[\w.]+|"[^"]*"?|.')
#: Lines and columns of spans.
_LARGEST_PLACE = 10**9

#: What a value may be of: samplers and void type no value.
VALUE_TYPES: dict[str, Type] = {name: type for name, type in BY_NAME.items() if type.kind in ("bool", "int", "float")}


class Mistake(Exception):
    """A word that does not fit, with the message about it."""

    def __init__(self, entry: Entry, word: Word, help: str | None = None, label: Label | None = None, **values: Any):
        super().__init__(entry.code)
        self.entry = entry
        self.word = word
        self.help = help
        self.labels = [] if label is None else [label]
        self.values = values


class Reader:
    """Reads words of the line `line` of a file."""

    __slots__ = ("_sources", "broken", "file", "line", "sink")

    def __init__(self, file: SourceFile, sink: DiagnosticSink) -> None:
        self.file = file
        self.sink = sink
        self.line = 1
        #: What lines with mistakes would have defined, with sigils: uses of it give no more messages.
        self.broken: set[str] = set()
        #: The files that printed places name, each once.
        self._sources: dict[str, SourceFile] = {}

    # messages ------------------------------------------------------------------------------
    def span(self, word: Word) -> Span:
        return Span(self.file, self.line, word.start + 1, self.line, word.end + 1)

    def report(self, mistake: Mistake) -> None:
        place = self.span(mistake.word)
        self.sink.report(mistake.entry, place, labels=mistake.labels, help=mistake.help, **mistake.values)

    def report_syntax(self, offset: int, expected: str, help: str | None) -> None:
        """The line does not go on as it should at `offset`."""
        found = found_at(self.file.line_text(self.line), offset)
        word = Word(found, offset, offset + max(1, len(found)))
        self.report(unexpected(word, expected, help))

    # words ---------------------------------------------------------------------------------
    def text(self, word: Word) -> str:
        """The contents of a text in double quotes."""
        try:
            return str(loads(word.text))
        except JSONDecodeError:
            raise unexpected(word, "a text with the escapes of JSON") from None

    def name(self, word: Word) -> str:
        """The name behind a sigil, `@name` or `^"any text"`."""
        quoted = word.text[1] == '"'
        return self.text(Word(word.text[1:], word.start + 1, word.end)) if quoted else word.text[1:]

    def number(self, word: Word, what: str, low: int, high: int) -> int:
        """A whole number in the range; the length is looked at first, for Python converts no endless ones."""
        value = int(word.text) if len(word.text) <= 20 else high + 1
        if not low <= value <= high:
            raise Mistake(messages.NUMBER_OUT_OF_RANGE, word, what=what, low=low, high=high)
        return value

    # constants -----------------------------------------------------------------------------
    def constant(self, literal: Literal) -> Constant:
        components = literal.components
        if literal.type is None:
            type = _type_by_spelling(components[0])
            return Constant(type, (self._scalar(type, components[0]),))
        type = self.value_type(literal.type)
        if len(components) not in (1, type.width):
            raise unexpected(literal.word, f"{type.width} components", found=str(len(components)))
        scalars = tuple(self._scalar(type, component) for component in components)
        return Constant(type, scalars * (type.width // len(scalars)))

    def value_type(self, word: Word) -> Type:
        type = VALUE_TYPES.get(word.text)
        if type is None:
            help = did_you_mean(word.text, VALUE_TYPES)
            raise Mistake(messages.UNKNOWN_IR_TYPE, word, help, name=word.text)
        return type

    def _scalar(self, type: Type, word: Word) -> Scalar:
        text = word.text
        if text == "undef":
            return None
        if type.kind == "bool" and text in ("true", "false"):
            return text == "true"
        if type.kind == "int" and _INT.fullmatch(text):
            return self.number(word, "an int", INT_MIN, INT_MAX)
        if type.kind == "float" and _FLOAT.fullmatch(text):
            return self._float(word)
        raise unexpected(word, _SCALARS[type.kind])

    def _float(self, word: Word) -> float:
        value = round_to_float32(float(word.text))
        if math.isinf(value) and not word.text.endswith("inf"):
            raise Mistake(
                messages.NUMBER_OUT_OF_RANGE, word, what="a float", low="-3.4028235e+38", high="3.4028235e+38"
            )
        return value

    # places --------------------------------------------------------------------------------
    def place(self, place: Place | None) -> Span | None:
        """The span that `at ...` describes, built from its outermost origin inwards."""
        if place is None:
            return None
        ranges = [place.range, *(link.range for link in place.origins)]
        origin: Origin | None = None
        for link, range in zip(reversed(place.origins), reversed(ranges), strict=False):
            kind: OriginKind = "macro" if link.kind.text == "macro" else "inlined"
            origin = Origin(kind, self.text(link.name), self._range(range, origin))
        return self._range(place.range, origin)

    def _range(self, range: Range, origin: Origin | None) -> Span:
        name = self.text(range.file)
        file = self._sources.setdefault(name, SourceFile(name))
        line, column, end_line, end_column = (
            self.number(word, "a line or column", 0, _LARGEST_PLACE) for word in range.numbers
        )
        return Span(file, line, column, end_line, end_column, origin)


_SCALARS: dict[str, str] = {
    "bool": "'true', 'false' or 'undef'",
    "int": "an int, such as 1, or 'undef'",
    "float": "a float, such as 1.0, or 'undef'",
}


def _type_by_spelling(word: Word) -> Type:
    """The scalar type that a bare literal spells."""
    if word.text in ("true", "false"):
        return BOOL
    if _INT.fullmatch(word.text):
        return INT
    if _FLOAT.fullmatch(word.text):
        return FLOAT
    help = "write the type too, as in 'float(undef)'" if word.text == "undef" else None
    raise unexpected(word, "a value, such as %1 or 1.0", help)


def found_at(line: str, offset: int) -> str:
    """The word, text or character of the line at `offset`; empty at its end."""
    found = _FOUND.match(line, offset)
    return "" if found is None else found[0]


def unexpected(word: Word, expected: str, help: str | None = None, *, found: str | None = None) -> Mistake:
    """The message that something else belongs in the word's place."""
    if found is None:
        found = f"'{word.text}'" if word.text else "the end of the line"
    return Mistake(messages.INVALID_IR_TEXT, word, help, expected=expected, found=found)
