"""The project for the Nintendo 3DS, built by its own Makefile with a stand-in for devkitARM and its libraries: what it
hands to these is drawn by the simulators, and is its README's picture; `pytest --accept` writes that."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import glslc_multi
from glslc_multi.backends.pica200.isa.container import read
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.runtime.png import decode_png, encode_png
from glslc_multi.runtime.raster import draw, stage_of
from glslc_multi.runtime.shader import Engine
from tests.backends.pica200.host.commands import NO_LIBRARY, Handed, built, built_library
from tests.backends.pica200.host.drawn import picture_of
from tests.backends.pica200.host.stub import calls_of_run, write_headers
from tests.shared_data import PROJECT_ROOT

PROJECT = PROJECT_ROOT / "examples/projects/3ds-cube"
DEVKIT = PROJECT_ROOT / "tests/backends/pica200/host/devkit"
ARM = "arm-linux-gnueabihf-gcc"
FRAMES = 3

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None or shutil.which("make") is None, reason="there is no C compiler, or no make"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project, and of what there is instead of devkitPro."""
    include = tmp_path / "devkitpro/libctru/include"
    include.mkdir(parents=True)
    write_headers(include)
    return Path(shutil.copytree(PROJECT, tmp_path / "3ds-cube"))


def make(project: Path, *arguments: str) -> str:
    environment = {
        **os.environ,
        "DEVKITPRO": str(project.parent / "devkitpro"),
        "DEVKITARM": str(DEVKIT),
        "PYTHONPATH": str(PROJECT_ROOT),
        "GLSLC_MULTI": f"{sys.executable} -m glslc_multi",
        "GLSLC_MULTI_CACHE": "off",
    }
    done = subprocess.run(["make", *arguments], cwd=project, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_picture_is_drawn_from_the_calls(project: Path, accept: bool) -> None:
    make(project)
    calls = calls_of_run(project / "3ds-cube.3dsx", FRAMES)
    assert sum(name == "draw" for name, *_ in calls) == FRAMES
    # The screen stands on its side: what is to the right in the buffer is up.
    picture = np.ascontiguousarray(np.rot90(picture_of(calls)[..., :3]))
    recorded = PROJECT / "picture.png"
    if accept:
        recorded.write_bytes(encode_png(picture))
    assert np.array_equal(decode_png(recorded.read_bytes())[..., :3], picture)
    wanted, bound = _by_names(project, "reference")
    # A pixel whose centre is on an edge may belong to another side.
    assert (np.abs(picture.astype(int) - wanted).max(axis=2) > bound).sum() <= 4


def test_make_goes_by_what_has_changed(project: Path) -> None:
    assert make(project).count("glslc_multi") == 1
    assert make(project).count("glslc_multi") == 0
    shader, made = project / "source/cube.frag", project / "source/cube.c"
    before = made.read_text()
    shader.write_text(shader.read_text().replace("+ specular", "+ specular.bgr"))
    assert make(project).count("glslc_multi") == 1
    assert made.read_text() != before


def test_what_was_made_is_removed(project: Path) -> None:
    before = {path.relative_to(project): path.is_dir() or path.read_bytes() for path in project.rglob("*")}
    make(project)
    make(project, "clean")
    assert {path.relative_to(project): path.is_dir() or path.read_bytes() for path in project.rglob("*")} == before


@pytest.mark.skipif(shutil.which(ARM) is None, reason=f"there is no {ARM}")
def test_it_is_code_of_the_console_s_processor(project: Path) -> None:
    """With the options of the Makefile, and two that this compiler needs besides."""
    make(project)
    (options,) = re.findall(r"^ARCH := (.*)$", (project / "Makefile").read_text(), re.MULTILINE)
    flags = [*options.split(), "-marm", "-mfpu=vfp", "-O2", "-Wall", "-Wextra", "-Werror"]
    include = f"-I{project.parent / 'devkitpro/libctru/include'}"
    for name in ("main", "cube"):
        subprocess.run([ARM, *flags, include, "-c", f"{name}.c"], cwd=project / "source", check=True)


@pytest.mark.skipif(bool(NO_LIBRARY), reason=NO_LIBRARY)
def test_the_libraries_themselves_hand_the_same_to_the_gpu(project: Path) -> None:
    """Sources of citro3d and libctru in the place of the stand-in, and its command lists in that of the calls."""
    make(project)
    file = next(call for call in calls_of_run(project / "3ds-cube.3dsx") if call[0] == "file")
    program = built(project, [project / f"source/{name}.c" for name in ("main", "cube")], built_library(project))
    handed = Handed.of(program)
    code = read(struct.pack(f"<{len(file) - 1}I", *file[1:]), "<file>", DiagnosticSink())
    assert code is not None and handed.code() == code.code
    picture = np.rot90(picture_of([file, *handed.calls()])[..., :3])
    assert np.array_equal(decode_png((PROJECT / "picture.png").read_bytes())[..., :3], picture)


def _by_names(project: Path, engine: Engine) -> tuple[Array, float]:
    """The last frame, drawn with data by their GLSL names, and how far off the machine may be; nothing stands on its
    side here."""
    texts = [(project / f"source/cube.{end}").read_text() for end in ("vert", "frag")]
    made = glslc_multi.link(*texts, target="pica200")
    scale = 1 / np.tan(np.radians(20))
    near, far = 0.1, 10.0
    projection = np.diag([scale * 240 / 400, scale, -near / (far - near), 0.0])
    projection[2, 3], projection[3, 2] = -far * near / (far - near), -1
    modelview = np.eye(4)
    modelview[:3, :3] = _turn(1, 2, 0.5) @ _turn(2, 0, 0.6 + np.radians(FRAMES - 1))
    modelview[2, 3] = -2.6
    uniforms = {
        "u_projection": projection,
        "u_modelview": modelview,
        "u_light": (0.4, 0.6, 1.0),
        "u_ambient": (0.2, 0.2, 0.25),
        "u_diffuse": (0.7, 0.7, 0.65),
        "u_specular": (0.3, 0.3, 0.3),
        "u_shininess": 16.0,
    }
    textures = {"u_texture": Texture(_image(), "linear", "clamp")}
    vertex, fragment = (stage_of(shader, engine, uniforms, textures) for shader in made.stages.values())
    background = 0x20 / 255, 0x30 / 255, 0x48 / 255, 1.0
    triangles = np.arange(36).reshape(-1, 3)
    frame = draw(vertex, fragment, _corners(), triangles, width=400, height=240, background=background)
    bound = made.stages["fragment"].stats.error_steps
    assert bound is not None
    return frame.to_bytes()[..., :3], bound


def _turn(start: int, end: int, angle: float) -> Array:
    """From one axis to another."""
    turn = np.eye(3)
    turn[[start, end], [start, end]] = np.cos(angle)
    turn[end, start], turn[start, end] = np.sin(angle), -np.sin(angle)
    return turn


def _corners() -> dict[str, Array]:
    """Of each side of the cube, which axis x is for the image, which one is y, and which way is out."""
    x, y, z = np.eye(3)
    sides = [(y, z, x), (-y, z, -x), (z, x, y), (-z, x, -y), (x, y, z), (-x, y, -z)]
    square = [(0, 0), (1, 0), (1, 1), (1, 1), (0, 1), (0, 0)]
    corners = [(a, b, out, s, t) for a, b, out in sides for s, t in square]
    return {
        "a_position": np.array([a * (s - 0.5) + b * (t - 0.5) + out / 2 for a, b, out, s, t in corners]),
        "a_normal": np.array([out for _, _, out, _, _ in corners]),
        "a_texcoord": np.array([(s, t) for *_, s, t in corners], float),
    }


def _image() -> Array:
    """Chequers with a rim, and a red field where both coordinates are small; the first row is the lowest one."""
    y, x = np.mgrid[0:64, 0:64]
    image = np.where(((x // 8 + y // 8) % 2 == 1)[..., None], (0xF0, 0xE0, 0xB0), (0xB0, 0x90, 0x60))
    image[:20, :20] = 0xE0, 0x48, 0x30
    image[(np.minimum(x, y) < 4) | (np.maximum(x, y) >= 60)] = 0x60, 0x40, 0x20
    return image.astype(np.uint8)
