"""L-values: swizzles, fields, elements, columns, with constant and dynamic indices, read and written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.frontends.glsl.lower.harness import run

V = np.array([1.0, 2.0, 3.0, 4.0])
M = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])


@pytest.mark.parametrize("pattern", ["x", "wz", "yxw", "wzyx", "zzxx"])
def test_swizzle_read(pattern: str) -> None:
    width = len(pattern)
    value = run(f"result = v.{pattern};", "float" if width == 1 else f"vec{width}", v=V)
    assert np.atleast_1d(value).tolist() == [V["xyzw".index(letter)] for letter in pattern]


@pytest.mark.parametrize("pattern", ["x", "w", "yx", "xz", "wyx", "wzyx", "xyzw"])
def test_swizzle_write_changes_these_components_only(pattern: str) -> None:
    new = [10.0, 20.0, 30.0, 40.0][: len(pattern)]
    expected = V.copy()
    for letter, component in zip(pattern, new, strict=True):
        expected["xyzw".index(letter)] = component
    given: Any = new[0] if len(new) == 1 else np.array(new)
    assert run(f"vec4 a = v; a.{pattern} = n; result = a;", v=V, n=given).tolist() == expected.tolist()


def test_swizzles_of_swizzles() -> None:
    assert run("vec4 a = v; a.wzyx.xy.y = 9.0; a.zyx.yz += 5.0; result = a;", v=V).tolist() == [6.0, 7.0, 9.0, 4.0]
    assert run("result = vec4(v.wzyx.yx.y, v.wzyx[1], v.zyx[k], 0.0);", v=V, k=2).tolist() == [4.0, 3.0, 1.0, 0.0]


@pytest.mark.parametrize("index", [-2, 0, 2, 3, 9])
def test_dynamic_index_of_a_vector_clamps(index: int) -> None:
    expected = V.copy()
    expected[min(max(index, 0), 3)] += 8.0
    assert run("vec4 a = v; a[k] += 8.0; result = a;", v=V, k=index).tolist() == expected.tolist()
    assert run("result = vec4(v[k]);", v=V, k=index).tolist() == [V[min(max(index, 0), 3)]] * 4


def test_dynamic_component_of_a_swizzle_written() -> None:
    assert run("vec4 a = v; a.wyx[k] = 7.0; result = a;", v=V, k=1).tolist() == [1.0, 7.0, 3.0, 4.0]


@pytest.mark.parametrize("column", [0, 1, 2])
@pytest.mark.parametrize("row", [0, 2])
def test_matrix_elements(column: int, row: int) -> None:
    changed = M.copy()
    changed[row, column] = 50.0
    for lvalue in ("a[c][r]", f"a[{column}][r]", f"a[c][{row}]", f"a[{column}][{row}]", f"a[c].{'xyz'[row]}"):
        value = run(f"mat3 a = m; {lvalue} = 50.0; result = a;", "mat3", m=M, c=column, r=row)
        assert value.T.tolist() == changed.tolist(), lvalue
    assert run("result = vec4(m[c], m[c][r]);", m=M, c=column, r=row).tolist() == [*M[:, column], M[row, column]]


def test_parts_of_values_that_are_no_variables() -> None:
    body = "result = vec4((m * m)[k], (m * 2.0)[1][j]) + vec4((v + v)[k], (v * 3.0).yx[1], 0.0, 0.0);"
    value = run(body, m=M, v=V, k=2, j=0)
    square = M @ M
    assert value.tolist() == [square[0, 2] + 6.0, square[1, 2] + 3.0, square[2, 2], 2.0 * M[0, 1]]


DECLARATIONS = """
    struct Leaf { vec3 v; float w[3]; };
    struct Tree { Leaf leaves[2]; mat2 m; int n; };
"""
FILL = """
    Tree t[2];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            t[i].leaves[j].v = vec3(float(100 * i + 10 * j));
            for (int k = 0; k < 3; k++) t[i].leaves[j].w[k] = float(100 * i + 10 * j + k);
        }
        t[i].m = mat2(float(i) + 1.0);
        t[i].n = i;
    }
"""


@pytest.mark.parametrize("i", [0, 1])
@pytest.mark.parametrize("j", [0, 1])
@pytest.mark.parametrize("k", [0, 2])
def test_nested_structs_and_arrays(i: int, j: int, k: int) -> None:
    body = FILL + "result = vec4(t[i].leaves[j].w[k], t[i].leaves[j].v.y, t[i].m[1][1], t[i].n);"
    expected = [100.0 * i + 10.0 * j + k, 100.0 * i + 10.0 * j, i + 1.0, float(i)]
    assert run(body, functions=DECLARATIONS, i=i, j=j, k=k).tolist() == expected
    body = FILL + "t[i].leaves[j].w[k] = -1.0; t[i].leaves[j].v[k] -= 5.0; float sum = 0.0;"
    body += "for (int a = 0; a < 2; a++) for (int b = 0; b < 2; b++) for (int c = 0; c < 3; c++)"
    body += "{ sum += t[a].leaves[b].w[c]; } result = vec4(sum, t[i].leaves[j].v);"
    total = sum(100.0 * a + 10.0 * b + c for a in range(2) for b in range(2) for c in range(3))
    vector = np.full(3, 100.0 * i + 10.0 * j)
    vector[k] -= 5.0
    expected = [total - (100.0 * i + 10.0 * j + k) - 1.0, *vector]
    assert run(body, functions=DECLARATIONS, i=i, j=j, k=k).tolist() == expected


def test_structs_are_copied_by_value() -> None:
    declarations = "struct S { vec2 v; float f; };"
    body = "S a = S(v, 3.0); S b = a; b.v.x = 9.0; a.f = b.f + 1.0; result = vec4(a.v, a.f, b.v.x);"
    assert run(body, functions=declarations, v=np.array([1.0, 2.0])).tolist() == [1.0, 2.0, 4.0, 9.0]


def test_an_l_value_is_evaluated_once() -> None:
    body = """
        float a[3]; a[0] = 1.0; a[1] = 2.0; a[2] = 3.0;
        int i = k;
        a[i++] += 10.0;
        a[i++]++;
        result = vec4(a[0], a[1], a[2], i);
    """
    assert run(body, k=0).tolist() == [11.0, 3.0, 3.0, 2.0]
    body = "vec4 a = v; int i = k; a[i--] *= 10.0; a.zw[i -= 1]--; result = vec4(a.xyz, float(i));"
    assert run(body, v=V, k=2).tolist() == [1.0, 2.0, 29.0, 0.0]


def test_the_value_of_an_assignment() -> None:
    value = run("float a, b; vec2 c; c = vec2(a = b = s) * 2.0; result = vec4(a, b, c);", s=3.0)
    assert value.tolist() == [3.0, 3.0, 6.0, 6.0]
    value = run("vec4 a = v; float b = (a.yx = v.zw).y; result = vec4(a.xyz, b);", v=V)
    assert value.tolist() == [4.0, 3.0, 3.0, 4.0]


def test_uniform_arrays_and_matrices_by_dynamic_index() -> None:
    matrices = [np.arange(9.0).reshape(3, 3) + 10.0 * n for n in range(3)]
    value = run("result = vec4(m[i][j], m[i][j][k]);", m=matrices, i=2, j=1, k=0)
    assert value.tolist() == [*matrices[2][:, 1], matrices[2][0, 1]]
