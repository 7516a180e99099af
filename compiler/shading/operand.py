"""Values during lowering: a value of any type of the source as the IR columns it is made of.

The IR knows scalars and vectors only, so a matrix is its columns, and an array or struct the columns of
its elements or fields one after another (the order of a constructor's arguments, which is also that of
`types.Constant`).  Every rule here follows from that order.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from typing import cast

from glslc_multi.compiler.arithmetic.protocol import round_to_float32, wrap_to_int32
from glslc_multi.compiler.ir import types as ir
from glslc_multi.compiler.ir.module import Constant, Scalar, Value
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.shading.types import (
    ArrayType,
    NumericType,
    Precision,
    SamplerType,
    ShaderType,
    StructType,
    numeric,
)
from glslc_multi.compiler.shading.types import Constant as ConstantValue

#: The IR's ints are signless: what differs for unsigned ones are the operations.
_KINDS: dict[str, ir.Kind] = {"bool": "bool", "int": "int", "uint": "int", "float": "float"}
_RANK: dict[Precision | None, int] = {None: 0, "lowp": 1, "mediump": 2, "highp": 3}


@dataclass(slots=True, eq=False)
class Operand:
    """An evaluated expression; never changed."""

    type: ShaderType
    columns: tuple[Value, ...]
    #: None where it follows from the other operands (literals) or does not apply (bool, struct).
    precision: Precision | None = None

    @property
    def value(self) -> Value:
        """The one column of a scalar or vector."""
        (column,) = self.columns
        return column


def column_type(type_: ShaderType) -> ir.Type:
    """The IR type of one column of a numeric type, or of a sampler."""
    if isinstance(type_, SamplerType):
        return ir.BY_NAME[type_.kind]
    assert isinstance(type_, NumericType)
    return ir.vector(_KINDS[type_.base], type_.rows)


def column_count(type_: ShaderType) -> int:
    """How many IR columns a value of this type has; samplers are no values and have none."""
    return len(column_types(type_))


def column_types(type_: ShaderType) -> list[ir.Type]:
    """The types of a value's columns in order."""
    if isinstance(type_, NumericType):
        return [column_type(type_)] * type_.columns
    if isinstance(type_, ArrayType):
        return column_types(type_.element) * type_.length
    if isinstance(type_, StructType):
        return [column for field in type_.fields for column in column_types(field.type)]
    return []


def constant_operand(type_: ShaderType, components: ConstantValue, precision: Precision | None = None) -> Operand:
    """The value of a constant expression."""
    columns: list[Value] = []
    start = 0
    for column in column_types(type_):
        part = components[start : start + column.width]
        columns.append(Constant(column, tuple(_exact(column, component) for component in part)))
        start += column.width
    return Operand(type_, tuple(columns), precision)


@lru_cache(maxsize=256)
def first_columns(type_: StructType) -> tuple[int, ...]:
    """Where the columns of each field begin, and last where they end."""
    return tuple(accumulate((column_count(field.type) for field in type_.fields), initial=0))


def field_of(operand: Operand, name: str) -> Operand:
    """A field of a struct value."""
    struct = cast(StructType, operand.type)
    index, field = next((k, field) for k, field in enumerate(struct.fields) if field.name == name)
    start, end = first_columns(struct)[index : index + 2]
    return Operand(field.type, operand.columns[start:end], field.precision)


def element_of(operand: Operand, index: int) -> Operand:
    """An element of an array value or a column of a matrix value, by a constant index."""
    type_ = element_type(operand.type)
    count = column_count(type_)
    return Operand(type_, operand.columns[index * count : (index + 1) * count], operand.precision)


def element_type(type_: ShaderType) -> ShaderType:
    """What indexing yields: an array's element, a matrix's column, a vector's component."""
    if isinstance(type_, ArrayType):
        return type_.element
    assert isinstance(type_, NumericType)
    return numeric(type_.base, type_.rows) if type_.is_matrix else numeric(type_.base)


def higher(first: Precision | None, second: Precision | None) -> Precision | None:
    """The precision of an operation on two operands (section 4.5.2)."""
    return first if _RANK[first] >= _RANK[second] else second


def highest(operands: Iterable[Operand]) -> Precision | None:
    precision: Precision | None = None
    for operand in operands:
        precision = higher(precision, operand.precision)
    return precision


def _exact(type_: ir.Type, component: bool | int | float) -> Scalar:
    """A component as the IR stores it: float32, int32 or bool."""
    if type_.kind == "float":
        return round_to_float32(float(component))
    return wrap_to_int32(int(component)) if type_.kind == "int" else bool(component)
