"""The examples in the pages of the back ends' rooms do what the pages say."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

BACKENDS = Path(__file__).resolve().parents[2] / "backends"
ROOMS = ("isa", "isa/fragment", "machine")
PAGES = sorted(page for room in ROOMS for page in BACKENDS.glob(f"*/{room}/README.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: "-".join(page.parts[-3:-1]))
def test_examples_run(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0
