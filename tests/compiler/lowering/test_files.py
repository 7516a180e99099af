"""Every check file of a lowering holds (see `tests/compiler/passes/check_file.py`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiler.passes.check_file import check_files
from tests.compiler.passes.judge import must_compute_the_same, must_hold, name_of

FILES = check_files("compiler/lowering")


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_check_file(path: Path, accept: bool) -> None:
    must_hold(path, accept)


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_results_stay_the_same(path: Path) -> None:
    must_compute_the_same(path)
