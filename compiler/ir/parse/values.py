"""From words to Python values: texts, names, numbers, types, constants and places."""

from __future__ import annotations

import math
from json import JSONDecodeError, loads

from glslc_multi.compiler.arithmetic.protocol import INT_MAX, INT_MIN, round_to_float32
from glslc_multi.compiler.diagnostics.catalogue import ir as messages
from glslc_multi.compiler.diagnostics.span import Origin, OriginKind, SourceFile, Span
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.ir.module import Constant, Scalar
from glslc_multi.compiler.ir.parse.mistakes import Mistake, unexpected
from glslc_multi.compiler.ir.parse.syntax import Literal, OriginLink, Place
from glslc_multi.compiler.ir.types import BOOL, BY_NAME, FLOAT, INT, Type
from glslc_multi.compiler.parsing import Word

#: Lines and columns of spans.
_LARGEST_PLACE = 10**9

#: What a value may be of: samplers and void type no value.
VALUE_TYPES: dict[str, Type] = {name: type for name, type in BY_NAME.items() if type.kind in ("bool", "int", "float")}
_SCALAR_TYPES = {"bool": BOOL, "int": INT, "float": FLOAT}
_EXPECTED_SCALARS = {
    "bool": "'true', 'false' or 'undef'",
    "int": "an int, such as 1, or 'undef'",
    "float": "a float, such as 1.0, or 'undef'",
}


def text_of(word: Word, group: str | int = 0) -> str:
    """The contents of a text in double quotes."""
    try:
        return str(loads(word[group]))
    except JSONDecodeError:
        raise unexpected(word, "a text with the escapes of JSON", group=group) from None


def name_of(word: Word) -> str:
    """The name after a sigil, `@name` or `^"any text"`."""
    return word["plain"] or text_of(word, "quoted")


def number_of(word: Word, what: str, low: int, high: int, group: str | int = "digits") -> int:
    """A whole number in the range; the length is looked at first, for Python converts no endless ones."""
    value = int(word[group]) if len(word[group]) <= 20 else high + 1
    if not low <= value <= high:
        raise Mistake(messages.NUMBER_OUT_OF_RANGE, word, what=what, low=low, high=high)
    return value


def value_type_of(word: Word) -> Type:
    """The type of a value."""
    type = VALUE_TYPES.get(word[0])
    if type is None:
        raise Mistake(messages.UNKNOWN_IR_TYPE, word, did_you_mean(word[0], VALUE_TYPES), name=word[0])
    return type


# ---------------------------------------------------------------------------------- constants
def constant_of(literal: Literal) -> Constant:
    """`vec3(0.5)` repeats its component; a scalar without a type has that of its spelling."""
    components = literal.components
    if literal.type is None:
        if literal.word["undef"]:
            raise unexpected(literal.word, "a value, such as %1 or 1.0", "write the type too, as in 'float(undef)'")
        type = _SCALAR_TYPES[str(literal.word.lastgroup)]
        return Constant(type, (_scalar_of(type, literal.word),))
    type = value_type_of(literal.type)
    if len(components) not in (1, type.width):
        raise unexpected(literal.type, f"{type.width} components", found=str(len(components)))
    scalars = tuple(_scalar_of(type, component) for component in components)
    return Constant(type, scalars * (type.width // len(scalars)))


def _scalar_of(type: Type, word: Word) -> Scalar:
    kind = word.lastgroup
    if kind == "undef":
        return None
    if kind != type.kind:
        raise unexpected(word, _EXPECTED_SCALARS[type.kind])
    if kind == "bool":
        return word[0] == "true"
    return _float_of(word) if kind == "float" else number_of(word, "an int", INT_MIN, INT_MAX, "int")


def _float_of(word: Word) -> float:
    value = round_to_float32(float(word[0]))
    if math.isinf(value) and not word[0].endswith("inf"):
        raise Mistake(messages.NUMBER_OUT_OF_RANGE, word, what="a float", low="-3.4028235e+38", high="3.4028235e+38")
    return value


# ------------------------------------------------------------------------------------- places
class Places:
    """Makes spans of the places in a text; the files that they name are made once each."""

    __slots__ = ("_files",)

    def __init__(self) -> None:
        self._files: dict[str, SourceFile] = {}

    def span_of(self, place: Place | None) -> Span | None:
        """The span that `at ...` describes, built from its outermost origin inwards."""
        if place is None:
            return None
        origin: Origin | None = None
        for link in reversed(place.origins):
            kind: OriginKind = "macro" if link.kind[0] == "macro" else "inlined"
            origin = Origin(kind, text_of(link.name), self._span(link, origin))
        return self._span(place, origin)

    def _span(self, range: Place | OriginLink, origin: Origin | None) -> Span:
        name = text_of(range.file)
        file = self._files.setdefault(name, SourceFile(name))
        line, column, end_line, end_column = (
            number_of(word, "a line or column", 0, _LARGEST_PLACE) for word in range.numbers
        )
        return Span(file, line, column, end_line, end_column, origin)
