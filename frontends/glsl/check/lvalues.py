"""What can be assigned (GLSL ES 1.00 section 5.8)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.diagnostics.catalogue import types as messages
from glslc_multi.frontends.glsl.ast import Expression, Field, Index, Name
from glslc_multi.frontends.glsl.check.context import Context, declared_at
from glslc_multi.frontends.glsl.check.portability import report_index_change
from glslc_multi.frontends.glsl.symbols import VariableSymbol
from glslc_multi.frontends.glsl.types import ERROR

_COLOUR_OUTPUTS = {"gl_FragColor": "gl_FragData", "gl_FragData": "gl_FragColor"}


def require_assignable(ctx: Context, target: Expression) -> bool:
    """Whether `target` can be written; reports where not, and remembers that it is."""
    if target.type is ERROR or not _check_components(ctx, target):
        return False
    root = target
    while isinstance(root, Field | Index):
        root = root.base
    if not isinstance(root, Name):
        ctx.sink.report(messages.NOT_ASSIGNABLE, target.span, what="the result of an expression")
        return False
    return root.symbol is not None and _write(ctx, root.symbol, target.span)


def _check_components(ctx: Context, target: Expression) -> bool:
    """Section 5.5: no component of an assigned swizzle may repeat."""
    while isinstance(target, Field | Index):
        if isinstance(target, Field) and target.swizzle is not None:
            repeated = next((i for i, c in enumerate(target.swizzle) if c in target.swizzle[:i]), None)
            if repeated is not None:
                ctx.sink.report(
                    messages.REPEATED_COMPONENT, ctx.span(target.name_token), component=target.name[repeated]
                )
                return False
        target = target.base
    return True


def _write(ctx: Context, symbol: VariableSymbol, span: Span) -> bool:
    if not symbol.writable:
        what = f"{_kind(symbol)} '{symbol.name}'"
        ctx.sink.report(messages.NOT_ASSIGNABLE, span, labels=declared_at(symbol.span), what=what)
        return False
    symbol.written = True
    report_index_change(ctx, symbol, span)
    other = ctx.builtin_variables.get(_COLOUR_OUTPUTS.get(symbol.name, ""))
    if other is not None and other.written and not ctx.both_outputs_reported:
        ctx.both_outputs_reported = True
        ctx.sink.report(messages.BOTH_COLOUR_OUTPUTS, span)
    return True


def _kind(symbol: VariableSymbol) -> str:
    match symbol.storage:
        case "const":
            return "constant"
        case "builtin":
            return "the read-only built-in variable"
        case "in":
            return "the const parameter"
        case "varying":
            return "in a fragment shader the varying"
        case storage:
            return storage
