"""The site without the playground and pictures, built once."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from website.build import build


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder; the test is skipped where the generator is missing."""
    if find_spec("material") is None:
        pytest.skip("the generator is not installed: pip install 'glslc-multi[site]'")
    out = tmp_path_factory.mktemp("built") / "site"
    build(out, None, has_pictures=False)
    return out
