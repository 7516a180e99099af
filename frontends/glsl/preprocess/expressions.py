"""The expressions of `#if`, `#elif` and `#line` (GLSL ES 1.00 section 3.4): expanded tokens in, 64-bit int out.

A mistake in an operand that `&&` or `||` skips is none: `#if 0 && NO_MACRO` is fine.  So a mistake travels up as a
value of its own, `Problem`, and is reported only where it reaches the result.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import NoReturn

from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.compiler.diagnostics.catalogue import preprocess as messages
from glslc_multi.compiler.diagnostics.suggest import suggestion
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.language.versions import Language
from glslc_multi.frontends.glsl.preprocess.badtokens import report_bad_token
from glslc_multi.frontends.glsl.preprocess.macros import Macro, Token

PARENTHESES_LIMIT = 32
_INT_BITS = 64

#: From the weakest binding to the strongest.
_LEVELS = ("||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")
_PRECEDENCE = {text: level for level, texts in enumerate(_LEVELS, start=1) for text in texts.split()}
_UNARY: dict[str, Callable[[int], int]] = {
    "+": operator.pos,
    "-": operator.neg,
    "~": operator.invert,
    "!": operator.not_,
}
_BINARY: dict[str, Callable[[int, int], int]] = {
    "|": operator.or_,
    "^": operator.xor,
    "&": operator.and_,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A value that does not exist, and the message that says why."""

    report: Callable[[DiagnosticSink], None]


Value = int | Problem


class _SyntaxMistake(Exception):
    """The expression cannot be read; the reason was reported."""


class ExpressionReader:
    """Reads expressions from the front of a token list."""

    def __init__(
        self, tokens: list[Token], end: Span, macros: Mapping[str, Macro], language: Language, sink: DiagnosticSink
    ) -> None:
        self._tokens = tokens
        self._position = 0
        self._end = end
        self._macros = macros
        self._language = language
        self._sink = sink
        self._depth = 0

    @property
    def rest(self) -> list[Token]:
        return self._tokens[self._position :]

    def read(self) -> int | None:
        """The value of the next expression; None when a mistake was reported."""
        try:
            value = self._binary(1)
        except _SyntaxMistake:
            return None
        if isinstance(value, Problem):
            value.report(self._sink)
            return None
        return value

    def _binary(self, lowest: int) -> Value:
        left = self._unary()
        while (token := self._peek()) is not None and _PRECEDENCE.get(token.text, 0) >= lowest:
            self._position += 1
            right = self._binary(_PRECEDENCE[token.text] + 1)
            left = _apply(token, left, right)
        return left

    def _unary(self) -> Value:
        operators: list[str] = []
        while (token := self._peek()) is not None and token.text in _UNARY:
            operators.append(token.text)
            self._position += 1
        value = self._primary()
        if isinstance(value, Problem):
            return value
        for text in reversed(operators):
            value = _wrap(int(_UNARY[text](value)))
        return value

    def _primary(self) -> Value:
        token = self._next("an int, a macro or '('")
        if token.kind == "int":
            return _literal(token)
        if token.text == "(":
            if self._depth == PARENTHESES_LIMIT:
                self._sink.report(messages.EXPRESSION_TOO_DEEP, token.span, limit=PARENTHESES_LIMIT)
                raise _SyntaxMistake
            self._depth += 1
            value = self._binary(1)
            self._depth -= 1
            self._expect(")", "')' or an operator")
            return value
        if token.text == "defined":
            # `defined NAME` or `defined(NAME)`.
            name = self._next("a macro name")
            enclosed = name.text == "("
            if enclosed:
                name = self._next("a macro name")
            if not name.is_word:
                self._reject(name, "a macro name")
            if enclosed:
                self._expect(")", "')'")
            return int(name.text in self._macros)
        if not token.is_word:
            self._reject(token, "an int, a macro or '('")
        if token.text not in self._macros and self._language.has("undefined names are 0"):
            return 0
        return Problem(lambda sink: self._report_name(token, sink))

    def _report_name(self, token: Token, sink: DiagnosticSink) -> None:
        """A name is left after expansion: no macro, or one that could not be expanded."""
        name = token.text
        if name not in self._macros:
            help, fixes = suggestion(name, self._macros, token.span)
            sink.report(messages.UNDEFINED_IN_CONDITION, token.span, help=help, fixes=fixes, name=name)
            return
        reason = "it refers to itself" if name in token.hidden else "its arguments are missing"
        sink.report(messages.MACRO_WITHOUT_VALUE, token.span, name=name, reason=reason)

    def _peek(self) -> Token | None:
        return self._tokens[self._position] if self._position < len(self._tokens) else None

    def _next(self, expected: str) -> Token:
        token = self._peek()
        if token is None:
            self._sink.report(
                messages.EXPECTED_IN_EXPRESSION, self._end, expected=expected, found="the end of the line"
            )
            raise _SyntaxMistake
        self._position += 1
        return token

    def _expect(self, text: str, expected: str) -> None:
        token = self._next(expected)
        if token.text != text:
            self._reject(token, expected)

    def _reject(self, token: Token, expected: str) -> NoReturn:
        if token.kind == "bad":
            report_bad_token(token.text, token.span, self._sink, self._language)
        else:
            self._sink.report(messages.EXPECTED_IN_EXPRESSION, token.span, expected=expected, found=f"'{token.text}'")
        raise _SyntaxMistake


def _literal(token: Token) -> Value:
    base = 16 if token.text[:2] in ("0x", "0X") else 8 if token.text[0] == "0" else 10
    try:
        # Python refuses to convert decimal numbers of thousands of digits.
        value = int(token.text, base) if len(token.text) <= _INT_BITS else 1 << _INT_BITS
    except ValueError:
        return Problem(lambda sink: None)  # It stands for a macro whose definition was reported.
    if value >= 1 << _INT_BITS:
        return Problem(lambda sink: sink.report(messages.INT_TOO_LARGE, token.span))
    return _wrap(value)


def _wrap(value: int) -> int:
    """Two's complement."""
    half = 1 << (_INT_BITS - 1)
    return (value + half) % (2 * half) - half


def _apply(token: Token, left: Value, right: Value) -> Value:
    if isinstance(left, Problem):
        return left
    if token.text == "&&" and not left:
        return 0
    if token.text == "||" and left:
        return 1
    if isinstance(right, Problem):
        return right
    if token.text in ("&&", "||"):
        return int(bool(right))
    if token.text in ("/", "%"):
        # Division that truncates toward zero, and its remainder.
        if right == 0:
            return Problem(lambda sink: sink.report(messages.DIVISION_BY_ZERO, token.span))
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return _wrap(quotient if token.text == "/" else left - quotient * right)
    if token.text in ("<<", ">>") and not 0 <= right < _INT_BITS:
        return Problem(lambda sink: sink.report(messages.SHIFT_COUNT, token.span, count=right))
    return _wrap(int(_BINARY[token.text](left, right)))
