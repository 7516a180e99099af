"""`glslc-multi run`: values in by their GLSL names, results out, on every engine."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from glslc_multi.cli.main import main
from tests.shared_data import PROJECT_ROOT

VERTEX = """attribute vec4 p; uniform mat4 m; uniform float k[2];
void main() { gl_Position = m * p * k[1]; }
"""
#: Columns are in order: a matrix as rows of a JSON list is [row][column].
VALUES: dict[str, Any] = {
    "inputs": {"p": [[1, 2, 3, 1], [0.5, 0, 0, 1]]},
    "uniforms": {"m": [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 4], [0, 0, 0, 1]], "k": [1, 2]},
}
#: By hand: m * p, then times 2.
EXPECTED = [[4.0, 8.0, 20.0, 2.0], [2.0, 0.0, 8.0, 2.0]]

PIXEL = """precision mediump float; varying vec2 v_uv; uniform sampler2D u_map;
void main() { if (v_uv.x > 0.75) discard; gl_FragColor = texture2D(u_map, v_uv); }
"""
#: Two texels beside each other; nearest filtering.
IMAGE = {"image": [[[1, 0, 0, 1], [0, 0.5, 0, 1]]], "filter": "nearest", "wrap": "clamp"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GLSLC_MULTI_CACHE", "off")
    (tmp_path / "a.vert").write_text(VERTEX)
    (tmp_path / "a.frag").write_text(PIXEL)
    write(VALUES)
    return tmp_path


def write(values: object) -> None:
    Path("in.json").write_text(json.dumps(values), encoding="utf-8")


@pytest.mark.parametrize(
    ("target", "engine"),
    [("pica200", "simulator"), ("agal", "simulator"), ("adreno", "simulator"), ("agal", "reference"), ("agal", "jit")],
)
def test_results_as_json(target: str, engine: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "a.vert", "--target", target, "--inputs", "in.json", "--engine", engine, "--json"]
    assert main(words) == 0
    output = capsys.readouterr()
    assert json.loads(output.out) == {"gl_Position": EXPECTED}


def test_results_as_a_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "a.vert", "--target", "agal", "--inputs", "in.json", "-o", "out.txt"]) == 0
    assert Path("out.txt").read_text(encoding="utf-8") == "   gl_Position\n0  (4, 8, 20, 2)\n1  (2, 0, 8, 2)\n"
    assert capsys.readouterr().out == ""


def test_values_from_standard_input(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(VALUES).encode()), encoding="utf-8"))
    assert main(["run", "a.vert", "--target", "agal", "--inputs", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"gl_Position": EXPECTED}


@pytest.mark.parametrize("engine", ["simulator", "reference", "jit"])
def test_textures_and_discarded_pixels(engine: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write({"inputs": {"v_uv": [[0.25, 0.5], [0.625, 0.5], [0.9, 0.5]]}, "textures": {"u_map": IMAGE}})
    words = ["run", "a.frag", "--target", "adreno", "--inputs", "in.json", "--engine", engine, "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["discarded"] == [False, False, True]
    assert found["gl_FragColor"][:2] == [[1, 0, 0, 1], [0, 0.5, 0, 1]]


def test_the_file_in_the_documentation(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (PROJECT_ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    Path("in.json").write_text(text.partition("```json\n")[2].partition("```")[0], encoding="utf-8")
    Path("b.frag").write_text(
        "precision mediump float; struct Lamp { vec3 colour; }; varying vec2 v_uv; uniform vec3 u_tint;\n"
        "uniform Lamp u_lamps[2]; uniform sampler2D u_map;\n"
        "void main() { gl_FragColor = texture2D(u_map, v_uv) * vec4(u_tint, 1.0) + vec4(u_lamps[1].colour, 0.0); }\n",
        encoding="utf-8",
    )
    words = ["run", "b.frag", "--target", "agal", "--inputs", "in.json", "--engine", "reference", "--json"]
    assert main([*words, "--quads"]) == 1
    assert "2 lanes do not make whole 2x2 quads" in capsys.readouterr().err
    assert main(words) == 0
    # The first pixel lies between a red and a green texel; then times the tint, plus blue.
    assert json.loads(capsys.readouterr().out)["gl_FragColor"] == [[0.5, 0.25, 1, 1], [1, 0, 1, 1]]


def test_numbers_that_json_has_no_words_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.vert").write_text("attribute vec4 p; void main() { gl_Position = p / 0.0; }\n", encoding="utf-8")
    write({"inputs": {"p": [[1, -1, 0, 1]]}})
    assert main(["run", "b.vert", "--target", "agal", "--inputs", "in.json", "--engine", "jit", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["gl_Position"] == [["Infinity", "-Infinity", "NaN", "Infinity"]]


def test_a_shader_that_reads_nothing_needs_no_values(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("b.vert").write_text("void main() { gl_Position = vec4(0.5); }\n", encoding="utf-8")
    assert main(["run", "b.vert", "--target", "agal"]) == 0
    assert capsys.readouterr().out == "   gl_Position\n0  (0.5, 0.5, 0.5, 0.5)\n"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("{", "it is not JSON"),
        ("[" * 100_000, "it is nested too deeply"),
        ("[]", "it is not an object that holds objects"),
        ('{"input": {}}', "it has 'input' where inputs, uniforms, textures are expected"),
        ('{"textures": {"t": [1]}}', "texture 't' is not an object with image, filter, wrap, mips"),
        ('{"textures": {"t": {"image": [[1], [1, 2]]}}}', "texture 't' cannot be made"),
        ('{"textures": {"t": {"image": [[1]], "filter": "blurred"}}}', "texture 't' cannot be made"),
        ('{"textures": {"t": {"image": [[1]], "filter": {}}}}', "texture 't' cannot be made"),
        ('{"textures": {"t": {"image": [[1]], "wrap": 3}}}', "texture 't' cannot be made"),
        ('{"textures": {"t": {"image": [[1]], "filter": ["a", "b", "c"]}}}', "texture 't' cannot be made"),
        ('{"textures": {"t": {"image": null}}}', "texture 't' cannot be made"),
        ('{"textures": {"t": {"image": [[1]], "mips": 7}}}', "texture 't' cannot be made"),
    ],
)
def test_unusable_json(values: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.json").write_text(values, encoding="utf-8")
    assert main(["run", "a.vert", "--target", "agal", "--inputs", "in.json"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert f"cannot use 'in.json': {message}" in output.err
    assert output.err.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"inputs": {"q": [[1]]}}, "E0650"),
        ({"inputs": {"p": [[1, 2, 3, 4]]}, "uniforms": {}}, "E0651"),
        ({"inputs": {"p": [[1, 2]]}}, "E0652"),
        ({"inputs": {"p": "many"}}, "E0652"),
        ({"inputs": {"p": [[None]]}}, "E0652"),
        ({"inputs": {"p": 5}}, "E0652"),
    ],
)
@pytest.mark.parametrize("engine", ["reference", "jit"])
def test_values_that_do_not_suit_the_shader(
    change: dict[str, Any], code: str, engine: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(VALUES | change)
    assert main(["run", "a.vert", "--target", "agal", "--inputs", "in.json", "--engine", engine]) == 1
    assert f"[{code}]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no input file given"),
        (["a.vert"], "no target given"),
        (["a.vert", "b.vert"], "unexpected argument 'b.vert'"),
        (["a.vert", "--target", "agal", "--target", "vc4"], "unexpected argument 'vc4'"),
        (["a.vert", "--target", "agal", "--engine", "jitt"], "did you mean 'jit'?"),
        (["-", "--target", "agal", "--inputs", "-"], "cannot be used together"),
        (["a.vert", "--target", "agal", "--inputs", "absent.json"], "cannot find 'absent.json'"),
    ],
)
def test_wrong_usage(words: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", *words]) == 2
    assert message in capsys.readouterr().err
