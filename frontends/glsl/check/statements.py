"""Definitions of functions, and the statements of their bodies (GLSL ES 3.00 chapter 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glslc_multi.compiler.diagnostics.catalogue import syntax
from glslc_multi.compiler.diagnostics.catalogue import types as messages
from glslc_multi.frontends.glsl.ast import (
    Block,
    BlockDeclaration,
    CaseLabel,
    ConditionDeclaration,
    DeclarationStatement,
    DoWhile,
    Expression,
    ExpressionStatement,
    For,
    FunctionDeclaration,
    If,
    InvariantDeclaration,
    Jump,
    LayoutDeclaration,
    PrecisionDeclaration,
    Statement,
    Switch,
    VariableDeclaration,
    While,
)
from glslc_multi.frontends.glsl.check.context import Context, declared_at
from glslc_multi.frontends.glsl.check.conversions import require
from glslc_multi.frontends.glsl.check.expressions import check_condition, check_expression, check_value
from glslc_multi.frontends.glsl.check.interface.blocks import check_block as check_interface_block
from glslc_multi.frontends.glsl.check.interface.layouts import set_block_layout
from glslc_multi.frontends.glsl.check.naming import declare
from glslc_multi.frontends.glsl.check.portability import check_for, report_loop
from glslc_multi.frontends.glsl.check.precision import set_default
from glslc_multi.frontends.glsl.check.signatures import declare_function
from glslc_multi.frontends.glsl.check.specifiers import resolve_type
from glslc_multi.frontends.glsl.check.variables import check_invariant, check_variables
from glslc_multi.frontends.glsl.types import BOOL, ERROR, INT, UINT, VOID, GlslType


def check_block(ctx: Context, block: Block) -> None:
    """The statements of `block` in a scope of their own."""
    ctx.scopes.push()
    check_statements(ctx, block)
    ctx.scopes.pop()


def check_statements(ctx: Context, block: Block) -> None:
    """The statements of `block` in the innermost scope."""
    for statement in block.statements:
        check_statement(ctx, statement)


def check_statement(ctx: Context, statement: Statement) -> None:
    _RULES[type(statement)](ctx, statement)


def _scoped(ctx: Context, statement: Statement) -> None:
    """A branch is a scope of its own, braces or not (section 6.2)."""
    if isinstance(statement, Block):
        check_block(ctx, statement)
        return
    ctx.scopes.push()
    check_statement(ctx, statement)
    ctx.scopes.pop()


def _declaration(ctx: Context, statement: DeclarationStatement) -> None:
    declaration = statement.declaration
    if isinstance(declaration, VariableDeclaration):
        check_variables(ctx, declaration)
    elif isinstance(declaration, PrecisionDeclaration):
        set_default(ctx, declaration, resolve_type(ctx, declaration.specifier))
    elif isinstance(declaration, InvariantDeclaration):
        check_invariant(ctx, declaration)
    elif isinstance(declaration, BlockDeclaration):
        check_interface_block(ctx, declaration)
    elif isinstance(declaration, LayoutDeclaration):
        set_block_layout(ctx, declaration)
    else:
        declare_function(ctx, declaration)


def _expression(ctx: Context, statement: ExpressionStatement) -> None:
    if statement.expression is not None:
        check_expression(ctx, statement.expression)


def _if(ctx: Context, statement: If) -> None:
    """A chain of `else if` is walked in a loop: it may be longer than Python's stack."""
    branch: Statement | None = statement
    while isinstance(branch, If):
        branch.condition = check_condition(ctx, branch.condition)
        _warn_of_empty(ctx, branch.then, "'if'")
        _scoped(ctx, branch.then)
        branch = branch.otherwise
    if branch is not None:
        _scoped(ctx, branch)


def _switch(ctx: Context, statement: Switch) -> None:
    """All that stands in the braces is one scope (GLSL ES 3.00 section 6.2)."""
    type_ = check_value(ctx, statement.selector)
    if type_ not in (INT, UINT, ERROR):
        ctx.sink.report(messages.SWITCH_TYPE, statement.selector.span, found=type_)
        type_ = ERROR
    if statement.statements and not isinstance(statement.statements[0], CaseLabel):
        ctx.sink.report(messages.BEFORE_LABEL, statement.statements[0].span)
    ctx.scopes.push()
    ctx.switch_depth += 1
    seen: dict[object, CaseLabel] = {}
    for inner in statement.statements:
        if isinstance(inner, CaseLabel):
            _label(ctx, inner, type_, seen)
        else:
            check_statement(ctx, inner)
    ctx.switch_depth -= 1
    ctx.scopes.pop()
    if statement.statements and isinstance(statement.statements[-1], CaseLabel):
        ctx.sink.report(messages.NOTHING_AFTER_LABEL, statement.statements[-1].span)


def _label(ctx: Context, label: CaseLabel, wanted: GlslType, seen: dict[object, CaseLabel]) -> None:
    """One label; `seen` has those before it by their values, "default" for that."""
    value: object = "default"
    if label.value is not None:
        type_ = check_value(ctx, label.value)
        if ERROR in (type_, wanted):
            return
        if type_ is not wanted or label.value.constant is None:
            ctx.sink.report(messages.CASE_VALUE, label.value.span, expected=wanted)
            return
        value = label.value.constant[0]
    if value in seen:
        labels = declared_at(seen[value].span, "here")
        ctx.sink.report(messages.DUPLICATE_LABEL, label.span, labels=labels, label=value)
    seen.setdefault(value, label)


