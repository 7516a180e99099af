"""Making an expression have the type its context needs, and saying how to mend it where it does not.

GLSL ES converts nothing implicitly (chapter 4); desktop GLSL converts int to float from 1.20 on, and uint to float
from 1.30 on, which becomes an `ImplicitConversion` node.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.diagnostics import Fix, Label
from compiler.diagnostics.catalogue import types as messages
from frontends.glsl.ast import Expression, ImplicitConversion, LiteralValue
from frontends.glsl.check import fold
from frontends.glsl.check.context import Context
from frontends.glsl.check.unsized import require_size
from frontends.glsl.types import ERROR, VOID, GlslType, NumericType, numeric


def require(ctx: Context, expression: Expression, wanted: GlslType, labels: Iterable[Label] = ()) -> Expression:
    """`expression` as a value of type `wanted`; reports where it has another type."""
    if ERROR in (expression.type, wanted) or not require_value(ctx, expression):
        return expression
    converted = convert(ctx, expression, wanted)
    if converted is not None:
        return converted
    help_, fixes = conversion_hint(expression, wanted)
    ctx.sink.report(
        messages.TYPE_MISMATCH,
        expression.span,
        labels=labels,
        help=help_,
        fixes=fixes,
        expected=wanted,
        found=expression.type,
    )
    return expression


def require_value(ctx: Context, expression: Expression) -> bool:
    """Whether `expression` has a value; reports the call of a void function and an array whose size is unknown."""
    if expression.type is not VOID:
        return require_size(ctx, expression)
    ctx.sink.report(messages.VOID_ARGUMENT, expression.span)
    expression.type = ERROR
    return False


def convert(ctx: Context, expression: Expression, wanted: GlslType) -> Expression | None:
    """`expression` converted to `wanted` as far as the language does that implicitly, else None."""
    found = expression.type
    if found == wanted:
        return expression
    if not is_widening(found, wanted) or not ctx.has("implicit conversions"):
        return None
    return to_float(expression)


def is_widening(found: GlslType, wanted: GlslType) -> bool:
    """int or uint to float, component by component (desktop GLSL 1.30 section 4.1.10)."""
    return isinstance(found, NumericType) and found.is_integer and wanted is numeric("float", found.rows)


def to_float(expression: Expression) -> Expression:
    """An int or uint expression as float; any other unchanged."""
    source = expression.type
    if not isinstance(source, NumericType) or not source.is_integer:
        return expression
    node = ImplicitConversion(expression.span, expression)
    node.type = numeric("float", source.rows)
    if expression.constant is not None:
        node.constant = fold.convert(expression.constant, source.base, "float")
    return node


def conversion_hint(expression: Expression, wanted: GlslType) -> tuple[str | None, list[Fix]]:
    """How to write `expression` as a `wanted`, where that is obvious."""
    found = expression.type
    if not (isinstance(found, NumericType) and isinstance(wanted, NumericType)):
        return None, []
    if isinstance(expression, LiteralValue) and found.is_scalar and wanted is numeric("float") and found.base == "int":
        return f"write {expression.value}.0", [Fix(expression.span, f"{expression.value}.0")]
    if (found.rows, found.columns) == (wanted.rows, wanted.columns) or found.is_scalar or wanted.is_scalar:
        return f"convert it with the constructor: {wanted}(...)", []
    if found.is_vector and wanted.is_vector and found.base == wanted.base and found.rows > wanted.rows:
        return f"select the components: .{'xyzw'[: wanted.rows]}", []
    return None, []
