"""What a project file says counts where the command line says nothing, in all commands that compile."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from glslc_multi.cli.compile_options import only_target
from glslc_multi.cli.main import main
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.shared_data import PROJECT_ROOT

VERTEX = """attribute vec4 a_position; uniform float u[4]; varying vec2 v_uv;
void main() { gl_Position = a_position * N; v_uv = a_position.xy; }
"""
FRAGMENT = "precision mediump float; varying vec2 v_uv; void main() { gl_FragColor = vec4(v_uv, N, 1.0); }\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shaders").mkdir()
    (tmp_path / "shaders/a.vert").write_text(VERTEX)
    (tmp_path / "shaders/a.frag").write_text(FRAGMENT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GLSLC_MULTI_CACHE", "off")
    _project(tmp_path, 'targets = ["flash"]\ndefines.N = 2.0\noptions.agal.agal_version = 3\n')
    return tmp_path


def _project(place: Path, text: str) -> None:
    (place / "glslc-multi.toml").write_text(text)


def _text(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what a command prints, which must be well."""
    capsys.readouterr()
    assert main(list(words)) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_the_command_line_takes_precedence(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def preprocessed(*words: str) -> str:
        return _text(capsys, "shaders/a.vert", "-E", *words)

    assert _text(capsys, "shaders/a.vert", "-S").startswith("// agal 3 vertex\n")
    assert _text(capsys, "shaders/a.vert", "-S", "--agal-version", "1").startswith("// agal 1 vertex\n")
    assert _text(capsys, "--agal-version", "1", "shaders/a.vert", "-S").startswith("// agal 1 vertex\n")
    assert "vpm" in _text(capsys, "shaders/a.vert", "-S", "--target", "vc4")
    assert "a_position * 2.0" in preprocessed()
    assert "a_position * 7.0" in preprocessed("-DN=7.0")
    assert "a_position * N" in preprocessed("-UN")
    assert "a_position * N" in preprocessed("--no-project")


def test_the_search_begins_at_the_shader(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = place / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "glslc-multi.toml").write_text("defines.N = 5.0")
    monkeypatch.chdir(elsewhere)
    for name in ("../shaders/a.vert", str(place / "shaders/a.vert")):
        assert "a_position * 2.0" in _text(capsys, name, "-E")
    monkeypatch.setattr(sys, "stdin", open("../shaders/a.vert", encoding="utf-8"))  # noqa: SIM115, PTH123
    assert "a_position * 5.0" in _text(capsys, "-", "--stage", "vert", "-E")
    monkeypatch.setattr(sys, "stdin", open("../shaders/a.vert", encoding="utf-8"))  # noqa: SIM115, PTH123
    assert "a_position * 2.0" in _text(capsys, "-", "--stdin-name", "../shaders/new.vert", "-E")


def test_versions_levels_folders_and_constants(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "common").mkdir()
    (place / "common/n.glsl").write_text("#define N 9.0\n")
    (place / "own").mkdir()
    (place / "own/n.glsl").write_text("#define N 4.0\n")
    (place / "shaders/b.vert").write_text(
        "#extension GL_GOOGLE_include_directive : require\n#include <n.glsl>\n"
        "in vec4 p; void main() { gl_Position = p * N; }\n"
    )
    _project(place, 'std = "300es"\ninclude_dirs = ["common"]\n')
    assert "p * 9.0" in _text(capsys, "shaders/b.vert", "-E")
    assert "p * 4.0" in _text(capsys, "shaders/b.vert", "-E", "-I", "own")
    assert main(["check", "shaders/b.vert"]) == 0
    assert main(["check", "shaders/b.vert", "--std", "100"]) == 1
    (place / "shaders/c.vert").write_text("#version 110\nvoid main() { gl_Position = gl_Vertex; }\n")
    _project(place, "compat = true\n")
    assert main(["check", "shaders/c.vert"]) == 0
    assert main(["check", "shaders/c.vert", "--no-compat"]) == 1
    (place / "shaders/d.vert").write_text("attribute vec4 p; void main() { gl_Position = p + p * 0.0; }\n")
    _project(place, "optimisation = 0\n")
    plain = _text(capsys, "shaders/d.vert", "--emit", "ir")
    assert plain == _text(capsys, "shaders/d.vert", "--emit", "ir", "--no-project", "-O0")
    assert plain != _text(capsys, "shaders/d.vert", "--emit", "ir", "-O2")


def test_check_link_and_explain(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "shaders/a.vert", "shaders/a.frag"]) == 0
    assert _text(capsys, "link", "shaders/a.vert", "shaders/a.frag", "-S").count("// agal 3") == 2
    assert "agal" in _text(capsys, "explain", "shaders/a.vert")
    # A command that takes one target leaves out several.
    _project(place, 'targets = ["agal", "vc4"]\ndefines.N = 2.0\n')
    assert main(["link", "shaders/a.vert", "shaders/a.frag", "-S"]) == 2
    assert "no target given" in capsys.readouterr().err
    assert main(["link", "shaders/a.vert", "shaders/a.frag", "-S", "--target", "vc4"]) == 0


