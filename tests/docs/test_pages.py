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
    assert {"README.md", "docs/build-tools.md", "docs/faq.md", "docs/first-shader.md"} <= names
    machines = {name_of(page) for page in PAGES if page.parent.name in ("machines", "tutorials")}
    assert len(machines) > 10
    assert machines - names == {"docs/machines/README.md"}


@pytest.mark.parametrize("name", ["python", "host-code", "machine-code-tools", "reflection"])
def test_python_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT_ROOT)
    result = doctest.testfile(str(PROJECT_ROOT / "docs" / f"{name}.md"), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0
