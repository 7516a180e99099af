"""Settings as clients send them: what has no meaning is left out and named, the rest counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from glslc_multi.compiler.records import replace
from glslc_multi.lsp.settings import Settings, read_settings, with_project

PROJECT = """targets = ["rpi", "flash"]
include_dirs = ["common"]
std = "300es"
compat = true
defines = {A = 1, B = true, C = false}
"""


@pytest.mark.parametrize(
    ("sent", "expected", "problem"),
    [
        (None, Settings(), ""),
        ([], Settings(), ""),
        ({"glslcMulti": 3}, Settings(), "glslcMulti is no object"),
        ({"glslcMulti": {"compat": True}}, Settings(compat=True), ""),
        ({"compat": 1, "hints": 0}, Settings(), ""),
        ({"hints": False}, Settings(hints=False), ""),
        ({"targets": "agal"}, Settings(), "targets is no list of texts"),
        ({"targets": ["vc4", "toaster", "agal"]}, Settings(targets=("agal", "vc4")), "targets: there is no 'toaster'"),
        ({"targets": ["vc4", "all"]}, Settings(), ""),
        ({"includePaths": ["lib", "/abs", 3]}, Settings(), "includePaths is no list of texts"),
        ({"includePaths": ["lib", "/abs"]}, Settings(include_paths=("/shaders/lib", "/abs")), ""),
        ({"macros": [1]}, Settings(), "macros is no object"),
        ({"macros": {"A": 2, "B": True, "C": None}}, Settings(macros={"A": "2", "B": "1", "C": ""}), ""),
        ({"macros": {"A": 2, "1B": 3}}, Settings(macros={"A": "2"}), "'1B=3' does not define a macro"),
        ({"macros": {"gl_": 1, "GL_X": 1}}, Settings(macros={"gl_": "1"}), "'GL_X"),
        ({"std": "300es"}, Settings(std="300es"), ""),
        ({"std": "9"}, Settings(), "std: there is no version '9'"),
        ({"stages": {".x": "vertex", ".y": "hull"}}, Settings(stages={".x": "vertex"}), "stages: there is no 'hull'"),
    ],
)
def test_what_a_client_sends(sent: object, expected: Settings, problem: str) -> None:
    found = read_settings(sent, "/shaders")
    assert replace(found, problems=()) == expected
    assert len(found.problems) == bool(problem)
    assert all(text.startswith(problem) for text in found.problems)


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ("#pragma shader_stage(vertex)\n", "vertex"),
        ("void main() {}\n  # pragma  shader_stage ( fragment )", "fragment"),
        ("#pragma shader_stage(hull)\n", None),
        ("#pragma shader_stage(", None),
        ("// shader_stage(vertex)\n", None),
    ],
)
def test_the_stage_of_a_file_whose_name_does_not_tell(text: str, stage: str | None) -> None:
    assert Settings().stage_of("a.glsl", text) == stage
    assert Settings(stages={".glsl": "geometry"}).stage_of("a.glsl", text) == "geometry"
    assert Settings().stage_of("a.vert", text) == "vertex"
    assert Settings().stage_of("a.geom", text) == "geometry"


def test_a_project_says_what_the_editor_does_not(tmp_path: Path) -> None:
    (tmp_path / "glslc-multi.toml").write_text(PROJECT)
    file = str(tmp_path / "sub/a.vert")
    common = str(tmp_path / "common")
    assert with_project(Settings(), file) == Settings(
        ("agal", "vc4"), (common,), {"A": "1", "B": "1"}, std="300es", compat=True
    )
    own = Settings(("pica200",), ("/own",), {"A": "2", "C": "3"}, std="120", hints=False, problems=("old",))
    assert with_project(own, file) == Settings(
        ("pica200",), ("/own", common), {"A": "2", "B": "1", "C": "3"}, std="120", compat=True, hints=False
    )
    (tmp_path / "glslc-multi.toml").write_text("sdt = 1")
    assert with_project(own, file) == replace(
        own, problems=(f"cannot use '{tmp_path}/glslc-multi.toml': the file has no key 'sdt'",)
    )
    assert with_project(own, "/nowhere/a.vert") == replace(own, problems=())
