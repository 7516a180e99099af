"""One line of source as a terminal shows it: which cell each character begins at, and what is printed for it.

Tabs become spaces, characters of East Asian scripts take two cells, combining marks none, and control
characters (an escape sequence in a shader must not reach the terminal) are replaced.
"""

from __future__ import annotations

TAB_WIDTH = 4
#: Longer lines (generated or minified shaders) are cut to this many characters around the first mark.
LONGEST_LINE = 120
#: Characters kept before the first mark of a line that is cut.
CONTEXT = 40

_ELLIPSIS = "…"
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
#: Unicode categories that do not show as themselves: controls, formats (direction overrides), surrogates,
#: private and unassigned characters, line and paragraph separators.
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def printable(text: str) -> str:
    """The text with a replacement character for everything that does not show as itself."""
    if text.isprintable():
        return text
    return "".join(character if _shows(character) else _REPLACEMENT for character in text)


class PrintedLine:
    """A source line made ready for printing: `text`, and the cell of each of its columns."""

    __slots__ = ("_cells", "_dropped", "text")

    def __init__(self, source: str, first_mark: int) -> None:
        """`first_mark` is the 1-based column that must stay visible when the line is too long."""
        source, self._dropped = _cut(source, first_mark)
        pieces, self._cells = _layout(source)
        self.text = "".join(pieces)

    def cells(self, column: int, end_column: int) -> tuple[int, int]:
        """First and end cell of a range of 1-based columns; an empty range is shown one cell wide."""
        start, end = self._cell(column), self._cell(end_column)
        return start, max(end, start + 1)

    def _cell(self, column: int) -> int:
        index = column - 1 - self._dropped
        return self._cells[min(max(index, 0), len(self._cells) - 1)]


def _cut(source: str, first_mark: int) -> tuple[str, int]:
    """At most LONGEST_LINE characters of the line, and how many were dropped at its start."""
    if len(source) <= LONGEST_LINE:
        return source, 0
    first = max(0, min(first_mark - 1 - CONTEXT, len(source) - LONGEST_LINE))
    kept = source[first : first + LONGEST_LINE]
    if first > 0:
        kept = _ELLIPSIS + kept[1:]
    if first + LONGEST_LINE < len(source):
        kept = kept[:-1] + _ELLIPSIS
    return kept, first


def _layout(source: str) -> tuple[list[str], list[int]]:
    """What is printed for each character, and the cell where each begins, with the end of the last one."""
    if source.isascii() and source.isprintable():
        return [source], list(range(len(source) + 1))
    pieces: list[str] = []
    cells = [0]
    for character in source:
        piece, width = _print_character(character, cells[-1])
        pieces.append(piece)
        cells.append(cells[-1] + width)
    return pieces, cells


def _print_character(character: str, cell: int) -> tuple[str, int]:
    if character == "\t":
        width = TAB_WIDTH - cell % TAB_WIDTH
        return " " * width, width
    if not _shows(character):
        return _REPLACEMENT, 1
    return character, _width(character)


def _shows(character: str) -> bool:
    import unicodedata

    return unicodedata.category(character) not in _UNPRINTABLE


def _width(character: str) -> int:
    import unicodedata

    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
