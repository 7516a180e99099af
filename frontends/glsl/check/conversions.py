"""Making an expression have the type its context needs, and saying how to mend it where it does not.

GLSL ES converts nothing implicitly (chapter 4); desktop GLSL converts int to float from 1.20 on, and uint to float
from 1.30 on, which becomes an `ImplicitConversion` node.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from glslc_multi.compiler.diagnostics import Fix, Label, Span
from glslc_multi.compiler.diagnostics.catalogue import types as messages
from glslc_multi.frontends.glsl.ast import Expression, ImplicitConversion, LiteralValue
from glslc_multi.frontends.glsl.check import fold
from glslc_multi.frontends.glsl.check.context import Context
from glslc_multi.frontends.glsl.check.type_names import require_size
from glslc_multi.frontends.glsl.types import ERROR, VOID, GlslType, NumericType, numeric

#: The definition of a macro that stands for one name or number.
_ONE_VALUE = re.compile(r"\s*#\s*define\s+\w+\s+(?:[\w.]+|\(\s*-?\s*[\w.]+\s*\))\s*(?:/[/*].*)?")


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
        return not expression.type.is_unsized or require_size(ctx, expression)
    ctx.sink.report(messages.VOID_ARGUMENT, expression.span)
    expression.type = ERROR
    return False


def convert(ctx: Context, expression: Expression, wanted: GlslType) -> Expression | None:
    """`expression` converted to `wanted` as far as the language does that implicitly, else None."""
    type_ = expression.type
    if type_ == wanted:
        return expression
    if not is_widening(type_, wanted) or not ctx.has("implicit conversions"):
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
    type_ = expression.type
    if not (isinstance(type_, NumericType) and isinstance(wanted, NumericType)):
        return None, []
    if isinstance(expression, LiteralValue) and type_.is_scalar and wanted is numeric("float") and type_.base == "int":
        return f"write {expression.value}.0", [Fix(expression.span, f"{expression.value}.0")]
    if (type_.rows, type_.columns) == (wanted.rows, wanted.columns) or type_.is_scalar or wanted.is_scalar:
        fixes = float_fixes(expression) if is_widening(type_, wanted) else []
        return f"convert it with the constructor: {wanted}(...)", fixes
    if type_.is_vector and wanted.is_vector and type_.base == wanted.base and type_.rows > wanted.rows:
        return f"select the components: .{'xyzw'[: wanted.rows]}", []
    return None, []


def float_fixes(expression: Expression) -> list[Fix]:
    """The edits that make an int expression float: `2.0` for `2`, `float(n)` for `n`; none for others."""
    type_, span = expression.type, expression.span
    if not isinstance(type_, NumericType) or not type_.is_integer or span.line != span.end_line:
        return []
    if not _is_written(span):
        return []
    if isinstance(expression, LiteralValue) and not expression.unsigned and span.origin is None:
        return [Fix(span, f"{expression.value}.0")]
    start = Span(span.file, span.line, span.column, span.line, span.column)
    end = Span(span.file, span.line, span.end_column, span.line, span.end_column)
    return [Fix(start, f"{numeric('float', type_.rows)}("), Fix(end, ")")]


def _is_written(span: Span) -> bool:
    """Whether the text at `span` is the whole expression: not so where it begins or ends inside the use of a macro."""
    line = span.file.line_text(span.line)
    text, rest = line[span.column - 1 : span.end_column - 1], line[span.end_column - 1 :]
    if rest.lstrip().startswith("(") or text.count("(") != text.count(")"):
        return False
    if span.origin is None:
        return True
    # Of a macro that stands for more, the expression may be a part.
    definitions = (origin.span.file.line_text(origin.span.line) for origin in span.origins())
    return text.isidentifier() and all(_ONE_VALUE.fullmatch(line) for line in definitions)


def operand_fixes(left: Expression, right: Expression) -> list[Fix]:
    """The edits that make the int one of two operands float, where the other one is."""
    bases = [operand.type.base for operand in (left, right) if isinstance(operand.type, NumericType)]
    if sorted(bases) != ["float", "int"]:
        return []
    return float_fixes(left) or float_fixes(right)
