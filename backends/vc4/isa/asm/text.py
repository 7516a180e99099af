"""Assembly text to tokens: a cursor over a line, and constant expressions.

A name includes its suffixes (`fadd.setf.ifz`, `ra3.16a`).  `#` and `//` begin comments.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

from backends.vc4.isa.instructions import word_of_float
from compiler.diagnostics import DiagnosticSink, SourceFile, Span
from compiler.diagnostics.catalogue.machine import INVALID_ASSEMBLY, VC4_OUT_OF_RANGE, VC4_UNDEFINED, VC4_UNKNOWN_NAME
from compiler.diagnostics.suggest import did_you_mean
from compiler.isa.lines import Token, TokenLine, tokens_of

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
#: Longer numbers are out of every range; reading them would take long.
_MAX_DIGITS = 70
#: Open parentheses in an expression.
_MAX_DEPTH = 50
#: Values of expressions stay below this; larger ones are of no use.
_LIMIT = 1 << 64

Number = int | float


class Line(TokenLine):
    """A cursor over the tokens of one line."""

    @property
    def rest(self) -> list[Token]:
        """The tokens that are not taken."""
        return self.tokens[self._next :]

    @property
    def is_at_part_end(self) -> bool:
        """Whether a part of the line ends here."""
        return self.token.kind == "end" or self.is_at(";")

    def unknown(self, kind: str, name: str, span: Span, known: Mapping[str, object] | tuple[str, ...]) -> NoReturn:
        """A name that is not among the known ones."""
        self.fail(VC4_UNKNOWN_NAME, span, help=did_you_mean(name, known), kind=kind, name=name)

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
            self.fail(INVALID_ASSEMBLY, token.span, expected="octal digits after a zero", found=f"'{text}'")
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
        tokens = list(tokens_of(_TOKEN, file, number, _COMMENT.sub("", text)))
        if tokens:
            yield Line(tokens, sink)
