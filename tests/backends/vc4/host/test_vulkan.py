"""The form of rpi-vk-driver: streams that the driver would fill by the mappings are those of `runtime/program.py`.

What the driver cannot draw is refused.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import glslc_multi
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_code.uniforms import host_uniforms
from glslc_multi.compiler.host_files import HostProgram
from glslc_multi.runtime.drivers import Vc4Texture, Vc4Viewport, vc4_words
from glslc_multi.runtime.program import Program
from glslc_multi.runtime.shader import CompiledProgram
from tests.backends.vc4.host.harness import Scene, setters
from tests.host_values import drawn, give
from tests.shared_data import PROJECT_ROOT

EXAMPLES = PROJECT_ROOT / "examples/shaders"
FOLDER = Path(__file__).parent / "vulkan"
FORM = "rpi-vk-driver"
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-O1")
STAGES = ("coordinate", "vertex", "fragment")


def host_program(made: CompiledProgram) -> HostProgram:
    return HostProgram({name: shader.artifact for name, shader in made.stages.items()}, "drawn")


def streams(made: CompiledProgram, scene: Scene, tmp_path: Path) -> list[list[str]]:
    """What the program prints, by stage."""
    program = host_program(made)
    for file in load_target("vc4").host_code(program, FORM, DiagnosticSink()):
        (tmp_path / file.name).write_bytes(file.data)
    (tmp_path / "main.c").write_text(fill(FOLDER / "streams.c.in", {"SETTERS": setters(program, scene)}))
    sources = [str(tmp_path / name) for name in ("main.c", "drawn.c")]
    command = ["cc", *FLAGS, f"-I{tmp_path}", f"-I{FOLDER}", *sources, "-lm", "-o", str(tmp_path / "streams")]
    subprocess.run(command, check=True)
    done = subprocess.run([str(tmp_path / "streams")], check=True, capture_output=True, text=True)
    return [line.split() for line in done.stdout.splitlines()]


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("name", ["01_flat", "02_vertex_color", "03_textured", "11_plasma", "12_toon"])
@pytest.mark.parametrize("preamble", [False, True])
def test_the_driver_fills_streams_right(name: str, preamble: bool, tmp_path: Path) -> None:
    texts = [(EXAMPLES / f"{name}.{suffix}").read_text() for suffix in ("vert", "frag")]
    made = glslc_multi.link(*texts, target="vc4", preamble=preamble)
    uniforms = host_uniforms(host_program(made).stages)
    scene = Scene((), drawn(uniforms, 3))
    values = Program.of(made).new_values()
    give(values, uniforms, scene.uniforms)
    textures = [Vc4Texture(0, 4, 4)] * 16
    for stage, (count, *found) in zip(STAGES, streams(made, scene, tmp_path), strict=True):
        reflection = made.stages[stage].reflection
        words = vc4_words(reflection, values.words(stage, "stream"), Vc4Viewport(96, 80), textures)
        expected = []
        for word, (kind, _) in zip(words, reflection.stream, strict=True):
            if kind.startswith("texture_config0"):
                expected.append("t0")
            elif not kind.startswith("texture_"):
                expected.append(f"{word:08x}")
        assert found == expected
        assert int(count) == len(made.stages[stage].binary) // 8
        assert (tmp_path / f"drawn_{stage}.qasm").read_text().count("\n") == int(count)


@pytest.mark.parametrize(
    ("name", "cannot"),
    [
        ("07_lights", "read textures or arrays at variable indices in the vertex stage"),
        ("06_alpha_test", "compute a position from more than the first attribute"),
        ("many", "push 65 words of the fragment stage: the driver has 64"),
    ],
)
def test_what_the_driver_cannot_do(name: str, cannot: str) -> None:
    vertex, fragment = ("attribute vec4 p; void main() { gl_Position = p; }", MANY)
    if name != "many":
        vertex, fragment = ((EXAMPLES / f"{name}.{suffix}").read_text() for suffix in ("vert", "frag"))
    made = glslc_multi.link(vertex, fragment, target="vc4")
    with pytest.raises(CompileError) as refused:
        load_target("vc4").host_code(host_program(made), FORM, DiagnosticSink())
    (diagnostic,) = refused.value.diagnostics
    assert diagnostic.message == f"host code of the form '{FORM}' cannot {cannot}"


MANY = """precision highp float; uniform float u[65];
void main() { float x = 0.0; for (int i = 0; i < 65; i++) x += u[i]; gl_FragColor = vec4(x); }"""
