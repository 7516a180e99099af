"""Components of values, as what computes with them sees them: through all shuffles."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import float_constant
from glslc_multi.compiler.ir.module import Constant, Instruction, Value


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
        """The load of the column of a matrix that this is in."""
        value = self.value
        if isinstance(value, Instruction) and value.op is ops.LOAD and value.address.variable.is_matrix:
            return None if value.address.dynamic_column else value
        return None

    @property
    def matrix(self) -> Hashable:
        """The matrix that it is in: a variable, and which element of it; None of other parts."""
        load = self.column
        return None if load is None else (load.address.variable, load.address.offset, *load.operands)


def parts_of(value: Value) -> list[Part]:
    """All components of a value."""
    return [Part.of(value, component) for component in range(value.type.width)]
