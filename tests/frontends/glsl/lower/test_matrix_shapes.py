"""Matrices of all shapes against numpy (GLSL ES 3.00 sections 4.1.6, 5.4.2 and 5.9)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.frontends.glsl.check.support import constant_of
from tests.frontends.glsl.lower.harness import run

VERSION = 130
SHAPES = list(product((2, 3, 4), repeat=2))
RANDOM = np.random.default_rng(3)


def _matrix(rows: int, columns: int) -> np.ndarray:
    return RANDOM.integers(-8, 8, (rows, columns)).astype(np.float32)


def _name(rows: int, columns: int) -> str:
    return f"mat{columns}x{rows}"


def _literal(matrix: np.ndarray) -> str:
    rows, columns = matrix.shape
    return f"{_name(rows, columns)}({', '.join(str(float(x)) for x in matrix.T.flat)})"


@pytest.mark.parametrize(("rows", "inner"), SHAPES)
@pytest.mark.parametrize("columns", (2, 3, 4))
def test_products(rows: int, inner: int, columns: int) -> None:
    a, b = _matrix(rows, inner), _matrix(inner, columns)
    body = f"{_name(rows, columns)} p = a * b * 2.0; result = p;"
    got = run(body, _name(rows, columns), version=VERSION, a=a, b=b)
    assert np.array_equal(np.reshape(got, (columns, rows)).T, a @ b * 2)
    folded = constant_of(_name(rows, columns), f"{_literal(a)} * {_literal(b)}", VERSION)
    assert list(folded) == list((a @ b).T.flat)


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_products_with_vectors(rows: int, columns: int) -> None:
    m, right, left = _matrix(rows, columns), _matrix(columns, 1)[:, 0], _matrix(rows, 1)[:, 0]
    assert np.array_equal(run("result = m * v;", f"vec{rows}", version=VERSION, m=m, v=right), m @ right)
    assert np.array_equal(run("result = v * m;", f"vec{columns}", version=VERSION, m=m, v=left), left @ m)


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_a_matrix_of_a_matrix(rows: int, columns: int) -> None:
    """Where the argument has no component, that of the identity."""
    source = _matrix(3, 2)
    expected = np.eye(rows, columns, dtype=np.float32)
    expected[: min(rows, 3), : min(columns, 2)] = source[:rows, :columns]
    got = run(f"result = {_name(rows, columns)}(m);", _name(rows, columns), version=VERSION, m=source)
    assert np.array_equal(np.reshape(got, (columns, rows)).T, expected)
    assert list(constant_of(_name(rows, columns), f"{_name(rows, columns)}({_literal(source)})", VERSION)) == list(
        expected.T.flat
    )


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_a_scalar_goes_to_the_diagonal(rows: int, columns: int) -> None:
    got = run(f"result = {_name(rows, columns)}(f);", _name(rows, columns), version=VERSION, f=2.5)
    assert np.array_equal(np.reshape(got, (columns, rows)).T, 2.5 * np.eye(rows, columns))


def test_components_by_column_and_row() -> None:
    m = _matrix(3, 2)
    got = run(
        "m2 = m; m2[1][2] += 1.0; result = vec3(m2[1]) + m2[0];", "vec3", version=VERSION, functions="mat2x3 m2;", m=m
    )
    assert np.array_equal(got, m[:, 1] + m[:, 0] + [0, 0, 1])
