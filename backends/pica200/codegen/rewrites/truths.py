"""Numbers that are 1 or 0, and conditions that are only whether one is 1."""

from __future__ import annotations

from glslc_multi.compiler.codegen.operands import is_all
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value


def truth(condition: Value) -> Value | None:
    """x of a condition x != 0 where x is 1 or 0."""
    if not isinstance(condition, Instruction) or condition.op is not ops.FNE:
        return None
    first, second = condition.operands
    return first if is_all(second, 0.0) and is_truth(first) else None


def is_truth(value: Value, depth: int = 8) -> bool:
    """Whether a float is 1 or 0."""
    if isinstance(value, Constant):
        return all(c in (0.0, 1.0, None) for c in value.components)
    if not isinstance(value, Instruction) or depth == 0:
        return False
    if value.op is ops.LOAD:
        return value.address.variable.source_kind == "bool"
    if value.op in (ops.FMIN, ops.FMAX, ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT, ops.PHI):
        return all(is_truth(operand, depth - 1) for operand in value.operands)
    if value.op is ops.FSUB:
        return is_all(value.operands[0], 1.0) and is_truth(value.operands[1], depth - 1)
    return value.op is ops.BTOF