def _misplaced_label(ctx: Context, label: CaseLabel) -> None:
    ctx.sink.report(messages.MISPLACED_LABEL, label.span)


def _for(ctx: Context, statement: For) -> None:
    ctx.scopes.push()
    check_statement(ctx, statement.initial)
    if statement.condition is not None:
        statement.condition = _loop_condition(ctx, statement.condition)
    if statement.step is not None:
        check_expression(ctx, statement.step)
    index = check_for(ctx, statement)
    if index is not None:
        ctx.loop_indices.append(index)
    _loop_body(ctx, statement.body)
    if index is not None:
        ctx.loop_indices.pop()
    ctx.scopes.pop()


def _while(ctx: Context, statement: While) -> None:
    report_loop(ctx, statement.span, "it is a while loop")
    ctx.scopes.push()
    statement.condition = _loop_condition(ctx, statement.condition)
    _loop_body(ctx, statement.body)
    ctx.scopes.pop()


def _loop_condition(ctx: Context, condition: Expression | ConditionDeclaration) -> Expression | ConditionDeclaration:
    if isinstance(condition, Expression):
        return check_condition(ctx, condition)
    errors = ctx.sink.error_count
    check_variables(ctx, condition.declaration)
    value = condition.declaration.declarators[0].symbol
    if value is not None and value.type is not BOOL and ctx.sink.error_count == errors:
        span = condition.declaration.specifier.span
        ctx.sink.report(messages.TYPE_MISMATCH, span, expected=BOOL, found=value.type)
    return condition


def _warn_of_empty(ctx: Context, body: Statement, statement: str) -> None:
    if isinstance(body, ExpressionStatement) and body.expression is None:
        ctx.sink.report(syntax.EMPTY_BODY, body.span, statement=statement)


def _loop_body(ctx: Context, body: Statement) -> None:
    """The body shares the scope of the loop's header (sections 4.2.2 and 6.3)."""
    _warn_of_empty(ctx, body, "loop")
    ctx.loop_depth += 1
    for statement in body.statements if isinstance(body, Block) else [body]:
        check_statement(ctx, statement)
    ctx.loop_depth -= 1


def _do_while(ctx: Context, statement: DoWhile) -> None:
    report_loop(ctx, statement.span, "it is a do loop")
    ctx.loop_depth += 1
    _scoped(ctx, statement.body)
    ctx.loop_depth -= 1
    statement.condition = check_condition(ctx, statement.condition)


def _jump(ctx: Context, jump: Jump) -> None:
    if jump.kind == "return":
        _return(ctx, jump)
    elif jump.kind == "discard":
        assert ctx.function is not None
        ctx.function.discards = True
        if ctx.stage != "fragment":
            ctx.sink.report(messages.DISCARD_STAGE, jump.span)
    elif not ctx.loop_depth and not (jump.kind == "break" and ctx.switch_depth):
        ctx.sink.report(messages.OUTSIDE_LOOP, jump.span, kind=jump.kind)


def _return(ctx: Context, jump: Jump) -> None:
    function = ctx.function
    assert function is not None
    function.returns = True
    labels = declared_at(function.span, f"'{function.name}' returns {function.return_type}")
    if jump.value is None:
        if function.return_type not in (VOID, ERROR):
            expected = function.return_type
            ctx.sink.report(messages.RETURN_NOTHING, jump.span, labels=labels, name=function.name, expected=expected)
        return
    check_expression(ctx, jump.value)
    if function.return_type is VOID:
        ctx.sink.report(messages.RETURN_VALUE, jump.value.span, labels=labels, name=function.name)
    else:
        jump.value = require(ctx, jump.value, function.return_type, labels)


# ---------------------------------------------------------------------------------------- functions
def check_function(ctx: Context, declaration: FunctionDeclaration) -> None:
    """Declare the function of a prototype or definition, and check its body."""
    symbol = declare_function(ctx, declaration)
    if declaration.body is None:
        return
    ctx.function = symbol
    # The body is in the scope of the parameters; in GLSL ES 1.00 inside of it, so that a variable may hide one.
    ctx.scopes.push()
    for parameter in declaration.parameters:
        if parameter.name and parameter.symbol is not None:
            declare(ctx, parameter.name, parameter.name_span, parameter.symbol)
    if ctx.has("one scope of parameters and body"):
        check_statements(ctx, declaration.body)
    else:
        check_block(ctx, declaration.body)
    ctx.scopes.pop()
    ctx.function = None
    if not symbol.returns and symbol.return_type not in (VOID, ERROR):
        expected = symbol.return_type
        ctx.sink.report(messages.NEVER_RETURNS, declaration.name_span, name=symbol.name, expected=expected)


_RULES: dict[type[Statement], Callable[[Context, Any], None]] = {
    Block: check_block,
    DeclarationStatement: _declaration,
    ExpressionStatement: _expression,
    If: _if,
    Switch: _switch,
    CaseLabel: _misplaced_label,
    For: _for,
    While: _while,
    DoWhile: _do_while,
    Jump: _jump,
}
