"""Precision of declarations (GLSL ES 1.00 and 3.00 section 4.5): written, by default, or missing.

In desktop GLSL the words mean nothing: everything is highp.
"""

from __future__ import annotations

from typing import cast

from glslc_multi.compiler.diagnostics import Fix, Span
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.frontends.glsl.ast import PrecisionDeclaration, Qualifiers
from glslc_multi.frontends.glsl.check.context import Context
from glslc_multi.frontends.glsl.types import ERROR, FLOAT, INT, ArrayType, GlslType, NumericType, Precision, SamplerType

PRECISIONS = ("lowp", "mediump", "highp")


def declared_precision(
    ctx: Context, qualifiers: Qualifiers, type_: GlslType, name: str, span: Span
) -> Precision | None:
    """The precision of the declaration of `name`; None where the type has none or it is missing."""
    word = qualifiers.find(*PRECISIONS)
    if type_ is ERROR:
        return None
    category = _category(type_)
    if category is None:
        if word is not None:
            ctx.sink.report(names.PRECISION_TYPE, word[1], type=_element(type_))
        return None
    if not ctx.has("precision"):
        return "highp"
    if word is not None:
        return cast(Precision, word[0])
    default = ctx.scopes.precision(category)
    if default is None:
        _report_missing(ctx, category, type_, name, span)
    return default


def _report_missing(ctx: Context, category: str, type_: GlslType, name: str, span: Span) -> None:
    # One default statement mends every declaration, so it is one mistake.
    if not ctx.may_be_lost(span) and ctx.first_report(f"precision {category}"):
        help_ = f"add 'precision mediump {category};' at the top, or write a precision before the type"
        fixes = [Fix(ctx.top, f"precision mediump {category};\n")]
        ctx.sink.report(names.NO_PRECISION, span, help=help_, fixes=fixes, name=name, type=_element(type_))


def set_default(ctx: Context, declaration: PrecisionDeclaration, type_: GlslType) -> None:
    """`precision mediump float;` in the innermost scope (section 4.5.3)."""
    if type_ in (FLOAT, INT) or isinstance(type_, SamplerType):
        ctx.scopes.set_precision(str(type_), declaration.precision)
    elif type_ is not ERROR:
        ctx.sink.report(names.DEFAULT_PRECISION_TYPE, declaration.specifier.span, type=type_)


def _element(type_: GlslType) -> GlslType:
    return type_.element if isinstance(type_, ArrayType) else type_


def _category(type_: GlslType) -> str | None:
    """The name under which a default precision is set for this type; None when it has no precision."""
    element = _element(type_)
    if isinstance(element, SamplerType):
        return str(element)
    if isinstance(element, NumericType) and element.base != "bool":
        # The default of int is that of uint, too (GLSL ES 3.00 section 4.5.4).
        return "int" if element.is_integer else element.base
    return None
