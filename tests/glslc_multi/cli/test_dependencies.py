"""Depfiles: their text, and that real make and ninja rebuild by them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from glslc_multi.cli.main import main
from tests.shared_data import PROJECT_ROOT

SHADER = """#extension GL_GOOGLE_include_directive : require
#include "scale one.glsl"
attribute vec4 p;
void main() { gl_Position = p * SCALE; }
"""
INCLUDED = """#extension GL_GOOGLE_include_directive : require
#include "deep#1.glsl"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shader whose included files have names that are hard for make."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.vert").write_text(SHADER)
    (tmp_path / "scale one.glsl").write_text(INCLUDED)
    (tmp_path / "deep#1.glsl").write_text("#define SCALE 2.0\n")
    return tmp_path


COMPILE = ["a.vert", "--target", "pica200"]


def test_the_rule_stands_beside_the_output(folder: Path) -> None:
    for flag in ("-MD", "-MMD"):
        assert main([*COMPILE, flag, "-o", "out.shbin"]) == 0
        assert (folder / "out.d").read_text() == (
            "out.shbin: \\\n  a.vert \\\n  scale\\ one.glsl \\\n  deep\\#1.glsl\n"
        )
        (folder / "out.d").unlink()


@pytest.mark.parametrize("flag", ["-M", "-MM"])
def test_only_the_rule(flag: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMPILE, flag]) == 0
    assert capsys.readouterr().out.startswith("a.shbin: \\\n  a.vert")
    assert not (folder / "a.shbin").exists()
    assert main(["a.vert", flag, "-MT", "x y", "-MT", "z", "-MF", "rule"]) == 0
    assert (folder / "rule").read_text().startswith("x y z: \\\n")


def test_targets_of_the_rule_as_they_are_or_quoted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["a.vert", "-M", "-MT", "$(OUT)", "-MQ", "$x y"]) == 0
    assert capsys.readouterr().out.startswith("$(OUT) $$x\\ y: \\\n")


def test_phony_rules_for_included_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMPILE, "-M", "-MP"]) == 0
    assert capsys.readouterr().out.endswith("deep\\#1.glsl\nscale\\ one.glsl:\ndeep\\#1.glsl:\n")


def test_other_kinds_of_output_have_rules_too(folder: Path) -> None:
    assert main(["a.vert", "--emit", "ir", "-o", "a.sir", "-MD"]) == 0
    assert (folder / "a.d").read_text().startswith("a.sir: ")
    assert main(["a.vert", "-E", "-o", "a.i", "-MD"]) == 0
    assert (folder / "a.d").read_text().startswith("a.i: ")


@pytest.mark.parametrize("words", [["-E", "-MD"], ["-M"], ["--emit", "ir", "-MD", "-MF", "x.d"]])
def test_a_rule_needs_a_name_for_what_is_made(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["a.vert", *words]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "[E0906]" in output.err


def test_no_rule_after_an_error(folder: Path) -> None:
    (folder / "deep#1.glsl").write_text("#define SCALE missing\n")
    assert main([*COMPILE, "-MD"]) == 1
    assert sorted(path.suffix for path in folder.iterdir()) == [".glsl", ".glsl", ".vert"]
    (folder / "deep#1.glsl").unlink()
    assert main([*COMPILE, "-M"]) == 1


def test_a_line_break_in_a_name_fits_no_rule(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "b\n.vert").write_text("void main() {}\n")
    assert main(["b\n.vert", "-M", "-MT", "b"]) == 2
    assert "no rule can hold a file name with a line break [E0913]" in capsys.readouterr().err


# ------------------------------------------------------------------------------- linked pairs
LINK = ["link", "a.vert", "a.frag", "--target", "pica200"]


@pytest.fixture
def pair(folder: Path) -> Path:
    (folder / "a.frag").write_text(
        "#extension GL_GOOGLE_include_directive : require\n"
        '#include "deep#1.glsl"\nprecision mediump float; void main() { gl_FragColor = vec4(0.25) * SCALE; }\n'
    )
    return folder


def test_one_rule_for_all_files_of_a_pair(pair: Path) -> None:
    assert main([*LINK, "-MD", "-MP", "-o", "build/out.shbin"]) == 0
    assert (pair / "build/out.d").read_text() == (
        "build/out.shbin build/out.tev: \\\n  a.vert \\\n  a.frag \\\n  scale\\ one.glsl \\\n  deep\\#1.glsl\n"
        "scale\\ one.glsl:\ndeep\\#1.glsl:\n"
    )


def test_a_rule_for_host_code_of_a_pair(pair: Path) -> None:
    assert main([*LINK, "--emit", "host", "-MD", "-MF", "host.d", "-o", "build/"]) == 0
    made, _, read = (pair / "host.d").read_text().partition(":")
    assert sorted(made.split()) == sorted(str(path.relative_to(pair)) for path in (pair / "build").iterdir())
    assert read.split()[1] == "a.vert"


def test_a_pair_on_standard_output_needs_a_name_in_the_rule(pair: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*LINK, "-S", "-MD", "-MF", "x.d"]) == 2
    assert "[E0906]" in capsys.readouterr().err
    assert main([*LINK, "-S", "-MD", "-MF", "x.d", "-MT", "all"]) == 0
    assert (pair / "x.d").read_text().startswith("all: ")


# ------------------------------------------------------------------------------- make and ninja
def build(words: list[str], folder: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(PROJECT_ROOT), "MAKEFLAGS": ""}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def check_rebuilds(words: list[str], folder: Path, idle: str) -> None:
    """Built once; again after a change of a file that is included at second hand; and not without a change."""
    build(words, folder)
    first = (folder / "a.shbin").read_bytes()
    assert idle in build(words, folder)
    deep = folder / "deep#1.glsl"
    deep.write_text("#define SCALE 3.0\n")
    later = deep.stat().st_mtime + 2
    os.utime(deep, (later, later))
    assert idle not in build(words, folder)
    assert (folder / "a.shbin").read_bytes() != first


def recipe(language: str) -> str:
    """The recipe in the documentation, with the command of this checkout."""
    text = (PROJECT_ROOT / "docs" / "build-tools.md").read_text(encoding="utf-8")
    code = text.partition(f"```{language}\n")[2].partition("```")[0]
    assert "glslc-multi --target" in code
    return code.replace("glslc-multi", f"{sys.executable} -m glslc_multi.cli.main")


def test_make_rebuilds_by_the_rule(folder: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    (folder / "Makefile").write_text(recipe("make"))
    check_rebuilds(["make", "a.shbin"], folder, "up to date")
    # Thanks to -MP, an included file that is gone is a reason to rebuild and not an error of make.
    (folder / "scale one.glsl").rename(folder / "other.glsl")
    (folder / "a.vert").write_text(SHADER.replace("scale one", "other"))
    build(["make", "a.shbin"], folder)


def test_ninja_rebuilds_by_the_rule(folder: Path) -> None:
    if shutil.which("ninja") is None:
        pytest.skip("ninja is not installed")
    (folder / "build.ninja").write_text(recipe("ninja").replace("out/lit", "a").replace("lit.vert", "a.vert"))
    check_rebuilds(["ninja"], folder, "no work to do")
