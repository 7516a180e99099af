"""Where a component of a value comes from, seen through the shuffles that put the value together."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Value

#: A value and one of its components.
Source = tuple[Value, int]


def source(value: Value, component: int) -> Source:
    """Where a component comes from: a value that no shuffle made, and the component of that."""
    while isinstance(value, Instruction):
        if value.op is ops.SWIZZLE:
            component = value.attribute[component]
            value = value.operands[0]
        elif value.op is ops.INSERT:
            vector, scalar = value.operands
            value, component = (scalar, 0) if component == value.attribute else (vector, component)
        elif value.op is ops.CONSTRUCT:
            value, component = _part(value, component)
        else:
            break
    return value, component


def _part(construct: Instruction, component: int) -> Source:
    """The operand of a construct that gives `component`, and its component."""
    for part in construct.operands:
        if component < part.type.width:
            return part, component
        component -= part.type.width
    raise IndexError(component)
