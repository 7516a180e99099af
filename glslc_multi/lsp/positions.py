"""Places in a text as editors and the compiler count them.

Editors count lines from 0 and columns in units of UTF-16, or of what else they have agreed on with the server; the
compiler counts both from 1, columns in characters.  Any place of an editor is taken: what lies outside of the text is
moved into it (LSP 3.17, "Position").
"""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol.types import Position, Range

from glslc_multi.compiler.diagnostics import Span

#: What ends a line for editors; the compiler's lexer agrees.
_BREAK = re.compile(r"\r\n|\r|\n")
#: Encoding -> the bytes of a unit.
_UNITS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
DEFAULT_ENCODING = "utf-16"


class Lines:
    """A text by its lines, and its places by offset, by line and column, and as editors have them."""

    def __init__(self, text: str, encoding: str = DEFAULT_ENCODING) -> None:
        self.text = text
        self.encoding = encoding
        breaks = [match.span() for match in _BREAK.finditer(text)]
        self._starts = [0, *(end for _, end in breaks)]
        self._ends = [*(start for start, _ in breaks), len(text)]
        #: Whether every character is one unit.
        self._is_narrow = text.isascii()

    def __len__(self) -> int:
        return len(self._starts)

    def line(self, number: int) -> str:
        """A line by its number from 1, without its end; "" where there is none."""
        return self.text[self._starts[number - 1] : self._ends[number - 1]] if 0 < number <= len(self) else ""

    # ------------------------------------------------------------------------------------ from editors
    def place(self, position: Position) -> tuple[int, int]:
        """Line and column of the compiler."""
        number = min(max(position.line, 0), len(self) - 1) + 1
        if position.line >= len(self):
            return number, len(self.line(number)) + 1
        return number, self._character(self.line(number), position.character) + 1

    def offset(self, position: Position) -> int:
        return self.offset_of(*self.place(position))

    def offset_of(self, line: int, column: int) -> int:
        """The offset of a place of the compiler."""
        if line > len(self):
            return len(self.text)
        start = self._starts[max(line, 1) - 1]
        return min(start + max(column, 1) - 1, len(self.text))

    def place_at(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def _character(self, line: str, units: int) -> int:
        if self._is_narrow:
            return min(max(units, 0), len(line))
        for index, character in enumerate(line):
            if units <= 0:
                return index
            units -= self._width(character)
        return len(line)

    # -------------------------------------------------------------------------------------- to editors
    def position(self, line: int, column: int) -> Position:
        number = min(max(line, 1), len(self))
        text = self.line(number)
        column = len(text) + 1 if line > len(self) else min(max(column, 1), len(text) + 1)
        return Position(number - 1, self.units(text[: column - 1]))

    def position_at(self, offset: int) -> Position:
        return self.position(*self.place_at(offset))

    def range(self, span: Span) -> Range:
        """The place of a span in this text."""
        return Range(self.position(span.line, span.column), self.position(span.end_line, span.end_column))

    def range_at(self, start: int, end: int) -> Range:
        return Range(self.position_at(start), self.position_at(end))

    def line_range(self, number: int) -> Range:
        """A line without its end."""
        return Range(self.position(number, 1), self.position(number, len(self.line(number)) + 1))

    def units(self, text: str) -> int:
        """How long a piece of the text is for editors."""
        return len(text) if self._is_narrow else self._width(text)

    def _width(self, text: str) -> int:
        name = self.encoding if self.encoding == "utf-8" else f"{self.encoding}-le"
        return len(text.encode(name, "surrogatepass")) // _UNITS[self.encoding]
