"""`glslc-multi IN` with the real front end: IR, preprocessed text, and messages about shaders."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from glslc_multi.cli.main import main
from tests.shared_data import PROJECT_ROOT

SHADER = """precision mediump float;
uniform vec4 u_colour;
void main() {
    gl_FragColor = u_colour * SCALE;
}
"""


@pytest.fixture
def shader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("a.frag").write_text(SHADER, encoding="utf-8")
    return "a.frag"


def without_blanks(text: str) -> str:
    return "".join(text.split())


def test_emit_ir_prints_a_module_that_reads_back(shader: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([shader, "--emit", "ir", "-DSCALE=2.0", "-o", "a.sir"]) == 0
    text = Path("a.sir").read_text(encoding="utf-8")
    assert text.startswith('shader fragment "a.frag"\n')
    assert main(["opt", "--verify", "a.sir"]) == 0
    output = capsys.readouterr()
    assert (output.out, output.err) == (text, "")


def test_errors_are_shown_at_their_place_and_nothing_is_written(
    shader: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([shader, "--emit", "ir", "-o", "a.sir", "--color=never"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("a.frag:4:31: error: 'SCALE' is not declared [E0301]\n")
    assert not Path("a.sir").exists()


#: One mistake for the preprocessor and one for the checker.
TWO_MISTAKES = "precision mediump float;\nvoid main() { gl_FragColor = vec4(1.0f) * u_gain; }\n"


@pytest.mark.parametrize(
    "words",
    [
        ["a.frag"],
        ["a.frag", "-S"],
        ["a.frag", "-MD", "-o", "out"],
        ["a.frag", "--target", "vc4", "-o", "{target}"],
        ["explain", "a.frag"],
        ["run", "a.frag"],
        ["link", "a.vert", "a.frag"],
        ["render", "a.vert", "a.frag", "-o", "a.png"],
        ["batch", ".", "-o", "out"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_every_command_finds_mistakes_behind_those_of_the_preprocessor(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.frag").write_text(TWO_MISTAKES)
    (tmp_path / "a.vert").write_text("attribute vec4 p; void main() { gl_Position = p; }\n")
    monkeypatch.chdir(tmp_path)
    assert main([*words, "--target", "agal"]) == 1
    found = capsys.readouterr().err
    assert "[E0104]" in found and "'u_gain' is not declared [E0301]" in found


def test_standard_input_has_a_name_and_a_stage_on_demand(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments in (["--stage", "fragment"], ["-fshader-stage=fragment"], ["--stdin-name", "b.frag"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SHADER.encode()), encoding="utf-8"))
        assert main(["-", "--emit=ir", "-DSCALE=1.0", *arguments]) == 0
        name = "b.frag" if "b.frag" in arguments else "<stdin>"
        assert capsys.readouterr().out.startswith(f'shader fragment "{name}"\n')


def test_the_stage_must_be_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "shader.glsl"
    path.write_text(SHADER)
    assert main([str(path), "--emit", "ir"]) == 2
    assert "cannot tell the stage of" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("macros", "value"),
    [
        (["-D", "SCALE=3.0"], "3.0"),
        (["-DSCALE"], "1"),
        (["-DSCALE="], ""),
        (["-DSCALE=1.0", "-DSCALE=2.0"], "2.0"),
        (["-DSCALE=1.0", "-USCALE"], "SCALE"),
        (["-USCALE", "-DSCALE=4.0"], "4.0"),
    ],
)
def test_preprocessing_with_macros(
    macros: list[str], value: str, shader: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-E", shader, *macros]) == 0
    output = capsys.readouterr()
    assert f"u_colour*{value};" in without_blanks(output.out)
    assert output.err == ""


def test_preprocessing_needs_no_stage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "common.glsl"
    path.write_text("#define A 1\nint a = A;\n")
    assert main(["-E", str(path)]) == 0
    assert "inta=1;" in without_blanks(capsys.readouterr().out)


def test_a_macro_must_have_a_name_that_is_allowed(shader: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-E", shader, "-D2=3"]) == 2
    assert capsys.readouterr().err == "glslc-multi: error: '2=3' does not define a macro [E0919]\n"


def test_included_files_are_looked_up(shader: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("lib").mkdir()
    Path("lib/scale.glsl").write_text("#define SCALE 5.0\n", encoding="utf-8")
    Path("b.frag").write_text(
        f'#extension GL_GOOGLE_include_directive : require\n#include "scale.glsl"\n{SHADER}', encoding="utf-8"
    )
    assert main(["b.frag", "--emit", "ir", "-I", "lib"]) == 0
    assert "5.0" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["lit.vert", "vignette.frag"])
def test_the_examples_compile(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(PROJECT_ROOT / "examples" / name), "--emit", "ir", "-Werror"]) == 0
    output = capsys.readouterr()
    assert output.out.startswith("shader ")
    assert output.err == ""


def test_flags_that_scripts_give_to_other_compilers(shader: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [shader, "--target", "agal", "-DSCALE=2.0", "-S", "-c"]
    assert main(words) == 0
    plain = capsys.readouterr().out
    assert main([*words, "-g", "-std=100", "-x", "glsl", "-fshader-stage=fragment"]) == 0
    assert capsys.readouterr().out == plain
    assert main([*words, "-std=310es"]) == 2
    wanted = "option '--std' takes one of 100, 300es, 110, 120, 130, 140, 150, 330, 100es, found '310es' [E0907]"
    assert wanted in capsys.readouterr().err
