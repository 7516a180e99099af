"""The project for THEIA: built by its own Makefile.  The files that the test bench would read are read back by the
hardware's conventions, and drawn on the simulator with what is in them and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.theia.host.theia_bench import read_picture
from glslc_multi.backends.theia.machine.scene import render
from glslc_multi.runtime.png import decode_png, encode_png
from tests.backends.theia.host.memory_files import read_files
from tests.shared_data import PROJECT_ROOT

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="there is no make")

PROJECT = PROJECT_ROOT / "examples/projects/theia-scene"
HARDWARE = Path(__file__).parent / "theia_scene"
#: Pixels of the recorded picture for each of the machine's.
SCALE = 8


def _make(folder: Path, *arguments: str) -> str:
    shutil.copytree(PROJECT, folder, dirs_exist_ok=True)
    command = ["make", f"GLSLC={sys.executable} -m glslc_multi", f"PYTHON={sys.executable}", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT), "GLSLC_MULTI_CACHE": "off", "THEIA_BENCH": ""}
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, env=environment).stdout


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The picture as rows of pixels, the first row first."""
    folder = tmp_path_factory.mktemp("scene")
    _make(folder)
    found = read_files(folder / "bench")
    return np.array(render(found.program, found.scene), np.uint8)


@pytest.mark.thorough
def test_the_picture_is_drawn_from_the_files(drawn: Any, accept: bool) -> None:
    recorded = PROJECT / "picture.png"
    # Rows of the machine go upwards.
    picture = np.ascontiguousarray(drawn[::-1].repeat(SCALE, axis=0).repeat(SCALE, axis=1))
    if accept:
        recorded.write_bytes(encode_png(picture))
    assert (decode_png(recorded.read_bytes())[..., :3] == picture).all()


def test_the_picture_is_what_the_shader_says(drawn: Any) -> None:
    """By hand: the sky in the corners, the left side of the pyramid red, the right one green, the floor below."""
    sky = [int(channel * 256) for channel in (0.1, 0.15, 0.3)]
    size = len(drawn)
    assert [drawn[row, column].tolist() for row in (0, -1) for column in (0, -1)] == [sky] * 4
    left, right = drawn[size * 2 // 5, size * 2 // 5], drawn[size * 2 // 5, size * 3 // 5]
    assert left[0] > left[1]
    assert right[1] > right[0]
    floor = drawn[size // 5, size // 8]
    assert floor.tolist() != sky


def test_the_hardware_draws_the_same() -> None:
    """Recorded: what a simulation of the hardware's sources (theia_gpu of OpenCores, trunk of August 2011, four cores)
    wrote when its test bench read these files: the project's shader, texture, camera and uniforms, and one triangle.

    Icarus Verilog 11 ran it, with registers that take their values together at the clock's edge: those with an
    asynchronous reset, and the results of adder, comparator, divider and square root.  In this form it gave the image
    `ray_direction` of the golden data, pixel by pixel.  Of texture memory only the first 768 words were filled.
    """
    found = read_files(HARDWARE)
    pixels = read_picture((HARDWARE / "Output.ppm").read_text())
    assert len({pixel for row in pixels for pixel in row}) > 2
    assert np.array_equal(render(found.program, found.scene), pixels)


def test_without_a_simulation_nothing_is_simulated(tmp_path: Path) -> None:
    printed = _make(tmp_path, "scene-picture")
    assert "skipped: THEIA_BENCH names no command" in printed
    assert not (tmp_path / "bench/Output.ppm").exists()
