"""Pages made from tables: what a cell may hold, and what the command prints or writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.compiler.markdown import show_or_write, spaced_table, table, write_page


def test_a_bar_in_a_cell_is_no_border() -> None:
    assert table(("a", "b"), [("|x|", 2)]) == "| a | b |\n| --- | --- |\n| \\|x\\| | 2 |\n"
    assert spaced_table(("a",), []) == "\n| a |\n| --- |\n"


def test_a_page_is_printed_unless_it_is_to_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "folder" / "page.md"
    write_page(page, "old\n")
    show_or_write(page, str.upper, [])
    assert (capsys.readouterr().out, page.read_text("utf-8")) == ("OLD\n", "old\n")
    show_or_write(page, str.upper, ["--write"])
    assert (capsys.readouterr().out, page.read_text("utf-8")) == ("", "OLD\n")
