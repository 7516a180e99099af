"""Operators on scalars, vectors and matrices, against numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.frontends.glsl.lower.harness import run

S, T = 2.5, -0.75
V, W = np.array([1.0, -2.0, 0.5]), np.array([4.0, 3.0, -8.0])
M = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 4.0], [2.0, 0.25, -3.0]])
N = np.array([[2.0, 0.0, 1.0], [1.0, 3.0, -2.0], [0.5, 4.0, 1.0]])
COUNT, NEGATIVE = 7, -3
IV, IW = np.array([7, -7, 9]), np.array([2, 2, -4])
VALUES: dict[str, Any] = {"s": S, "t": T, "v": V, "w": W, "m": M, "n": N, "i": COUNT, "j": NEGATIVE, "iv": IV, "iw": IW}


def evaluated(expression: str, result: str) -> Any:
    """The value of an expression over the names of `VALUES`; matrices as in mathematics."""
    names = {name: value for name, value in VALUES.items() if name in expression}
    value = run(f"result = {expression};", result, **names)
    return value.T if result.startswith("mat") else value


@pytest.mark.parametrize(
    ("expression", "result", "expected"),
    [
        ("s + t", "float", S + T),
        ("s - v", "vec3", S - V),
        ("v - s", "vec3", V - S),
        ("v * w", "vec3", V * W),
        ("v / w", "vec3", V / W),
        ("s / v", "vec3", S / V),
        ("m + n", "mat3", M + N),
        ("m - s", "mat3", M - S),
        ("s - m", "mat3", S - M),
        ("m / n", "mat3", M / np.where(N == 0.0, np.nan, N)),
        ("s / m", "mat3", S / M),
        ("m * s", "mat3", M * S),
        ("m * n", "mat3", M @ N),
        ("m * v", "vec3", M @ V),
        ("v * m", "vec3", V @ M),
        ("v * m * n * v", "vec3", (V @ M @ N) * V),
        ("-m", "mat3", -M),
        ("+v", "vec3", V),
        ("vec3(iv + iw)", "vec3", IV + IW),
        ("vec3(iv * i)", "vec3", IV * COUNT),
        ("vec3(i - iv)", "vec3", COUNT - IV),
        ("vec3(iv / iw)", "vec3", np.trunc(IV / IW)),
        ("vec3(-iv)", "vec3", -IV),
        ("float(i / j)", "float", -2.0),
        ("s + t * s - t / s", "float", S + T * S - T / S),
    ],
)
def test_arithmetic(expression: str, result: str, expected: Any) -> None:
    with np.errstate(all="ignore"):
        compared = ~np.isnan(expected)
    np.testing.assert_allclose(evaluated(expression, result)[compared], np.asarray(expected)[compared], rtol=1e-6)


@pytest.mark.parametrize("left", [-1, 0, 2])
@pytest.mark.parametrize("right", [-1, 0, 2])
@pytest.mark.parametrize("kind", [int, float])
def test_relations(left: int, right: int, kind: type) -> None:
    body = "result = vec4(a < b, a <= b, a > b, a >= b) + 16.0 * vec4(a == b, a != b, 0.0, 0.0);"
    value = run(body, a=kind(left), b=kind(right))
    relations = [left < right, left <= right, left > right, left >= right]
    equalities = [left == right, left != right, False, False]
    assert value.tolist() == [float(r) + 16.0 * float(e) for r, e in zip(relations, equalities, strict=True)]


@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("right", [False, True])
def test_logic(left: bool, right: bool) -> None:
    body = "result = vec4(a && b, a || b, a ^^ b, !a) + 16.0 * vec4(a == b, a != b, 0.0, 0.0);"
    expected = [left and right, left or right, left != right, not left]
    equalities = [left == right, left != right, False, False]
    assert run(body, a=left, b=right).tolist() == [
        float(r) + 16.0 * float(e) for r, e in zip(expected, equalities, strict=True)
    ]


@pytest.mark.parametrize("changed", [None, 0, 2])
def test_equality_of_vectors_and_matrices_needs_every_component(changed: int | None) -> None:
    other, matrix, bools = V.copy(), M.copy(), np.array([True, False, True])
    flipped = bools.copy()
    if changed is not None:
        other[changed] += 1.0
        matrix[changed, 1] += 1.0
        flipped[changed] ^= True
    body = "result = vec4(a == b, p == q, c == d, 0.0) + 16.0 * vec4(a != b, p != q, c != d, 0.0);"
    value = run(body, a=V, b=other, p=M, q=matrix, c=bools, d=flipped)
    assert value.tolist() == ([1.0, 1.0, 1.0, 0.0] if changed is None else [16.0, 16.0, 16.0, 0.0])


def test_equality_of_structs_compares_every_field() -> None:
    declarations = "struct Inner { int n; bool b; }; struct S { vec2 v; Inner inner; mat2 m; };"
    body = """
        S one = S(v, Inner(3, true), mat2(1.0));
        S same = S(v, Inner(k, true), mat2(1.0));
        S other = S(v, Inner(k, false), mat2(1.0));
        result = vec4(one == same, one != same, one == other, one != other);
    """
    assert run(body, functions=declarations, v=np.array([1.0, 2.0]), k=3).tolist() == [1.0, 0.0, 0.0, 1.0]


def test_increments_yield_the_value_before_or_after() -> None:
    body = "float a = s; float b = a++; float c = ++a; float d = a--; result = vec4(a, b, c, d);"
    assert run(body, s=5.0).tolist() == [6.0, 5.0, 7.0, 7.0]
    body = "ivec2 a = k; ivec2 b = --a; result = vec4(a--, b); result.zw += vec2(a);"
    assert run(body, k=np.array([4, -4])).tolist() == [3.0, -5.0, 5.0, -11.0]
    body = "mat2 a = k; mat2 b = a++; result = vec4(a[0] - b[0], b[1]);"
    assert run(body, k=np.array([[1.0, 2.0], [3.0, 4.0]])).tolist() == [1.0, 1.0, 2.0, 4.0]


def test_operands_are_evaluated_from_left_to_right() -> None:
    assert run("float a = s; result = vec4(a + (a = 10.0), a, a * a++, a);", s=1.0).tolist() == [
        11.0,
        10.0,
        100.0,
        11.0,
    ]


def test_the_comma_operator_yields_its_last_operand() -> None:
    assert run("float a = s; result = vec4((a = a + 1.0, a * 2.0), a, 0.0, 0.0);", s=1.0).tolist() == [
        4.0,
        2.0,
        0.0,
        0.0,
    ]


SIDE_EFFECTS = "float calls = 0.0; bool said(bool b) { calls += 1.0; return b; }"


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("second", [False, True])
def test_logical_operators_evaluate_the_right_side_only_where_needed(first: bool, second: bool) -> None:
    value = run("result = vec4(said(a) && said(b), calls, 0.0, 0.0);", functions=SIDE_EFFECTS, a=first, b=second)
    assert value.tolist()[:2] == [float(first and second), 2.0 if first else 1.0]
    value = run("result = vec4(said(a) || said(b), calls, 0.0, 0.0);", functions=SIDE_EFFECTS, a=first, b=second)
    assert value.tolist()[:2] == [float(first or second), 1.0 if first else 2.0]
    value = run("result = vec4(said(a) ^^ said(b), calls, 0.0, 0.0);", functions=SIDE_EFFECTS, a=first, b=second)
    assert value.tolist()[:2] == [float(first != second), 2.0]


@pytest.mark.parametrize("condition", [False, True])
def test_the_conditional_operator_evaluates_one_side(condition: bool) -> None:
    body = "float p = 1.0, q = 1.0; float r = c ? p++ : (q += 5.0); result = vec4(p, q, r, 0.0);"
    assert run(body, c=condition).tolist() == ([2.0, 1.0, 1.0, 0.0] if condition else [1.0, 6.0, 6.0, 0.0])


@pytest.mark.parametrize("condition", [False, True])
def test_the_conditional_operator_selects_whole_values(condition: bool) -> None:
    body = "result = (c ? S(v, m) : S(v + 1.0, m * 2.0)).v.xyxy * vec4((c ? m : n)[1], 1.0, 1.0);"
    v, m, n = np.array([1.0, 2.0]), np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[5.0, 6.0], [7.0, 8.0]])
    value = run(body, functions="struct S { vec2 v; mat2 m; };", c=condition, v=v, m=m, n=n)
    base, column = (v, m[:, 1]) if condition else (v + 1.0, n[:, 1])
    assert value.tolist() == [*(base * column), *base]
