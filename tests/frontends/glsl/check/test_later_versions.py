"""Rules that differ between versions: types of operators, arrays as values, `switch`, scopes, constant expressions."""

from __future__ import annotations

import pytest

from tests.frontends.glsl.check.support import check_text, constant_of

GLOBALS = """
struct S { int x; float a[2]; };
uniform int i; uniform uint u; uniform float f; uniform ivec3 i3; uniform uvec3 u3; uniform uvec2 u2; uniform vec3 v3;
uniform mat2x3 m23; uniform mat3x2 m32; uniform mat3 m3; uniform float arr[3]; uniform S s; uniform bool b;
uniform sampler2D t[2];
"""


def _codes(body: str, version: str = "300 es", globals_: str = GLOBALS) -> list[str]:
    precision = "precision mediump float;\n" if "es" in version or version == "100" else ""
    return check_text(f"#version {version}\n{precision}{globals_}\nvoid main() {{\n{body}\n}}\n").error_codes


@pytest.mark.parametrize(
    ("type_", "expression"),
    [
        ("uint", "u + 1u"),
        ("uvec3", "u3 % u"),
        ("uvec3", "7u & u3"),
        ("int", "i << u"),
        ("ivec3", "i3 >> u3"),
        ("ivec3", "i3 << i"),
        ("uint", "~u"),
        ("uint", "-u"),
        ("bool", "u < 2u"),
        ("mat2", "m32 * m23"),
        ("mat3", "m23 * m32"),
        ("vec2", "v3 * m23"),
        ("vec2", "m32 * v3"),
        ("mat2x3", "m3 * m23"),
        ("bool", "arr == arr"),
        ("bool", "s != s"),
        ("float[3]", "b ? arr : arr"),
        ("S", "S(1, float[2](f, f))"),
        ("float", "float[](f, 1.0)[i]"),
        ("int", "arr.length()"),
        ("float", "arr[u]"),
    ],
)
def test_results(type_: str, expression: str) -> None:
    assert _codes(f"{type_} result = {expression};") == []


@pytest.mark.parametrize(
    ("code", "statement"),
    [
        ("E0402", "i + u;"),
        ("E0402", "f % f;"),
        ("E0402", "i & f;"),
        ("E0402", "i & u;"),
        ("E0402", "i << i3;"),
        ("E0402", "i3 << u2;"),
        ("E0402", "m23 * m23;"),
        ("E0402", "u3 % u2;"),
        ("E0402", "int x; x <<= f;"),
        ("E0403", "~f;"),
        ("E0403", "~m3;"),
        ("E0401", "int x = u;"),
        ("E0401", "float x = 1;"),
        ("E0401", "float x[2] = arr;"),
        ("E0401", "float x[] = int[](1, 2);"),
        ("E0401", "S x = S(1, arr);"),
        ("E0430", "float[3](f, f);"),
        ("E0401", "float[](f, i);"),
        ("E0441", "float[]();"),
        ("E0440", "sampler2D[2](t[0], t[1]);"),
        ("E0353", "float x[];"),
        ("E0359", "float[2] x[3];"),
        ("E0314", "void[2] x;"),
        ("E0424", "arr[f];"),
        ("E0427", "v3.length();"),
        ("E0420", "arr.length;"),
        ("E0426", "t[i];"),
        ("E0463", "int x = 4294967296;"),
        ("E0463", "uint x = 0x100000000u;"),
        ("E0362", "const int x = (1, 2);"),
    ],
)
def test_mistakes(code: str, statement: str) -> None:
    assert _codes(statement) == [code]


