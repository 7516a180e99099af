"""`glslc-multi port`: files in, files out, and what is said where that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.cli.main import main

SOURCE = "precision mediump float;\nvarying vec4 colour; // kept\nvoid main() { gl_FragColor = colour; }\n"
RESULT = (
    "#version 300 es\nprecision mediump float;\nout mediump vec4 fragColor;\nin vec4 colour; // kept\n"
    "void main() { fragColor = colour; }\n"
)


@pytest.fixture
def shader(tmp_path: Path) -> Path:
    path = tmp_path / "a.frag"
    path.write_text(SOURCE)
    return path


def test_the_result_is_printed_or_written(shader: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["port", str(shader), "--to", "300es"]) == 0
    assert capsys.readouterr() == (RESULT, "")
    output = shader.with_name("b.frag")
    assert main(["port", str(shader), "--to", "300es", "-o", str(output)]) == 0
    assert output.read_text() == RESULT
    assert main(["port", str(output), "--to", "100"]) == 0
    assert capsys.readouterr().out == f"#version 100\n{SOURCE}"


@pytest.mark.parametrize("stage", ["frag", "fragment"])
def test_the_stage_has_a_short_name(stage: str, shader: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = shader.rename(shader.with_suffix(".txt"))
    assert main(["port", str(path), "--to", "300es", "--stage", stage]) == 0
    assert capsys.readouterr().out == RESULT


def test_desktop_shaders_mean_the_same_with_floats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.glsl"
    path.write_text("varying vec2 uv;\nvoid main() { gl_FragColor = vec4(2 * uv, SCALE, 1); }\n")
    words = ["port", str(path), "--stage", "fragment", "--std", "120", "-DSCALE=3.0", "--to", "100"]
    assert main(words) == 0
    assert capsys.readouterr().out == (
        "#version 100\nprecision highp float;\nprecision highp int;\n"
        "varying vec2 uv;\nvoid main() { gl_FragColor = vec4(2.0 * uv, SCALE, 1); }\n"
    )


def test_what_the_version_cannot_say(shader: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shader.write_text(
        "#version 300 es\nprecision mediump float;\nuniform uint n;\nout vec4 c;\nvoid main() { c = vec4(n); }\n",
        encoding="utf-8",
    )
    output = shader.with_name("b.frag")
    assert main(["port", str(shader), "--to", "100", "-o", str(output)]) == 1
    assert f"{shader} in 100:3:9: error: there is no type 'uint' [E0302]" in capsys.readouterr().err
    assert not output.exists()


def test_a_mistake_of_the_source_is_told_at_its_place(shader: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shader.write_text("void main() { gl_FragColor = vec3(1.0); }", encoding="utf-8")
    assert main(["port", str(shader), "--to", "300es"]) == 1
    assert f"{shader}:1:30: error: expected vec4, found vec3 [E0401]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a.frag"], "option '--to' needs 300es or 100 [E0906]"),
        (["--to", "100"], "no input file given [E0915]"),
        (["a.frag", "--to", "330"], "option '--to' takes one of 300es, 100, found '330' [E0907]"),
    ],
)
def test_wrong_use(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["port", *words]) == 2
    assert message in capsys.readouterr().err
