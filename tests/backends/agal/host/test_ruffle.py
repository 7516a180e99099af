"""Ruffle draws the example pairs with classes that Royale's compiler of ActionScript made an SWF of (both npm's)."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from glslc_multi.backends.agal.host.languages import AS3
from glslc_multi.runtime.png import decode_png
from tests.backends.agal.host.client import write_client
from tests.backends.agal.host.scenes import SIZE, assert_alike, pictures
from tests.backends.agal.host.tools import CLIENT, RUFFLE, need_royale, need_ruffle, served, swf
from tests.browser import Browser, browser

pytestmark = pytest.mark.thorough

_PATIENCE = 30
_PAGE = """<!DOCTYPE html><meta charset="utf-8"><body style="margin: 0; background: black">
<script>
let wanted = 0, shown = -1;
const wantedPicture = () => wanted, showsPicture = number => { shown = number; };
window.RufflePlayer = {config: {
    preferredRenderer: "wgpu-webgl", autoplay: "on", unmuteOverlay: "hidden", splashScreen: false, letterbox: "off",
    allowScriptAccess: true, warnOnUnsupportedContent: false,
}};
</script>
<script src="ruffle.js"></script>
<script>
const player = window.RufflePlayer.newest().createPlayer();
player.style.width = player.style.height = "SIZEpx";
document.body.appendChild(player);
player.load({url: "client.swf", allowScriptAccess: true});
</script>
"""


def test_ruffle_draws_the_pairs(tmp_path: Path) -> None:
    need_royale()
    need_ruffle()
    # The assembler of AGAL's text is a library that no registry has.
    drawn = [picture for picture in pictures() if not picture.is_text]
    write_client(drawn, AS3, tmp_path)
    with player(tmp_path) as (window, address):
        window.open(address)
        for number, picture in enumerate(drawn):
            assert_alike(_shown(window, number), picture.simulated(), picture.name)


@contextmanager
def player(folder: Path, *libraries: str) -> Iterator[tuple[Browser, str]]:
    """A browser, and the address of a page that plays the class `Pictures` of a folder with libraries."""
    shutil.copy(CLIENT / "Main.as", folder)
    swf(folder, "Main", *libraries)
    for file in RUFFLE.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    (folder / "page.html").write_text(_PAGE.replace("SIZE", str(SIZE)), encoding="utf-8")
    with served(folder) as address, browser() as window:
        yield window, f"{address}/page.html"


def _shown(window: Browser, number: int) -> object:
    """The pixels of a picture, once it is on the screen."""
    pixels = shown(window, number)
    assert pixels is not None, f"Ruffle does not show picture {number}"
    return pixels


def shown(window: Browser, number: int) -> Any:
    """The pixels of a picture; None once the player has broken down."""
    window.run("wanted = arguments[0]", number)
    end = time.monotonic() + _PATIENCE
    while window.run("return shown") != number:
        problems = window.problems()
        if any("panicked" in problem for problem in problems):
            return None
        assert time.monotonic() < end, f"Ruffle does not show picture {number}: {problems}"
        time.sleep(0.05)
    return decode_png(window.screenshot())[:SIZE, :SIZE]
