"""Source files and spans: where in the user's text something is.

A span counts lines and columns (characters) from 1, the end exclusive, in the *physical* text of its
file.  ``#line`` only changes what is shown to the user (`SourceFile.shown_line`), so caret frames always
quote the right text.  A span may carry an `Origin`, a link to a second place it comes from: the text of
a macro, a call that was inlined.  Included files link to their ``#include`` line through the file.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal

#: Carriage return, line feed, or both together count as one end of a line (GLSL ES 1.00 section 3.1).
LINE_BREAK = re.compile(r"\r\n|\n\r|\r|\n")

OriginKind = Literal["macro", "inlined"]


class SourceFile:
    """One piece of source text with its name and, for an included file, the line that included it."""

    __slots__ = ("_line_starts", "_renumbered", "included_at", "name", "text")

    def __init__(self, name: str, text: str = "", included_at: Span | None = None) -> None:
        self.name = name
        self.text = text
        self.included_at = included_at
        self._line_starts = array("L")
        self._renumbered: list[tuple[int, int, str]] = []

    @property
    def line_starts(self) -> Sequence[int]:
        """The offset of every physical line; at least one."""
        if not self._line_starts:
            # A file may be line breaks alone, and numbers in a list would take 40 bytes each.
            self._line_starts = array("L", chain((0,), (match.end() for match in LINE_BREAK.finditer(self.text))))
        return self._line_starts

    @property
    def lines(self) -> list[str]:
        """The physical lines without their line breaks."""
        return [self.line_text(line) for line in range(1, len(self.line_starts) + 1)]

    def line_text(self, line: int) -> str:
        """The physical line without its line break; empty when the file has no such line."""
        starts = self.line_starts
        if not 0 < line <= len(starts):
            return ""
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].rstrip("\r\n")

    def byte_offset(self, line: int, column: int) -> int:
        """How many bytes of UTF-8 come before a place; never more than the whole text has."""
        starts = self.line_starts
        start = starts[line - 1] if line <= len(starts) else len(self.text)
        return len(self.text[: start + column - 1].encode("utf-8", "surrogatepass"))

    def renumber(self, first_line: int, shown_as: int, name: str | None = None) -> None:
        """Record a ``#line``: physical line `first_line` is shown as `shown_as` (in file `name`)."""
        previous = self._renumbered[-1][2] if self._renumbered else self.name
        self._renumbered.append((first_line, shown_as, name if name is not None else previous))

    def shown_line(self, line: int) -> tuple[str, int]:
        """The file name and line number that messages print for physical line `line`."""
        index = bisect_right(self._renumbered, line, key=lambda entry: entry[0]) - 1
        if index < 0:
            return self.name, line
        first, shown, name = self._renumbered[index]
        return name, shown + line - first

    def __repr__(self) -> str:
        return f"SourceFile({self.name!r})"


class Origin:
    """Where a span comes from: `kind` is "macro" (`span` is the text in the definition of macro `name`)
    or "inlined" (`span` is the call of function `name`)."""

    __slots__ = ("kind", "name", "span")

    def __init__(self, kind: OriginKind, name: str, span: Span) -> None:
        self.kind = kind
        self.name = name
        self.span = span

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Origin) and (self.kind, self.name, self.span) == (other.kind, other.name, other.span)

    def __hash__(self) -> int:
        return hash((self.kind, self.name, self.span))

    @property
    def text(self) -> str:
        """What a message says about the place of this link."""
        return f"in expansion of macro '{self.name}'" if self.kind == "macro" else f"in this call of '{self.name}'"

    def __repr__(self) -> str:
        return f"Origin({self.kind!r}, {self.name!r}, {self.span!r})"


class Span:
    """A half-open range of characters in one file; immutable by convention."""

    __slots__ = ("column", "end_column", "end_line", "file", "line", "origin")

    def __init__(
        self, file: SourceFile, line: int, column: int, end_line: int, end_column: int, origin: Origin | None = None
    ) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.end_line = end_line
        self.end_column = end_column
        self.origin = origin

    def to(self, last: Span) -> Span:
        """The span from the start of this one to the end of `last` (of this one where files differ)."""
        return self.until(last.file, last.end_line, last.end_column)

    def until(self, file: SourceFile, line: int, column: int) -> Span:
        """The span from the start of this one to a later place (of this one where files differ)."""
        if file is not self.file or line < self.line or (line == self.line and column < self.column):
            return self
        return Span(file, self.line, self.column, line, column, self.origin)

    def with_chain(self, origin: Origin) -> Span:
        """The same place with `origin` and what follows it as its whole chain."""
        return Span(self.file, self.line, self.column, self.end_line, self.end_column, origin)

    def origins(self) -> Iterator[Origin]:
        """The chain of origins, innermost first."""
        origin = self.origin
        while origin is not None:
            yield origin
            origin = origin.span.origin

    def include_stack(self) -> Iterator[Span]:
        """The `#include` lines that led to this span's file, innermost first."""
        place = self.file.included_at
        while place is not None:
            yield place
            place = place.file.included_at

    @property
    def location(self) -> str:
        """`file:line:column` as shown to the user."""
        name, line = self.file.shown_line(self.line)
        return f"{name}:{line}:{self.column}"

    @property
    def place(self) -> tuple[str, int, int, int, int]:
        """The span without its origin, for comparison."""
        return (self.file.name, self.line, self.column, self.end_line, self.end_column)

    def _key(self) -> tuple[object, ...]:
        # A loop, not recursion: a chain of inlined calls may be longer than Python's stack allows.
        return (self.place, *((origin.kind, origin.name, origin.span.place) for origin in self.origins()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Span) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"Span({self.file.name}:{self.line}:{self.column}-{self.end_line}:{self.end_column})"
