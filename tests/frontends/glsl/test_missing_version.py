"""A shader without `#version` that is not GLSL ES 1.00: one error says which version to write."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.diagnostics import CompileError, Diagnostic, DiagnosticSink
from glslc_multi.compiler.diagnostics.render import render
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.shaders import check_shader

MODERN = "uniform sampler2D s;\nin vec2 uv;\nout vec4 colour;\nvoid main() { colour = texture(s, uv); }\n"
OLD = "void main() { gl_TexCoord[0] = gl_MultiTexCoord0; gl_Position = ftransform(); }\n"


def mistakes(source: str, stage: Stage, std: str = "", compat: bool = False) -> tuple[Diagnostic, ...]:
    try:
        check_shader(source, filename="a.glsl", stage=stage, std=std, compat=compat, sink=DiagnosticSink())
    except CompileError as error:
        return tuple(error.diagnostics)
    return ()


@pytest.mark.parametrize(
    ("source", "stage", "version"),
    [
        (MODERN, "fragment", "330"),
        ("precision mediump float;\n" + MODERN, "fragment", "300 es"),
        ("layout(location = 0) in vec4 p;\nvoid main() { gl_Position = p; }", "vertex", "300 es"),
        ("uniform Block { vec4 p; };\nvoid main() { gl_Position = p; }", "vertex", "300 es"),
        ("#define IN in\nIN vec4 p;\nvoid main() { gl_Position = p; }", "vertex", "300 es"),
        (OLD, "vertex", "120"),
        ("void main() { gl_FragColor = gl_Color; }", "fragment", "120"),
    ],
)
def test_the_error_says_which_version_to_write(source: str, stage: Stage, version: str) -> None:
    (diagnostic,) = mistakes(source, stage)
    assert diagnostic.code == "E0160"
    assert diagnostic.help is not None
    assert f"write '#version {version}' as the first line" in diagnostic.help
    (fix,) = diagnostic.fixes
    assert (fix.span.line, fix.span.column, fix.text) == (1, 1, f"#version {version}\n")
    # With that line the mistake is gone.
    codes = [each.code for each in mistakes(fix.text + source, stage, compat=True)]
    assert "E0160" not in codes


def test_the_message() -> None:
    text = render(mistakes(MODERN, "fragment"))
    assert text.startswith(
        "a.glsl:2:1: error: 'in' is not GLSL ES 1.00, which a shader without '#version' is taken for [E0160]\n"
    )
    assert "help: write '#version 330' as the first line, or compile with --std 330\n" in text


@pytest.mark.parametrize(
    "source",
    [
        "float f(in float x, out float y) { y = x; return x; }\n"
        "void main() { float z; gl_Position = vec4(f(1.0, z)); }",
        "uniform struct S { vec4 p; } s;\nvoid main() { gl_Position = s.p; }",
        "struct S { float uniform_; };\nvoid main() { gl_Position = vec4(1.0); }",
        "vec4 ftransform() { return vec4(1.0); }\nvoid main() { gl_Position = ftransform(); }",
    ],
)
def test_what_gles_1_has_is_no_sign(source: str) -> None:
    assert mistakes(source, "vertex") == ()


@pytest.mark.parametrize("most", [1, 2, 20])
def test_however_few_errors_are_asked_for_it_is_this_one(most: int) -> None:
    sink = DiagnosticSink(max_errors=most)
    with pytest.raises(CompileError) as caught:
        check_shader(MODERN, filename="a.glsl", stage="fragment", sink=sink)
    assert [each.code for each in caught.value.diagnostics] == ["E0160"]


def test_what_the_preprocessor_has_reported_stays() -> None:
    codes = [each.code for each in mistakes(f"#define __X\n#error no\n{MODERN}", "fragment")]
    assert codes == ["W0102", "E0108", "E0160"]


def test_who_names_a_version_is_believed() -> None:
    codes = [each.code for each in mistakes(f"#version 100\n{OLD}", "vertex")]
    assert codes
    assert "E0160" not in codes
    assert "E0160" not in [each.code for each in mistakes(OLD, "vertex", std="100")]
