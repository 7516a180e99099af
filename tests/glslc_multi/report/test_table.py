"""Columns of a table."""

from __future__ import annotations

from glslc_multi.report.table import text_table


def test_numbers_stand_at_the_right_and_words_at_the_left() -> None:
    rows = [["one", "1", "-"], ["eleven", "11", "+2.5"]]
    assert text_table(["name", "n", "%"], rows) == "name     n     %\none      1     -\neleven  11  +2.5\n"


def test_a_column_of_numbers_and_words_is_one_of_words() -> None:
    assert text_table(["a", "b"], [["1", ""], ["x", ""]]) == "a  b\n1\nx\n"


def test_a_table_without_rows() -> None:
    assert text_table(["a", "b"], []) == "a  b\n"
