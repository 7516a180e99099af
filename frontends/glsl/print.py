"""The syntax tree as GLSL text that parses back to an equal tree.

Used by `--emit=glsl`, the test generators and the reducer.  Parentheses appear where the tree needs them and nowhere
else; long chains (`a + b + …`, `else if`) are printed by loops, as the parser reads them.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from frontends.glsl import ast
from frontends.glsl.operators import LEVEL_OF

# How tightly expressions bind (section 5.1); an operand that binds looser than its context needs parentheses.
_COMMA, _ASSIGNMENT, _CONDITIONAL = 0, 1, 2
_BINARY = {op: _CONDITIONAL + level for op, level in LEVEL_OF.items()} | {",": _COMMA}
_PREFIX = max(_BINARY.values()) + 1
_POSTFIX = _PREFIX + 1

_INDENT = "    "


def print_unit(unit: ast.TranslationUnit) -> str:
    """A whole shader."""
    return "".join(_external(external) for external in unit.declarations)


# -------------------------------------------------------------------------------- expressions
def print_expression(node: ast.Expression, loosest: int = _COMMA) -> str:
    """An expression, in parentheses when it binds looser than its context allows."""
    level, text = _expression(node)
    return text if level >= loosest else f"({text})"


def _expression(node: ast.Expression) -> tuple[int, str]:
    """How tightly the expression binds, and its text."""
    match node:
        case ast.Binary():
            return _chain(node)
        case ast.Assign():
            target, value = print_expression(node.target, _CONDITIONAL + 1), print_expression(node.value, _ASSIGNMENT)
            return _ASSIGNMENT, f"{target} {node.op} {value}"
        case ast.Conditional():
            condition = print_expression(node.condition, _CONDITIONAL + 1)
            if_true, if_false = print_expression(node.if_true), print_expression(node.if_false, _ASSIGNMENT)
            return _CONDITIONAL, f"{condition} ? {if_true} : {if_false}"
        case ast.Unary():
            return _PREFIX, _prefixed(node.op, print_expression(node.operand, _PREFIX))
        case ast.ImplicitConversion():
            return _expression(node.operand)
        case _:
            return _POSTFIX, _postfixed(node)


def _chain(node: ast.Binary) -> tuple[int, str]:
    """Left-associative operators of one level, from the innermost left operand on."""
    level = _BINARY[node.op]
    links: list[ast.Binary] = []
    left: ast.Expression = node
    while isinstance(left, ast.Binary) and _BINARY[left.op] == level:
        links.append(left)
        left = left.left
    parts = [print_expression(left, level)]
    for link in reversed(links):
        separator = ", " if link.op == "," else f" {link.op} "
        parts += [separator, print_expression(link.right, level + 1)]
    return level, "".join(parts)


def _prefixed(op: str, operand: str) -> str:
    """`- -x` keeps its space, which would otherwise be a decrement."""
    return f"{op} {operand}" if operand.startswith(op[0]) else f"{op}{operand}"


def _postfixed(node: ast.Expression) -> str:
    """A primary expression and the chain of fields, indices, ++ and -- after it."""
    suffixes: list[str] = []
    while True:
        match node:
            case ast.Field(base=base):
                suffixes.append(f".{node.name}")
            case ast.Index(base=base):
                suffixes.append(f"[{print_expression(node.index)}]")
            case ast.Postfix(operand=base):
                suffixes.append(node.op)
            case _:
                break
        node = base
    primary = _primary(node)
    if suffixes and isinstance(node, ast.LiteralValue):
        # "5.x" would be a float literal and a name.
        primary = f"({primary})"
    return primary + "".join(reversed(suffixes))


def _primary(node: ast.Expression) -> str:
    match node:
        case ast.LiteralValue():
            return _literal(node.value)
        case ast.Name():
            return node.name
        case ast.Call():
            arguments = ", ".join(print_expression(argument, _ASSIGNMENT) for argument in node.arguments)
            return f"{node.callee}({arguments})"
        case _:
            return f"({print_expression(node)})"


def _literal(value: bool | int | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value == float("inf"):
        # A literal beyond the range of floats; this one is, too.
        return "1e999"
    return repr(value)


# ------------------------------------------------------------------------------- declarations
def _external(external: ast.External) -> str:
    if not isinstance(external, ast.FunctionDeclaration):
        return _declaration(external) + ";\n"
    if external.body is None:
        return _prototype(external) + ";\n"
    return f"\n{_prototype(external)} {_block(external.body, '')}\n"


def _declaration(
    node: ast.VariableDeclaration | ast.PrecisionDeclaration | ast.InvariantDeclaration | ast.FunctionDeclaration,
    indent: str = "",
) -> str:
    """A declaration without its semicolon."""
    match node:
        case ast.PrecisionDeclaration():
            return f"precision {node.precision} {_specifier(node.specifier, indent)}"
        case ast.InvariantDeclaration():
            return "invariant " + ", ".join(name for name, _ in node.names)
        case ast.FunctionDeclaration():
            return _prototype(node)
        case ast.VariableDeclaration():
            declarators = ", ".join(map(_declarator, node.declarators))
            return _join(_qualifiers(node.qualifiers), _specifier(node.specifier, indent), declarators)


def _qualifiers(node: ast.Qualifiers) -> str:
    return " ".join(_layout(node) if word == "layout" else word for word, _ in node.words)


def _layout(node: ast.Qualifiers) -> str:
    items = ", ".join(
        name if value is None else f"{name} = {print_expression(value, _ASSIGNMENT)}" for name, value, _ in node.layout
    )
    return f"layout({items})"


def _specifier(node: ast.TypeSpecifier, indent: str = "") -> str:
    if node.struct is None:
        return node.name
    inner = indent + _INDENT
    # Members of one list share their specifier; a structure declared there must not be printed twice.
    lists = groupby(node.struct.members, key=lambda member: id(member.specifier))
    members = "".join(f"{inner}{_members(list(members), inner)};\n" for _, members in lists)
    return _join("struct", node.struct.name, f"{{\n{members}{indent}}}")


def _members(members: list[ast.StructMember], indent: str) -> str:
    names = ", ".join(member.name + _brackets(member.is_array, member.array_size) for member in members)
    return _join(_qualifiers(members[0].qualifiers), _specifier(members[0].specifier, indent), names)


def _declarator(node: ast.Declarator) -> str:
    text = node.name + _brackets(node.is_array, node.array_size)
    return text if node.initializer is None else f"{text} = {print_expression(node.initializer, _ASSIGNMENT)}"


def _brackets(is_array: bool, size: ast.Expression | None) -> str:
    if not is_array:
        return ""
    return "[]" if size is None else f"[{print_expression(size, _ASSIGNMENT)}]"


def _prototype(node: ast.FunctionDeclaration) -> str:
    parameters = ", ".join(map(_parameter, node.parameters))
    return _join(_qualifiers(node.qualifiers), _specifier(node.return_specifier), f"{node.name}({parameters})")


def _parameter(node: ast.Parameter) -> str:
    name = node.name + _brackets(node.is_array, node.array_size)
    return _join(_qualifiers(node.qualifiers), _specifier(node.specifier), name)


def _join(*parts: str) -> str:
    return " ".join(part for part in parts if part)


# --------------------------------------------------------------------------------- statements
def print_statement(node: ast.Statement, indent: str = "") -> str:
    """A statement; its first line is not indented, so that it can follow `else` or `for (...)`."""
    match node:
        case ast.Block():
            return _block(node, indent)
        case ast.DeclarationStatement():
            return _declaration(node.declaration, indent) + ";"
        case ast.ExpressionStatement():
            return ";" if node.expression is None else print_expression(node.expression) + ";"
        case ast.If():
            return _if(node, indent)
        case ast.For():
            initial, step = print_statement(node.initial, indent), _optional(node.step)
            return f"for ({initial} {_condition(node.condition)}; {step}) {print_statement(node.body, indent)}"
        case ast.While():
            return f"while ({_condition(node.condition)}) {print_statement(node.body, indent)}"
        case ast.DoWhile():
            return f"do {print_statement(node.body, indent)} while ({print_expression(node.condition)});"
        case ast.Jump():
            return _join(node.kind, _optional(node.value)) + ";"
    raise AssertionError(f"{type(node).__name__} is not a statement")


def _block(node: ast.Block, indent: str) -> str:
    return _lines((print_statement(statement, indent + _INDENT) for statement in node.statements), indent)


def _lines(statements: Iterable[str], indent: str) -> str:
    return "{\n" + "".join(f"{indent}{_INDENT}{statement}\n" for statement in statements) + indent + "}"


def _if(node: ast.If, indent: str) -> str:
    parts: list[str] = []
    otherwise: ast.Statement | None = node
    while isinstance(otherwise, ast.If):
        then = _then(otherwise, indent)
        parts.append(f"if ({print_expression(otherwise.condition)}) {then}")
        otherwise = otherwise.otherwise
    if otherwise is not None:
        parts.append(print_statement(otherwise, indent))
    return " else ".join(parts)


def _then(node: ast.If, indent: str) -> str:
    """The first branch, in braces when it would take the `else` for itself.

    Such a tree cannot come from text, where braces would make a block of the branch.
    """
    text = print_statement(node.then, indent)
    return _lines([text], indent) if node.otherwise is not None and _ends_in_if(node.then) else text


def _ends_in_if(node: ast.Statement) -> bool:
    """An `else` after this statement would belong to an `if` at its end."""
    while True:
        match node:
            case ast.If(otherwise=None):
                return True
            case ast.If(otherwise=ast.Statement() as last) | ast.For(body=last) | ast.While(body=last):
                node = last
            case _:
                return False


def _condition(node: ast.Expression | ast.ConditionDeclaration | None) -> str:
    return _declaration(node.declaration) if isinstance(node, ast.ConditionDeclaration) else _optional(node)


def _optional(node: ast.Expression | None) -> str:
    return "" if node is None else print_expression(node)
