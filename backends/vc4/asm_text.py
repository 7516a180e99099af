"""Assembly text to tokens: a cursor over a line, and constant expressions.

A name includes its suffixes (`fadd.setf.ifz`, `ra3.16a`).  `#` and `//` begin comments.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

from backends.vc4.isa import word_of_float
from compiler.diagnostics import DiagnosticSink, Entry, SourceFile, Span
from compiler.diagnostics.catalogue.machine import INVALID_ASSEMBLY, VC4_OUT_OF_RANGE, VC4_UNDEFINED, VC4_UNKNOWN_NAME
from compiler.diagnostics.suggest import did_you_mean
from compiler.records import dataclass

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<label>r?:[A-Za-z0-9_$]+)
      | (?P<name>[A-Za-z_$][A-Za-z0-9_$]*(?:\.[A-Za-z0-9_]+)*)
      | (?P<number>0[xX][0-9A-Fa-f]+ | 0[bB][01]+ | (?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?)(?![A-Za-z0-9_.])
      | (?P<string>"[^"]*"|<[^<>\s]+>)
      | (?P<mark><<|>>|[-+*/%&|^~,;:.()\[\]])
      | (?P<other>\S)
    )""",
    re.VERBOSE | re.ASCII,
)
_COMMENT = re.compile(r"(?:\#|//).*")
_INTEGER = re.compile(r"0[xX][0-9A-Fa-f]+|0[bB][01]+|\d+", re.ASCII)
_END = "the end of the line"
#: Longer numbers are out of every range; reading them would take long.
_MAX_DIGITS = 70
#: Open parentheses in an expression.
_MAX_DEPTH = 50
#: Values of expressions stay below this; larger ones are of no use.
_LIMIT = 1 << 64

Number = int | float


