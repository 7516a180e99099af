"""The limits of Appendix A, which every implementation of GLSL ES 1.00 supports and WebGL enforces.

Loops and indices beyond them are accepted; the warnings of group "portability" point them out.
"""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.diagnostics.catalogue import types as messages
from glslc_multi.frontends.glsl.ast import (
    Assign,
    Binary,
    Call,
    ConditionDeclaration,
    DeclarationStatement,
    Expression,
    Field,
    For,
    ImplicitConversion,
    Index,
    Name,
    Postfix,
    Statement,
    Unary,
    VariableDeclaration,
)
from glslc_multi.frontends.glsl.check.context import Context
from glslc_multi.frontends.glsl.symbols import VariableSymbol
from glslc_multi.frontends.glsl.types import FLOAT, INT

_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


def report_loop(ctx: Context, span: Span, reason: str) -> None:
    if ctx.has("bounded loops"):
        ctx.sink.report(messages.LOOP_PORTABILITY, span, reason=reason)


def check_for(ctx: Context, loop: For) -> VariableSymbol | None:
    """The loop's index if its checked header has the portable form (section A.4), else None and a warning."""
    if not ctx.has("bounded loops"):
        return None
    index = _index_of(loop.initial)
    if index is None:
        report_loop(ctx, loop.initial.span, "it does not declare one int or float index with a constant value")
    elif not _is_bounded(loop.condition, index):
        span = loop.condition.span if loop.condition is not None else loop.span
        report_loop(ctx, span, "the condition does not compare the index with a constant")
    elif not _is_step(loop.step, index):
        span = loop.step.span if loop.step is not None else loop.span
        report_loop(ctx, span, "the index is not stepped by a constant")
    else:
        return index
    return None


def report_index_change(ctx: Context, symbol: VariableSymbol, span: Span) -> None:
    """Warn where the body of a loop assigns the loop's index."""
    if symbol in ctx.loop_indices:
        report_loop(ctx, span, f"the body changes the index '{symbol.name}'")


def _index_of(initial: Statement) -> VariableSymbol | None:
    if not isinstance(initial, DeclarationStatement) or not isinstance(initial.declaration, VariableDeclaration):
        return None
    declarators = initial.declaration.declarators
    if len(declarators) != 1 or declarators[0].symbol is None or declarators[0].initializer is None:
        return None
    symbol = declarators[0].symbol
    return symbol if symbol.type in (INT, FLOAT) and declarators[0].initializer.constant is not None else None


def _is_bounded(condition: Expression | ConditionDeclaration | None, index: VariableSymbol) -> bool:
    if not isinstance(condition, Binary) or condition.op not in _COMPARISONS:
        return False
    return _is_name_of(condition.left, index) and condition.right.constant is not None


def _is_step(step: Expression | None, index: VariableSymbol) -> bool:
    """The appendix lists `i++` but not `++i`, which every implementation takes alike."""
    if isinstance(step, Unary | Postfix):
        return step.op in ("++", "--") and _is_name_of(step.operand, index)
    if isinstance(step, Assign) and step.op in ("+=", "-="):
        return _is_name_of(step.target, index) and step.value.constant is not None
    return False


def _is_name_of(expression: Expression, symbol: VariableSymbol) -> bool:
    return isinstance(expression, Name) and expression.symbol is symbol


# ----------------------------------------------------------------------------------------- indices
def check_index(ctx: Context, e: Index) -> None:
    """Warn of an index that is no constant-index-expression (section A.5)."""
    if not ctx.has("bounded loops"):
        return
    if ctx.stage == "vertex" and not e.type.contains_sampler and _is_uniform(e.base):
        return
    if not _is_constant_index(ctx, e.index):
        ctx.sink.report(messages.INDEX_PORTABILITY, e.index.span)


def _is_uniform(expression: Expression) -> bool:
    while isinstance(expression, Field | Index):
        expression = expression.base
    return isinstance(expression, Name) and expression.symbol is not None and expression.symbol.storage == "uniform"


def _is_constant_index(ctx: Context, index: Expression) -> bool:
    """Whether `index` is made of constants, loop indices and operations on them."""
    waiting = [index]
    while waiting:
        e = waiting.pop()
        if e.constant is not None or (isinstance(e, Name) and e.symbol in ctx.loop_indices):
            continue
        parts = _operands(e)
        if not parts:
            return False
        waiting += parts
    return True


def _operands(e: Expression) -> list[Expression]:
    """The operands of an operation without effects; none for anything else."""
    match e:
        case Binary():
            return [e.left, e.right]
        case Unary(op="+" | "-" | "!") | ImplicitConversion():
            return [e.operand]
        case Field():
            return [e.base]
        case Index():
            return [e.base, e.index]
        case Call() if e.function is None:
            return e.arguments
    return []
