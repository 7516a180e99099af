"""What the loops of a function write, and which of them surely run."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from operator import or_

from glslc_multi.frontends.glsl.ast import (
    Assign,
    Binary,
    Call,
    DeclarationStatement,
    DoWhile,
    Expression,
    For,
    Name,
    Postfix,
    Statement,
    Unary,
    VariableDeclaration,
    While,
)
from glslc_multi.frontends.glsl.flow.parts import Parts
from glslc_multi.frontends.glsl.walk import Node, children

Loop = For | While | DoWhile
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def runs_once(loop: For) -> bool:
    """Whether the first iteration is sure: the index and its bound are constants (Appendix A, section 4)."""
    condition, initial = loop.condition, loop.initial
    if condition is None:
        return True
    if not isinstance(condition, Binary) or condition.op not in _COMPARE or condition.right.constant is None:
        return False
    if not isinstance(initial, DeclarationStatement) or not isinstance(initial.declaration, VariableDeclaration):
        return False
    for declarator in initial.declaration.declarators:
        is_index = isinstance(condition.left, Name) and condition.left.symbol is declarator.symbol
        if is_index and declarator.initializer is not None and declarator.initializer.constant is not None:
            return _COMPARE[condition.op](declarator.initializer.constant[0], condition.right.constant[0])
    return False


def writes_of_loops(body: Statement, parts: Parts) -> dict[Loop, int]:
    """Loop -> all that is written in it, for the loops in `body`; a walk without recursion."""
    written: dict[Loop, int] = {}
    around: list[Loop] = []
    pending: list[Node | None] = [body]
    while pending:
        node = pending.pop()
        if node is None:
            inner = around.pop()
            if around:
                written[around[-1]] |= written[inner]
            continue
        if isinstance(node, For | While | DoWhile):
            written[node] = 0
            around.append(node)
            pending.append(None)
        elif around:
            # The bits that a node writes by itself.
            targets: list[Expression] = []
            if isinstance(node, Assign):
                targets = [node.target]
            elif isinstance(node, Unary | Postfix) and node.op in ("++", "--"):
                targets = [node.operand]
            elif isinstance(node, Call) and node.function is not None:
                pairs = zip(node.arguments, node.function.parameters, strict=True)
                targets = [argument for argument, parameter in pairs if parameter.storage in ("out", "inout")]
            found = [part for part in map(parts.part, targets) if part is not None]
            written[around[-1]] |= reduce(or_, [part.bits for part in found], 0)
        pending.extend(children(node))
    return written
