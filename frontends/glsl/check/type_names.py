"""What a type's name and brackets mean (GLSL ES 3.00 sections 4.1.8 and 4.1.9), in declarations and constructors."""

from __future__ import annotations

from compiler.diagnostics import Span
from compiler.diagnostics.catalogue import names
from compiler.diagnostics.suggest import did_you_mean
from frontends.glsl import fixed_function
from frontends.glsl.ast import Expression, TypeSpecifier
from frontends.glsl.builtins import DEPTH_RANGE
from frontends.glsl.check.context import Context, declared_at
from frontends.glsl.foreign import type_help
from frontends.glsl.language.extensions import owner_of
from frontends.glsl.types import (
    ERROR,
    KEYWORD_TYPES,
    SAMPLER_EXTERNAL,
    UNSIZED,
    VOID,
    ArrayType,
    GlslType,
    NumericType,
    StructType,
)

#: More elements than any target could hold; bounds the work on one declaration.
LARGEST_TYPE = 65536


def named_type(ctx: Context, specifier: TypeSpecifier) -> GlslType:
    """The type that the name of `specifier` stands for; reports where there is none."""
    name = specifier.name
    keyword_type = ctx.keyword_type(name)
    if keyword_type is not None:
        return keyword_type
    symbol = ctx.scopes.find(name)
    if isinstance(symbol, StructType):
        return symbol
    added = SAMPLER_EXTERNAL if name == str(SAMPLER_EXTERNAL) else KEYWORD_TYPES.get(name)
    owner = owner_of(name, ctx.language.number)
    if added is not None and owner and symbol is None:
        return added if ctx.require_extension(name, owner, specifier.span) else ERROR
    if name == DEPTH_RANGE.name:
        return DEPTH_RANGE
    if ctx.has_fixed_functions and (fixed := fixed_function.structure(name)) is not None:
        return fixed
    if not ctx.may_be_lost(specifier.span) and ctx.first_report(name):
        structures = [n for n, s in ctx.scopes.visible() if isinstance(s, StructType)]
        labels = declared_at(symbol.span, f"'{name}' is no type here") if symbol is not None else ()
        suggestion = type_help(name, ctx.language) or did_you_mean(name, [*structures, *KEYWORD_TYPES])
        ctx.sink.report(names.UNKNOWN_TYPE, specifier.span, labels=labels, help=suggestion, name=name)
    return ERROR


def array_of(ctx: Context, element: GlslType, size: Expression | None, span: Span) -> GlslType:
    """An array of `element`, whose `size` has been checked; unsized without one, ERROR where that was reported."""
    if element is VOID:
        ctx.sink.report(names.VOID_VARIABLE, span, name="element")
        return ERROR
    if isinstance(element, ArrayType):
        ctx.sink.report(names.ARRAY_OF_ARRAYS, span)
        return ERROR
    if size is None:
        return ArrayType(element, UNSIZED)
    length = array_length(ctx, size)
    return ERROR if length is None or element is ERROR else ArrayType(element, length)


def is_unsized(type_: GlslType) -> bool:
    return isinstance(type_, ArrayType) and type_.length == UNSIZED


def array_length(ctx: Context, size: Expression) -> int | None:
    if size.type is ERROR:
        return None
    is_integer = isinstance(size.type, NumericType) and size.type.is_integer and size.type.is_scalar
    if not is_integer or size.constant is None:
        ctx.sink.report(names.ARRAY_SIZE_NOT_CONSTANT, size.span)
        return None
    length = int(size.constant[0])
    if not 1 <= length <= LARGEST_TYPE:
        ctx.sink.report(names.ARRAY_SIZE_RANGE, size.span, size=length)
        return None
    return length
