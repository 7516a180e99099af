"""The printer: exact text for every construct, and text that parses back to an equal tree."""

from __future__ import annotations

import random

import pytest

from compiler.diagnostics import SourceFile, Span
from frontends.glsl import ast
from frontends.glsl.limits import NESTING_LIMIT
from frontends.glsl.print import print_expression, print_statement, print_unit
from frontends.glsl.walk import same_tree
from tests.frontends.glsl.grammar.shapes import statements, valid
from tests.frontends.glsl.grammar.test_fuzz import SHADER

NOWHERE = Span(SourceFile("nowhere"), 1, 1, 1, 1)


@pytest.mark.parametrize(
    "source",
    [
        "a + b * c",
        "(a + b) * c",
        "a - (b - c)",
        "a - b - c",
        "a, b, c",
        "a, (b, c)",
        "a = b = c",
        "(a = b) + c",
        "a ? b : c ? d : e",
        "(a ? b : c) ? d : e",
        "a ? b, c : d = e",
        "- -a",
        "-(-a).x",
        "!(a && b) || c ^^ d",
        "-(a + b)",
        "+ ++a",
        "(-a)[0]",
        "(a + b).xy[1]++",
        "a++ + ++b",
        "f((a, b), c)[d, e]",
        "(5).x",
        "vec4(1.0, 2, true, 0.5)",
        "a[b].c",
        "a += b *= c",
        "a == (b == c)",
        "a || (b || c)",
    ],
)
def test_expression_text(source: str) -> None:
    (statement,) = statements(f"{source};")
    assert print_statement(statement) == f"{source};"


def test_literals_keep_their_meaning() -> None:
    values: tuple[bool | int | float, ...] = (1, 2**31, 1.0, 0.1, 1e-10, 1e22, 3.4028235e38, True, False, float("inf"))
    for value in values:
        (statement,) = statements(f"{print_expression(ast.LiteralValue(NOWHERE, value))};")
        assert isinstance(statement, ast.ExpressionStatement)
        assert isinstance(statement.expression, ast.LiteralValue)
        assert statement.expression.value == value
        assert type(statement.expression.value) is type(value)


def test_field_of_a_literal_keeps_its_parentheses() -> None:
    node = ast.Field(NOWHERE, ast.LiteralValue(NOWHERE, 5), "x", 0)
    assert print_expression(node) == "(5).x"


def test_implicit_conversion_is_not_written() -> None:
    assert print_expression(ast.ImplicitConversion(NOWHERE, ast.Name(NOWHERE, "a"))) == "a"


def test_branch_that_would_take_the_else_gets_braces() -> None:
    name, empty = ast.Name(NOWHERE, "a"), ast.ExpressionStatement(NOWHERE, None)
    inner = ast.While(NOWHERE, name, ast.If(NOWHERE, name, empty, None))
    text = print_statement(ast.If(NOWHERE, name, inner, empty))
    (outer,) = statements(text)
    assert isinstance(outer, ast.If)
    assert outer.otherwise is not None


def test_whole_shader() -> None:
    text = """\
precision mediump float;
layout(location = 3) uniform vec4 a[4];
struct S {
    vec3 b, c[2];
} s;
invariant a, b;
float f(const in float x, int);

void main() {
    for (int i = 0; i < 3; i++) {
        if (a) discard; else if (b) {
            c;
        } else ;
    }
    while (bool b = f()) ;
    do {
        return;
    } while (a);
}
"""
    assert print_unit(valid(text)) == text


@pytest.mark.parametrize("seed", range(40))
def test_random_expressions_come_back(seed: int) -> None:
    node = _random_expression(random.Random(seed), depth=6)
    (statement,) = statements(f"{print_expression(node)};")
    assert isinstance(statement, ast.ExpressionStatement)
    assert statement.expression is not None
    assert same_tree(statement.expression, node)


def test_shader_comes_back() -> None:
    unit = valid(SHADER)
    assert same_tree(valid(print_unit(unit)), unit)


def test_long_chains_come_back() -> None:
    chain = "void main() { if (a) ; " + "else if (b) ; " * 3000 + "c = " + " + ".join(["a"] * 3000) + "; }"
    unit = valid(chain)
    assert same_tree(valid(print_unit(unit)), unit)


def test_deep_nesting_comes_back() -> None:
    depth = NESTING_LIMIT // 3 - 2
    source = f"void main() {{ {'if (a) {' * depth} b = {'f(-' * (depth // 2)}c{')' * (depth // 2)}; {'}' * depth} }}"
    unit = valid(source)
    assert same_tree(valid(print_unit(unit)), unit)


def _random_expression(choose: random.Random, depth: int) -> ast.Expression:
    """Any tree that the grammar can produce."""
    kind = choose.randrange(10) if depth else 0

    def part() -> ast.Expression:
        return _random_expression(choose, depth - 1)

    match kind:
        case 1:
            return ast.Unary(NOWHERE, choose.choice(["+", "-", "!", "++", "--"]), part())
        case 2:
            return ast.Postfix(NOWHERE, choose.choice(["++", "--"]), part())
        case 3:
            return ast.Conditional(NOWHERE, part(), part(), part())
        case 4:
            return ast.Assign(NOWHERE, choose.choice(["=", "+=", "-=", "*=", "/="]), part(), part(), 0)
        case 5:
            return ast.Call(NOWHERE, "f", 0, [part() for _ in range(choose.randrange(3))])
        case 6:
            return ast.Index(NOWHERE, part(), part())
        case 7:
            return ast.Field(NOWHERE, part(), "x", 0)
        case 8 | 9:
            op = choose.choice("+ - * / < > <= >= == != && || ^^ ,".split())
            return ast.Binary(NOWHERE, op, part(), part(), 0)
        case _:
            return choose.choice([ast.Name(NOWHERE, "a"), ast.LiteralValue(NOWHERE, 2), ast.LiteralValue(NOWHERE, 0.5)])
