"""`PREFIX.mk`, run by make in a project of devkitPro's form: the first run finds what it makes, later ones make what is
older than its shaders."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import glslc_multi
from glslc_multi.runtime.shader import CompiledProgram, CompiledShader
from tests.shared_data import PROJECT_ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")

VERTEX = "attribute vec4 p; varying vec4 v_color; void main() { gl_Position = p; v_color = p; }"
FRAGMENT = "precision mediump float; varying vec4 v_color; void main() { gl_FragColor = v_color; }"
#: The rule stands before the Makefile's own, and the sources are looked for before either.
MAKEFILE = """
SOURCES := $(wildcard source/*.c)
include source/lit.mk
all: ; @echo sources $(SOURCES)
"""


def project(folder: Path, made: CompiledShader | CompiledProgram, **texts: str) -> Path:
    (folder / "source").mkdir()
    (folder / "source/lit.mk").write_bytes(made.host_code(prefix="lit")["lit.mk"])
    for suffix, text in texts.items():
        (folder / f"source/lit.{suffix}").write_text(text)
    (folder / "Makefile").write_text(MAKEFILE)
    return folder


def make(folder: Path, *arguments: str) -> list[str]:
    # A make that runs the tests would make this one tell of folders.
    outside = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    environment = {**outside, "PYTHONPATH": str(PROJECT_ROOT), "GLSLC_MULTI_CACHE": "off"}
    environment["GLSLC_MULTI"] = f"{sys.executable} -m glslc_multi"
    done = subprocess.run(["make", *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_pair(tmp_path: Path) -> None:
    made = glslc_multi.link(VERTEX, FRAGMENT, target="pica200")
    folder = project(tmp_path, made, vert=VERTEX, frag=FRAGMENT)
    first, second = make(folder), make(folder)
    assert [line.split()[:2] for line in first[1:]] == [["sources", "source/lit.c"]] and "link" in first[0]
    assert second == ["sources source/lit.c"], "nothing has changed"
    files = {path.name: path.read_bytes() for path in (folder / "source").iterdir()}
    assert {name: files[name] for name in made.host_code(prefix="lit")} == made.host_code(prefix="lit")


def test_a_changed_shader_is_compiled_again(tmp_path: Path) -> None:
    made = glslc_multi.compile(VERTEX, target="pica200", stage="vertex")
    folder = project(tmp_path, made, vert=VERTEX)
    make(folder)
    before = (folder / "source/lit.c").read_bytes()
    (folder / "source/lit.vert").write_text(VERTEX.replace("v_color = p", "v_color = -p"))
    assert len(make(folder)) == 2
    assert (folder / "source/lit.c").read_bytes() != before


def test_options_and_texts_can_be_others(tmp_path: Path) -> None:
    made = glslc_multi.compile(VERTEX, target="pica200", stage="vertex")
    folder = project(tmp_path, made, vert="what is not compiled")
    (folder / "other.vert").write_text(VERTEX.replace("= p;", "= p * FACTOR;"))
    (compiled, _) = make(folder, "LIT_SHADERS=other.vert", "GLSLC_MULTI_FLAGS=-DFACTOR=2.0")
    assert "-DFACTOR=2.0 other.vert" in compiled


def test_nothing_is_made_of_a_wrong_shader(tmp_path: Path) -> None:
    made = glslc_multi.compile(VERTEX, target="pica200", stage="vertex")
    folder = project(tmp_path, made, vert=VERTEX.replace("v_color = p", "v_color = q"))
    with pytest.raises(AssertionError, match="E0301"):
        make(folder)
    assert not (folder / "source/lit.c").exists()


def test_rules_that_are_left_out_are_missed(tmp_path: Path) -> None:
    """Without that of this file the source is not found in time, and without its last line it is all that is made."""
    made = glslc_multi.compile(VERTEX, target="pica200", stage="vertex")
    folder = project(tmp_path, made, vert=VERTEX)
    rules = folder / "source/lit.mk"
    whole = rules.read_text()
    rules.write_text(whole.replace(" $(LIT_FOLDER)lit.mk:", ":"))
    assert make(folder) == ["sources"]
    rules.write_text(whole)
    make(folder)
    rules.write_text(whole.replace(".DEFAULT_GOAL := $(LIT_GOAL)", ""))
    assert make(folder)[-1] != "sources source/lit.c"
