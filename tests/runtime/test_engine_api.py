"""The page about engines: what its examples print is what it says."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "engine-api.md"


def test_the_examples_of_the_page() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 20
    assert result.failed == 0


def test_the_pictures_exist() -> None:
    names = [part.partition(")")[0] for part in PAGE.read_text().split("![](")[1:]]
    assert names
    for name in names:
        assert (PAGE.parent / name).read_bytes().startswith(b"\x89PNG")
