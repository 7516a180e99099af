"""Pictures of the documentation show something, and some page shows them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from glslc_multi.runtime.png import decode_png
from tests.shared_data import PROJECT_ROOT

_PICTURES = sorted((PROJECT_ROOT / "docs" / "images").glob("*.png"))
#: A black picture has one colour, and a flat shape before it two.
_FEWEST_COLOURS = 2


@pytest.mark.parametrize("path", _PICTURES, ids=lambda path: path.name)
def test_a_picture_shows_something(path: Path) -> None:
    pixels = decode_png(path.read_bytes())
    found = np.unique(np.asarray(pixels)[::2, ::2, :3].reshape(-1, 3), axis=0)
    assert len(found) >= _FEWEST_COLOURS


def test_all_are_shown() -> None:
    pages = [*PROJECT_ROOT.glob("*.md"), *PROJECT_ROOT.glob("docs/**/*.md"), *PROJECT_ROOT.glob("examples/**/*.md")]
    text = "".join(page.read_text() for page in pages)
    assert [path.name for path in _PICTURES if f"images/{path.name}" not in text] == []
