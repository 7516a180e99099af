"""Links between pages lead to files that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.shared_data import PROJECT_ROOT

_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
_FOLDERS = ("docs", "glslc_multi", "compiler", "frontends", "backends", "runtime", "tests", "examples", "benchmarks")
_FOUND = [*PROJECT_ROOT.glob("*.md"), *(page for folder in _FOLDERS for page in (PROJECT_ROOT / folder).rglob("*.md"))]
#: Without those of packages that tests install.
PAGES = [page for page in _FOUND if "node_modules" not in page.parts]


@pytest.mark.parametrize("page", sorted(PAGES), ids=lambda page: str(page.relative_to(PROJECT_ROOT)))
def test_links(page: Path) -> None:
    linked = _LINK.findall(page.read_text(encoding="utf-8"))
    assert [name for name in linked if not (page.parent / name).exists()] == []
