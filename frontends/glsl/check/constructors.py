"""Constructors of scalars, vectors, matrices, structures and arrays (GLSL ES 3.00 section 5.4)."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics.catalogue import types as messages
from glslc_multi.frontends.glsl.ast import Call, Expression
from glslc_multi.frontends.glsl.check import fold
from glslc_multi.frontends.glsl.check.context import Context, declared_at
from glslc_multi.frontends.glsl.check.conversions import require
from glslc_multi.frontends.glsl.types import (
    ERROR,
    UNSIZED,
    VOID,
    ArrayType,
    Constant,
    GlslType,
    NumericType,
    StructType,
)


def check_constructor(ctx: Context, call: Call, type_: GlslType) -> None:
    """Annotate `call`, whose arguments are checked values, as the construction of a `type_`."""
    if type_ is ERROR or any(argument.type is ERROR for argument in call.arguments):
        return
    if isinstance(type_, StructType):
        is_correct = _check_structure(ctx, call, type_)
    elif isinstance(type_, ArrayType) and type_.element is not VOID and not type_.contains_sampler:
        is_correct = _check_array(ctx, call, type_)
        type_ = ArrayType(type_.element, len(call.arguments))
    elif isinstance(type_, NumericType):
        is_correct = _check_numeric(ctx, call, type_)
    else:
        ctx.sink.report(messages.NOT_CONSTRUCTIBLE, ctx.span(call.callee_token), type=type_)
        is_correct = False
    if not is_correct:
        return
    call.type = call.constructed = type_
    call.constant = _fold(type_, call.arguments)


def _fold(type_: GlslType, arguments: list[Expression]) -> Constant | None:
    values = [a.constant for a in arguments if a.constant is not None]
    if len(values) != len(arguments):
        return None
    if isinstance(type_, NumericType):
        return fold.construct(type_, [(a.type, value) for a, value in zip(arguments, values, strict=True)])
    return tuple(component for value in values for component in value)


def _check_structure(ctx: Context, call: Call, type_: StructType) -> bool:
    """Section 5.4.3: one argument for each member, of the same type."""
    if type_.contains_sampler or (type_.contains_array and not ctx.has("array values")):
        ctx.sink.report(
            messages.NOT_CONSTRUCTIBLE, ctx.span(call.callee_token), labels=declared_at(type_.span), type=type_
        )
        return False
    if len(call.arguments) != len(type_.fields):
        ctx.sink.report(
            messages.ARGUMENT_COUNT,
            call.span,
            labels=declared_at(type_.span),
            name=type_,
            expected=count_of(len(type_.fields), "argument"),
            found=len(call.arguments),
        )
        return False
    errors = ctx.sink.error_count
    call.arguments = [
        require(ctx, argument, member.type, declared_at(member.span, f"member '{member.name}' is {member.type}"))
        for argument, member in zip(call.arguments, type_.fields, strict=True)
    ]
    return ctx.sink.error_count == errors


def _check_array(ctx: Context, call: Call, type_: ArrayType) -> bool:
    """Section 5.4.4: one argument for each element, of its type; without a size, they say how many."""
    if not call.arguments:
        ctx.sink.report(messages.CONSTRUCTOR_EMPTY, call.span, type=type_)
        return False
    if type_.length not in (UNSIZED, len(call.arguments)):
        expected, found = count_of(type_.length, "argument"), len(call.arguments)
        ctx.sink.report(messages.ARGUMENT_COUNT, call.span, name=type_, expected=expected, found=found)
        return False
    errors = ctx.sink.error_count
    call.arguments = [require(ctx, argument, type_.element) for argument in call.arguments]
    return ctx.sink.error_count == errors


def _check_numeric(ctx: Context, call: Call, type_: NumericType) -> bool:
    if not call.arguments:
        ctx.sink.report(messages.CONSTRUCTOR_EMPTY, call.span, type=type_)
        return False
    sources = [a.type for a in call.arguments if isinstance(a.type, NumericType)]
    if len(sources) != len(call.arguments):
        odd = next(a for a in call.arguments if not isinstance(a.type, NumericType))
        ctx.sink.report(messages.CONSTRUCTOR_ARGUMENT, odd.span, type=type_, found=odd.type)
        return False
    if type_.is_matrix and any(source.is_matrix for source in sources):
        # Section 5.4.2: a matrix is the only argument of a matrix constructor.
        if len(call.arguments) == 1 and ctx.has("matrices of matrices"):
            return True
        matrix = next(a for a in call.arguments if isinstance(a.type, NumericType) and a.type.is_matrix)
        ctx.sink.report(messages.MATRIX_FROM_MATRIX, matrix.span, type=type_)
        return False
    if len(sources) == 1 and sources[0].is_scalar:
        return True
    # Section 5.4.2: enough components, and no argument after the last one that is needed.
    count = 0
    for argument, source in zip(call.arguments, sources, strict=True):
        if count >= type_.component_count:
            ctx.sink.report(messages.CONSTRUCTOR_UNUSED, argument.span, type=type_)
            return False
        count += source.component_count
    if count < type_.component_count:
        needed = type_.component_count
        ctx.sink.report(messages.CONSTRUCTOR_TOO_FEW, call.span, type=type_, needed=needed, found=count)
        return False
    return True


def count_of(count: int, noun: str) -> str:
    """ "1 argument", "2 arguments" """
    return f"{count} {noun}{'' if count == 1 else 's'}"
