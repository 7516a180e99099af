"""Definitions of functions (GLSL ES 3.00 section 6.1)."""

from __future__ import annotations

from compiler.diagnostics.catalogue import types as messages
from frontends.glsl.ast import Block, FunctionDeclaration
from frontends.glsl.check.context import Context
from frontends.glsl.check.naming import declare
from frontends.glsl.check.signatures import declare_function
from frontends.glsl.check.statements import check_block, check_statements
from frontends.glsl.types import ERROR, VOID


def check_function(ctx: Context, declaration: FunctionDeclaration) -> None:
    """Declare the function of a prototype or definition, and check its body."""
    symbol = declare_function(ctx, declaration)
    if declaration.body is None:
        return
    ctx.function = symbol
    _check_body(ctx, declaration, declaration.body)
    ctx.function = None
    if not symbol.returns and symbol.return_type not in (VOID, ERROR):
        expected = symbol.return_type
        ctx.sink.report(messages.NEVER_RETURNS, declaration.name_span, name=symbol.name, expected=expected)


def _check_body(ctx: Context, declaration: FunctionDeclaration, body: Block) -> None:
    """The body is in the scope of the parameters; in GLSL ES 1.00 inside of it, so that a variable may hide one."""
    ctx.scopes.push()
    for parameter in declaration.parameters:
        if parameter.name and parameter.symbol is not None:
            declare(ctx, parameter.name, parameter.name_span, parameter.symbol)
    if ctx.has("one scope of parameters and body"):
        check_statements(ctx, body)
    else:
        check_block(ctx, body)
    ctx.scopes.pop()
