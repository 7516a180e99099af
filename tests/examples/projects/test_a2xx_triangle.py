"""The project for A2xx: built by its own Makefile on a stand-in for libdrm, its packets read back, and drawn with what
is in them and nothing else: code, constants, registers, the vertex buffer and the draw."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from glslc_multi.backends.adreno.isa.container import unpack
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, simulate
from glslc_multi.runtime.png import decode_png, encode_png
from tests.backends.adreno.host.command_processor import Chip, read_packets
from tests.backends.xenos_family.hosts import words_of_line
from tests.shared_data import PROJECT_ROOT

pytestmark = pytest.mark.skipif(not (shutil.which("cc") and shutil.which("make")), reason="there is no C compiler")

PROJECT = PROJECT_ROOT / "examples/projects/a2xx-triangle"
STUB = PROJECT_ROOT / "tests/backends/adreno/host/stub.h"
SIZE = 256
BACKGROUND = 255


def _printed(folder: Path) -> list[str]:
    """What a program prints that draws the triangle."""
    shutil.copytree(PROJECT, folder, dirs_exist_ok=True)
    for name in ("freedreno_drmif.h", "freedreno_ringbuffer.h"):
        shutil.copy(STUB, folder / name)
    make = ["make", f"GLSLC={sys.executable} -m glslc_multi", "DRM_CFLAGS=-I.", "CFLAGS=-O1 -Wall -Wextra -Werror"]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT), "GLSLC_MULTI_CACHE": "off"}
    subprocess.run(make, cwd=folder, check=True, capture_output=True, env=environment)
    shutil.copy(Path(__file__).parent / "a2xx_main.c", folder / "main.c")
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-I."]
    subprocess.run(["cc", *flags, "main.c", "-L.", "-ltriangle", "-lm", "-o", "main"], cwd=folder, check=True)
    return subprocess.run([folder / "main"], capture_output=True, text=True, check=True).stdout.splitlines()


def _constants(chip: Chip, stage: int) -> dict[int, Any]:
    base = 0x4000 + 4 * (chip.registers[0x2307 + stage] & 0x1FF)
    rows = {number: range(base + 4 * number, base + 4 * number + 4) for number in range(64)}
    return {
        number: np.array([chip.registers[place] for place in places], np.uint32).view(np.float32)
        for number, places in rows.items()
        if places[0] in chip.registers
    }


def _drawn(chip: Chip, vertices: bytes) -> Any:
    """The picture: both programs on the simulator, and a triangle between them."""
    (draw,) = chip.draws
    assert (draw[1] & 0x3F, draw[1] >> 6 & 3, draw[2]) == (4, 2, 3), "three vertices of a list, without indices"
    vertex, fragment = (unpack(np.array(chip.code[stage], "<u4").tobytes()) for stage in (0, 1))
    address, size = chip.vertex_buffer(60)
    assert (address, size) == (0x20000, len(vertices))
    index = np.zeros((4, 3), np.float32)
    index[0] = range(3)
    corners = simulate(vertex, Inputs(_constants(chip, 0), {0: index}, buffers={60: vertices}), 3).outputs
    place, colour = corners[62][:2] / corners[62][3], corners[0]
    rows, columns = np.mgrid[0:SIZE, 0:SIZE].reshape(2, -1)
    x, y = (columns + 0.5) * 2 / SIZE - 1, 1 - (rows + 0.5) * 2 / SIZE
    system = np.vstack([place, np.ones(3)])
    shares = np.linalg.solve(system, np.stack([x, y, np.ones_like(x)]))
    inside = (shares >= 0).all(axis=0)
    interpolated = (colour @ shares[:, inside]).astype(np.float32)
    found = simulate(fragment, Inputs(_constants(chip, 1), {0: interpolated}), int(inside.sum())).outputs[0]
    picture = np.full((SIZE * SIZE, 3), BACKGROUND, np.uint8)
    picture[inside] = np.floor(np.clip(found[:3].T, 0, 1) * 255 + 0.5)
    return picture.reshape(SIZE, SIZE, 3)


def test_the_picture_is_drawn_from_the_packets(tmp_path: Path, accept: bool) -> None:
    ring, memory = _printed(tmp_path)
    chip = read_packets([int(word) for word in words_of_line(ring)])
    picture = _drawn(chip, words_of_line(memory).tobytes())
    recorded = PROJECT / "picture.png"
    if accept:
        recorded.write_bytes(encode_png(picture))
    difference = np.abs(decode_png(recorded.read_bytes())[..., :3].astype(int) - picture)
    # An edge of the triangle, or of a band, may fall to the other side of a pixel's centre.
    assert (difference.max(axis=2) > 1).mean() < 0.001
    assert (chip.registers[0x2180] >> 20 & 0xF, chip.registers[0x2102]) == (0, 0)


def test_the_picture_is_what_the_shaders_say(tmp_path: Path) -> None:
    """By hand: turned by a tenth of a turn, each corner has its colour, the middle is banded."""
    picture = decode_png((PROJECT / "picture.png").read_bytes())[..., :3]
    cosine, sine = np.cos(0.2 * np.pi), np.sin(0.2 * np.pi)
    for (x, y), channel in zip([(0.0, 0.9), (-0.8, -0.6), (0.8, -0.6)], range(3), strict=True):
        x, y = 0.96 * x, 0.96 * (y + 0.1) - 0.1
        turned = cosine * x - sine * y, sine * x + cosine * y
        column, row = int((turned[0] + 1) / 2 * SIZE), int((1 - turned[1]) / 2 * SIZE)
        assert picture[row, column].argmax() == channel
        assert picture[row, column, channel] > 120
    assert (picture[0, 0] == BACKGROUND).all()