@pytest.mark.parametrize(
    ("statement", "code", "versions"),
    [
        ("float x = 1;", "E0401", "100 110"),
        ("mat2(mat3(1.0));", "E0445", "110"),
        ("const float x = sin(1.0);", "E0362", "110"),
        ("const int x = (1, 2);", "E0362", "300es"),
        ("for (int k = 0; k < 2; k++) t[k];", "E0426", "300es 130 140 150 330"),
        ("float x; { float x; }", "", ""),
    ],
)
def test_statements_by_version(statement: str, code: str, versions: str) -> None:
    for version in ("100", "110", "120", "130", "140", "150", "330", "300 es"):
        expected = [code] if version.replace(" ", "") in versions.split() else []
        if version == "100" or version == "300 es":
            expected = expected or (["E0401"] if "float x = 1;" in statement else [])
        assert _codes(statement, version, "uniform sampler2D t[2];") == expected, version


@pytest.mark.parametrize(
    ("text", "code", "versions"),
    [
        ("float f(float x) { float x = 1.0; return x; }", "E0310", "300es 120 130 140 150 330"),
        ("float f(float x); float f(float x); float f(float x) { return x; }", "E0321", "100"),
        ("float sin(float x) { return x; }", "E0323", "100 300es"),
        ("float sin(bool x) { return 1.0; }", "E0323", "300es"),
        ("struct S { struct T { int a; } t; };", "E0350", "100 300es 120 130 140 150 330"),
        ("void f(out float x[2]) { }", "E0333", "110"),
        ("uniform float x = 1.0;", "E0360", "100 300es 110"),
    ],
)
def test_declarations_by_version(text: str, code: str, versions: str) -> None:
    for version in ("100", "110", "120", "130", "140", "150", "330", "300 es"):
        expected = [code] if version.replace(" ", "") in versions.split() else []
        assert _codes("", version, text) == expected, version


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("float f() { return float(gl_ClipDistance.length()); }", ["E0428"]),
        ("out float gl_ClipDistance[3]; float f() { return float(gl_ClipDistance.length()); }", []),
        ("out float gl_ClipDistance[3]; out float gl_ClipDistance[3];", []),
        ("out float gl_ClipDistance[3]; out float gl_ClipDistance[4];", ["E0310"]),
        ("out gl_PerVertex { vec4 gl_Position; }; void f() { gl_Position = vec4(0.0); }", []),
        ("out gl_PerVertex { vec4 gl_Position; }; void f() { gl_PointSize = 1.0; }", ["E0301"]),
        ("out gl_PerVertex { vec4 gl_Position; }; int f() { return gl_VertexID; }", []),
    ],
)
def test_built_in_outputs_that_are_declared_again(text: str, codes: list[str]) -> None:
    assert check_text(f"#version 150\n{text}\nvoid main() {{}}", "vertex").error_codes == codes


@pytest.mark.parametrize(("version", "codes"), [("100", ["E0412"]), ("110", []), ("330", [])])
def test_structures_with_arrays_are_assigned(version: str, codes: list[str]) -> None:
    """GLSL 1.10 section 5.7 excepts none of them; GLSL ES 1.00 does."""
    assert _codes("A a, b; a = b;", version, "struct A { float a[2]; };") == codes


def test_extensions_hold_from_their_line_on() -> None:
    """GLSL 1.20 section 3.3: a line enables them for what follows, until the end of the text."""
    lookup = "void {}() {{ texture2DLod(t, vec2(0.0), 0.0); }}\n"
    extension = "#extension GL_ARB_shader_texture_lod : {}\n"
    head, end = "#version 120\nuniform sampler2D t;\n", "void main() {}\n"
    late = head + lookup.format("f") + extension.format("enable") + lookup.format("g") + end
    found = check_text(late).errors
    assert [error.span.line for error in found if error.span] == [3]
    assert check_text(head + extension.format("enable") + lookup.format("f") + end).errors == []
    assert check_text("#version 140\nlayout(location = 1) out vec4 c;\n" + end).error_codes != []
    name = "#extension GL_ARB_explicit_attrib_location : enable\n"
    assert check_text(f"#version 140\n{end}#extension all : warn\nint a;\n").errors == []
    assert check_text(f"#version 140\n{end}{name}layout(location = 1) out vec4 c;\n").errors == []


