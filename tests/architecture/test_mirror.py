"""A test that has the name of a file stands in the folder that mirrors the file's."""

from __future__ import annotations

from pathlib import Path

from tests.architecture.imports import imported, modules
from tests.shared_data import PROJECT_ROOT

TESTS = PROJECT_ROOT / "tests"


def test_tests_stand_where_the_mirror_says() -> None:
    found = {test: _files_of(test) for test in TESTS.rglob("test_*.py") if "node_modules" not in test.parts}
    assert {str(test): file for test, file in found.items() if file} == {}


def _files_of(test: Path) -> str:
    """The one file that a test is about by its name though it stands elsewhere: in a room below, or imported."""
    name, folder = test.stem.removeprefix("test_"), test.parent.relative_to(TESTS)
    if (PROJECT_ROOT / folder / f"{name}.py").exists() or (PROJECT_ROOT / folder / name).is_dir():
        return ""
    files = {module for module in modules() if module.rpartition(".")[2] == name}
    below = [module for module in files if module.startswith(".".join(folder.parts) + ".")]
    if not below and len(files) == 1:
        below = [module for module in files if module in imported(test, modules())]
    return below[0] if len(below) == 1 else ""
