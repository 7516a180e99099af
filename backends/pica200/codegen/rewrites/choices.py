"""Choices between a value and what is made of it by adding: a product with the condition as a number is added.

    c ? s + x : s       s + float(c) * x            which is a comparison and a MAD

In: selects on comparisons, sums and multiply-adds.  Out: multiply-adds; the hardware's 0 * infinity is 0, and
x is no NaN (`guarded.py`).  Choices on numbers that are 1 or 0 already, such as bool uniforms, stay for the rules of
selects.
"""

from __future__ import annotations

from glslc_multi.backends.pica200.codegen.rewrites.guarded import guard_choices
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.lowering.terms import rest_of_sum
from glslc_multi.compiler.passes.base import Pass, PassContext

#: Opposite of an equality; that of an order has its operands in the other order.
_OPPOSITES: dict[Opcode, Opcode] = {ops.FEQ: ops.FNE, ops.FNE: ops.FEQ, ops.FLT: ops.FLE, ops.FLE: ops.FLT}


class Choices(Pass):
    """See the module's text."""

    name = "pica200-choices"
    description = "adds products with conditions instead of choosing between sums"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        selects = [i for i in function.instructions() if i.op is ops.SELECT and i.type.kind == "float"]
        sums = [made for select in selects if (made := _sum(select, context.precise)) is not None]
        is_guarded = guard_choices(function, context, sums)
        return bool(sums) or is_guarded


def _sum(select: Instruction, precise: bool) -> Instruction | None:
    """Put a multiply-add in the place of a choice between a value and a sum with it."""
    condition, if_true, if_false = select.operands
    if not _is_compared(condition):
        return None
    builder = Builder.before(select)
    made = _added(builder, condition, if_true, if_false, precise)
    if made is None and not precise:
        # Of two opposite comparisons with NaN neither holds.
        made = _added(builder, _opposite(builder, condition), if_false, if_true, precise)
    if made is not None:
        select.replace_all_uses_with(made)
        select.erase()
    return made


def _is_compared(condition: Value) -> bool:
    """Whether a condition is a comparison, but for the test of what is 1 or 0."""
    if not isinstance(condition, Instruction) or condition.op not in _OPPOSITES:
        return False
    zero = condition.operands[1]
    is_test = condition.op in (ops.FNE, ops.FEQ) and isinstance(zero, Constant) and not any(zero.components)
    return not is_test


def _opposite(builder: Builder, condition: Value) -> Value:
    assert isinstance(condition, Instruction)
    operands = condition.operands
    if condition.op in (ops.FLT, ops.FLE):
        return builder.op(_OPPOSITES[condition.op], *reversed(operands))
    return builder.op(_OPPOSITES[condition.op], *operands)


def _added(builder: Builder, condition: Value, total: Value, part: Value, precise: bool) -> Instruction | None:
    """The part, and the rest of the total where the condition holds; None where it is no part."""
    rest = _rest(builder, total, part, precise)
    if rest is None:
        return None
    mask: Value = builder.op(ops.BTOF, condition)
    if mask.type is not part.type:
        mask = builder.splat(mask, part.type.width)
    return builder.op(ops.FMAD, rest, mask, part)


def _rest(builder: Builder, total: Value, part: Value, precise: bool) -> Value | None:
    if isinstance(total, Instruction) and total.op is ops.FMAD and total.operands[2] is part:
        if total.flags & PRECISE or len(total.users) > 1:
            return None
        return builder.op(ops.FMUL, *total.operands[:2])
    return rest_of_sum(builder, total, part, precise=precise)
