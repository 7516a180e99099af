"""Optimised GLSL and SPIR-V (`--emit glsl`, `--emit spirv`): proven to say the same."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

import glslc_multi
from glslc_multi.backends.glsl import expressions
from glslc_multi.backends.glsl.text import SUM
from glslc_multi.backends.spirv import values
from glslc_multi.cli.main import main
from glslc_multi.compiler.ir import ops
from glslc_multi.rewrite import nearest_version
from tests.shared_data import shared_path

_SHADER = "precision mediump float; varying vec4 v; uniform vec4 u; void main() { gl_FragColor = v * 2.0 - u; }"
_SAMPLE = 24


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.frag").write_text(_SHADER)
    assert main([str(tmp_path / "a.frag"), "--emit", "glsl"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("#version 100\n") and "gl_FragColor = v * 2.0 - u;" in text
    assert main([str(tmp_path / "a.frag"), "--emit", "glsl-330", "-o", str(tmp_path / "b.frag")]) == 0
    assert (tmp_path / "b.frag").read_text().startswith("#version 330\n")


def test_spirv(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.frag").write_text(_SHADER, encoding="utf-8")
    assert main(["a.frag", "--emit", "spirv"]) == 0
    assert Path("a.frag.spv").read_bytes() == glslc_multi.optimise_as_spirv(_SHADER, stage="fragment")
    assert main(["a.frag", "--emit", "spirv-opengl", "-o", "b.spv"]) == 0
    module = glslc_multi.optimise_as_spirv(_SHADER, stage="fragment", environment="opengl4.5")
    assert Path("b.spv").read_bytes() == module
    # It is a source, too.
    assert "gl_FragColor = v * 2.0 - u;" in glslc_multi.optimise(module, filename="b.spv", version="100")
    assert main(["a.frag", "--emit", "spirv-asm"]) == 0
    assert "OpVectorTimesScalar" in capsys.readouterr().out
    with pytest.raises(ValueError, match=r"environment is 'metal', expected one of vulkan1\.0, opengl4\.5"):
        glslc_multi.optimise_as_spirv(_SHADER, stage="fragment", environment="metal")


def test_spirv_that_says_something_else_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "_INSTRUCTIONS", {**values._INSTRUCTIONS, ops.FSUB: "OpFAdd"})
    with pytest.raises(glslc_multi.CompileError, match="E0960"):
        glslc_multi.optimise_as_spirv(_SHADER, stage="fragment")


_NEAREST = [(100, "100"), (300, "300es"), (110, "120"), (120, "120"), (130, "330"), (330, "330"), (0, "300es")]


@pytest.mark.parametrize(("number", "version"), _NEAREST)
def test_the_nearest_version(number: int, version: str) -> None:
    assert nearest_version(number) == version


def test_a_text_of_a_text_is_the_same() -> None:
    text = glslc_multi.optimise(_SHADER, stage="fragment")
    assert glslc_multi.optimise(text, stage="fragment") == text


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match=r"version is '99', expected one of 100, 300es, 120, 330"):
        glslc_multi.optimise(_SHADER, stage="fragment", version="99")
    flat = "#version 300 es\nprecision highp float; flat in vec4 v; out vec4 c; void main() { c = v; }"
    with pytest.raises(glslc_multi.CompileError, match="E0702"):
        glslc_multi.optimise(flat, stage="fragment", version="100")


@pytest.mark.parametrize("name", ["texture", "mix", "reflect", "distance"])
def test_names_of_functions(name: str) -> None:
    other = "" if name == "texture" else f"uniform float {name};"
    head = f"precision highp float; varying vec3 v; uniform sampler2D texture; {other}"
    colour = f"vec4 c = texture2D(texture, v.xy) * {name if other else '1.0'};"
    reflected = "vec4 r = vec4(v - 2.0 * dot(v, c.xyz) * c.xyz, length(v - c.xyz));"
    source = f"{head} void main() {{ {colour} {reflected} gl_FragColor = v.x < 0.5 ? c : r; }}"
    assert "texture2D(texture, v.xy)" in glslc_multi.optimise(source, stage="fragment")
    text = glslc_multi.optimise(source, stage="fragment", version="330")
    assert "textureOffset(texture, v.xy, ivec2(0, 0))" in text and f"{name}(" not in text
    with pytest.raises(glslc_multi.CompileError, match=f"called '(texture|{name})' like a function"):
        glslc_multi.optimise(source, stage="fragment", version="300es")


def test_a_text_that_says_something_else_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "_BINARY", {**expressions._BINARY, ops.FSUB: ("+", SUM)})
    with pytest.raises(glslc_multi.CompileError, match="E0960"):
        glslc_multi.optimise(_SHADER, stage="fragment")
    assert "v * 2.0 + u" in glslc_multi.optimise(_SHADER, stage="fragment", proof="off")


@pytest.mark.parametrize("version", ["100", "300es", "120", "330"])
def test_real_shaders(version: str) -> None:
    files = sorted(path for path in shared_path("corpus/real").iterdir() if path.suffix in (".vert", ".frag"))
    for path in random.Random(version).sample(files, _SAMPLE):
        text = glslc_multi.optimise(path.read_text(), filename=path.name, version=version)
        assert text.startswith("#version")


_BLOCKS = """#version 450
layout(location = 0) in struct In { vec2 uv; } i;
layout(location = 0) out vec4 c;
layout(binding = 1, std140) uniform B { vec4 a; layout(row_major) mat4 m; float w[3]; } b;
struct L { vec3 d; float e; };
layout(push_constant) uniform P { L l[2]; } p;
void main() { c = b.m * vec4(i.uv, p.l[1].e, b.w[2]) + b.a * vec4(p.l[0].d, 1.0); }
"""


def _module(source: str, folder: Path) -> bytes:
    compiler = shutil.which("glslangValidator")
    if compiler is None:
        pytest.skip("glslangValidator is not installed")
    (folder / "a.frag").write_text(source)
    module = folder / "a.spv"
    subprocess.run([compiler, "-V", str(folder / "a.frag"), "-o", str(module)], check=True, capture_output=True)
    return module.read_bytes()


def test_names_and_blocks_of_modules(tmp_path: Path) -> None:
    text = glslc_multi.optimise(_module(_BLOCKS, tmp_path), filename="a.spv")
    assert "in vec2 i_uv;" in text
    assert "layout(std140) uniform B {\n    vec4 a;\n    layout(row_major) mat4 m;\n    float w[3];\n} b_;" in text
    assert "p_.l[1].e" in text


def test_layouts_that_the_text_has_not_are_refused(tmp_path: Path) -> None:
    source = _BLOCKS.replace("vec4 a;", "layout(offset = 32) vec4 a;").replace(
        "(row_major)", "(row_major, offset = 64)"
    )
    with pytest.raises(glslc_multi.CompileError, match=r"cannot express the layout of 'B.a'"):
        glslc_multi.optimise(_module(source, tmp_path), filename="a.spv")
