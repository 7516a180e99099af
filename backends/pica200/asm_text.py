"""Assembly text to statements: one line is labels, then a directive or instruction with its tokens.

`;` starts a comment; a line `# n "file"` says where the following lines really stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from compiler.diagnostics import DiagnosticSink, SourceFile, Span
from compiler.diagnostics.catalogue.machine import INVALID_ASSEMBLY
from compiler.records import dataclass

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<name>[A-Za-z_$][A-Za-z0-9_$]*)
      | (?P<number>0[xX][0-9A-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
      | (?P<mark>&&|\|\||[-+.,:()\[\]!&|])
      | (?P<other>\S)
    )""",
    re.VERBOSE | re.ASCII,
)
_COMMENT = re.compile(r";.*")
_LINE_MARKER = re.compile(r'\s*#(?:line)?\s+(\d+)\s+"([^"]*)"')

END_OF_LINE = "the end of the line"


class Rejected(Exception):
    """A statement is wrong and has been reported; the next one goes on."""


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    span: Span


class Line:
    """A cursor over the tokens of one line."""

    def __init__(self, tokens: list[Token], end: Span, sink: DiagnosticSink) -> None:
        self._tokens = tokens
        self._next = 0
        self._end = Token("end", END_OF_LINE, end)
        self._sink = sink

    @property
    def token(self) -> Token:
        """The next token; one of kind "end" behind the last."""
        return self._tokens[self._next] if self._next < len(self._tokens) else self._end

    @property
    def first(self) -> Token:
        return self._tokens[0]

    @property
    def names(self) -> set[str]:
        """All names on the line."""
        return {token.text for token in self._tokens if token.kind == "name"}

    @property
    def previous(self) -> Token:
        return self._tokens[self._next - 1]

    def is_followed_by(self, mark: str) -> bool:
        """Whether `mark` stands behind the next token."""
        return self._next + 1 < len(self._tokens) and self._tokens[self._next + 1].text == mark

    def take(self) -> Token:
        token = self.token
        self._next += 1
        return token

    def accept(self, *marks: str) -> Token | None:
        """The next token if it is one of these marks."""
        if self.token.kind == "mark" and self.token.text in marks:
            return self.take()
        return None

    def expect(self, mark: str) -> Token:
        if self.token.text != mark:
            raise self.unexpected(f"'{mark}'")
        return self.take()

    def name(self, what: str) -> Token:
        """The next token, which must be a name."""
        if self.token.kind != "name":
            raise self.unexpected(what)
        return self.take()

    def integer(self, what: str, low: int = 0, high: int = 0xFFFF) -> int:
        """A whole number, with a sign where `low` is negative."""
        sign = -1 if low < 0 and self.accept("-") else 1
        token = self.token
        if token.kind != "number" or not (token.text.isdigit() or token.text[:2] in ("0x", "0X")):
            raise self.unexpected(what)
        # More digits than any register or count has: compared as text, since int() refuses thousands of digits.
        value = int(token.text, 16 if token.text[:2] in ("0x", "0X") else 10) if len(token.text) < 20 else high + 1
        if not low <= sign * value <= high:
            raise self.unexpected(f"{what} from {low} to {high}")
        self.take()
        return sign * value

    def real(self) -> float:
        """A number with an optional sign, or inf."""
        mark = self.accept("-", "+")
        sign = -1.0 if mark is not None and mark.text == "-" else 1.0
        token = self.token
        if token.kind == "name" and token.text.lower() in ("inf", "infinity"):
            return sign * float(self.take().text)
        if token.kind != "number":
            raise self.unexpected("a number")
        self.take()
        if token.text[:2] in ("0x", "0X"):
            return sign * float(min(int(token.text, 16), 1 << 1000))
        return sign * float(token.text)

    def finish(self) -> None:
        """Nothing else may stand on the line."""
        if self.token.kind != "end":
            raise self.unexpected(END_OF_LINE)

    def unexpected(self, expected: str) -> Rejected:
        """Report that `expected` is not what stands here."""
        found = self.token.text if self.token.kind == "end" else f"'{self.token.text}'"
        self._sink.report(INVALID_ASSEMBLY, self.token.span, expected=expected, found=found)
        return Rejected()


def scan(file: SourceFile, sink: DiagnosticSink) -> Iterator[Line]:
    """The lines of a file that hold anything."""
    for number, text in enumerate(file.lines, 1):
        marker = _LINE_MARKER.match(text)
        if marker:
            # More digits than a line number can have are cut off rather than believed.
            file.renumber(number + 1, int(marker[1][:9]), marker[2])
            continue
        tokens = list(_tokens(file, number, _COMMENT.sub("", text)))
        if tokens:
            last = tokens[-1].span
            yield Line(tokens, Span(file, number, last.end_column, number, last.end_column + 1), sink)


def _tokens(file: SourceFile, number: int, text: str) -> Iterator[Token]:
    position = 0
    while match := _TOKEN.match(text, position):
        kind = match.lastgroup or "other"
        start, position = match.span(kind)
        yield Token(kind, match[kind], Span(file, number, start + 1, number, position + 1))
