"""The project for OpenFL, built by its own scripts: its page in Chromium shows what the simulator draws with the code
and the data that the same classes hand to a recording device."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from glslc_multi.runtime.png import decode_png, encode_png
from tests.backends.agal.host.painter import paint
from tests.backends.agal.host.scenes import assert_alike
from tests.backends.agal.host.tools import OPENFL, need, need_haxe, need_openfl, recorded
from tests.browser import browser
from tests.docs.pages import make_command
from tests.shared_data import PROJECT_ROOT

PROJECT = PROJECT_ROOT / "examples/projects/openfl-filter"
SIZE = 256
_PATIENCE = 30


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project, built."""
    need_haxe()
    need_openfl()
    need(npm=shutil.which("npm"))
    folder = tmp_path / PROJECT.name
    shutil.copytree(PROJECT, folder)
    (folder / "node_modules").symlink_to(OPENFL.parent)
    path = f"{make_command(tmp_path)}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "GLSLC_MULTI_CACHE": "off"}
    done = subprocess.run(["npm", "run", "build"], cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.thorough
def test_the_page_shows_what_the_simulator_draws(project: Path, accept: bool) -> None:
    shutil.copy(Path(__file__).with_name("FilterRecorder.hx"), project)
    picture = paint(recorded(project, "FilterRecorder"), SIZE, SIZE)
    path = PROJECT / "picture.png"
    if accept:
        path.write_bytes(encode_png(picture))
    assert np.array_equal(decode_png(path.read_bytes()), picture)
    with browser() as window:
        window.open(project / "index.html")
        end = time.monotonic() + _PATIENCE
        while not (shown := decode_png(window.screenshot())[:SIZE, :SIZE]).any():
            assert time.monotonic() < end, f"the page stays black: {window.problems()}"
        assert_alike(shown, picture, PROJECT.name)
        # A tube without a glow is darker.
        window.run("""
            const canvas = document.querySelector("canvas");
            canvas.dispatchEvent(new MouseEvent("mousemove", {clientX: 0, clientY: 9, bubbles: true}));
        """)
        end = time.monotonic() + _PATIENCE
        while decode_png(window.screenshot())[:SIZE, :SIZE].mean() > 0.95 * shown.mean():
            assert time.monotonic() < end, "the glow does not follow the mouse"
        assert window.problems() == []
