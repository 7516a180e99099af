"""Lines of assembly text as tokens, for assemblers that read a line at a time.

A target brings the pattern of its tokens, whose groups are their kinds, and derives its `TokenLine`: a cursor with
what its syntax needs beyond taking one token after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from re import Pattern
from typing import Any, NoReturn

from compiler.diagnostics import DiagnosticSink, Entry, SourceFile, Span
from compiler.diagnostics.catalogue.machine import INVALID_ASSEMBLY
from compiler.records import dataclass

END_OF_LINE = "the end of the line"


class Rejected(Exception):
    """A line is wrong and has been reported; the next one goes on."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    span: Span


class TokenLine:
    """A cursor over the tokens of one line."""

    def __init__(self, tokens: list[Token], sink: DiagnosticSink) -> None:
        last = tokens[-1].span
        end = Span(last.file, last.end_line, last.end_column, last.end_line, last.end_column + 1)
        self.tokens = tokens
        self._next = 0
        self._end = Token("end", END_OF_LINE, end)
        self._sink = sink

    @property
    def token(self) -> Token:
        """The next token; one of kind "end" after the last."""
        return self.tokens[self._next] if self._next < len(self.tokens) else self._end

    def is_followed_by(self, mark: str) -> bool:
        """Whether `mark` stands after the next token."""
        return self._next + 1 < len(self.tokens) and self.tokens[self._next + 1].text == mark

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
        found = END_OF_LINE if self.token.kind == "end" else f"'{self.token.text}'"
        self.fail(INVALID_ASSEMBLY, self.token.span, expected=expected, found=found)

    def fail(self, entry: Entry, span: Span, help: str | None = None, **values: Any) -> NoReturn:
        """Report a mistake and give the line up."""
        self._sink.report(entry, span, help=help, **values)
        raise Rejected


def tokens_of(pattern: Pattern[str], file: SourceFile, number: int, text: str) -> Iterator[Token]:
    """The tokens of line `number`, of which `text` is what counts."""
    position = 0
    while match := pattern.match(text, position):
        kind = match.lastgroup or "other"
        start, position = match.span(kind)
        yield Token(kind, match[kind], Span(file, number, start + 1, number, position + 1))
