"""What people write who know another language: each with its remedy, and edits that make it compile."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.compiler.diagnostics import Diagnostic

HEAD = "precision mediump float; varying vec2 v; uniform mat4 m; uniform float x; uniform int n;\n"
#: Body of `main`, the remedy, and what the line is after the edits.
EDITED = [
    ("float y = x; if (y = 1.0) y = 2.0;", "'=' assigns, '==' compares", "float y = x; if (y == 1.0) y = 2.0;"),
    ("vec2 a = {0.2, -0.6};", "write 'vec2(0.2, -0.6)'", "vec2 a = vec2(0.2, -0.6);"),
    ("float f = (float)n;", "write 'float(n)'", "float f = float(n);"),
    ("struct S { float a; } s; s->a = x;", "there are no pointers: write '.'", "struct S { float a; } s; s.a = x;"),
]
#: Body, and the remedy, which is no sure edit.
TOLD = [
    ("vec4 p = m * vec3(v, 1.0);", "write 'vec4(v, 1.0)' for a point, 'vec4(v, 0.0)' for a direction"),
    ("vec3 p = mat3(1.0) * v;", "the vector needs 3 components: 'vec3(v, 1.0)'"),
    ("vec3 p = vec4(v, v) * mat3(1.0);", "take 3 components of the vector: '.xyz'"),
    ("float f = x ** 2.0;", "there is no such operator: write 'pow(x, y)'"),
    ("float f = (float)x.y;", "write 'float(...)' with what is converted in the parentheses"),
    ("let f = x;", "write the type of the value, such as 'float' or 'vec3'"),
    ("const g: f32 = 1.0;", "types stand in front of names: 'float g'"),
    ("const g: vec3f = 1.0;", "types stand in front of names: 'vec3 g'"),
    ("vec3 a = {0.2, 0.6};", None),
]


def mistakes(source: str) -> list[Diagnostic]:
    """The errors and warnings of a fragment shader."""
    try:
        return list(glslc_multi.compile(source, target="vc4", stage="fragment").diagnostics)
    except glslc_multi.CompileError as error:
        return list(error.diagnostics)


def edited(source: str, diagnostic: Diagnostic) -> str:
    """The source after the edits that a message offers."""
    lines = source.splitlines(keepends=True)
    for fix in sorted(diagnostic.fixes, key=lambda fix: (fix.span.line, fix.span.column), reverse=True):
        line = lines[fix.span.line - 1]
        lines[fix.span.line - 1] = line[: fix.span.column - 1] + fix.text + line[fix.span.end_column - 1 :]
    return "".join(lines)


@pytest.mark.parametrize(("body", "help", "after"), EDITED)
def test_a_sure_remedy_is_an_edit(body: str, help: str, after: str) -> None:
    source = f"{HEAD}void main() {{ {body} gl_FragColor = vec4(v, x, 1.0); }}\n"
    first = mistakes(source)[0]
    assert first.help == help
    mended = edited(source, first)
    assert after in mended
    assert [each for each in mistakes(mended) if each.severity == "error"] == []


@pytest.mark.parametrize(("body", "help"), TOLD)
def test_a_remedy_is_told(body: str, help: str | None) -> None:
    first = mistakes(f"{HEAD}void main() {{ {body} gl_FragColor = vec4(v, x, 1.0); }}\n")[0]
    assert (first.help, list(first.fixes)) == (help, [])


@pytest.mark.parametrize("version", ["", "#version 300 es\n"])
def test_a_toy_becomes_a_shader(version: str) -> None:
    """One edit after the other: what it declares, the precision, `main`."""
    body = "{ c = vec4(p / iResolution.xy, iTime, 1.0); }"
    source = f"{version}precision highp float;\nvoid mainImage(out vec4 c, in vec2 p) {body}"
    for _ in range(4):
        errors = [each for each in mistakes(source) if each.severity == "error"]
        if not errors:
            break
        source = edited(source, errors[0])
    assert errors == []
    assert "uniform highp vec3 iResolution;" in source
    assert "mainImage(" in source.splitlines()[-1]


def test_other_languages_are_named() -> None:
    (first, *_) = mistakes("@fragment fn main() -> vec4f { return vec4f(1.0); }")
    assert "WGSL" in (first.help or "")
    (first, *_) = mistakes("float4 main(float2 uv : TEXCOORD0) : SV_Target { return 1; }")
    assert "'.hlsl'" in (first.help or "")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("for (int i = 0; i < 4; i++); { f += 1.0; }", ["the loop"]),
        ("if (f > 1.0); f += 1.0;", ["the 'if'"]),
        ("for (int i = 0; i < 4; i++) {} if (f > 1.0) {}", []),
    ],
)
def test_empty_bodies_are_warned_of(body: str, words: list[str]) -> None:
    diagnostics = mistakes(f"{HEAD}void main() {{ float f = x; {body} gl_FragColor = vec4(f); }}")
    assert [each.message for each in diagnostics if each.code == "W0202"] == [
        f"this ';' is all that {word} governs" for word in words
    ]
