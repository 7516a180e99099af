"""What the grammar reads in GLSL ES 3.00 and desktop GLSL only: arrays as types and values, `switch`, bits."""

from __future__ import annotations

import pytest

from glslc_multi.frontends.glsl import ast
from tests.frontends.glsl.parser.shapes import expression_shape, statements, valid
from tests.frontends.glsl.parser.sources import parse_text

ES = "300 es"


@pytest.mark.parametrize(
    ("source", "shape"),
    [
        ("float[3](a, b, c)", "float[3](a b c)"),
        ("float[](a)", "float[](a)"),
        ("x = S[2](a, b)", "(= x S[2](a b))"),
        ("x = S[](a, b)", "(= x S[](a b))"),
        ("x = S[n + 1](a, b)[0]", "(= x ([] S[(+ n 1)](a b) 0))"),
        ("a[1].length()", "(length ([] a 1))"),
        ("x = f(a).b.length() + 1", "(= x (+ (length (. f(a) b)) 1))"),
        ("a.length", "(. a length)"),
        ("a | b ^ c & d << e % f", "(| a (^ b (& c (<< d (% e f)))))"),
        ("a <<= ~b", "(<<= a (~_ b))"),
        ("a = 7u", "(= a 7)"),
    ],
)
def test_expressions(source: str, shape: str) -> None:
    assert expression_shape(source, ES) == shape


def test_brackets_begin_a_declaration_where_a_name_follows() -> None:
    kinds = [type(s) for s in statements("S[2] a; S[n[0]] b = c; a[2] = b; float[2] d; float[2](x, y).length();", ES)]
    declared, used = ast.DeclarationStatement, ast.ExpressionStatement
    assert kinds == [declared, declared, used, declared, used]


def test_array_types() -> None:
    unit = valid(f"#version {ES}\nfloat[2] f(int[3] a); float[] b = c, d[2];")
    function, variables = unit.declarations
    assert isinstance(function, ast.FunctionDeclaration)
    assert isinstance(variables, ast.VariableDeclaration)
    assert function.return_specifier.is_array
    assert function.parameters[0].specifier.is_array
    assert not function.parameters[0].is_array
    assert (variables.specifier.is_array, variables.specifier.array_size) == (True, None)
    assert [d.is_array for d in variables.declarators] == [False, True]


def test_switch() -> None:
    (statement,) = statements("switch (a) { case 1: case 2: b; break; default: { c; } }", ES)
    assert isinstance(statement, ast.Switch)
    label, use, jump = ast.CaseLabel, ast.ExpressionStatement, ast.Jump
    assert [type(s) for s in statement.statements] == [label, label, use, jump, label, ast.Block]
    assert [s.value is None for s in statement.statements if isinstance(s, label)] == [False, False, True]


def test_a_switch_survives_its_mistakes() -> None:
    """One message for each broken statement; what follows is read."""
    _, sink = parse_text(f"#version {ES}\nvoid main() {{ switch (a) {{\ncase 1 b;\ncase 2: b +;\ndefault: c; }}\nd; }}")
    assert [(d.code, d.span.line) for d in sink.diagnostics if d.span is not None] == [("E0201", 3), ("E0201", 4)]


@pytest.mark.parametrize("version", ["100", "110"])
@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("float[2] a;", "E0213"),
        ("x = float[2](a, b);", "E0214"),
        ("float a[2] = b;", "E0209"),
        ("a.length();", "E0201"),
        ("x = S[2](a, b);", "E0201"),
        ("a % b;", "E0205"),
        ("switch (a) { }", "E0204"),
    ],
)
def test_what_old_versions_refuse(version: str, source: str, code: str) -> None:
    _, sink = parse_text(f"#version {version}\nvoid main() {{ {source} }}")
    assert [d.code for d in sink.diagnostics] == [code]


def test_messages_name_the_version() -> None:
    _, sink = parse_text("#version 120\nvoid main() { a = b << c; }")
    assert [d.message for d in sink.diagnostics] == ["operator '<<' is reserved in GLSL 1.20"]
