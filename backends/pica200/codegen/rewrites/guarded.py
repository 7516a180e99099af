"""Values that a choice does not take are numbers or infinities: the product of these with 0 is 0, that of NaN is NaN.

    c ? pow(h, k) : 0       exp2(k * log2(max(h, 0))) * float(c)
    c ? 1/x - 1/y : z       max(1/x - 1/y, -float(c) * largest) * float(c) + z * (1 - float(c))

In: multiply-adds by which a condition is a factor, and selects, of which rules make products with 1 and 0.  Out: the
same with values that are never NaN.  Logarithms and roots of what may be negative, on which they depend, are of at
least 0; where infinities cancel, MAX takes its bound.
"""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.backends.pica200.codegen.rewrites.truths import truth
from glslc_multi.backends.pica200.isa.numbers import LARGEST
from glslc_multi.compiler.analysis.float_classes import (
    MINUS_INFINITY,
    NAN,
    NEGATIVE,
    FloatClasses,
    Format,
    float_classes,
    zero_times_infinity_is_zero,
)
from glslc_multi.compiler.codegen.operands import is_all
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import PassContext

#: Infinity begins at 2^64, which products soon reach: here as soon as in float32.
_FORMAT = Format(zero_times_infinity_is_zero, largest=2.0**127)


#: Not a number where the operand is below 0.
_ABOVE_0 = frozenset({ops.FLOG2, ops.FRSQRT})


def guard_choices(function: Function, context: PassContext, sums: list[Instruction]) -> bool:
    """Whether anything changed; `sums` are multiply-adds whose second factor is 1 or 0."""
    selects = [i for i in function.instructions() if i.op is ops.SELECT]
    choices = [(total.operands[0], total.operands[2]) for total in sums]
    for select in selects:
        _, if_true, if_false = select.operands
        choices += [(if_true, if_false), (if_false, if_true)]
    classes = _classes(function, context)
    spoiling = [value for value, other in choices if classes.spoils(value, other, NAN)]
    if not spoiling:
        return False
    if _keep_in_domain(spoiling, classes):
        classes = _classes(function, context)
    for total in sums:
        factor, mask, addend = total.operands
        if classes.spoils(factor, addend, NAN):
            total.set_operand(0, _number(Builder.before(total), factor, mask))
    for select in selects:
        _, if_true, if_false = select.operands
        if classes.spoils(if_true, if_false, NAN) or classes.spoils(if_false, if_true, NAN):
            select.replace_all_uses_with(_products(select, classes))
            select.erase()
    return True


def _classes(function: Function, context: PassContext) -> FloatClasses:
    return float_classes(function, context.analyses(function), _FORMAT)


def _keep_in_domain(values: Iterable[Value], classes: FloatClasses) -> bool:
    """Let logarithms and roots that values depend on be of at least 0; whether there were any."""
    progress = False
    seen: set[Value] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        if value in seen or not isinstance(value, Instruction) or not classes.may_be(value, NAN):
            continue
        seen.add(value)
        pending += value.operands
        if value.op in _ABOVE_0 and classes.may_be(value.operands[0], NEGATIVE | MINUS_INFINITY):
            (operand,) = value.operands
            value.set_operand(0, Builder.before(value).op(ops.FMAX, operand, Constant.splat(operand.type, 0.0)))
            progress = True
    return progress


def _number(builder: Builder, value: Value, mask: Value) -> Instruction:
    """The value where the mask is 1; some number where it is 0.  Of NaN and another, FMAX is the first operand."""
    bound = builder.op(ops.FMUL, mask, Constant.splat(mask.type, -LARGEST))
    number = builder.op(ops.FMAX, bound, value)
    number.flags |= PRECISE
    return number


def _products(select: Instruction, classes: FloatClasses) -> Value:
    """x * c + y * (1 - c), where neither product is NaN."""
    condition, if_true, if_false = select.operands
    builder = Builder.before(select)
    number = truth(condition) or builder.op(ops.BTOF, condition)
    mask = builder.splat(number, select.type.width) if number.type.is_scalar else number

    def factors(value: Value, mask: Value) -> tuple[Value, Value]:
        return _number(builder, value, mask) if classes.may_be(value, NAN) else value, mask

    if is_all(if_false, 0.0):
        return builder.op(ops.FMUL, *factors(if_true, mask))
    otherwise = builder.op(ops.FSUB, Constant.splat(mask.type, 1.0), mask)
    product = builder.op(ops.FMUL, *factors(if_false, otherwise))
    return builder.op(ops.FMAD, *factors(if_true, mask), product)
