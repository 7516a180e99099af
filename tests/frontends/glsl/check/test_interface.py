"""Inputs, outputs, blocks and layouts of later versions: what each takes, by the sections of its specification."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.check.support import check_text

OTHERS = "struct P { vec2 a; ivec3 b; }; struct N { P p; }; struct A { float a[2]; };"


def _codes(text: str, version: str = "300 es", stage: Stage = "fragment") -> list[str]:
    precision = "precision mediump float;\n" if "es" in version or version == "100" else ""
    return check_text(f"#version {version}\n{precision}{OTHERS}\n{text}\nvoid main() {{}}\n", stage).error_codes


@pytest.mark.parametrize(
    ("version", "stage", "text"),
    [
        # GLSL ES 3.00 section 4.3.4
        ("300 es", "vertex", "in uvec4 a; in mat3x2 b; layout(location = 3) in int c;"),
        ("300 es", "fragment", "in vec2 a[3]; flat in uint b; flat in P c; smooth centroid in lowp float d;"),
        # section 4.3.6
        ("300 es", "vertex", "invariant smooth out float a; flat out ivec2 b[2]; centroid out mat4 c; flat out P d;"),
        ("300 es", "fragment", "layout(location = 1) out uvec3 a; layout(location = 2) out float b[2];"),
        # sections 4.3.7 and 4.3.8.3
        ("300 es", "vertex", "uniform B { layout(row_major) mat4 m; uniform vec3 v; } b[2];"),
        ("300 es", "vertex", "layout(std140, row_major) uniform; layout(packed) uniform B { P p[2]; bool q; };"),
        ("300 es", "vertex", "uniform B { float x; } b; void f() { float B = b.x; }"),
        ("300 es", "fragment", "precision lowp sampler3D; uniform sampler3D a; uniform uint b;"),
        # desktop GLSL
        ("120", "vertex", "centroid varying vec2 a;"),
        ("130", "vertex", "out ivec2 a; noperspective out vec3 b; varying float c; attribute vec4 d;"),
        ("130", "fragment", "in float gl_ClipDistance[2]; uniform int a; out vec4 b; out vec4 c;"),
        ("140", "vertex", "layout(STD140) uniform B { float a; };"),
        ("150", "vertex", "out B { vec4 c; flat P p[2]; } b; out gl_PerVertex { vec4 gl_Position; };"),
        ("150", "vertex", "in vec4 a[3]; out N n;"),
        ("330", "vertex", "layout(location = 2) in vec4 a; uniform float b;"),
    ],
)
def test_a_version_takes(version: str, stage: Stage, text: str) -> None:
    assert _codes(text, version, stage) == []


@pytest.mark.parametrize(
    ("version", "stage", "text", "code"),
    [
        ("100", "vertex", "in vec4 a;", "E0332"),
        ("100", "vertex", "uniform B { float a; };", "E0375"),
        ("120", "vertex", "uniform B { float a; };", "E0375"),
        ("140", "vertex", "out B { float a; };", "E0375"),
        # types
        ("300 es", "vertex", "in bool a;", "E0333"),
        ("300 es", "vertex", "in vec4 a[2];", "E0333"),
        ("300 es", "vertex", "in P a;", "E0333"),
        ("300 es", "fragment", "flat in N a;", "E0333"),
        ("300 es", "fragment", "in A a;", "E0333"),
        ("300 es", "fragment", "flat in P a[2];", "E0333"),
        ("300 es", "fragment", "out mat2 a;", "E0333"),
        ("300 es", "fragment", "out bool a;", "E0333"),
        ("300 es", "fragment", "in int a;", "E0372"),
        ("300 es", "vertex", "out uvec2 a;", "E0372"),
        ("130", "fragment", "in int a;", "E0372"),
        ("150", "fragment", "in B { int a; };", "E0372"),
        # words
        ("300 es", "fragment", "invariant in float a;", "E0332"),
        ("300 es", "vertex", "flat in float a;", "E0332"),
        ("300 es", "fragment", "flat out float a;", "E0332"),
        ("300 es", "fragment", "in smooth float a;", "E0330"),
        ("300 es", "fragment", "flat smooth in float a;", "E0331"),
        ("300 es", "vertex", "flat invariant out float a;", "E0330"),
        ("130", "vertex", "smooth varying float a;", "E0332"),
        # layouts
        ("300 es", "fragment", "layout(location = 0) in vec4 a;", "E0370"),
        ("300 es", "vertex", "layout(location = 0) uniform vec4 a;", "E0370"),
        ("300 es", "vertex", "layout(location = 1 + 1) in vec4 a;", "E0339"),
        ("300 es", "vertex", "layout(location = -1) in vec4 a;", "E0339"),
        ("300 es", "vertex", "layout(std140) uniform vec4 a;", "E0370"),
        ("300 es", "vertex", "layout(std430) uniform B { vec4 a; };", "E0338"),
        ("300 es", "vertex", "uniform B { layout(std140) vec4 a; };", "E0370"),
        ("300 es", "vertex", "layout(STD140) uniform B { vec4 a; };", "E0338"),
        ("300 es", "vertex", "layout(std140) in;", "E0371"),
        ("150", "vertex", "layout(location = 0) in vec4 a;", "E0306"),
        ("300 es", "fragment", "layout(location = 1) out vec4 a; layout(location = 0) out vec4 b[2];", "E0508"),
        ("300 es", "fragment", "layout(location = 0) out vec4 a; out vec4 b;", "E0379"),
        ("300 es", "fragment", "layout(location = 8) out vec4 a;", "E0382"),
        # blocks
        ("300 es", "vertex", "uniform B { sampler2D a; };", "E0333"),
        ("300 es", "vertex", "uniform B { struct S { float a; } s; };", "E0350"),
        ("300 es", "vertex", "uniform B { float a; } b, c;", "E0377"),
        ("300 es", "vertex", "uniform B { float a; }; uniform B { float b; };", "E0310"),
        ("300 es", "vertex", "uniform B { float a; }; float a;", "E0310"),
        ("300 es", "vertex", "uniform B { float a; }; float B;", "E0310"),
        ("300 es", "vertex", "uniform B { in float a; };", "E0332"),
        ("300 es", "vertex", "const B { float a; };", "E0374"),
        ("150", "vertex", "in B { float a; };", "E0376"),
        ("150", "vertex", "out gl_PerVertex { vec4 gl_FragCoord; };", "E0378"),
        ("300 es", "vertex", "uniform B { float a; } b[2]; uniform int i; void f() { float x = b[i].a; }", "E0380"),
        ("300 es", "vertex", "uniform B { float a; } b; void f() { b.a = 1.0; }", "E0410"),
        # built-in names of other versions
        ("300 es", "fragment", "int a = gl_MaxVaryingVectors;", "E0301"),
        ("100", "vertex", "void f() { int a = gl_VertexID; }", "E0301"),
        ("130", "vertex", "void f() { int a = gl_InstanceID; }", "E0301"),
        ("130", "vertex", "out float gl_ClipDistance[9];", "E0311"),
        ("130", "vertex", "out vec2 gl_ClipDistance[2];", "E0311"),
        ("120", "vertex", "varying vec3 gl_TexCoord[2];", "E0311"),
        ("300 es", "vertex", "precision highp uint;", "E0342"),
        ("300 es", "vertex", "uniform sampler3D a;", "E0340"),
    ],
)
def test_a_version_refuses(version: str, stage: Stage, text: str, code: str) -> None:
    assert _codes(text, version, stage)[:1] == [code]


@pytest.mark.parametrize(
    ("version", "body", "codes"),
    [
        ("130", "c = vec4(1.0); gl_FragColor = c;", ["E0383"]),
        ("130", "c = vec4(1.0); gl_FragDepth = 0.5;", []),
        ("300 es", "c = vec4(1.0); c.x = c.y;", []),
    ],
)
def test_outputs_are_written(version: str, body: str, codes: list[str]) -> None:
    precision = "precision mediump float;" if "es" in version else ""
    assert check_text(f"#version {version}\n{precision}out vec4 c; void main() {{ {body} }}").error_codes == codes


def test_the_pragma_for_invariance_is_of_vertex_shaders() -> None:
    text = "#version 300 es\n#pragma STDGL invariant(all)\nvoid main() {}\n"
    assert check_text(text).error_codes == ["E0384"]
    assert check_text(text, "vertex").error_codes == []
