"""Where tests find the shared data (reference values, shader corpora, instruction set references).

The data live outside the project: in the folder that `GLSLC_MULTI_SHARED` names, else in `../shared`
beside the project.  A test that needs them and does not find them is skipped with a plain message.

Modules of tests are imported where there are no data, too: what they do with `shared_root` at their import must
bear its absence, and `shared_path` is for running tests alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

PROJECT_ROOT = Path(__file__).resolve().parent.parent
#: The package; its parts are links to folders beside it.
PACKAGE = PROJECT_ROOT / "glslc_multi"


def shared_root() -> Path:
    """The folder of the shared data, whether it exists or not."""
    named = os.environ.get("GLSLC_MULTI_SHARED")
    return Path(named) if named else PROJECT_ROOT.parent / "shared"


def shared_path(relative: str) -> Path:
    """The file or folder `relative` of the shared data; skips the running test where it is absent."""
    # pytest sets this while a test or one of its fixtures runs.  Who has the data is to see what fails without them.
    assert "PYTEST_CURRENT_TEST" in os.environ, f"shared_path({relative!r}) can skip a test, and none is running"
    path = shared_root() / relative
    if not path.exists():
        pytest.skip(_absent(relative))
    return path


def shared_parameters(relative: str, found: Iterable[Any]) -> list[Any]:
    """Values for `parametrize` that were found in `relative` of the shared data; a skipped one where it is absent."""
    return list(found) or [pytest.param(None, marks=pytest.mark.skip(reason=_absent(relative)), id="absent")]


def _absent(relative: str) -> str:
    return f"shared data not found: {relative} (set GLSLC_MULTI_SHARED)"
