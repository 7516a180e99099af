"""Lines of the source as keys, which link everything that comes from one line.

A key is `file:line`, the file by its number in order of appearance; the shader itself is file 0.
"""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.diagnostics import SourceFile, Span

#: "0:12" is line 12 of the shader.
Key = str


class Places:
    """The files that spans lie in, numbered as they are met."""

    def __init__(self) -> None:
        self.files: list[SourceFile] = []
        self._known: dict[tuple[str, str], int] = {}

    def number_of(self, file: SourceFile) -> int:
        """Several compilations read one file anew: it is known by its name and text."""
        known = self._known.setdefault((file.name, file.text), len(self.files))
        if known == len(self.files):
            self.files.append(file)
        return known

    def keys(self, spans: Iterable[Span | None]) -> tuple[Key, ...]:
        """The line of every place, and those of the macros and calls that it comes through; innermost first."""
        return tuple(dict.fromkeys(key for span in spans if span is not None for key in self._chain(span)))

    def _chain(self, span: Span) -> list[Key]:
        places = [span, *(origin.span for origin in span.origins())]
        return [f"{self.number_of(place.file)}:{place.line}" for place in places]