class Rejected(Exception):
    """A line is wrong and has been reported; the next one goes on."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    span: Span


class Line:
    """A cursor over the tokens of one line."""

    def __init__(self, tokens: list[Token], end: Span, sink: DiagnosticSink) -> None:
        self.tokens = tokens
        self._next = 0
        self._end = Token("end", _END, end)
        self._sink = sink

    @property
    def token(self) -> Token:
        """The next token; one of kind "end" behind the last."""
        return self.tokens[self._next] if self._next < len(self.tokens) else self._end

    @property
    def rest(self) -> list[Token]:
        """The tokens that are not taken."""
        return self.tokens[self._next :]

    def is_followed_by(self, mark: str) -> bool:
        """Whether `mark` stands behind the next token."""
        return self._next + 1 < len(self.tokens) and self.tokens[self._next + 1].text == mark

    @property
    def is_at_part_end(self) -> bool:
        """Whether a part of the line ends here."""
        return self.token.kind == "end" or self.is_at(";")

    def is_at(self, *marks: str) -> bool:
        return self.token.kind == "mark" and self.token.text in marks

    def take(self) -> Token:
        token = self.token
        self._next += 1
        return token

    def accept(self, *marks: str) -> Token | None:
        """The next token if it is one of these marks."""
        return self.take() if self.is_at(*marks) else None

    def expect(self, mark: str) -> Token:
        if not self.is_at(mark):
            self.unexpected(f"'{mark}'")
        return self.take()

    def need(self, kind: str, what: str) -> Token:
        """The next token, which must be of a kind."""
        if self.token.kind != kind:
            self.unexpected(what)
        return self.take()

    def unexpected(self, expected: str) -> NoReturn:
        """`expected` is not what stands here."""
        found = _END if self.token.kind == "end" else f"'{self.token.text}'"
        self.fail(INVALID_ASSEMBLY, self.token.span, expected=expected, found=found)

    def unknown(self, kind: str, name: str, span: Span, known: Mapping[str, object] | tuple[str, ...]) -> NoReturn:
        """A name that is not among the known ones."""
        self.fail(VC4_UNKNOWN_NAME, span, help=did_you_mean(name, known), kind=kind, name=name)

    def fail(self, entry: Entry, span: Span, help: str | None = None, **values: Any) -> NoReturn:
        """Report a mistake and give the line up."""
        self._sink.report(entry, span, help=help, **values)
        raise Rejected

    # --- Constant expressions -----------------------------------------------------------------------------------------

    def word(self, symbols: Mapping[str, Number]) -> int:
        """The pattern of an expression: of an integer of 32 bits, or of a float."""
        start = self.token.span
        value = self.number(symbols)
        if isinstance(value, float):
            return word_of_float(value)
        return self._in_range(value, "the value", -(1 << 31), (1 << 32) - 1, start) & 0xFFFFFFFF

    def integer(self, symbols: Mapping[str, Number], what: str, low: int, high: int) -> int:
        """An integer in a range."""
        start = self.token.span
        value = self.number(symbols)
        if isinstance(value, float):
            self.fail(INVALID_ASSEMBLY, start, expected="an integer", found=f"{value!r}")
        return self._in_range(value, what, low, high, start)

    def _in_range(self, value: int, what: str, low: int, high: int, span: Span) -> int:
        if not low <= value <= high:
            self.fail(VC4_OUT_OF_RANGE, span, what=what, low=low, high=high, found=value)
        return value

    def number(self, symbols: Mapping[str, Number], level: int = 0, depth: int = 0) -> Number:
        """An expression of operators that bind at least as `level` says."""
        value = self._operand(symbols, depth)
        while self.token.kind == "mark" and (found := _OPERATORS.get(self.token.text)) and found[0] >= level:
            mark = self.take()
            right = self.number(symbols, found[0] + 1, depth)
            value = self._computed(mark, found[1], value, right)
        return value

    def _operand(self, symbols: Mapping[str, Number], depth: int) -> Number:
        if depth > _MAX_DEPTH:
            self.unexpected("a shorter expression")
        if sign := self.accept("-", "+", "~"):
            value = self._operand(symbols, depth + 1)
            if sign.text == "~":
                return self._computed(sign, lambda x, _: ~x, value, 0)
            return -value if sign.text == "-" else value
        if self.accept("("):
            value = self.number(symbols, 0, depth + 1)
            self.expect(")")
            return value
        if self.token.kind == "name":
            return self._symbol(symbols)
        return self._literal(self.need("number", "a number"))

    def _symbol(self, symbols: Mapping[str, Number]) -> Number:
        token = self.take()
        if token.text not in symbols:
            help = did_you_mean(token.text, symbols)
            self.fail(VC4_UNDEFINED, token.span, help=help, kind="constant", name=token.text)
        return symbols[token.text]

    def _literal(self, token: Token) -> Number:
        text = token.text
        if len(text) > _MAX_DIGITS:
            self.fail(INVALID_ASSEMBLY, token.span, expected="a number", found="a longer one than any field has")
        if not _INTEGER.fullmatch(text):
            return float(text)
        is_octal = len(text) > 1 and text.isdigit() and text[0] == "0"
        if is_octal and set(text) & set("89"):
            self.fail(INVALID_ASSEMBLY, token.span, expected="octal digits behind a zero", found=f"'{text}'")
        return int(text, 8 if is_octal else 0)

    def _computed(self, mark: Token, compute: Callable[[Any, Any], Any], left: Number, right: Number) -> Number:
        try:
            value: Number = compute(left, right)
        except (TypeError, ZeroDivisionError, OverflowError, ValueError):
            self.fail(
                INVALID_ASSEMBLY, mark.span, expected="operands that the operator has", found=f"{left} and {right}"
            )
        if isinstance(value, int) and abs(value) >= _LIMIT:
            self.fail(
                VC4_OUT_OF_RANGE, mark.span, what="the value", low=-_LIMIT, high=_LIMIT, found=f"{left} and {right}"
            )
        return value


def _shift_left(left: int, right: int) -> int:
    return left << min(right, 64)


def _quotient(left: Number, right: Number) -> Number:
    return left // right if isinstance(left, int) and isinstance(right, int) else left / right


_OPERATORS: Mapping[str, tuple[int, Callable[[Any, Any], Any]]] = {
    "|": (1, operator.or_),
    "^": (2, operator.xor),
    "&": (3, operator.and_),
    "<<": (4, _shift_left),
    ">>": (4, operator.rshift),
    "+": (5, operator.add),
    "-": (5, operator.sub),
    "*": (6, operator.mul),
    "/": (6, _quotient),
    "%": (6, operator.mod),
}


def scan(file: SourceFile, sink: DiagnosticSink) -> Iterator[Line]:
    """The lines of a file that hold anything."""
    for number, text in enumerate(file.lines, 1):
        tokens = list(_tokens(file, number, _COMMENT.sub("", text)))
        if tokens:
            end = tokens[-1].span.end_column
            yield Line(tokens, Span(file, number, end, number, end + 1), sink)


def _tokens(file: SourceFile, number: int, text: str) -> Iterator[Token]:
    position = 0
    while match := _TOKEN.match(text, position):
        kind = match.lastgroup or "other"
        start, position = match.span(kind)
        yield Token(kind, match[kind], Span(file, number, start + 1, number, position + 1))
