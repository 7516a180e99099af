"""Short texts for syntax trees, so that tests can state a whole tree in a line."""

from __future__ import annotations

from itertools import groupby

from glslc_multi.frontends.glsl import ast
from tests.frontends.glsl.parser.sources import parse_text


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
    """An expression in prefix form."""
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


def unit_shape(unit: ast.TranslationUnit) -> str:
    """A whole shader."""
    return "".join(map(_declaration, unit.declarations))


def _declaration(node: ast.External) -> str:
    match node:
        case ast.VariableDeclaration():
            return f"var({_qualifiers(node.qualifiers)}|{_type(node.specifier)}|{_names(node.declarators)})"
        case ast.FunctionDeclaration():
            parameters = " ".join(f"<{_member(parameter)}>" for parameter in node.parameters)
            head = f"{_qualifiers(node.qualifiers)}|{_type(node.return_specifier)}|{node.name}|{parameters}"
            return f"function({head})" if node.body is None else f"function({head}|{_statement(node.body)})"
        case ast.PrecisionDeclaration():
            return f"precision({node.precision} {_type(node.specifier)})"
        case ast.InvariantDeclaration():
            return f"invariant({' '.join(name for name, _ in node.names)})"
        case ast.BlockDeclaration():
            members = _members(node.members)
            return f"block({_qualifiers(node.qualifiers)}|{node.name}{{{members}}}|{_names(node.instances)})"
        case ast.LayoutDeclaration():
            return f"layout({_qualifiers(node.qualifiers)})"


def _qualifiers(node: ast.Qualifiers) -> str:
    """The words; what all `layout` list is with the first."""
    items = " ".join(name + ("" if value is None else f"={shape(value)}") for name, value, _ in node.layout)
    words = [f"layout({items})" if word == "layout" else word for word, _ in node.words]
    return " ".join(words)


def _type(node: ast.TypeSpecifier) -> str:
    struct = node.struct
    name = node.name if struct is None else f"struct {struct.name}{{{_members(struct.members)}}}"
    return name + _size(node.is_array, node.array_size)


def _size(is_array: bool, size: ast.Expression | None) -> str:
    return "" if not is_array else "[]" if size is None else f"[{shape(size)}]"


def _member(node: ast.StructMember | ast.Parameter) -> str:
    return f"{_qualifiers(node.qualifiers)}|{_type(node.specifier)}|{node.name}{_size(node.is_array, node.array_size)}"


def _members(nodes: list[ast.StructMember]) -> str:
    """Those that are declared together, which share their qualifiers, together."""
    groups = groupby(nodes, key=lambda member: id(member.qualifiers))
    return "".join(f"<{_member(first)}{''.join(map(_further, rest))}>" for _, (first, *rest) in groups)


def _further(node: ast.StructMember) -> str:
    return f" {node.name}{_size(node.is_array, node.array_size)}"


def _names(nodes: list[ast.Declarator]) -> str:
    return " ".join(
        node.name
        + _size(node.is_array, node.array_size)
        + ("" if node.initializer is None else f"={shape(node.initializer)}")
        for node in nodes
    )


def _condition(node: ast.Expression | ast.ConditionDeclaration | None) -> str:
    if node is None:
        return ""
    return _declaration(node.declaration) if isinstance(node, ast.ConditionDeclaration) else shape(node)


def _statement(node: ast.Statement) -> str:
    match node:
        case ast.Block():
            return f"{{{''.join(map(_statement, node.statements))}}}"
        case ast.DeclarationStatement():
            return _declaration(node.declaration)
        case ast.ExpressionStatement():
            return f"{_condition(node.expression)};"
        case ast.If():
            arms = [node.then] if node.otherwise is None else [node.then, node.otherwise]
            return f"if({'|'.join([shape(node.condition), *map(_statement, arms)])})"
        case ast.Switch():
            return f"switch({shape(node.selector)}|{{{''.join(map(_statement, node.statements))}}})"
        case ast.CaseLabel():
            return "default()" if node.value is None else f"case({shape(node.value)})"
        case ast.For():
            head = [_statement(node.initial), _condition(node.condition), _condition(node.step)]
            return f"for({'|'.join([*head, _statement(node.body)])})"
        case ast.While():
            return f"while({_condition(node.condition)}|{_statement(node.body)})"
        case ast.DoWhile():
            return f"do({_statement(node.body)}|{shape(node.condition)})"
        case ast.Jump():
            return f"{node.kind}({_condition(node.value)})"
    raise AssertionError(f"unexpected node {node}")
