"""Pointers: each is a variable or a part of one, so access chains select parts and emit no code but for indices."""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.ir.module import Constant, Value
from glslc_multi.compiler.shading.emitter import Emitter
from glslc_multi.compiler.shading.lvalues import ComponentLValue, LValue, MemoryLValue, components_of
from glslc_multi.compiler.shading.operand import Operand
from glslc_multi.compiler.shading.types import ArrayType, NumericType, StructType
from glslc_multi.compiler.spirv.code import Instruction
from glslc_multi.frontends.spirv.composites import check_index, part_count, unfit


def select(emitter: Emitter, at: Instruction, base: LValue, indices: Iterable[Operand]) -> LValue:
    """The part that an access chain names."""
    for operand in indices:
        type_ = operand.type
        if not isinstance(type_, NumericType) or not type_.is_scalar or not type_.is_integer:
            raise unfit(at, "an index is no int")
        value = operand.value
        base = _part(emitter, at, base, int(value.components[0] or 0) if isinstance(value, Constant) else value)
    return base


def _part(emitter: Emitter, at: Instruction, base: LValue, index: Value | int) -> LValue:
    type_ = base.type
    if isinstance(type_, StructType) and isinstance(base, MemoryLValue):
        if not isinstance(index, int):
            raise unfit(at, "the number of a member is no constant")
        check_index(at, type_, index)
        return base.field(type_.fields[index].name)
    # Beyond the end anything may happen: the nearest part is what the machines read.
    index = min(max(index, 0), max(part_count(type_) - 1, 0)) if isinstance(index, int) else index
    is_matrix = isinstance(type_, NumericType) and type_.is_matrix
    if isinstance(base, MemoryLValue) and (isinstance(type_, ArrayType) or is_matrix):
        return base.element(emitter, index)
    if isinstance(type_, NumericType) and type_.is_vector:
        return components_of(base, (index,)) if isinstance(index, int) else ComponentLValue(base, index)
    raise unfit(at, f"a {type_} has no parts")
