"""Assembly text to statements: one line is labels, then a directive or instruction with its tokens.

`;` starts a comment; a line `# n "file"` says where the following lines really stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from compiler.diagnostics import DiagnosticSink, SourceFile
from compiler.isa.lines import END_OF_LINE, Token, TokenLine, tokens_of

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


class Line(TokenLine):
    """A cursor over the tokens of one line."""

    @property
    def first(self) -> Token:
        return self.tokens[0]

    @property
    def names(self) -> set[str]:
        """All names on the line."""
        return {token.text for token in self.tokens if token.kind == "name"}

    @property
    def previous(self) -> Token:
        return self.tokens[self._next - 1]

    def name(self, what: str) -> Token:
        """The next token, which must be a name."""
        return self.need("name", what)

    def integer(self, what: str, low: int = 0, high: int = 0xFFFF) -> int:
        """A whole number, with a sign where `low` is negative."""
        sign = -1 if low < 0 and self.accept("-") else 1
        token = self.token
        if token.kind != "number" or not (token.text.isdigit() or token.text[:2] in ("0x", "0X")):
            self.unexpected(what)
        # More digits than any register or count has: compared as text, since int() refuses thousands of digits.
        value = int(token.text, 16 if token.text[:2] in ("0x", "0X") else 10) if len(token.text) < 20 else high + 1
        if not low <= sign * value <= high:
            self.unexpected(f"{what} from {low} to {high}")
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
            self.unexpected("a number")
        self.take()
        if token.text[:2] in ("0x", "0X"):
            return sign * float(min(int(token.text, 16), 1 << 1000))
        return sign * float(token.text)

    def finish(self) -> None:
        """Nothing else may stand on the line."""
        if self.token.kind != "end":
            self.unexpected(END_OF_LINE)


def scan(file: SourceFile, sink: DiagnosticSink) -> Iterator[Line]:
    """The lines of a file that hold anything."""
    for number, text in enumerate(file.lines, 1):
        marker = _LINE_MARKER.match(text)
        if marker:
            # More digits than a line number can have are cut off rather than believed.
            file.renumber(number + 1, int(marker[1][:9]), marker[2])
            continue
        tokens = list(tokens_of(_TOKEN, file, number, _COMMENT.sub("", text)))
        if tokens:
            yield Line(tokens, sink)
