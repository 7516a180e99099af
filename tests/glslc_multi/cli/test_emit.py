"""Kinds of output: JSON, statistics, C text that a real compiler takes, flow graphs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from glslc_multi.cli.main import main

SHADER = """struct Lamp { vec3 direction; vec3 colour; };
attribute vec4 a_position;
attribute vec3 a_normal;
uniform mat4 u_matrix;
uniform Lamp u_lamps[2];
varying vec3 v_colour;
void main() {
    gl_Position = u_matrix * a_position;
    v_colour = vec3(0.125);
    for (int i = 0; i < 2; i++) v_colour += u_lamps[i].colour * max(dot(a_normal, u_lamps[i].direction), 0.0);
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lit.vert").write_text(SHADER)
    return tmp_path


def emitted(kind: str, target: str, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["lit.vert", "--target", target, "--emit", kind, *words]) == 0
    return capsys.readouterr().out


def test_json_is_the_register_map(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = emitted("json", "agal", capsys)
    assert main(["lit.vert", "--target", "agal", "--reflect", "map.json"]) == 0
    assert (folder / "map.json").read_text() == text
    assert json.loads(text)["uniforms"][0]["name"] == "u_matrix"


def test_stats_are_those_of_the_flag(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = emitted("stats", "pica200", capsys)
    assert main(["lit.vert", "--target", "pica200", "--stats=json"]) == 0
    assert capsys.readouterr().out == text


@pytest.mark.parametrize("target", ["agal", "pica200", "adreno", "vc4"])
def test_a_c_program_finds_the_binary_and_the_registers(
    target: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler is installed")
    words = ("--prefix", "lit")
    (folder / "lit.h").write_text(emitted("header", target, capsys, *words))
    (folder / "lit.c").write_text(emitted("c", target, capsys, *words))
    registers = {
        f"LIT_{name}_REGISTER": place["index"]
        for name, place in _first_places(json.loads(emitted("json", target, capsys))).items()
    }
    prints = "".join(f'    printf("{name} %d\\n", {name});\n' for name in registers)
    (folder / "main.c").write_text(
        '#include <stdio.h>\n#include "lit.h"\n#include "lit.h"\n'
        f"int main(void) {{\n{prints}"
        "    fwrite(lit_code, 1, sizeof lit_code, stderr);\n"
        # Words of VC4 and THEIA have 64 bits.
        "    return sizeof lit_code != LIT_CODE_SIZE || __alignof__(lit_code) < 8;\n}\n"
    )
    assert main(["lit.vert", "--target", target, "-o", "lit.bin"]) == 0
    run = [compiler, "-Wall", "-Wextra", "-Werror", "-std=c99", "main.c", "-o", "main"]
    subprocess.run(run, check=True)
    done = subprocess.run(["./main"], capture_output=True, check=True)
    assert done.stderr == (folder / "lit.bin").read_bytes()
    assert done.stdout.decode() == "".join(f"{name} {index}\n" for name, index in registers.items())


def _first_places(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The first location of every value that is in one run of registers."""
    places = {}
    for binding in (*found["attributes"], *found["uniforms"]):
        first, last = binding["locations"][0], binding["locations"][-1]
        in_one_run = last["index"] - first["index"] == len(binding["locations"]) - 1
        if in_one_run and first["space"] != "stream":
            places[binding["name"].replace("[]", "").replace(".", "__")] = first
    return places


@pytest.mark.parametrize("language", ["c", "c++"])
def test_c_text_is_c_and_c_plus_plus(language: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    compiler = shutil.which("cc" if language == "c" else "c++")
    if compiler is None:
        pytest.skip(f"no compiler for {language} is installed")
    (folder / "lit.c").write_text(emitted("c", "pica200", capsys))
    (folder / "lit.h").write_text(emitted("header", "pica200", capsys) + "int unused;\n")
    for file in ("lit.c", "lit.h"):
        run = [compiler, "-x", language, "-pedantic-errors", "-Wno-unused", "-c", file, "-o", "lit.o"]
        subprocess.run(run, check=True)


def test_the_prefix_comes_from_the_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = emitted("header", "agal", capsys)
    assert "#ifndef LIT_VERT_SHADER_H\n" in text
    assert "lit_vert_code[" in text
    assert (
        "#define X_agal_u_matrix_COUNT 4\n".upper()
        in emitted("header", "agal", capsys, "--prefix", "x-{target}").upper()
    )


def test_the_same_text_every_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert emitted("header", "agal", capsys) == emitted("header", "agal", capsys)


def test_a_flow_graph_has_every_block_and_edge(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "lit.vert").write_text(
        "attribute vec4 p; uniform int n; void main() {\n"
        "    gl_Position = p; for (int i = 0; i < 800; i++) { if (i == n) break; gl_Position *= p.yzwx; } }\n"
    )
    assert main(["lit.vert", "--emit", "ir"]) == 0
    text = capsys.readouterr().out
    assert main(["lit.vert", "--emit", "dot"]) == 0
    graph = capsys.readouterr().out
    assert graph.startswith("digraph shader {\n")
    assert graph.count("{") == graph.count("}")
    blocks = sum(line.startswith("^") for line in text.splitlines())
    assert graph.count('[label="') - graph.count('[label="true"]') - graph.count('[label="false"]') == blocks
    branches = sum(line.startswith("  condbr") for line in text.splitlines())
    jumps = sum(line.startswith("  br ") for line in text.splitlines())
    assert graph.count(" -> ") == 2 * branches + jumps
    assert blocks > 1


def test_kinds_about_machine_code_need_a_target(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for kind in ("json", "stats", "c", "header"):
        assert main(["lit.vert", "--emit", kind]) == 2
        assert "no target given" in capsys.readouterr().err


def test_ir_for_a_target_uses_its_costs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = emitted("ir", "pica200", capsys)
    assert text.startswith("shader vertex")
    assert main(["lit.vert", "--target", "theia", "--emit", "ir"]) == 2
    assert "theia has no vertex stage" in capsys.readouterr().err


def test_what_lies_between_is_kept_on_demand(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out").mkdir()
    assert main(["lit.vert", "--target", "agal", "-o", "out/x.agalbin", "--save-temps"]) == 0
    for suffix, words in ((".i", ["-E"]), (".sir", ["--emit", "ir"]), (".s", ["-S"])):
        assert main(["lit.vert", "--target", "agal", *words]) == 0
        assert (folder / "out" / f"x{suffix}").read_text() == capsys.readouterr().out
    assert main(["lit.vert", "--emit", "ir", "--save-temps"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["lit.i", "lit.sir", "lit.vert", "out"]
