"""Constructors of scalars, vectors, matrices and structs, and conversions between the basic types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glslc_multi.compiler.ir.evaluate import evaluate
from tests.frontends.glsl.lower.harness import lower_text, run

V = np.array([1.0, 2.0, 3.0, 4.0])
M2 = np.array([[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.parametrize(
    ("expression", "given", "expected"),
    [
        ("int(a)", 2.75, 2.0),
        ("int(a)", -2.75, -2.0),
        ("bool(a)", 0.25, 1.0),
        ("bool(a)", 0.0, 0.0),
        ("bool(a)", 0, 0.0),
        ("bool(a)", -3, 1.0),
        ("int(a)", True, 1.0),
        ("a", False, 0.0),
        ("a", -7, -7.0),
        ("int(a)", V, 1.0),
        ("a", np.array([5, 6, 7]), 5.0),
        ("bool(a)", M2, 1.0),
    ],
)
def test_scalars(expression: str, given: Any, expected: float) -> None:
    assert run(f"result = float({expression});", "float", a=given) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("vec4(s)", [2.5] * 4),
        ("vec4(i)", [7.0] * 4),
        ("vec4(v.xy, s, i)", [1.0, 2.0, 2.5, 7.0]),
        ("vec4(b, v.wzy)", [1.0, 4.0, 3.0, 2.0]),
        ("vec4(s, v)", [2.5, 1.0, 2.0, 3.0]),
        ("vec4(m)", [1.0, 3.0, 2.0, 4.0]),
        ("vec4(v.x, m)", [1.0, 1.0, 3.0, 2.0]),
        ("vec4(vec3(v), 0.0)", [1.0, 2.0, 3.0, 0.0]),
        ("vec4(ivec4(v * 1.75))", [1.0, 3.0, 5.0, 7.0]),
        ("vec4(bvec4(v - 2.0))", [1.0, 0.0, 1.0, 1.0]),
        ("vec4(ivec2(b, s), bvec2(s, 0))", [1.0, 2.0, 1.0, 0.0]),
        ("vec4(v.xx, v.yx)", [1.0, 1.0, 2.0, 1.0]),
    ],
)
def test_vectors(expression: str, expected: list[float]) -> None:
    values: dict[str, Any] = {"s": 2.5, "i": 7, "b": True, "v": V, "m": M2}
    assert run(f"result = {expression};", **values).tolist() == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("mat3(s)", np.eye(3) * 2.5),
        ("mat3(i)", np.eye(3) * 7.0),
        ("mat3(v.xyz, v.yzw, v.zwx)", np.array([V[:3], V[1:], V[[2, 3, 0]]]).T),
        ("mat3(v, v, s)", np.array([1, 2, 3, 4, 1, 2, 3, 4, 2.5]).reshape(3, 3).T),
        ("mat3(v.x, v.yzw, i, s, v.xyz)", np.array([1, 2, 3, 4, 7, 2.5, 1, 2, 3]).reshape(3, 3).T),
        ("mat3(b, s, s, s, b, s, s, s, b)", np.full((3, 3), 2.5) - np.eye(3) * 1.5),
    ],
)
def test_matrices(expression: str, expected: Any) -> None:
    values: dict[str, Any] = {"s": 2.5, "i": 7, "b": True, "v": V}
    assert run(f"result = {expression};", "mat3", **values).T.tolist() == expected.tolist()


def test_matrices_from_matrices_keep_what_fits_and_fill_with_the_identity() -> None:
    large = np.arange(16.0).reshape(4, 4)
    assert run("result = mat2(m);", "mat2", m=large).T.tolist() == large[:2, :2].tolist()
    expected = np.eye(4)
    expected[:2, :2] = M2
    assert run("result = mat4(m);", "mat4", m=M2).T.tolist() == expected.tolist()


def test_structs() -> None:
    declarations = "struct Inner { float f; ivec2 n; }; struct Outer { mat2 m; Inner inner; bool b; };"
    body = "Outer o = Outer(m, Inner(s, ivec2(3, 4)), true); result = vec4(o.m[1].x, o.inner.f, o.inner.n.y, o.b);"
    assert run(body, functions=declarations, m=M2, s=2.5).tolist() == [2.0, 2.5, 4.0, 1.0]


def test_constants_are_folded_to_float32() -> None:
    assert (
        run("const vec2 c = vec2(0.1, 1.0 / 3.0); result = vec4(c * s, c);", s=1.0).tolist()
        == [
            float(np.float32(0.1)),
            float(np.float32(1.0 / 3.0)),
        ]
        * 2
    )


def test_desktop_glsl_converts_ints_to_floats_by_itself() -> None:
    body = """
        float x = 1; x += k; vec2 v = 2 * w;
        if (k == 3.0) v /= 2;
        result = vec4(k > 1.5 ? 1 : 2.0, f(k, ivec2(1, k)), v);
    """
    functions = "#version 120\nfloat f(float x, vec2 y) { return x * 10 + y.y; }"
    source = "uniform int k; uniform vec2 w; varying vec4 result;" + f"void main() {{ {body} gl_Position = vec4(x); }}"
    module = lower_text(f"{functions} {source}", "vertex")
    outputs = evaluate(module, {}, {"k": 3, "w": np.array([5.0, 6.0])}, lanes=1).outputs
    assert outputs["result"].tolist() == [[1.0, 33.0, 5.0, 6.0]]
    assert outputs["gl_Position"].tolist() == [[4.0] * 4]
