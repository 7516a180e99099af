"""Walks: every node once, in the order of the text."""

from __future__ import annotations

from glslc_multi.frontends.glsl import ast
from glslc_multi.frontends.glsl.walk import children, walk
from tests.frontends.glsl.parser.shapes import valid


def test_walk_visits_every_node_before_its_children() -> None:
    names = [type(node).__name__ for node in walk(valid("const float a = -b;"))]
    assert names == [
        "TranslationUnit",
        "VariableDeclaration",
        "Qualifiers",
        "TypeSpecifier",
        "Declarator",
        "Unary",
        "Name",
    ]


def test_children_of_a_call() -> None:
    (call,) = (node for node in walk(valid("float a = f(b, 1);")) if isinstance(node, ast.Call))
    assert [type(node).__name__ for node in children(call)] == ["Name", "LiteralValue"]


def test_layout_values_are_nodes() -> None:
    unit = valid("layout(location = 7) uniform vec4 a;")
    assert [node.value for node in walk(unit) if isinstance(node, ast.LiteralValue)] == [7]


def test_tall_trees_need_no_recursion() -> None:
    source = f"float a = {' + '.join(['b'] * 4000)};"
    assert sum(isinstance(node, ast.Binary) for node in walk(valid(source))) == 3999
