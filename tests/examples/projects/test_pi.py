"""The projects for the Raspberry Pi, built by their own Makefiles: what they leave in memory is their README's picture,
drawn on the simulator; `pytest --accept` writes it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import glslc_multi
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.runtime.png import decode_png, encode_png
from glslc_multi.runtime.raster import draw, stage_of
from glslc_multi.runtime.textures import Texture
from tests.backends.vc4.host.lists import Image
from tests.backends.vc4.host.painter import draw_calls, paint
from tests.judges.kernel import KernelJudge
from tests.judges.model import Unavailable
from tests.shared_data import PROJECT_ROOT

PROJECTS = PROJECT_ROOT / "examples/projects"
ARM = "arm-linux-gnueabihf-"
COMPILER = f"PYTHONPATH={PROJECT_ROOT} {sys.executable} -m glslc_multi"

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None or shutil.which("make") is None, reason="there is no C compiler, or no make"
)


@pytest.fixture
def project(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A copy of a project."""
    folder = tmp_path / str(request.param)
    shutil.copytree(PROJECTS / str(request.param), folder)
    return folder


def make(folder: Path, *targets: str, **variables: str) -> None:
    given = [f"{name}={value}" for name, value in {"GLSLC": COMPILER, **variables}.items()]
    done = subprocess.run(["make", "-C", str(folder), *targets, *given], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def run(command: list[str | Path], environment: Mapping[str, str] | None = None) -> bytes:
    return subprocess.run(command, check=True, capture_output=True, env={**os.environ, **(environment or {})}).stdout


def check_picture(name: str, pixels: Array, accept: bool) -> None:
    path = PROJECTS / name / "picture.png"
    if accept:
        path.write_bytes(encode_png(pixels))
    assert np.array_equal(decode_png(path.read_bytes()), pixels)


@pytest.mark.parametrize("project", ["pi-triangle"], indirect=True)
def test_pi_triangle(project: Path, accept: bool) -> None:
    judge = KernelJudge()
    try:
        judge.prepare(fetch=False)
    except Unavailable as reason:
        pytest.skip(str(reason))
    flags = [flag for flag in judge.driver if flag.startswith(("-D", "-I"))]
    rest = [flag for flag in judge.driver if flag not in flags]
    make(project, CFLAGS=" ".join(["-O2 -Wall -Wextra -Werror", *flags]), LDFLAGS=" ".join(rest))
    image = project / "memory.image"
    written = run([project / "triangle", "/dev/null"], {"VC4_IMAGE": str(image)})
    assert written.startswith(b"P6 320 240 255\n")
    assert len(written) == len(b"P6 320 240 255\n") + 320 * 240 * 3
    pixels = paint(Image.read(image.read_bytes()))
    check_picture(project.name, pixels, accept)
    differ = np.any(pixels != by_names(project), axis=2)
    # Pixels whose centre is on an edge may change sides, since rows count from the top.
    assert differ.sum() <= 4


def by_names(project: Path) -> Array:
    """The triangle, drawn with its data by their GLSL names."""
    made = glslc_multi.link(*((project / f"triangle.{end}").read_text() for end in ("vert", "frag")), target="vc4")
    turn = [0.75, 0.2, 0, 0, -0.15, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    uniforms = {"u_turn": turn, "u_lights": [(0.8, 0.8, 0.8), (0.1, 0.1, 0.0)]}
    y, x = np.mgrid[0:32, 0:32]
    chequers = np.where((x // 8 + y // 8) % 2 == 1, 255, 160).astype(np.uint8)
    textures = {"u_chequers": Texture(np.stack([chequers] * 4, axis=2), "nearest", "repeat")}
    vertex, fragment = (stage_of(made.stages[name], "simulator", uniforms, textures) for name in ("vertex", "fragment"))
    attributes = {
        "a_position": np.array([(-0.8, -0.7), (0.8, -0.7), (0.0, 0.9)], np.float32),
        "a_color": np.array([(1.0, 0.3, 0.2), (0.3, 1.0, 0.3), (0.2, 0.4, 1.0)], np.float32),
    }
    background = (0x18 / 255, 0x28 / 255, 0x40 / 255, 1.0)
    frame = draw(vertex, fragment, attributes, np.array([[0, 1, 2]]), width=320, height=240, background=background)
    return frame.to_bytes()


@pytest.mark.parametrize("project", ["pi-bare"], indirect=True)
def test_pi_bare(project: Path, accept: bool) -> None:
    make(project, "shader.c")
    sources = [project / "scene.c", project / "shader.c", Path(__file__).with_name("bare.c")]
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover"]
    run(["cc", *flags, f"-I{project}", *sources, "-o", project / "scene"])
    path = project / "memory.image"
    run([project / "scene", path])
    image = Image.read(path.read_bytes())
    assert [state.record.vertex is None for state, _ in draw_calls(image) if state.record] == [True, False]
    check_picture(project.name, paint(image), accept)


@pytest.mark.skipif(shutil.which(f"{ARM}gcc") is None, reason=f"there is no {ARM}gcc")
@pytest.mark.parametrize("board", ["1", "2"])
@pytest.mark.parametrize("project", ["pi-bare"], indirect=True)
def test_pi_bare_is_an_image_for_the_board(project: Path, board: str) -> None:
    make(project, BOARD=board, CROSS=ARM, CFLAGS="-Werror")
    (image,) = project.glob("kernel*.img")
    # The first instruction loads the stack pointer.
    assert image.read_bytes()[2:4] == b"\x9f\xe5"
    undefined = run([f"{ARM}nm", "-u", project / "kernel.elf"]).decode().split()
    assert undefined == []
