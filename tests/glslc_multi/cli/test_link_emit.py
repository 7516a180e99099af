"""`link --emit`: a file for every stage, which holds what the same kind is of a stage alone."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.cli.main import main

VERTEX = """attribute vec4 a_position; attribute vec2 a_uv; uniform mat4 u_matrix; varying vec2 v_uv;
void main() { gl_Position = u_matrix * a_position; v_uv = a_uv; }
"""
FRAGMENT = """precision mediump float; uniform sampler2D u_map; uniform vec4 u_tint; varying vec2 v_uv;
void main() { gl_FragColor = texture2D(u_map, v_uv) * u_tint; }
"""
LINK = ["link", "lit.vert", "lit.frag"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lit.vert").write_text(VERTEX)
    (tmp_path / "lit.frag").write_text(FRAGMENT)
    return tmp_path


@pytest.mark.parametrize("target", ["agal", "vc4", "pica200"])
def test_each_stage_has_its_register_map(target: str, folder: Path) -> None:
    assert main([*LINK, "--target", target, "--emit", "json", "-o", "map"]) == 0
    maps = {path.name: json.loads(path.read_text()) for path in folder.glob("map.*.json")}
    stages = {"map.vs.json": "vertex", "map.fs.json": "fragment"} | (
        {"map.cs.json": "coordinate"} if target == "vc4" else {}
    )
    assert {name: found["stage"] for name, found in maps.items()} == stages
    assert maps["map.vs.json"]["uniforms"][0]["name"] == "u_matrix"


@pytest.mark.parametrize("target", ["agal", "vc4", "pica200"])
def test_c_texts_of_both_stages_stand_in_one_program(target: str, folder: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler is installed")
    for kind in ("c", "header"):
        assert main([*LINK, "--target", target, "--emit", kind]) == 0
    assert main([*LINK, "--target", target, "-o", f"whole{load_target(target).suffix}"]) == 0
    (folder / "main.c").write_text(
        '#include <stdio.h>\n#include "lit.vs.h"\n#include "lit.fs.h"\n'
        "int main(void) {\n"
        "    fwrite(lit_vs_code, 1, LIT_VS_CODE_SIZE, stdout);\n"
        "    fwrite(lit_fs_code, 1, LIT_FS_CODE_SIZE, stdout);\n    return 0;\n}\n"
    )
    subprocess.run([compiler, "-Wall", "-Werror", "main.c", "-o", "main"], check=True)
    subprocess.run([compiler, "-Wall", "-Werror", "-c", "lit.vs.c", "lit.fs.c"], check=True)
    printed = subprocess.run(["./main"], check=True, capture_output=True).stdout
    names = ("whole.shbin", "whole.tev") if target == "pica200" else (f"whole.vs.{target}*", f"whole.fs.{target}*")
    (vertex,), (fragment,) = ([path for path in folder.glob(name) if path.suffix != ".json"] for name in names)
    assert printed == vertex.read_bytes() + fragment.read_bytes()


def test_text_goes_where_it_is_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*LINK, "--target", "agal", "-S"]) == 0
    text = capsys.readouterr().out
    assert main([*LINK, "--target", "agal", "--emit", "asm", "-o", "-"]) == 0
    assert capsys.readouterr().out == text
    assert main([*LINK, "--target", "agal", "--emit", "stats", "-o", "out.stats"]) == 0
    assert json.loads((folder / "out.vs.stats.json").read_text())["vertex"]["instructions"] > 0
    before = sorted(folder.iterdir())
    assert main([*LINK, "--target", "agal", "-S", "--emit", "c"]) == 2
    assert "'-S' and '--emit c' cannot be used together [E0916]" in capsys.readouterr().err
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    "output", [["--emit", "host", "-o", "new/deep/"], ["--emit", "json", "-o", "new/deep/map"], ["-o", "new/deep/code"]]
)
def test_the_folder_of_the_files_is_made(output: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*LINK, "--target", "vc4", *output]) == 0
    assert len(list((folder / "new" / "deep").iterdir())) > 1
    (folder / "lit.frag").write_text("void main() { gl_FragColor = undeclared; }")
    shutil.rmtree(folder / "new")
    assert main([*LINK, "--target", "vc4", *output]) == 1
    assert not (folder / "new").exists()


def test_folders_of_host_code_of_a_stage_and_of_several_targets_are_made(folder: Path) -> None:
    assert main(["lit.vert", "--target", "pica200", "--emit", "host", "-o", "new/"]) == 0
    assert (folder / "new" / "lit_vert.c").exists()
    assert main(["lit.vert", "--target", "pica200", "--target", "vc4", "-o", "out/{target}/{stem}"]) == 0
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["pica200", "vc4"]