def test_targets_count_for_what_needs_one(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The text after preprocessing is the same for all, and a file of machine code has a target of its own."""
    _project(place, 'targets = ["agal", "vc4"]\ndefines.N = 2.0\n')
    assert _text(capsys, "shaders/a.vert", "-E").count("a_position * 2.0") == 1
    assert _text(capsys, "shaders/a.vert", "--emit", "ir").count("func") == 1
    assert _text(capsys, "shaders/a.vert", "-S").count("// agal") == 1
    options = argparse.Namespace(targets=[], project=argparse.Namespace(targets=("agal",)))
    assert only_target(options, DiagnosticSink(), "a.shbin").name == "pica200"
    assert only_target(options, DiagnosticSink(), "a.vert").name == "agal"


def test_a_batch_of_a_folder_and_of_the_project_itself(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["batch", "shaders", "-o", "out", "-j", "1"]) == 0
    assert (place / "out/agal/a.frag.agalbin").exists()
    listed = json.loads(_text(capsys, "batch", "shaders", "--list", "--target", "vc4"))
    assert [row["target"] for row in listed["variants"]] == ["vc4", "vc4"]
    text = (place / "glslc-multi.toml").read_text()
    _project(place, f'{text}output = "built"\n[[shader]]\nvertex = "shaders/a.vert"\nfragment = "shaders/a.frag"\n')
    assert main(["batch", "-j", "1"]) == 0
    assert (place / "built/agal/shaders/a.fs.agalbin").exists()


def test_a_manifest_goes_before_the_project(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "shaders/m.toml").write_text(
        '[[shader]]\nsource = "a.vert"\nemit = ["asm"]\n[[shader]]\nsource = "a.vert"\nname = "own"\nemit = ["asm"]\n'
        'targets = ["agal", "vc4"]\ndefines.N = 3.0\noptions.agal.agal_version = 2\n'
    )
    assert main(["batch", "shaders/m.toml", "-o", "out", "-j", "1"]) == 0
    assert (place / "out/agal/a.vert.s").read_text().startswith("// agal 3 vertex\n")
    assert (place / "out/agal/a.vert.own.s").read_text().startswith("// agal 2 vertex\n")
    rows = json.loads((place / "out/index.json").read_text())["variants"]
    assert [(row["target"], row["defines"]) for row in rows] == [
        ("agal", {"N": "2.0"}), ("agal", {"N": "3.0"}), ("vc4", {"N": "3.0"}),
    ]  # fmt: skip
    assert main(["batch", "shaders/m.toml", "-o", "out", "-j", "1", "--no-project"]) == 2
    assert "[[shader]] 1: it names no target" in capsys.readouterr().err


def test_a_mistake_in_it_is_an_error_unless_it_is_left_out(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _project(place, "\nstandard = 3")
    assert main(["shaders/a.vert", "-E"]) == 2
    assert "glslc-multi.toml:2:1: error: cannot use 'glslc-multi.toml': the file has no key" in capsys.readouterr().err
    assert main(["shaders/a.vert", "-E", "--no-project"]) == 0
    assert main(["shaders/a.vert", "--help"]) == 0


def test_a_rule_names_it(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _text(capsys, "shaders/a.vert", "-M") == "a.agalbin: \\\n  shaders/a.vert \\\n  glslc-multi.toml\n"
    assert "toml" not in _text(capsys, "shaders/a.vert", "-M", "--no-project", "--target", "agal")


def _run(place: Path, folder: str) -> str:
    known = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT), "GLSLC_MULTI_CACHE": str(place / "cache")}
    words = [sys.executable, "-m", "glslc_multi.entry", "a.vert", "-E"]
    ran = subprocess.run(words, cwd=place / folder, env=known, capture_output=True, text=True, check=True)
    return ran.stdout.partition("a_position * ")[2][:3]


def test_the_cache_notices_every_change_of_it(place: Path) -> None:
    assert _run(place, "shaders") == _run(place, "shaders") == "2.0"
    _project(place, "defines.N = 3.0")
    assert _run(place, "shaders") == "3.0"
    (place / "shaders/glslc-multi.toml").write_text("defines.N = 4.0")
    assert _run(place, "shaders") == "4.0"
    (place / "shaders/glslc-multi.toml").unlink()
    assert _run(place, "shaders") == "3.0"
    (place / "glslc-multi.toml").unlink()
    assert _run(place, "shaders") == "N; "
    # The same words elsewhere, with a project file where the first run had none to look for.
    (place / "other/deep/er/still").mkdir(parents=True)
    (place / "other/glslc-multi.toml").write_text("defines.N = 6.0")
    (place / "other/deep/er/still/a.vert").write_text(VERTEX)
    assert _run(place, "other/deep/er/still") == "6.0"
    assert _run(place, "shaders") == "N; "
