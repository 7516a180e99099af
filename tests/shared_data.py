"""Where tests find the shared data (reference values, shader corpora, instruction set references).

The data live outside the project: in the folder that `GLSLC_MULTI_SHARED` names, else in `../shared`
beside the project.  A test that needs them and does not find them is skipped with a plain message.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PROJECT_ROOT = Path(__file__).resolve().parent.parent


def shared_root() -> Path:
    """The folder of the shared data, whether it exists or not."""
    named = os.environ.get("GLSLC_MULTI_SHARED")
    return Path(named) if named else PROJECT_ROOT.parent / "shared"


def shared_path(relative: str) -> Path:
    """The file or folder `relative` of the shared data; skips the calling test where it is absent."""
    path = shared_root() / relative
    if not path.exists():
        pytest.skip(f"shared data not found: {relative} (set GLSLC_MULTI_SHARED)")
    return path
