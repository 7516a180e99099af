"""Every page that shows commands: run as a reader would, they print what the page says."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tests.docs.pages import Command, make_command, missing_tools, played, steps
from tests.shared_data import PROJECT_ROOT

PAGES = [PROJECT_ROOT / "README.md", *sorted((PROJECT_ROOT / "docs").rglob("*.md"))]
WITH_COMMANDS = [
    page for page in PAGES if any(isinstance(step, Command) for step in steps(page.read_text(encoding="utf-8")))
]


def name_of(page: Path) -> str:
    return str(page.relative_to(PROJECT_ROOT))


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=name_of)
def test_commands_print_what_the_page_shows(
    page: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, accept: bool
) -> None:
    text = page.read_text(encoding="utf-8")
    missing = missing_tools(text)
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    printed = played(text, tmp_path, make_command(tmp_path_factory.mktemp("tools")))
    if accept:
        page.write_text(printed, encoding="utf-8")
        return
    assert printed == text, "run `pytest --accept` if the new output is right"


def test_the_pages_that_must_have_commands() -> None:
    names = set(map(name_of, WITH_COMMANDS))
    assert {"README.md", "docs/tutorials/3ds.md", "docs/tutorials/stage3d.md", "docs/tutorials/qpu.md"} <= names


@pytest.mark.parametrize("name", ["README.md", "docs/host-code.md", "docs/machine-code-tools.md", "docs/reflection.md"])
def test_python_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT_ROOT)
    result = doctest.testfile(str(PROJECT_ROOT / name), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0
