"""Rows of text as a table in columns: words to the left, numbers to the right."""

from __future__ import annotations

from collections.abc import Sequence


def text_table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The table, without blanks at the ends of lines."""
    columns = list(zip(heading, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    right = [_is_number(column[1:]) for column in columns]
    return "".join(_line(row, widths, right) for row in (heading, *rows))


def _line(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    cells = (cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right, strict=True))
    return "  ".join(cells).rstrip() + "\n"


def _is_number(cells: Sequence[str]) -> bool:
    return all(cell.lstrip("+-").replace(".", "", 1).isdigit() or cell in ("", "-") for cell in cells)
