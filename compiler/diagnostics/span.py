"""Source files and spans: where in the user's text something stands.

A span counts lines and columns from 1, the end exclusive, in the *physical* text of its file.
``#line`` only changes what is shown to the user (`SourceFile.shown_line`), so caret frames always
quote the right text.  A span may carry an `Origin`, a link to the place that caused it: a macro's
use, a call that was inlined.  Included files link to their ``#include`` line through the file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator


class SourceFile:
    """One piece of source text with its name and, for an included file, the line that included it."""

    __slots__ = ("_lines", "_renumbered", "included_at", "name", "text")

    def __init__(self, name: str, text: str = "", included_at: Span | None = None) -> None:
        self.name = name
        self.text = text
        self.included_at = included_at
        self._lines: list[str] | None = None
        self._renumbered: list[tuple[int, int, str]] = []

    def line_text(self, line: int) -> str:
        """The physical line without its line break; empty when the file has no such line."""
        if self._lines is None:
            self._lines = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return self._lines[line - 1] if 0 < line <= len(self._lines) else ""

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
    """Why a span stands where it stands: `kind` is "macro" (use of macro `name`) or "inlined"
    (call of function `name`); `span` is the place of that use."""

    __slots__ = ("kind", "name", "span")

    def __init__(self, kind: str, name: str, span: Span) -> None:
        self.kind = kind
        self.name = name
        self.span = span

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Origin) and (self.kind, self.name, self.span) == (other.kind, other.name, other.span)

    def __hash__(self) -> int:
        return hash((self.kind, self.name, self.span))


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
        if last.file is not self.file or (last.end_line, last.end_column) < (self.line, self.column):
            return self
        return Span(self.file, self.line, self.column, last.end_line, last.end_column, self.origin)

    def with_origin(self, origin: Origin) -> Span:
        """The same place, caused by `origin` (outermost use last)."""
        outer = (
            origin
            if self.origin is None
            else Origin(self.origin.kind, self.origin.name, self.origin.span.with_origin(origin))
        )
        return Span(self.file, self.line, self.column, self.end_line, self.end_column, outer)

    def inlined_at(self, call: Span, function: str) -> Span:
        """This place inside `function`, as it appears after inlining the call at `call`."""
        return self.with_origin(Origin("inlined", function, call))

    def origins(self) -> Iterator[Origin]:
        """The chain of origins, innermost first."""
        origin = self.origin
        while origin is not None:
            yield origin
            origin = origin.span.origin

    @property
    def location(self) -> str:
        """`file:line:column` as shown to the user."""
        name, line = self.file.shown_line(self.line)
        return f"{name}:{line}:{self.column}"

    def _key(self) -> tuple[object, ...]:
        return (self.file.name, self.line, self.column, self.end_line, self.end_column, self.origin)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Span) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"Span({self.file.name}:{self.line}:{self.column}-{self.end_line}:{self.end_column})"
