"""Signs of values, as far as the operations say that make them: squares, sums of squares, magnitudes, powers of two.

In: any value.  Out: whether it is certainly positive, or not negative, for numbers; NaN has no sign.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value

_NEVER_NEGATIVE = frozenset(
    {ops.FABS, ops.FSQRT, ops.LENGTH, ops.FEXP2, ops.FEXP, ops.FSATURATE, ops.FFRACT, ops.BTOF, ops.FSTEP}
)
_SHUFFLES = frozenset({ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT})
#: Operands of operands that are looked at.
_DEPTH = 8


def is_positive(value: Value, depth: int = _DEPTH) -> bool:
    """Whether a value is known to be above 0 by more than any underflow."""
    if isinstance(value, Constant):
        return all(c is None or float(c) > 0.0 for c in value.components)
    if not isinstance(value, Instruction) or depth == 0:
        return False
    if value.op in _SHUFFLES:
        return all(is_positive(operand, depth - 1) for operand in value.operands)
    if value.op is ops.FMAX:
        return any(is_positive(operand, depth - 1) for operand in value.operands)
    if value.op is ops.FADD:
        signs = [(is_positive(each, depth - 1), is_at_least_0(each, depth - 1)) for each in value.operands]
        return any(positive for positive, _ in signs) and all(positive or rest for positive, rest in signs)
    if value.op is ops.FMAD:
        return _is_product_at_least_0(value, depth) and is_positive(value.operands[2], depth - 1)
    return False


def is_at_least_0(value: Value, depth: int = _DEPTH) -> bool:
    """Whether a value is known to be 0 or above."""
    if isinstance(value, Constant):
        return all(c is None or float(c) >= 0.0 for c in value.components)
    if not isinstance(value, Instruction) or depth == 0:
        return False
    if value.op in _NEVER_NEGATIVE:
        return True
    if value.op is ops.DOT:
        return value.operands[0] is value.operands[1]
    if value.op is ops.FMUL:
        return _is_product_at_least_0(value, depth)
    if value.op is ops.FMAD:
        return _is_product_at_least_0(value, depth) and is_at_least_0(value.operands[2], depth - 1)
    if value.op is ops.FMAX:
        return any(is_at_least_0(operand, depth - 1) for operand in value.operands)
    is_monotonic = value.op in (ops.FADD, ops.FMIN) or value.op in _SHUFFLES
    return is_monotonic and all(is_at_least_0(operand, depth - 1) for operand in value.operands)


def _is_product_at_least_0(product: Instruction, depth: int) -> bool:
    """Whether the first two operands are the same, or neither is negative."""
    first, second = product.operands[:2]
    return first is second or (is_at_least_0(first, depth - 1) and is_at_least_0(second, depth - 1))
