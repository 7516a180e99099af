"""Vectors put together from components of others, by as few instructions as there are for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from glslc_multi.backends.spirv.writer import Writer
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.types import Type

#: A component of a value.
Piece: TypeAlias = tuple[Value, int]


def pieces_of(value: Value) -> list[Piece]:
    """List where the components of a value come from, through swizzles."""
    return [_source(value, component) for component in range(value.type.width)]


def write_vector(writer: Writer, type_: Type, pieces: Sequence[Piece]) -> int:
    """Return the id of a vector, or of a scalar, of these components."""
    values = list(dict.fromkeys(value for value, _ in pieces if not isinstance(value, Constant)))
    constants = [value.components[component] for value, component in pieces if isinstance(value, Constant)]
    if not values:
        return writer.assembly.constant(Constant(type_, tuple(constants)))
    if len(pieces) == 1:
        value, component = pieces[0]
        if value.type.is_scalar:
            return writer.of(value)
        return writer.share("OpCompositeExtract", writer.type_of(type_), writer.of(value), component)
    runs = _runs(pieces)
    if len(runs) == 1 and _is_whole(runs[0]):
        return writer.of(values[0])
    replaced = _replaced(type_, pieces)
    if replaced is not None:
        whole, number, (value, component) = replaced
        part = write_vector(writer, type_.scalar, [(value, component)])
        return writer.share("OpCompositeInsert", writer.type_of(type_), part, writer.of(whole), number)
    has_scalars = any(value.type.is_scalar for value in values)
    if not has_scalars and len(values) + bool(constants) <= 2 and not all(map(_is_whole, runs)):
        return _shuffle(writer, type_, pieces, values)
    parts = [_part(writer, type_, run) for run in runs]
    return writer.share("OpCompositeConstruct", writer.type_of(type_), *parts)


def _source(value: Value, component: int) -> Piece:
    """Return where a component comes from, through swizzles."""
    while isinstance(value, Instruction) and value.op is ops.SWIZZLE:
        component = value.attribute[component]
        value = value.operands[0]
    return value, component


def _runs(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Group components in a row that come from one vector, or are constants."""
    runs: list[list[Piece]] = []
    for value, component in pieces:
        last = runs[-1][0][0] if runs else None
        are_constant = isinstance(value, Constant) and isinstance(last, Constant)
        is_same = value is last and not value.type.is_scalar and not isinstance(value, Constant)
        if are_constant or (is_same and not _is_whole(runs[-1])):
            runs[-1].append((value, component))
        else:
            runs.append([(value, component)])
    return runs


def _is_whole(run: Sequence[Piece]) -> bool:
    """Tell whether a run is a value as it is."""
    value = run[0][0]
    is_constant = isinstance(value, Constant)
    return is_constant or [component for _, component in run] == list(range(value.type.width))


def _replaced(type_: Type, pieces: Sequence[Piece]) -> tuple[Value, int, Piece] | None:
    """Return the vector in which one component is another one, if that is what the pieces are."""
    for whole in dict.fromkeys(value for value, _ in pieces if value.type is type_):
        others = [n for n, piece in enumerate(pieces) if piece != (whole, n)]
        if len(others) == 1 and (pieces[others[0]][0].type.is_scalar or isinstance(pieces[others[0]][0], Constant)):
            return whole, others[0], pieces[others[0]]
    return None


def _shuffle(writer: Writer, type_: Type, pieces: Sequence[Piece], values: Sequence[Value]) -> int:
    """Return components of one or two vectors, or of one and of constants."""
    first = values[0]
    constants = [value.components[component] for value, component in pieces if isinstance(value, Constant)]
    second = values[-1]
    if constants:
        second = Constant(type_.with_width(max(len(constants), 2)), (*constants, *constants[: 2 - len(constants)]))
    selectors, behind = [], first.type.width
    for value, component in pieces:
        if isinstance(value, Constant):
            selectors.append(behind)
            behind += 1
        else:
            selectors.append(component if value is first else first.type.width + component)
    return writer.share("OpVectorShuffle", writer.type_of(type_), writer.of(first), writer.of(second), *selectors)


def _part(writer: Writer, type_: Type, run: Sequence[Piece]) -> int:
    """Return a part of a vector that is put together."""
    return write_vector(writer, type_.with_width(len(run)), run)
