"""Vectors of which neighbouring components are computed alike: such neighbours are a vector of their own.

What joins operations of one shape (`passes/scalar/vectorize.py`) looks at whole vectors, and colours are often three
numbers alike and an opacity.
"""

from __future__ import annotations

from itertools import groupby

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import BOOL


def group_components(function: Function) -> None:
    """Let vectors be made of shorter ones where neighbours come from the same operation."""
    for vector in list(function.instructions()):
        if vector.op is not ops.CONSTRUCT or any(part.type.width > 1 for part in vector.operands):
            continue
        groups = [list(parts) for _, parts in groupby(vector.operands, _operation_of)]
        if 1 < len(groups) < len(vector.operands):
            b = Builder.before(vector)
            vector.replace_all_uses_with(b.construct(*(b.construct(*parts) for parts in groups)))


def choose_vectors(function: Function) -> None:
    """Let vectors be chosen by one condition where all their components are."""
    for choice in function.instructions():
        if choice.op is ops.SELECT:
            condition = choice.operands[0]
            if (
                isinstance(condition, Instruction)
                and condition.op is ops.SWIZZLE
                and condition.operands[0].type is BOOL
            ):
                choice.set_operand(0, condition.operands[0])


def _operation_of(value: Value) -> tuple[Opcode | None, bool]:
    """Return what computes a component, and whether for this vector alone."""
    return (value.op, len(value.users) == 1) if isinstance(value, Instruction) else (None, False)
