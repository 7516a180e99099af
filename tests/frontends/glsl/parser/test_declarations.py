"""Declarations: every production of chapter 9 that declares something."""

from __future__ import annotations

from typing import TypeVar

import pytest

from glslc_multi.frontends.glsl import ast
from tests.frontends.glsl.parser.shapes import shape, statements, valid
from tests.frontends.glsl.parser.sources import parse_text

D = TypeVar("D", bound=ast.External)


def _only(source: str, kind: type[D]) -> D:
    (declaration,) = valid(source).declarations
    assert isinstance(declaration, kind)
    return declaration


def _words(qualifiers: ast.Qualifiers) -> list[str]:
    return [word for word, _ in qualifiers.words]


def test_an_empty_shader_is_an_empty_unit() -> None:
    assert valid("").declarations == []


@pytest.mark.parametrize(
    "qualifiers",
    [
        "",
        "const",
        "attribute",
        "uniform lowp",
        "varying mediump",
        "invariant varying highp",
        "highp uniform",
        "in",
        "inout const",
    ],
)
def test_qualifiers_are_kept_in_source_order(qualifiers: str) -> None:
    node = _only(f"{qualifiers} vec4 a;", ast.VariableDeclaration)
    assert _words(node.qualifiers) == qualifiers.split()
    assert [declarator.name for declarator in node.declarators] == ["a"]


def test_declarators() -> None:
    node = _only("float a, b[3], c = 1.0, d[n + 1], e[];", ast.VariableDeclaration)
    sizes = [None if d.array_size is None else shape(d.array_size) for d in node.declarators]
    assert [d.name for d in node.declarators] == ["a", "b", "c", "d", "e"]
    assert [d.is_array for d in node.declarators] == [False, True, False, True, True]
    assert sizes == [None, "3", None, "(+ n 1)", None]
    assert node.declarators[2].initializer is not None
    assert shape(node.declarators[2].initializer) == "1.0"


def test_declarator_spans() -> None:
    node = _only("uniform vec4 colours[4], other;", ast.VariableDeclaration)
    first = node.declarators[0]
    assert (first.span.column, first.span.end_column) == (14, 24)
    assert (first.name_span.column, first.name_span.end_column) == (14, 21)
    assert (node.span.column, node.span.end_column) == (1, 32)


def test_initializer_ends_at_a_comma() -> None:
    node = _only("float a = b = c, d;", ast.VariableDeclaration)
    assert [d.name for d in node.declarators] == ["a", "d"]


def test_type_without_declarators() -> None:
    assert _only("float;", ast.VariableDeclaration).declarators == []


@pytest.mark.parametrize("source", ["float, a, b = 1.0;", "struct S { float x; }, a, b;"])
def test_empty_declaration_before_others(source: str) -> None:
    assert [d.name for d in _only(source, ast.VariableDeclaration).declarators] == ["a", "b"]


def test_user_type_name() -> None:
    node = _only("uniform Light light;", ast.VariableDeclaration)
    assert (node.specifier.name, node.specifier.struct) == ("Light", None)


def test_struct() -> None:
    node = _only("struct S { vec3 a, b[2]; mediump T c; } s, t[2];", ast.VariableDeclaration)
    struct = node.specifier.struct
    assert struct is not None
    assert (struct.name, node.specifier.name) == ("S", "S")
    assert [(m.name, m.specifier.name, m.is_array) for m in struct.members] == [
        ("a", "vec3", False),
        ("b", "vec3", True),
        ("c", "T", False),
    ]
    assert _words(struct.members[2].qualifiers) == ["mediump"]
    assert [d.name for d in node.declarators] == ["s", "t"]


def test_anonymous_struct_and_struct_inside() -> None:
    node = _only("uniform struct { struct In { float x; } y; } s;", ast.VariableDeclaration)
    struct = node.specifier.struct
    assert struct is not None
    inner = struct.members[0].specifier.struct
    assert inner is not None
    assert (struct.name, inner.name) == ("", "In")


def test_layout() -> None:
    node = _only("layout(location = 2, other) uniform vec4 a;", ast.VariableDeclaration)
    assert _words(node.qualifiers) == ["layout", "uniform"]
    (location, number, _), (other, nothing, _) = node.qualifiers.layout
    assert number is not None
    assert (location, shape(number), other, nothing) == ("location", "2", "other", None)


def test_layout_behind_a_qualifier_and_as_a_name() -> None:
    unit = valid("uniform layout(location = 1) vec4 a; float layout; float f() { return layout + layout(1.0); }")
    assert len(unit.declarations) == 3


def test_prototype() -> None:
    node = _only("highp vec2 f(const in float a, inout S b[2], int, out mediump vec2 d);", ast.FunctionDeclaration)
    assert (node.name, node.return_specifier.name, node.body) == ("f", "vec2", None)
    assert _words(node.qualifiers) == ["highp"]
    assert [(_words(p.qualifiers), p.specifier.name, p.name, p.is_array) for p in node.parameters] == [
        (["const", "in"], "float", "a", False),
        (["inout"], "S", "b", True),
        ([], "int", "", False),
        (["out", "mediump"], "vec2", "d", False),
    ]


@pytest.mark.parametrize("source", ["void f();", "void f(void);"])
def test_no_parameters(source: str) -> None:
    assert _only(source, ast.FunctionDeclaration).parameters == []


def test_void_among_parameters_is_kept_for_the_checker() -> None:
    assert len(_only("void f(void, int a);", ast.FunctionDeclaration).parameters) == 2
    assert len(_only("void f(void a);", ast.FunctionDeclaration).parameters) == 1


def test_definition() -> None:
    node = _only("S f() { return s; }", ast.FunctionDeclaration)
    assert node.body is not None
    assert len(node.body.statements) == 1
    assert node.span.end_column == 20


def test_struct_as_return_and_parameter_type() -> None:
    node = _only("struct S { float a; } f(struct T { float b; } t);", ast.FunctionDeclaration)
    assert node.return_specifier.struct is not None
    assert node.parameters[0].specifier.struct is not None


@pytest.mark.parametrize("precision", ["lowp", "mediump", "highp"])
def test_precision(precision: str) -> None:
    node = _only(f"precision {precision} float;", ast.PrecisionDeclaration)
    assert (node.precision, node.specifier.name) == (precision, "float")


def test_invariant_redeclaration() -> None:
    node = _only("invariant gl_Position, v;", ast.InvariantDeclaration)
    assert [name for name, _ in node.names] == ["gl_Position", "v"]


def test_local_declarations() -> None:
    kinds = [
        type(statement.declaration).__name__
        for statement in statements(
            "float a; const S s = S(1.0); struct T { int x; } t; precision lowp int;invariant v; lowp int b; float f();"
        )
        if isinstance(statement, ast.DeclarationStatement)
    ]
    variable = "VariableDeclaration"
    assert kinds == [
        *(variable, variable, variable, "PrecisionDeclaration", "InvariantDeclaration", variable),
        "FunctionDeclaration",
    ]


def test_extra_semicolon_is_a_warning() -> None:
    unit, sink = parse_text("void main() {};\n;")
    assert [(d.severity, d.message) for d in sink.diagnostics] == [("warning", "extra ';' outside of a function")] * 2
    assert len(unit.declarations) == 1
