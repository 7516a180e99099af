"""Optimised GLSL (`--emit glsl`, `optimise`): in the source's version or another one, and proven to say the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import glslc_multi
from glslc_multi.backends.glsl import expressions
from glslc_multi.backends.glsl.text import SUM
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


def test_names_that_the_other_version_has_are_refused() -> None:
    body = "void main() { gl_FragColor = texture2D(texture, v); }"
    source = f"precision highp float; uniform sampler2D texture; varying vec2 v; {body}"
    assert "texture2D(texture, v)" in glslc_multi.optimise(source, stage="fragment")
    with pytest.raises(glslc_multi.CompileError, match="the text would be refused: 'texture' is a variable"):
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
