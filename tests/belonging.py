"""Which tests belong to a file of the product, for `pytest --for FILE`.

The file of its name in the mirror folder, and every test that imports it itself.  A file that neither finds, such as
a template, has the tests of its folder.
"""

from __future__ import annotations

from pathlib import Path

from tests.architecture.imports import imported, modules
from tests.shared_data import PROJECT_ROOT

TESTS = PROJECT_ROOT / "tests"


def belonging_to(file: Path) -> list[Path]:
    """Files of tests, or a folder of them; none where nothing can be found."""
    path = file.resolve()
    if not path.is_file() or not path.is_relative_to(PROJECT_ROOT):
        return []
    folder = TESTS / path.parent.relative_to(PROJECT_ROOT)
    mirror = folder / f"test_{path.stem}.py"
    found = {mirror} if mirror.exists() else set()
    for module in (name for name, each in modules().items() if each == path):
        last = module.rpartition(".")[2]
        # To search a text is quicker than to parse it.
        users = (test for test in TESTS.rglob("test_*.py") if last in test.read_text(encoding="utf-8"))
        found |= {test for test in users if module in imported(test, modules())}
    return sorted(found) or [each for each in [folder] if each.is_dir() and each != TESTS]
