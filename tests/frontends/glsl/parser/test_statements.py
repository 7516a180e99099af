"""Statements: every production of chapter 9, and which `if` an `else` belongs to."""

from __future__ import annotations

from typing import TypeVar

import pytest

from glslc_multi.frontends.glsl import ast
from tests.frontends.glsl.parser.shapes import shape, statements

S = TypeVar("S", bound=ast.Statement)


def _only(source: str, kind: type[S]) -> S:
    (statement,) = statements(source)
    assert isinstance(statement, kind)
    return statement


def _call(statement: ast.Statement | None) -> str:
    """The shape of an expression statement."""
    assert isinstance(statement, ast.ExpressionStatement)
    assert statement.expression is not None
    return shape(statement.expression)


def test_empty_statement_and_block() -> None:
    empty, block, nested = statements("; {} { a; { b; } }")
    assert isinstance(empty, ast.ExpressionStatement)
    assert empty.expression is None
    assert isinstance(block, ast.Block)
    assert block.statements == []
    assert isinstance(nested, ast.Block)
    assert [type(s).__name__ for s in nested.statements] == ["ExpressionStatement", "Block"]


@pytest.mark.parametrize("kind", ["break", "continue", "discard", "return"])
def test_jumps(kind: str) -> None:
    node = _only(f"{kind};", ast.Jump)
    assert (node.kind, node.value) == (kind, None)


def test_return_value() -> None:
    node = _only("return a, b;", ast.Jump)
    assert node.value is not None
    assert shape(node.value) == "(, a b)"


def test_if_else_chain() -> None:
    node = _only("if (a) b; else if (c) { d; } else if (e) f; else g;", ast.If)
    conditions = []
    last: ast.Statement | None = node
    while isinstance(last, ast.If):
        conditions.append(shape(last.condition))
        last = last.otherwise
    assert conditions == ["a", "c", "e"]
    assert _call(last) == "g"


def test_else_belongs_to_the_nearest_if() -> None:
    node = _only("if (a) if (b) c; else d;", ast.If)
    assert node.otherwise is None
    assert isinstance(node.then, ast.If)
    assert _call(node.then.otherwise) == "d"


def test_else_behind_a_loop_inside_an_if() -> None:
    node = _only("if (a) for (;;) if (b) c; else d; else e;", ast.If)
    assert _call(node.otherwise) == "e"


def test_else_if_spans_reach_to_the_end_of_the_chain() -> None:
    node = _only("if (a) b; else if (c) d; else e;", ast.If)
    assert isinstance(node.otherwise, ast.If)
    assert node.otherwise.span.end_column == node.span.end_column


def test_for() -> None:
    node = _only("for (int i = 0; i < 3; i++, j) a;", ast.For)
    assert isinstance(node.initial, ast.DeclarationStatement)
    assert isinstance(node.condition, ast.Expression)
    assert node.step is not None
    assert (shape(node.condition), shape(node.step), _call(node.body)) == ("(< i 3)", "(, (_++ i) j)", "a")


def test_for_with_nothing() -> None:
    node = _only("for (;;) ;", ast.For)
    assert isinstance(node.initial, ast.ExpressionStatement)
    assert (node.initial.expression, node.condition, node.step) == (None, None, None)


def test_for_with_an_expression_first() -> None:
    node = _only("for (i = 0; ; ) { }", ast.For)
    assert _call(node.initial) == "(= i 0)"


@pytest.mark.parametrize("declared", ["bool b = f()", "const bool b = f()", "lowp S b = f()", "S b = f()"])
def test_declared_condition(declared: str) -> None:
    conditions = [
        _only(f"while ({declared}) ;", ast.While).condition,
        _only(f"for (; {declared}; ) ;", ast.For).condition,
    ]
    for condition in conditions:
        assert isinstance(condition, ast.ConditionDeclaration)
        (declarator,) = condition.declaration.declarators
        assert declarator.name == "b"
        assert declarator.initializer is not None
        assert shape(declarator.initializer) == "f()"


def test_constructor_as_a_condition() -> None:
    condition = _only("while (bool(a)) ;", ast.While).condition
    assert isinstance(condition, ast.Call)


def test_do_while() -> None:
    node = _only("do { a; } while (b, c);", ast.DoWhile)
    assert shape(node.condition) == "(, b c)"


def test_declaration_or_expression() -> None:
    """Two letters decide: a type's constructor call and a name alone are expressions."""
    kinds = [
        isinstance(statement, ast.DeclarationStatement)
        for statement in statements("vec2 a; vec2(1.0); S b; S(1); S; f(a); a[1] = b; a.x = b; S c = S(1);")
    ]
    assert kinds == [True, False, True, False, False, False, False, False, True]


def test_declaration_as_a_branch() -> None:
    """The grammar allows it (statement, declaration_statement), if to no use."""
    node = _only("if (a) float b = 1.0;", ast.If)
    assert isinstance(node.then, ast.DeclarationStatement)


def test_statement_spans() -> None:
    (node,) = statements("for (;;) { a; }")
    assert (node.span.end_column - node.span.column) == len("for (;;) { a; }")
