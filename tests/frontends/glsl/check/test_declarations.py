"""Declarations: qualifiers, precision, structures, arrays, initializers (GLSL ES 1.00 chapter 4)."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl.symbols import Stage
from glslc_multi.frontends.glsl.types import INT, MAT2, VEC2, ArrayType, StructType
from tests.frontends.glsl.check.support import check_body, check_global, check_text


@pytest.mark.parametrize(
    "text",
    [
        "uniform struct { float x; } anonymous;",
        "struct S { float x[2], y; lowp ivec2 z; }; uniform S s[3];",
        "struct S { sampler2D t; }; uniform S s;",
        "uniform sampler2D t[4];",
        "uniform bool b; uniform ivec3 i; uniform mat4 m;",
        "varying vec2 v[3]; varying mat3 m;",
        "invariant varying vec2 v;",
        "varying vec2 v; invariant v;",
        "invariant gl_FragCoord;",
        "const int n = 2; float a[n * 2 + int(3.7)];",
        "float a, b = 1.0, c[2];",
        "const struct S { float x; } s = S(1.0);",
        "precision highp int; precision lowp sampler2D; precision mediump samplerCube;",
        "layout(location = 3) uniform vec4 u;",
        "layout(location = 1 + 1) varying vec2 v;",
        "struct S { int x; }; float f(S s) { return 1.0; } S g() { return S(1); }",
        "int f(void) { return 1; }",
        "void f(const in float x, out float y, inout float z, float) { y = x; }",
        "void f(sampler2D t, const samplerCube c) {}",
        "float f(float x); float f(float x) { return x; }",
        "float f(float x) { return x; } float f(float x);",
        "float f(float x); float f(in float y) { return y; }",
        "float f(float x) { return x; } float f(int x) { return 1.0; }",
        "void f() { struct S { int x; }; S s; { struct S { float y; }; S s; s.y = 1.0; } s.x = 1; }",
        "void f() { float f = 1.0; f += 1.0; }",
        "void f(int x) { float x = 1.0; x += 1.0; }",
        "float tan;",
        "void f() { int i = 1; { int i = i; } }",
        "void f() { for (int i = 0; i < 2; i++) {} for (int i = 0; i < 2; i++) {} }",
        "void f() { while (bool b = false) {} int b; }",
    ],
)
def test_valid(text: str) -> None:
    assert check_global(text).errors == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        # names
        ("float x; int x;", "E0310"),
        ("float x; void x() {}", "E0310"),
        ("struct S { int a; }; int S;", "E0310"),
        ("void f(float a, int a) {}", "E0310"),
        ("void f() { float a; int a; }", "E0310"),
        ("void f() { for (int i = 0; i < 2; i++) { int i = 1; } }", "E0310"),
        ("void f() { while (bool b = false) { int b; } }", "E0310"),
        ("float gl_x;", "E0311"),
        ("void gl_f() {}", "E0311"),
        ("struct gl_S { int x; };", "E0311"),
        ("Missing x;", "E0302"),
        ("void f() { float S = 1.0; S x; }", "E0302"),
        ("void x;", "E0314"),
        ("struct S { void x; };", "E0314"),
        ("void f(void x) {}", "E0314"),
        # functions
        ("void f() {} void f() {}", "E0320"),
        ("void f(); void f();", "E0321"),
        ("float f(); int f() { return 1; }", "E0322"),
        ("void f(in float x); void f(out float x) { x = 1.0; }", "E0322"),
        ("void f(float x); void f(const float x) {}", "E0322"),
        ("void f(float x); void f(highp float x) {}", "E0322"),
        ("float f(); highp float f() { return 1.0; }", "E0322"),
        ("float sin(float x) { return x; }", "E0323"),
        ("float abs(float x);", "E0323"),
        ("void f() { float g(); }", "E0324"),
        ("void f() { f(); }", "E0326"),
        ("void g(); void f() { g(); } void g() { f(); }", "E0326"),
        ("struct S { float a[2]; }; S f() { S s; return s; }", "E0329"),
        # qualifiers
        ("varying invariant float x;", "E0330"),
        ("mediump uniform float x;", "E0330"),
        ("void f(lowp in float x) {}", "E0330"),
        ("void f(in const float x) {}", "E0330"),
        ("uniform varying float x;", "E0331"),
        ("const uniform float x;", "E0331"),
        ("lowp highp float x;", "E0331"),
        ("void f(const out float x) {}", "E0331"),
        ("void f(in out float x) {}", "E0331"),
        ("attribute vec4 a;", "E0332"),
        ("invariant uniform vec4 a;", "E0332"),
        ("invariant float a;", "E0332"),
        ("in float x;", "E0160"),
        ("void f(uniform float x) {}", "E0332"),
        ("void f(invariant float x) {}", "E0332"),
        ("void f() { uniform float x; }", "E0332"),
        ("void f() { in float x; }", "E0332"),
        ("const float f() { return 1.0; }", "E0332"),
        ("struct S { const float x; };", "E0332"),
        ("struct S { uniform float x; };", "E0332"),
        ("layout(location = 1) float x;", "E0332"),
        ("varying int x;", "E0333"),
        ("varying bvec2 x;", "E0333"),
        ("varying struct S { float x; } s;", "E0333"),
        ("sampler2D t;", "E0333"),
        ("void f() { samplerCube t; }", "E0333"),
        ("struct S { sampler2D t; }; S s;", "E0333"),
        ("void f(out sampler2D t) {}", "E0333"),
        ("float x; invariant x;", "E0334"),
        ("uniform float x; invariant x;", "E0334"),
        ("invariant gl_FrontFacing;", "E0334"),
        ("varying float v; void f() { invariant v; }", "E0335"),
        ("varying float v; float f() { return v; } invariant v;", "E0336"),
        ("invariant missing;", "E0301"),
        ("layout(binding = 1) uniform float x;", "E0338"),
        ("layout(location) uniform float x;", "E0339"),
        ("layout(location = -1) uniform float x;", "E0339"),
        ("layout(location = 1.0) uniform float x;", "E0339"),
        # precision
        ("lowp bool b;", "E0341"),
        ("mediump bvec2 b;", "E0341"),
        ("struct S { int x; }; lowp S s;", "E0341"),
        ("lowp struct S { int x; };", "E0341"),
        ("lowp void f() {}", "E0341"),
        ("precision lowp bool;", "E0342"),
        ("precision lowp vec2;", "E0342"),
        ("precision lowp void;", "E0342"),
        ("struct S { int x; }; precision lowp S;", "E0342"),
        # structures and arrays
        ("struct S { struct T { int x; } t; };", "E0350"),
        ("struct { struct { int x; } t, u; } s;", "E0350"),
        ("void f(struct S { int x; } s) {}", "E0351"),
        ("struct S { int x; } f() { return S(1); }", "E0351"),
        ("struct S { int x; float x; };", "E0352"),
        ("struct S { S s; };", "E0302"),
        ("float a[];", "E0353"),
        ("void f(float a[]) {}", "E0353"),
        ("struct S { float a[]; };", "E0353"),
        ("int n = 2; float a[n];", "E0354"),
        ("uniform int n; float a[n];", "E0354"),
        ("void f(const int n) { float a[n]; }", "E0354"),
        ("float a[2.0];", "E0354"),
        ("float a[true];", "E0354"),
        ("float a[0];", "E0355"),
        ("float a[-1];", "E0355"),
        ("float a[1000000];", "E0355"),
        ("struct S { float a[60000]; }; S s[60000];", "E0357"),
        # initializers
        ("uniform float x = 1.0;", "E0360"),
        ("varying float x = 1.0;", "E0360"),
        ("struct S { float a[2]; }; void f() { S s; S t = s; }", "E0360"),
        ("const float x;", "E0361"),
        ("const float x[2];", "E0361"),
        ("uniform float u; float x = u;", "E0362"),
        ("float y = 1.0; float x = y;", "E0362"),
        ("float g() { return 1.0; } float x = g();", "E0362"),
        ("void f() { float y; const float x = y; }", "E0362"),
        ("float x = 1;", "E0401"),
        ("int x = true;", "E0401"),
    ],
)
def test_invalid(text: str, code: str) -> None:
    assert check_global(text).error_codes == [code]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("attribute float a; attribute mat4 m;", ""),
        ("layout(location = 2) attribute vec2 a;", ""),
        ("invariant gl_Position; invariant gl_PointSize;", ""),
        ("attribute int a;", "E0333"),
        ("attribute float a[2];", "E0333"),
        ("struct S { float x; }; attribute S s;", "E0333"),
        ("attribute float a = 1.0;", "E0360"),
        ("invariant attribute float a;", "E0332"),
        ("attribute float a; void f() { a = 1.0; }", "E0410"),
        ("varying float v; void f() { v = 1.0; }", ""),
    ],
)
def test_vertex_shaders(text: str, code: str) -> None:
    assert check_global(text, "vertex").error_codes == ([code] if code else [])


@pytest.mark.parametrize(
    ("text", "stage", "errors"),
    [
        ("uniform float f;", "vertex", 0),
        ("uniform float f;", "fragment", 1),
        ("uniform mediump float f;", "fragment", 0),
        ("uniform int i; uniform bool b; uniform sampler2D t;", "fragment", 0),
        ("varying vec2 a; varying vec3 b;", "fragment", 1),
        ("vec2 f() { return vec2(0); }", "fragment", 1),
        ("void f(vec2 x) {}", "fragment", 1),
        ("struct S { mat2 m; };", "fragment", 1),
        ("void f() { float x; }", "fragment", 1),
        ("void f() { precision lowp float; float x; }", "fragment", 0),
        ("void f() { { precision lowp float; } float x; }", "fragment", 1),
        ("const float pi = 3.0;", "fragment", 1),
        ("void f() { if (sin(1.0) > 0.5) {} }", "fragment", 0),
    ],
)
def test_default_precision(text: str, stage: Stage, errors: int) -> None:
    """Section 4.5.3: float has no default in fragment shaders; one missing default is one message."""
    assert check_text(f"{text} void main() {{}}", stage).error_codes == ["E0340"] * errors


def test_declared_symbols() -> None:
    text = """
    layout(location = 4) uniform lowp vec2 u[3];
    struct S { mat2 m; highp int i; };
    uniform S s;
    const int n = 3;
    """
    shader = check_global(text).shader
    assert shader is not None
    u, s, n = shader.globals
    assert (u.type, u.storage, u.precision, u.location, u.is_global) == (ArrayType(VEC2, 3), "uniform", "lowp", 4, True)
    assert isinstance(s.type, StructType) and s.precision is None
    fields = [(field.name, field.type, field.precision) for field in s.type.fields]
    assert fields == [("m", MAT2, "mediump"), ("i", INT, "highp")]
    assert (n.storage, n.constant, n.writable) == ("const", (3,), False)


def test_an_initializer_sees_the_outer_name() -> None:
    """Section 4.2.2: the scope of a name begins after its initializer."""
    assert check_body("float x = x;", globals_="const float x = 1.0;").errors == []
    assert check_body("float x = 2.0, y = x;", globals_="const bool x = true;").errors == []
    assert check_body("S S = S(1); S.a = 2;", globals_="struct S { int a; };").errors == []


def test_names_with_two_underscores_are_warned_of() -> None:
    result = check_global("float a__b;")
    assert (result.error_codes, result.warning_codes) == ([], ["W0312"])


# --------------------------------------------------------------------------------- hidden parameters
@pytest.mark.parametrize(
    ("function", "warned"),
    [
        ("float f(float x) { float x = 0.5; return x; }", True),
        ("float f(float x) { { float x = 0.5; } return x; }", False),
        ("float f(float x) { for (int x = 0; x < 3; x++) {} return x; }", False),
        ("float f(float) { float x = 0.5; return x; }", False),
        ("float x; float f() { float x = 0.5; return x; }", False),
    ],
)
def test_a_local_that_hides_a_parameter(function: str, *, warned: bool) -> None:
    """GLSL ES 3.00 and some drivers have one scope for parameters and the outermost block of the body."""
    result = check_global(function)
    assert [d.message for d in result.diagnostics] == (["'x' hides the parameter of that name"] if warned else [])
    assert [label.text for d in result.diagnostics for label in d.labels] == ["declared here"] * warned


def test_a_constant_of_an_unknown_type_is_one_mistake() -> None:
    """Its value is not judged, too."""
    assert check_global("const Missing x = lost;").error_codes == ["E0302", "E0301"]
