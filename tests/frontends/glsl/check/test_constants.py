"""Folding of constant expressions (GLSL ES 1.00 section 5.10): numbers worked out by hand or by numpy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glslc_multi.frontends.glsl.check import fold
from glslc_multi.frontends.glsl.types import FLOAT, INT
from tests.frontends.glsl.check.support import HEADER, check_body, check_global, check_text, constant_of

#: (type, expression) -> components, all exact in float32.
EXACT = {
    ("float", "1.5 + 2.25"): (3.75,),
    ("int", "7 / 2 * 2"): (6,),
    ("int", "-7 / 2"): (-3,),
    ("int", "2147483647 + 1"): (-2147483648,),
    ("int", "0xFFFFFFFF"): (-1,),
    ("int", "017"): (15,),
    ("bool", "1 < 2 && !(3.0 >= 4.0) ^^ false"): (True,),
    ("bool", "vec2(1.0, 2.0) == vec2(1.0, 2.0)"): (True,),
    ("bool", "mat2(1.0) != mat2(1.0)"): (False,),
    ("float", "true ? 1.0 : 2.0"): (1.0,),
    ("float", "(1.0, 2.0)"): (2.0,),
    ("vec2", "vec2(3)"): (3.0, 3.0),
    ("ivec3", "ivec3(1.9, -1.9, true)"): (1, -1, 1),
    ("bvec2", "bvec2(0.5, 0)"): (True, False),
    ("float", "float(true)"): (1.0,),
    ("float", "float(vec3(4.0, 5.0, 6.0))"): (4.0,),
    ("vec3", "vec3(1, vec4(2.0, 3.0, 4.0, 5.0))"): (1.0, 2.0, 3.0),
    ("vec4", "vec4(mat2(1.0, 2.0, 3.0, 4.0))"): (1.0, 2.0, 3.0, 4.0),
    ("mat2", "mat2(2)"): (2.0, 0.0, 0.0, 2.0),
    ("mat2", "mat2(vec2(1.0, 2.0), 3.0, 4.0)"): (1.0, 2.0, 3.0, 4.0),
    ("mat3", "mat3(mat2(1.0, 2.0, 3.0, 4.0))"): (1.0, 2.0, 0.0, 3.0, 4.0, 0.0, 0.0, 0.0, 1.0),
    ("mat2", "mat2(mat3(1, 2, 3, 4, 5, 6, 7, 8, 9))"): (1.0, 2.0, 4.0, 5.0),
    ("vec2", "mat2(1.0, 2.0, 3.0, 4.0)[1]"): (3.0, 4.0),
    ("float", "mat2(1.0, 2.0, 3.0, 4.0)[1][0]"): (3.0,),
    ("vec2", "vec4(1.0, 2.0, 3.0, 4.0).wy"): (4.0, 2.0),
    ("vec2", "mat2(1.0, 2.0, 3.0, 4.0) * vec2(1.0, 10.0)"): (31.0, 42.0),
    ("vec2", "vec2(1.0, 10.0) * mat2(1.0, 2.0, 3.0, 4.0)"): (21.0, 43.0),
    ("mat2", "mat2(1.0, 2.0, 3.0, 4.0) * mat2(0.0, 1.0, 1.0, 0.0)"): (3.0, 4.0, 1.0, 2.0),
    ("mat2", "2.0 * mat2(1.0, 2.0, 3.0, 4.0) - 1.0"): (1.0, 3.0, 5.0, 7.0),
    ("vec2", "-vec2(1.0, -2.0)"): (-1.0, 2.0),
    ("float", "dot(vec3(1.0, 2.0, 3.0), vec3(4.0, 5.0, 6.0))"): (32.0,),
    ("vec3", "cross(vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0))"): (0.0, 0.0, 1.0),
    ("float", "length(vec2(3.0, 4.0))"): (5.0,),
    ("float", "distance(vec2(1.0), vec2(4.0, 5.0))"): (5.0,),
    ("float", "mod(-1.0, 4.0)"): (3.0,),
    ("vec2", "mod(vec2(5.0, -5.0), 4.0)"): (1.0, 3.0),
    ("vec2", "clamp(vec2(-1.0, 2.0), 0.0, 1.0)"): (0.0, 1.0),
    ("vec2", "mix(vec2(0.0, 4.0), vec2(8.0), 0.25)"): (2.0, 5.0),
    ("vec2", "step(1.0, vec2(0.5, 1.0))"): (0.0, 1.0),
    ("float", "smoothstep(0.0, 2.0, 1.0)"): (0.5,),
    ("float", "fract(-1.25)"): (0.75,),
    ("float", "sign(-3.0)"): (-1.0,),
    ("float", "ceil(1.25) + floor(-1.25)"): (0.0,),
    ("vec2", "reflect(vec2(1.0, -1.0), vec2(0.0, 1.0))"): (1.0, 1.0),
    ("vec2", "refract(vec2(0.0, -1.0), vec2(0.0, 1.0), 0.5)"): (0.0, -1.0),
    ("vec2", "refract(vec2(1.0, 0.0), vec2(0.0, 1.0), 2.0)"): (0.0, 0.0),
    ("vec2", "faceforward(vec2(1.0, 2.0), vec2(1.0), vec2(1.0))"): (-1.0, -2.0),
    ("mat2", "matrixCompMult(mat2(1.0, 2.0, 3.0, 4.0), mat2(2.0, 2.0, 2.0, 2.0))"): (2.0, 4.0, 6.0, 8.0),
    ("bvec2", "lessThan(vec2(1.0, 2.0), vec2(2.0, 2.0))"): (True, False),
    ("bvec2", "greaterThanEqual(ivec2(1, 2), ivec2(2, 2))"): (False, True),
    ("bvec2", "equal(bvec2(true, false), bvec2(true))"): (True, False),
    ("bvec2", "notEqual(bvec2(true, false), bvec2(true))"): (False, True),
    ("bool", "any(bvec2(false, true)) && !all(bvec2(false, true))"): (True,),
    ("bvec2", "not(bvec2(false, true))"): (True, False),
    ("int", "gl_MaxDrawBuffers"): (1,),
}


@pytest.mark.parametrize(("case", "value"), EXACT.items())
def test_exact_value(case: tuple[str, str], value: tuple[float, ...]) -> None:
    found = constant_of(*case)
    assert found == value
    assert [type(component) for component in found] == [type(component) for component in value]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("radians(180.0)", math.pi),
        ("degrees(1.0)", math.degrees(1.0)),
        ("sin(0.5)", math.sin(0.5)),
        ("atan(1.0, -1.0)", math.atan2(1.0, -1.0)),
        ("atan(2.0)", math.atan(2.0)),
        ("pow(2.0, 0.5)", math.sqrt(2.0)),
        ("exp(1.0)", math.e),
        ("log2(10.0)", math.log2(10.0)),
        ("inversesqrt(3.0)", 1.0 / math.sqrt(3.0)),
        ("normalize(vec2(1.0, 2.0)).y", 2.0 / math.sqrt(5.0)),
        ("acos(0.25) + asin(0.25)", math.pi / 2.0),
    ],
)
def test_transcendental_value(expression: str, value: float) -> None:
    assert constant_of("float", expression)[0] == pytest.approx(value, rel=3e-7)


def test_structures_fold_to_their_fields() -> None:
    text = """
    struct In { vec2 a; int b; };
    struct Out { float x; In y; bool z; };
    const Out value = Out(1.0, In(vec2(2.0, 3.0), 4), true);
    const int b = value.y.b;
    const vec2 a = value.y.a;
    const bool same = value.y == In(vec2(2.0, 3.0), 4);
    """
    result = check_global(text)
    assert result.shader is not None
    values = {symbol.name: symbol.constant for symbol in result.shader.globals}
    assert values == {"value": (1.0, 2.0, 3.0, 4, True), "b": (4,), "a": (2.0, 3.0), "same": (True,)}


def test_arrays_fold_to_their_elements() -> None:
    """As members of structures, of vectors and matrices, in an array of structures."""
    text = f"""#version 300 es
    {HEADER}
    struct Row {{ vec3 a[3]; mat2 m[2]; int n; }};
    const vec3 o = vec3(0.0, 0.25, 0.5);
    const mat2 m = mat2(1.0, 2.0, 3.0, 4.0);
    const Row row = Row(vec3[3](o, o + 1.0, o + 2.0), mat2[2](m, m * 2.0), 7);
    const Row rows[2] = Row[2](row, Row(row.a, row.m, 8));
    const vec3 last = row.a[2];
    const vec2 column = rows[1].m[1][1];
    const int counts[3] = int[3](row.n, rows[1].n, row.a.length() * 10 + rows.length());
    void main() {{}}
    """
    result = check_text(text)
    assert result.shader is not None, result.errors
    values = {symbol.name: symbol.constant for symbol in result.shader.globals}
    assert values["last"] == (2.0, 2.25, 2.5)
    assert values["column"] == (6.0, 8.0)
    assert values["counts"] == (7, 8, 32)


int32 = st.integers(-(2**31), 2**31 - 1)
float32 = st.floats(width=32, allow_nan=False, allow_infinity=False)


@settings(derandomize=True, max_examples=200)
@given(st.sampled_from("+-*"), int32, int32)
def test_int_arithmetic_wraps_like_numpy(op: str, x: int, y: int) -> None:
    with np.errstate(over="ignore"):
        expected = {"+": np.add, "-": np.subtract, "*": np.multiply}[op](np.int32(x), np.int32(y))
    assert fold.binary(op, INT, (x,), INT, (y,)) == (int(expected),)


@settings(derandomize=True, max_examples=200)
@given(st.sampled_from("+-*/"), float32, float32)
def test_float_arithmetic_rounds_like_numpy(op: str, x: float, y: float) -> None:
    with np.errstate(all="ignore"):
        functions = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}
        expected = float(functions[op](np.float32(x), np.float32(y)))
    (found,) = fold.binary(op, FLOAT, (x,), FLOAT, (y,))
    assert found == expected or (math.isnan(found) and math.isnan(expected))


def test_division_by_a_constant_zero_is_a_warning() -> None:
    result = check_body("int x = 1 / 0; float y = 1.0; y /= 0.0;")
    assert (result.error_codes, result.warning_codes) == ([], ["W0462", "W0462"])


def test_literals_too_large_for_32_bits_are_warned_of() -> None:
    result = check_body("float x = 1e39; float y = 1e38;")
    assert (result.error_codes, result.warning_codes) == ([], ["W0461"])


@pytest.mark.parametrize(
    "expression",
    ["texture2D(t, vec2(0.0)).x", "f", "u", "v", "g()", "sin(f)", "true ? f : 1.0", "(f, 1.0)", "vec2(f, 1.0).y", "p"],
)
def test_not_constant(expression: str) -> None:
    globals_ = "uniform sampler2D t; uniform float u; varying float v; float g() { return 1.0; }"
    body = f"float f = 1.0; const float x = {expression};"
    source = f"precision mediump float; {globals_} void h(const float p) {{ {body} }}"
    from tests.frontends.glsl.check.support import check_text

    assert check_text(source).error_codes == ["E0362"]


@pytest.mark.parametrize(
    ("literal", "wrapped"),
    [
        ("0x" + "f" * 4000, -1),
        ("0x" + "1" + "0" * 4000 + "2a", 42),
        ("0" + "7" * 6000, -1),
        ("1" + "0" * 5000, 0),
        (str(2**300 + 77), 77),
    ],
)
def test_literals_of_thousands_of_digits(literal: str, wrapped: int) -> None:
    """Section 4.1.3: the value is taken modulo 2 to the 32, however long the literal is."""
    result = check_global(f"const int i = {literal};")
    assert [d.message for d in result.diagnostics] == [
        f"the int literal does not fit into 32 bits and becomes {wrapped}"
    ]
    assert constant_of("int", literal) == (wrapped,)
