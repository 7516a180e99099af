"""Short texts for syntax trees, so that tests can state a whole tree in a line."""

from __future__ import annotations

from frontends.glsl import ast
from tests.frontends.glsl.grammar.sources import parse_text


def expression_shape(source: str, version: str = "100") -> str:
    """The tree of one expression in prefix form: `a + b * c` is "(+ a (* b c))"."""
    statement = statements(f"{source};", version)[0]
    assert isinstance(statement, ast.ExpressionStatement)
    assert statement.expression is not None
    return shape(statement.expression)


def statements(source: str, version: str = "100") -> list[ast.Statement]:
    """The statements of a function body, which must have no errors."""
    unit = valid(f"#version {version}\nvoid main() {{ {source}\n}}")
    function = unit.declarations[0]
    assert isinstance(function, ast.FunctionDeclaration)
    assert function.body is not None
    return function.body.statements


def valid(source: str) -> ast.TranslationUnit:
    """The tree of a shader that must have no errors."""
    unit, sink = parse_text(source)
    assert [d.message for d in sink.diagnostics] == []
    return unit


def shape(node: ast.Expression) -> str:
    match node:
        case ast.LiteralValue(value=value):
            return repr(value)
        case ast.Name(name=name):
            return name
        case ast.Unary(op=op, operand=operand):
            return f"({op}_ {shape(operand)})"
        case ast.Postfix(op=op, operand=operand):
            return f"(_{op} {shape(operand)})"
        case ast.Binary(op=op, left=left, right=right):
            return f"({op} {shape(left)} {shape(right)})"
        case ast.Assign(op=op, target=target, value=value):
            return f"({op} {shape(target)} {shape(value)})"
        case ast.Conditional(condition=condition, if_true=if_true, if_false=if_false):
            return f"(? {shape(condition)} {shape(if_true)} {shape(if_false)})"
        case ast.Call(callee=callee, arguments=arguments, array=array):
            size = "" if array is None else "[]" if array.array_size is None else f"[{shape(array.array_size)}]"
            return f"{callee}{size}({' '.join(map(shape, arguments))})"
        case ast.Length(base=base):
            return f"(length {shape(base)})"
        case ast.Index(base=base, index=index):
            return f"([] {shape(base)} {shape(index)})"
        case ast.Field(base=base, name=name):
            return f"(. {shape(base)} {name})"
    raise AssertionError(f"unexpected node {node}")
