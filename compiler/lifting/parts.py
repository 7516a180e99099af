"""Components of values, as what computes with them sees them: through all shuffles."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import VEC4


class Part(NamedTuple):
    """A component of a value; equal for constants that are."""

    value: Value
    component: int
    key: Hashable

    @classmethod
    def of(cls, value: Value, component: int) -> Part:
        """The part that a component is, seen through shuffles."""
        value, component = source(value, component)
        if isinstance(value, Constant):
            number = float(value.components[component] or 0.0)
            return cls(float_constant(number), 0, number)
        return cls(value, component, (value, component))

    @property
    def column(self) -> Instruction | None:
        """The load of the column of a matrix that this is in, or of an element of an array of uniform vectors."""
        value = self.value
        if not isinstance(value, Instruction) or value.op is not ops.LOAD or value.address.dynamic_column:
            return None
        variable = value.address.variable
        is_array = variable.storage == "uniform" and variable.is_array and not value.address.is_dynamic
        return value if variable.is_matrix or (is_array and variable.type is VEC4) else None

    @property
    def matrix(self) -> Hashable:
        """The matrix that it is in: a variable, and which element of it; an array as a whole; None of other parts."""
        load = self.column
        if load is None:
            return None
        variable = load.address.variable
        return (variable, load.address.offset, *load.operands) if variable.is_matrix else variable


def parts_of(value: Value) -> list[Part]:
    """All components of a value."""
    return [Part.of(value, component) for component in range(value.type.width)]


def operands_of(part: Part, opcode: Opcode) -> list[Part]:
    """The components that an operation makes a part of, which works by components; none if it is another one."""
    value = part.value
    if not isinstance(value, Instruction) or value.op is not opcode:
        return []
    return [Part.of(operand, min(part.component, operand.type.width - 1)) for operand in value.operands]


def pairs_of(part: Part, opcode: Opcode) -> Iterator[tuple[Part, Part]]:
    """The two operands of an operation in both orders; nothing of another one."""
    operands = operands_of(part, opcode)
    if operands:
        yield operands[0], operands[1]
        yield operands[1], operands[0]


def vector_of(parts: Sequence[Part], builder: Builder) -> Value:
    """Put components together."""
    return builder.construct(*(builder.extract(part.value, part.component) for part in parts))
