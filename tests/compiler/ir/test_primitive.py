"""Pragmas of geometry shaders: what each form says, and what makes no sense."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.ir.primitive import Primitive, primitive_of, read_primitive


@pytest.mark.parametrize(
    ("text", "primitive"),
    [
        ("geometry(points)", Primitive("point", 1, 1)),
        ("geometry ( lines )", Primitive("point", 2, 2)),
        ("geometry(vertices=12)", Primitive("point", 12, 12)),
        ("geometry(fixed, triangles)", Primitive("fixed", 3, 3)),
        ("geometry(fixed,vertices = 20)", Primitive("fixed", 20, 20)),
        ("geometry(variable, vertices = 2, most = 9)", Primitive("variable", 2, 9)),
        ("geometry(variable, lines, most = 2)", Primitive("variable", 2, 2)),
    ],
)
def test_forms(text: str, primitive: Primitive) -> None:
    assert read_primitive(text) == primitive


@pytest.mark.parametrize(
    "text",
    [
        "geometry",
        "geometry()",
        "geometry(quads)",
        "geometry(vertices = 0)",
        "geometry(vertices = 100)",
        "geometry(points, most = 3)",
        "geometry(fixed, points, most = 3)",
        "geometry(variable, points)",
        "geometry(variable, vertices = 3, most = 2)",
        "geometry(fixed vertices = 3)",
        "geometry(triangles) x",
    ],
)
def test_nonsense(text: str) -> None:
    assert read_primitive(text) is None


def test_the_last_one_holds() -> None:
    assert primitive_of(["geometry(points)", "other", "geometry(lines)", "geometry(x)"]) == Primitive("point", 2, 2)
    assert primitive_of(["other"]) is None
