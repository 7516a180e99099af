"""Expressions: precedence, associativity, every operator and literal, and their spans."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl import ast
from tests.frontends.glsl.parser.shapes import expression_shape, statements


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a", "a"),
        ("1", "1"),
        ("017", "15"),
        ("0x1F", "31"),
        ("0", "0"),
        ("1.5", "1.5"),
        (".5", "0.5"),
        ("2.", "2.0"),
        ("1e3", "1000.0"),
        ("2.5E-1", "0.25"),
        ("true", "True"),
        ("false", "False"),
        ("((a))", "a"),
        ("a + b * c", "(+ a (* b c))"),
        ("a * b + c", "(+ (* a b) c)"),
        ("(a + b) * c", "(* (+ a b) c)"),
        ("a - b - c", "(- (- a b) c)"),
        ("a / b * c", "(* (/ a b) c)"),
        ("a < b == c > d", "(== (< a b) (> c d))"),
        ("a <= b != c >= d", "(!= (<= a b) (>= c d))"),
        ("a || b ^^ c && d == e", "(|| a (^^ b (&& c (== d e))))"),
        ("a == b && c ^^ d || e", "(|| (^^ (&& (== a b) c) d) e)"),
        ("a ? b : c ? d : e", "(? a b (? c d e))"),
        ("a ? b ? c : d : e", "(? a (? b c d) e)"),
        ("a ? b, c : d = e", "(? a (, b c) (= d e))"),
        ("a || b ? c : d", "(? (|| a b) c d)"),
        ("a = b = c", "(= a (= b c))"),
        ("a += b -= c", "(+= a (-= b c))"),
        ("a *= b /= c", "(*= a (/= b c))"),
        ("a = b ? c : d", "(= a (? b c d))"),
        ("a, b, c", "(, (, a b) c)"),
        ("a = b, c", "(, (= a b) c)"),
        ("-a", "(-_ a)"),
        ("- -+a", "(-_ (-_ (+_ a)))"),
        ("!a && !b", "(&& (!_ a) (!_ b))"),
        ("++a * --b", "(* (++_ a) (--_ b))"),
        ("-a++", "(-_ (_++ a))"),
        ("a - -b", "(- a (-_ b))"),
        ("a-- - b", "(- (_-- a) b)"),
        ("a.xyz.x", "(. (. a xyz) x)"),
        ("a[i][2].x", "(. ([] ([] a i) 2) x)"),
        ("a[b, c]", "([] a (, b c))"),
        ("f()", "f()"),
        ("f(void)", "f()"),
        ("f(a, b + c, d = e)", "f(a (+ b c) (= d e))"),
        ("vec4(a, 1.0).xy[0]", "([] (. vec4(a 1.0) xy) 0)"),
        ("f(g(h(x)))", "f(g(h(x)))"),
        ("f((a, b))", "f((, a b))"),
        ("bool(a) || mat2(1.0)[0].x < 1.0", "(|| bool(a) (< (. ([] mat2(1.0) 0) x) 1.0))"),
        ("a + b < c + d && e", "(&& (< (+ a b) (+ c d)) e)"),
    ],
)
def test_shape(source: str, expected: str) -> None:
    assert expression_shape(source) == expected


def _span_text(node: ast.Expression) -> str:
    span = node.span
    return span.file.line_text(span.line)[span.column - 1 : span.end_column - 1]


def _parse(source: str) -> ast.Expression:
    (statement,) = statements(f"{source};")
    assert isinstance(statement, ast.ExpressionStatement)
    assert statement.expression is not None
    return statement.expression


@pytest.mark.parametrize(
    "source", ["a", "a + b", "(a + b)", "-a", "a++", "f(a, b)", "a[1]", "a.xy", "a = b", "a ? b : c", "a, b", "vec2(1)"]
)
def test_span_covers_the_whole_expression(source: str) -> None:
    assert _span_text(_parse(source)) == source


def test_operands_in_parentheses_widen_the_outer_span() -> None:
    node = _parse("(a) * (b + c)")
    assert isinstance(node, ast.Binary)
    assert (_span_text(node), _span_text(node.left), _span_text(node.right)) == ("(a) * (b + c)", "(a)", "(b + c)")


def test_operator_and_name_tokens() -> None:
    node = _parse("aa += f(b).xy")
    assert isinstance(node, ast.Assign)
    assert isinstance(node.value, ast.Field)
    assert isinstance(node.value.base, ast.Call)
    # The operator is the second token, the call begins with the third, the components are the eighth.
    assert node.value.base.callee_token - node.op_token == 1
    assert node.value.name_token - node.op_token == 6


def test_huge_integer_stays_huge() -> None:
    node = _parse("9" * 5000)
    assert isinstance(node, ast.LiteralValue)
    assert node.value >= 2**32, "more than any int: a warning follows"


def test_long_chains_need_no_recursion() -> None:
    terms = 3000
    assert _height(_parse("+".join(["a"] * terms))) == terms
    assert _height(_parse("a" + ".x" * terms)) == terms + 1
    assert _height(_parse(",".join(["a"] * terms))) == terms


def _height(node: ast.Expression) -> int:
    height = 1
    while isinstance(node, ast.Binary | ast.Field):
        node = node.left if isinstance(node, ast.Binary) else node.base
        height += 1
    return height