def test_initializers_of_uniforms_are_constant() -> None:
    assert _codes("", "330", "uniform float x = 2.0 * sin(1.0);") == []
    assert _codes("", "330", "uniform float y; uniform float x = y + 1.0;") == ["E0362"]


def test_the_shaders_function_hides_built_in_overloads_of_desktop_glsl() -> None:
    text = "float sin(int x) { return 1.0; }"
    assert _codes("sin(vec2(1.0));", "100", text) == []
    assert _codes("sin(vec2(1.0));", "120", text) == ["E0431"]


@pytest.mark.parametrize(
    ("code", "labels"),
    [
        ("", "case 1: case 2: break; default: ;"),
        ("", "default: f; case 0: ;"),
        ("", "case 1: int x = 1; break; case 2: x = 2;"),
        ("", "case -1: { break; }"),
        ("", ""),
        ("E0464", "int x; case 1: ;"),
        ("E0465", "case 1: ; default:"),
        ("E0458", "case 1: ; case 2 - 1: ;"),
        ("E0458", "default: ; default: ;"),
        ("E0457", "case 1u: ;"),
        ("E0457", "case i: ;"),
        ("E0457", "case 1.0: ;"),
        ("E0459", "case 1: { case 2: ; }"),
        ("E0459", "case 1: if (b) case 2: ;"),
        ("E0452", "case 1: continue;"),
        ("E0310", "case 1: int x; case 2: int x;"),
    ],
)
def test_switch(code: str, labels: str) -> None:
    assert _codes(f"switch (i) {{ {labels} }}") == ([code] if code else [])


def test_switch_takes_integers() -> None:
    assert _codes("switch (u) { case 1u: break; }") == []
    assert _codes("switch (f) { default: ; }") == ["E0456"]
    assert _codes("switch (i3) { default: ; }") == ["E0456"]
    assert _codes("break;") == ["E0452"]
    assert _codes("while (b) switch (i) { case 1: continue; }") == []


def test_names_end_with_the_switch() -> None:
    assert _codes("switch (i) { case 1: int x; } x = 1;") == ["E0301"]


def test_constants() -> None:
    assert constant_of("float", "float[3](1.0, 2.0, 3.0)[1]", 130) == (2.0,)
    assert constant_of("vec2", "vec2[](vec2(1.0), vec2(2.0, 3.0))[1]", 130) == (2.0, 3.0)
    assert constant_of("int", "float[](1.0, 2.0).length()", 130) == (2,)
    assert constant_of("vec2[2]", "vec2[](vec2(1.0), vec2(2.0, 3.0))", 130) == (1.0, 1.0, 2.0, 3.0)
    assert constant_of("bool", "int[2](1, 2) == int[2](1, 2)", 130) == (True,)
    assert constant_of("float", "mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)[1].z", 130) == (6.0,)


def test_a_length_is_constant_unless_evaluating_the_array_acts() -> None:
    assert _codes("const int n = arr.length(); float x[n];") == []
    assert _codes("float a[2]; const int n = (a = float[2](f, f)).length();") == ["E0362"]


def test_results_of_out_parameters_convert() -> None:
    text = "void put(out int x) { x = 1; } void change(inout int x) { x++; }"
    assert _codes("float f; put(f);", "120", text) == []
    assert _codes("float f; change(f);", "120", text) == ["E0431"]
    assert _codes("float f; put(f);", "110", text) == ["E0431"]


def test_webgl_selects_no_arrays() -> None:
    """WebGL 2.0 section 4.3 on the ternary and the sequence operator."""
    head = "#version 300 es\nprecision mediump float; uniform float a[2]; uniform bool b;"
    for expression in ("b ? a : a", "b, a"):
        text = f"{head} void main() {{ {expression}; }}"
        assert check_text(text).errors == []
        assert len(check_text(text, dialect="webgl").errors) == 1
