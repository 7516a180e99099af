"""Constructors (GLSL ES 3.00 section 5.4): scalars, vectors, matrices, structs and arrays from any values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glslc_multi.compiler.ir.builder import float_constant
from glslc_multi.compiler.ir.module import Value
from glslc_multi.compiler.shading.emitter import Component, Emitter
from glslc_multi.compiler.shading.operand import Operand, highest
from glslc_multi.frontends.glsl.types import GlslType, NumericType

_ZERO, _ONE = float_constant(0.0), float_constant(1.0)


def construct(emitter: Emitter, type_: GlslType, arguments: Sequence[Operand]) -> Operand:
    """`type_(arguments)`, whose number and types the checker has accepted."""
    if not isinstance(type_, NumericType):
        return Operand(type_, tuple(column for argument in arguments for column in argument.columns))
    precision = highest(arguments)
    emitter.at_precision(precision)
    first = arguments[0]
    assert isinstance(first.type, NumericType)
    if len(arguments) == 1 and first.type.is_scalar and type_.is_matrix:
        columns = _diagonal(emitter, type_, emitter.convert(first.value, first.type.base, "float"))
    elif len(arguments) == 1 and first.type.is_scalar:
        columns = iter([emitter.widen(emitter.convert(first.value, first.type.base, type_.base), type_.rows)])
    elif len(arguments) == 1 and first.type.is_matrix and type_.is_matrix:
        columns = _resized(emitter, type_, first.columns)
    else:
        columns = _filled(emitter, type_, arguments)
    return Operand(type_, tuple(columns), precision)


def _diagonal(emitter: Emitter, type_: NumericType, value: Value) -> Iterator[Value]:
    """A float on the diagonal of a zero matrix (section 5.4.3)."""
    for column in range(type_.columns):
        components = [(value if row == column else _ZERO, 0) for row in range(type_.rows)]
        yield emitter.assemble(components, "float")


def _resized(emitter: Emitter, type_: NumericType, columns: Sequence[Value]) -> Iterator[Value]:
    """A matrix from a matrix: the identity where the argument has no component."""
    for column in range(type_.columns):
        given = columns[column] if column < len(columns) else None
        components: list[Component] = []
        for row in range(type_.rows):
            if given is not None and row < given.type.width:
                components.append((given, row))
            else:
                components.append((_ONE if row == column else _ZERO, 0))
        yield emitter.assemble(components, "float")


def _filled(emitter: Emitter, type_: NumericType, arguments: Sequence[Operand]) -> Iterator[Value]:
    """The arguments' components in order until the type is full; the last ones may be left over."""
    components = [
        (column, number)
        for argument in arguments
        for column in _readable(emitter, type_, argument)
        for number in range(column.type.width)
    ]
    for column in range(type_.columns):
        start = column * type_.rows
        yield emitter.assemble(components[start : start + type_.rows], type_.base)


def _readable(emitter: Emitter, type_: NumericType, argument: Operand) -> Sequence[Value]:
    """The argument's columns, converted where one of the types is uint: `assemble` knows the IR's kinds only."""
    assert isinstance(argument.type, NumericType)
    source, target = argument.type.base, type_.base
    if {"uint", "float"} != {source, target}:
        return argument.columns
    return [emitter.convert(column, source, target) for column in argument.columns]
