"""npm's OpenFL draws the example pairs with classes that Debian's Haxe compiled against OpenFL's own declarations."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from glslc_multi.backends.agal.host.languages import HAXE
from tests.backends.agal.host.client import write_client
from tests.backends.agal.host.scenes import SIZE, assert_alike, pictures
from tests.backends.agal.host.tools import CLIENT, OPENFL, haxe, need_haxe, need_openfl
from tests.browser import browser

pytestmark = pytest.mark.thorough

_PATIENCE = 30
#: The classes of OpenFL by their paths, as a bundler would find them.
_PAGE = """<!DOCTYPE html><meta charset="utf-8"><body>
<script>var pictureSize = {size}, pictureCount = {count}, pako = {{}};</script>
<script src="{openfl}"></script>
<script>function require(path) {{
    let found = window;
    for (const part of path.split("/")) found = found[part];
    return {{default: found}};
}}</script>
<script src="main.js"></script>
"""


def test_openfl_draws_the_pairs(tmp_path: Path) -> None:
    need_haxe()
    need_openfl()
    all_pictures = pictures()
    write_client(all_pictures, HAXE, tmp_path)
    shutil.copy(CLIENT / "OpenFl.hx", tmp_path)
    haxe(tmp_path, "-cp", str(OPENFL / "lib"), "-D", "openfl", "-js", str(tmp_path / "main.js"), "-main", "OpenFl")
    script = (OPENFL / "dist" / "openfl.min.js").resolve().as_uri()
    page = tmp_path / "page.html"
    page.write_text(_PAGE.format(size=SIZE, count=len(all_pictures), openfl=script), encoding="utf-8")
    with browser() as window:
        window.open(page)
        end = time.monotonic() + _PATIENCE
        while (found := window.run("return window.pictures || null")) is None and time.monotonic() < end:
            time.sleep(0.1)
        assert window.problems() == []
    assert found is not None, "OpenFL drew nothing"
    for picture, words in zip(all_pictures, found, strict=True):
        pixels = np.array(words, np.int64).astype(np.uint32).reshape(SIZE, SIZE, 1)
        assert_alike(pixels >> np.array([16, 8, 0], np.uint32) & 255, picture.simulated(), picture.name)


def test_haxe_takes_the_classes_for_flash(tmp_path: Path) -> None:
    """Against the declarations of Flash that Haxe has."""
    need_haxe()
    write_client([picture for picture in pictures() if not picture.is_text], HAXE, tmp_path)
    haxe(tmp_path, "--swf-version", "20", "-swf", str(tmp_path / "client.swf"), "Pictures")
    assert (tmp_path / "client.swf").is_file()
