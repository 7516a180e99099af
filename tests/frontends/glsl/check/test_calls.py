"""Calls: overloads, built-in functions, constructors (GLSL ES 1.00 sections 5.4, 6.1 and chapter 8)."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl.ast import Call, ExpressionStatement
from glslc_multi.frontends.glsl.symbols import Stage
from tests.frontends.glsl.check.support import HEADER, Result, check_body, check_text


@pytest.mark.parametrize(
    "constructor",
    [
        *("float(1)", "int(true)", "bool(2.0)", "float(vec4(1.0))", "int(mat2(1.0))", "bool(bvec3(true))"),
        *(
            "vec2(1.0)",
            "vec3(1, true, 2.0)",
            "vec4(vec2(1.0), 2, false)",
            "vec2(vec4(1.0))",
            "ivec3(vec2(1.0), vec4(1.0))",
        ),
        *(
            "vec4(mat2(1.0))",
            "vec3(mat3(1.0))",
            "bvec2(ivec2(1))",
            "mat2(1.0)",
            "mat2(1, 2, 3, 4)",
            "mat3(true)",
            "mat3(mat4(1.0))",
        ),
        *("mat2(vec4(1.0))", "mat2(vec3(1.0), vec3(2.0))", "mat4(vec4(1.0), vec4(1.0), vec4(1.0), vec4(1.0))"),
        *("mat3(mat4(1.0))", "S(1.0, ivec2(2))", "T(S(1.0, ivec2(2)), mat2(1.0))"),
    ],
)
def test_constructors(constructor: str) -> None:
    globals_ = "struct S { float a; ivec2 b; }; struct T { S s; mat2 m; };"
    assert check_body(f"{constructor};", globals_=globals_).errors == []


@pytest.mark.parametrize(
    ("constructor", "code"),
    [
        ("vec2()", "E0441"),
        ("float()", "E0441"),
        ("vec3(1.0, 2.0)", "E0442"),
        ("vec4(vec3(1.0))", "E0442"),
        ("mat2(1.0, 2.0)", "E0442"),
        ("mat3(vec3(1.0), vec3(1.0))", "E0442"),
        ("float(1.0, 2.0)", "E0443"),
        ("vec2(1.0, 2.0, 3.0)", "E0443"),
        ("vec2(vec2(1.0), 1.0)", "E0443"),
        ("mat2(vec4(1.0), 1.0)", "E0443"),
        ("vec2(S(1.0, ivec2(2)))", "E0444"),
        ("float(t)", "E0444"),
        ("float(arr)", "E0444"),
        ("mat2(mat2(1.0), 1.0)", "E0445"),
        ("mat3(mat2(1.0), vec3(1.0), vec2(0.0))", "E0445"),
        ("S(1.0)", "E0430"),
        ("S(1.0, ivec2(1), 2)", "E0430"),
        ("S(1, ivec2(1))", "E0401"),
        ("S(1.0, vec2(1))", "E0401"),
        ("A(1.0)", "E0440"),
        ("sampler2D(1)", "E0440"),
        ("vec2(nothing(), 1.0)", "E0434"),
    ],
)
def test_wrong_constructors(constructor: str, code: str) -> None:
    globals_ = """struct S { float a; ivec2 b; }; struct A { float a[2]; };
    uniform sampler2D t; uniform float arr[2]; void nothing() {}"""
    assert check_body(f"{constructor};", globals_=globals_).error_codes == [code]


@pytest.mark.parametrize(
    "call",
    [
        *(
            "sin(1.0)",
            "atan(v, v)",
            "mod(v, 2.0)",
            "mod(v, v)",
            "min(1.0, 2.0)",
            "clamp(v, 0.0, 1.0)",
            "mix(v, v, 0.5)",
        ),
        *("step(0.5, v)", "smoothstep(v, v, v)", "smoothstep(0.0, 1.0, v)", "refract(v, v, 0.5)", "cross(v, v)"),
        *("matrixCompMult(mat3(1.0), mat3(1.0))", "lessThan(ivec2(1), ivec2(2))", "equal(bvec2(true), bvec2(true))"),
        *("any(bvec4(true))", "not(bvec2(true))", "texture2D(t, vec2(0.0), 1.0)", "texture2DProj(t, vec4(0.0))"),
        *("textureCube(c, v)", "textureCube(c, v, 1.0)"),
    ],
)
def test_builtin_overloads(call: str) -> None:
    globals_ = "uniform vec3 v; uniform sampler2D t; uniform samplerCube c;"
    assert check_body(f"{call};", globals_=globals_).errors == []


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("sin(1)", "E0432"),
        ("sin()", "E0430"),
        ("sin(1.0, 2.0)", "E0430"),
        ("cross(vec2(1.0), vec2(1.0))", "E0431"),
        ("mod(2.0, vec2(1.0))", "E0432"),
        ("step(vec2(1.0), 1.0)", "E0432"),
        ("lessThan(1.0, 2.0)", "E0432"),
        ("lessThan(bvec2(true), bvec2(true))", "E0432"),
        ("any(true)", "E0432"),
        ("abs(1)", "E0432"),
        ("dot(vec2(1.0), vec3(1.0))", "E0432"),
        ("texture2D(c, vec2(0.0))", "E0432"),
        ("textureCube(c, vec2(0.0))", "E0432"),
        ("texture3D(t, vec3(0.0))", "E0301"),
        ("texture2DLod(t, vec2(0.0), 1.0)", "E0305"),
        ("dFdx(1.0)", "E0306"),
        ("texture2DLodEXT(t, vec2(0.0), 1.0)", "E0306"),
        ("gl_FragDepthEXT", "E0306"),
        ("gl_FragDepth", "E0301"),
        ("gl_Position", "E0305"),
    ],
)
def test_builtins_that_do_not_fit(call: str, code: str) -> None:
    globals_ = "uniform sampler2D t; uniform samplerCube c;"
    assert check_body(f"{call};", globals_=globals_).error_codes == [code]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("texture2DLod(t, vec2(0.0), 1.0)", ""),
        ("textureCubeLod(c, vec3(0.0), 1.0)", ""),
        ("texture2D(t, vec2(0.0))", ""),
        ("texture2D(t, vec2(0.0), 1.0)", "E0305"),
        ("dFdx(1.0)", "E0305"),
        ("gl_FragColor", "E0305"),
        ("gl_PointSize", ""),
        ("gl_DepthRange.far", ""),
    ],
)
def test_builtins_of_the_vertex_stage(call: str, code: str) -> None:
    result = check_body(f"{call};", "vertex", "uniform sampler2D t; uniform samplerCube c;")
    assert result.error_codes == ([code] if code else [])


@pytest.mark.parametrize(
    ("extension", "text"),
    [
        ("GL_OES_standard_derivatives", "fwidth(vec2(1.0));"),
        ("GL_EXT_shader_texture_lod", "texture2DProjGradEXT(t, vec4(0.0), vec2(0.0), vec2(0.0));"),
        ("GL_EXT_frag_depth", "gl_FragDepthEXT = 0.5;"),
        ("GL_EXT_draw_buffers", "gl_FragData[3] = vec4(0.0);"),
        ("GL_OES_EGL_image_external", "texture2D(e, vec2(0.0));"),
    ],
)
def test_extensions(extension: str, text: str) -> None:
    globals_ = "uniform sampler2D t;" + ("uniform samplerExternalOES e;" if "external" in extension else "")
    source = f"{HEADER}{globals_}void main() {{ {text} }}"
    assert check_text(f"#extension {extension} : enable\n{source}").errors == []
    assert len(check_text(source).errors) == 1
    warned = check_text(f"#extension {extension} : warn\n{source}")
    assert not warned.errors
    assert extension == "GL_EXT_draw_buffers" or set(warned.warning_codes) == {"W0307"}


# ------------------------------------------------------------------------------------ own functions
FUNCTIONS = """
float pick(float x) { return x; }
int pick(int x) { return x; }
vec2 pick(vec2 x, float y) { return x * y; }
void set(out float x, inout vec2 y) { x = y.x; y = vec2(0.0); }
float total(float x[3]) { return x[0]; }
float sin(bool x) { return 1.0; }
"""


def _callee(result: Result) -> str:
    assert result.shader is not None and result.shader.main is not None
    definition = result.shader.definitions[result.shader.main]
    assert definition.body is not None
    statement = definition.body.statements[-1]
    assert isinstance(statement, ExpressionStatement) and isinstance(statement.expression, Call)
    function = statement.expression.function
    return "built-in" if function is None else " ".join(str(parameter.type) for parameter in function.parameters)


@pytest.mark.parametrize(
    ("call", "parameters"),
    [
        ("pick(1.0)", "float"),
        ("pick(1)", "int"),
        ("pick(vec2(1.0), 2.0)", "vec2 float"),
        ("sin(true)", "bool"),
        ("sin(1.0)", "built-in"),
        ("float a[3]; total(a)", "float[3]"),
        ("float a; vec4 v; set(a, v.zx)", "float vec2"),
    ],
)
def test_overloads_are_chosen_by_exact_types(call: str, parameters: str) -> None:
    result = check_body(f"{call};", globals_=FUNCTIONS)
    assert result.errors == []
    assert _callee(result) == parameters


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("pick(true)", "E0432"),
        ("total(1.0)", "E0431"),
        ("float a[2]; total(a)", "E0431"),
        ("pick()", "E0432"),
        ("total()", "E0430"),
        ("missing(1.0)", "E0301"),
        ("float f; f(1.0)", "E0304"),
        ("pick", "E0303"),
        ("cos", "E0303"),
        ("float a; set(1.0, vec2(0.0))", "E0410"),
        ("float a; vec2 b; set(a, b.xx)", "E0411"),
        ("float a; vec2 b; set(a + 1.0, b)", "E0410"),
        ("float x = set(x, x)", "E0301"),
    ],
)
def test_wrong_calls(call: str, code: str) -> None:
    assert code in check_body(f"{call};", globals_=FUNCTIONS).error_codes


@pytest.mark.parametrize("stage", ["vertex", "fragment"])
def test_void_calls_have_no_value(stage: Stage) -> None:
    for text in ("float x = f();", "f() + 1.0;", "sin(f());", "f().x;", "f()[0];", "-f();", "if (f()) {}"):
        assert check_body(text, stage, "void f() {}").error_codes == ["E0434"], text
    assert check_body("f(), f();", stage, "void f() {}").errors == []
