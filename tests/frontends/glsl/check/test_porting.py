"""What another version has otherwise is told with the edit that mends it."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.shaders import check_shader


def mistakes(source: str, stage: Stage) -> list[Diagnostic]:
    try:
        check_shader(source, filename="a.glsl", stage=stage, sink=DiagnosticSink())
    except CompileError as error:
        return list(error.diagnostics)
    return []


def mended(source: str, diagnostic: Diagnostic) -> str:
    """The text after the fixes, applied from the last to the first."""
    lines = source.split("\n")
    for fix in sorted(diagnostic.fixes, key=lambda fix: (fix.span.line, fix.span.column), reverse=True):
        line = lines[fix.span.line - 1]
        lines[fix.span.line - 1] = line[: fix.span.column - 1] + fix.text + line[fix.span.end_column - 1 :]
    return "\n".join(lines)


HEAD = "#version 300 es\nprecision mediump float;\nuniform sampler2D s;\nuniform samplerCube c;\nuniform vec4 v;\n"


@pytest.mark.parametrize(
    "call",
    [
        "texture2D(s, v.xy) + texture2D(s, v.yx)",
        "texture2DProj(s, v)",
        "textureCube(c, v.xyz)",
        "texture2DLodEXT(s, v.xy, 1.0)",
        "texture2DGradEXT(s, v.xy, v.xy, v.xy)",
    ],
)
def test_texture_functions_of_gles_1(call: str) -> None:
    source = f"{HEAD}vec4 f() {{ return {call}; }}\n"
    diagnostic = mistakes(source, "fragment")[0]
    assert diagnostic.code == "E0301"
    assert diagnostic.help is not None
    assert diagnostic.help.startswith("write 'texture")
    assert mistakes(mended(source, diagnostic), "fragment") == []


@pytest.mark.parametrize(
    ("stage", "word", "new"),
    [("vertex", "attribute", "in"), ("vertex", "varying", "out"), ("fragment", "varying", "in")],
)
def test_qualifiers_of_gles_1(stage: Stage, word: str, new: str) -> None:
    source = f"#version 300 es\n{word} highp vec4 p;\n"
    (diagnostic,) = mistakes(source, stage)
    assert (diagnostic.code, diagnostic.help) == ("E0204", f"write '{new}'")
    assert mended(source, diagnostic) == f"#version 300 es\n{new} highp vec4 p;\n"


@pytest.mark.parametrize("version", ["100", "300 es"])
def test_missing_precision(version: str) -> None:
    source = f"#version {version}\n\n// values\nuniform\n  vec2 a;\nvoid f() {{ float x = 1.0; }}\n"
    (diagnostic,) = mistakes(source, "fragment")
    assert diagnostic.code == "E0340"
    corrected = mended(source, diagnostic)
    assert corrected.split("\n")[3] == "precision mediump float;"
    assert mistakes(corrected, "fragment") == []


def test_an_int_where_a_float_is_wanted() -> None:
    source = "#version 300 es\nprecision mediump float;\nfloat f() { float x = 1; return x; }\n"
    (diagnostic,) = mistakes(source, "fragment")
    assert mistakes(mended(source, diagnostic), "fragment") == []


@pytest.mark.parametrize(
    ("definition", "is_mended"),
    [
        ("N 2", True), ("N (2)", True), ("N ( -2 )", True), ("N 2 // two", True), ("N 2\n#define N2 N", True),
        # The number that is meant is a part of what the macro stands for: the use itself is no place for an edit.
        ("N v.x / 2", False), ("N (v.x / 2)", False), ("N (2 / v.x)", False), ("N v.x / M\n#define M 2", False),
    ],
)  # fmt: skip
def test_what_a_macro_stands_for_becomes_float_as_a_whole_or_not_at_all(definition: str, is_mended: bool) -> None:
    source = f"{HEAD}#define {definition}\nfloat f() {{ return v.x * {'N2' if 'N2' in definition else 'N'}; }}\n"
    diagnostic = mistakes(source, "fragment")[0]
    assert bool(diagnostic.fixes) == is_mended
    assert not is_mended or mistakes(mended(source, diagnostic), "fragment") == []


def test_names_of_other_languages_are_answered_in_the_words_of_the_version() -> None:
    found = {
        version: mistakes(
            f"#version {version}\nuniform highp sampler2D s;\nvoid f() {{ tex2D(s, vec2(1.0)); }}", "vertex"
        )
        for version in ("100", "300 es")
    }
    assert found["100"][0].help == "write 'texture2D(s, uv)'"
    assert found["300 es"][0].help == "write 'texture(s, uv)'"


def test_fixed_functions_need_an_option() -> None:
    (diagnostic,) = mistakes("#version 330\nvoid main() { gl_Position = gl_Vertex; }", "vertex")
    assert diagnostic.help == "compile with --compat, or declare it under a name of your own"


def test_one_run_tells_of_all_words_of_the_older_version() -> None:
    text = "#version 300 es\nattribute vec2 p;\nvarying vec2 v;\nvoid main() { v = p; gl_Position = texture2D(p); }\n"
    found = [(d.code, d.span.line, [fix.text for fix in d.fixes]) for d in mistakes(text, "vertex") if d.span]
    assert found == [("E0204", 2, ["in"]), ("E0204", 3, ["out"]), ("E0301", 4, ["texture"])]


def test_a_reserved_word_for_a_name_is_one_mistake() -> None:
    text = "#version 300 es\nvoid main() { int attribute = 1; gl_Position = vec4(0.0); }\n"
    assert [d.code for d in mistakes(text, "vertex")] == ["E0204"]
