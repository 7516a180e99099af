"""One printed source line: tabs, wide and invisible characters, long lines."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics.source_line import LONGEST_LINE, PrintedLine, printable


@pytest.mark.parametrize(
    ("source", "shown", "column", "cells"),
    [
        ("int a;", "int a;", 5, (4, 5)),
        ("\ta", "    a", 2, (4, 5)),
        ("\ta", "    a", 1, (0, 4)),
        ("ab\tc", "ab  c", 4, (4, 5)),
        ("漢\tc", "漢  c", 3, (4, 5)),
        ("漢字x", "漢字x", 3, (4, 5)),
        ("漢字x", "漢字x", 2, (2, 4)),
        ("e\u0301x", "e\u0301x", 3, (1, 2)),
        ("\x1b[31mx", "\N{REPLACEMENT CHARACTER}[31mx", 6, (5, 6)),
        ("\u202ex", "\N{REPLACEMENT CHARACTER}x", 2, (1, 2)),
        ("", "", 1, (0, 1)),
        ("ab", "ab", 9, (2, 3)),
    ],
)
def test_columns_become_cells(source: str, shown: str, column: int, cells: tuple[int, int]) -> None:
    line = PrintedLine(source, column)
    assert line.text == shown
    assert line.cells(column, column + 1) == cells


def test_an_empty_range_is_one_cell_wide() -> None:
    assert PrintedLine("abc", 1).cells(2, 2) == (1, 2)


@pytest.mark.parametrize("column", [1, 2, 60, 500, 941, 999, 1000])
def test_a_long_line_is_cut_around_the_mark(column: int) -> None:
    source = "".join(chr(ord("a") + index % 26) for index in range(1000))
    line = PrintedLine(source, column)
    start, end = line.cells(column, column + 1)
    assert len(line.text) == LONGEST_LINE
    assert line.text[start:end] == source[column - 1]
    assert line.text.strip("…") in source


def test_a_mark_inside_a_long_line_shows_its_own_text() -> None:
    line = PrintedLine("x" * 500 + "MARK" + "x" * 500, 501)
    start, end = line.cells(501, 505)
    assert line.text[start:end] == "MARK"
    assert (line.text[0], line.text[-1]) == ("…", "…")


def test_a_mark_that_leaves_the_cut_ends_at_its_edge() -> None:
    assert PrintedLine("x" * 1000, 1).cells(1, 1001) == (0, LONGEST_LINE)


def test_text_that_prints_is_not_touched() -> None:
    assert printable("größe 漢字") == "größe 漢字"
    assert printable("a\x00b\udc80c\n") == "a\ufffdb\ufffdc\ufffd"
