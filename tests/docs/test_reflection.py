"""The page of the register map: made from the schema and the compiler, with a word on every key."""

from __future__ import annotations

import re

from glslc_multi.backends.registry import target_names
from glslc_multi.report.reflection_page import PAGE, compact, page

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_is_up_to_date() -> None:
    assert page(TEXT) == TEXT, "run `make docs`"


def test_every_row_of_its_tables_says_something() -> None:
    rows = [line.split(" | ") for line in TEXT.splitlines() if line.startswith("| `")]
    assert len(rows) > 100
    assert [row for row in rows if not all(cell.strip("| ") for cell in row)] == []


def test_every_machine_has_an_example() -> None:
    assert set(re.findall(r"^### (\w+): \[", TEXT, re.MULTILINE)) == set(target_names())


def test_what_fits_is_in_one_line() -> None:
    long = list(range(60))
    assert compact({"a": [1, {"b": None}]}) == '{"a": [1, {"b": null}]}'
    assert compact({"a": long, "b": []}).splitlines()[:3] == ["{", '  "a": [', "    0,"]
