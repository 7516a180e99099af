"""What evaluating something does besides yielding a value: answers that decide how it is lowered."""

from __future__ import annotations

from collections.abc import Iterator

from frontends.glsl import ast
from frontends.glsl.symbols import FunctionSymbol


def has_effects(expression: ast.Expression) -> bool:
    """Whether it must be evaluated exactly as often as the text says: it assigns or calls a function.

    Everything else is total in the IR (no operation traps), so evaluating it in vain does no harm.
    """
    pending = [expression]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Assign, ast.Postfix)):
            return True
        if isinstance(node, ast.Unary) and node.op in ("++", "--"):
            return True
        if isinstance(node, ast.Call) and node.function is not None:
            return True
        pending.extend(_operands(node))
    return False


def discarding_functions(functions: list[FunctionSymbol]) -> set[FunctionSymbol]:
    """The functions that contain a `discard` or call one that may."""
    found = {function for function in functions if _contains_discard(function)}
    callers: dict[FunctionSymbol, list[FunctionSymbol]] = {}
    for function in functions:
        for callee in function.calls:
            callers.setdefault(callee, []).append(function)
    pending = list(found)
    while pending:
        fresh = [caller for caller in callers.get(pending.pop(), ()) if caller not in found]
        found.update(fresh)
        pending.extend(fresh)
    return found


def _contains_discard(function: FunctionSymbol) -> bool:
    if function.definition is None or function.definition.body is None:
        return False
    pending: list[ast.Statement] = [function.definition.body]
    while pending:
        statement = pending.pop()
        if isinstance(statement, ast.Jump) and statement.kind == "discard":
            return True
        pending.extend(_substatements(statement))
    return False


def _substatements(statement: ast.Statement) -> Iterator[ast.Statement]:
    if isinstance(statement, ast.Block):
        yield from statement.statements
    elif isinstance(statement, ast.If):
        yield statement.then
        if statement.otherwise is not None:
            yield statement.otherwise
    elif isinstance(statement, (ast.For, ast.While, ast.DoWhile)):
        yield statement.body


def _operands(node: ast.Expression) -> Iterator[ast.Expression]:
    """The direct parts of an expression that assigns and calls nothing itself."""
    if isinstance(node, (ast.Unary, ast.ImplicitConversion)):
        yield node.operand
    elif isinstance(node, ast.Binary):
        yield from (node.left, node.right)
    elif isinstance(node, ast.Conditional):
        yield from (node.condition, node.if_true, node.if_false)
    elif isinstance(node, ast.Call):
        yield from node.arguments
    elif isinstance(node, ast.Index):
        yield from (node.base, node.index)
    elif isinstance(node, ast.Field):
        yield node.base
