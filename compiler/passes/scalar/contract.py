"""Contraction: a multiplication whose product is only added to becomes one multiply-add.

In: any function.  Out: `fadd(fmul(a, b), c)` as `fmad(a, b, c)`, and likewise

    a * b - c   as  fmad(a, b, -c)          c - a * b   as  fmad(-a, b, c)

where that costs less on the target (`CostModel.cost`: an opcode that it lacks has an infinite cost).
Negations of constants and of negations cost nothing; of the two factors the cheaper one is negated.

This is exact: `fmad` rounds its product before it adds, and in a symmetric number format the negative of a
rounded product is the rounded product of the negative.  So it goes for `precise` instructions, too.

The product must have this one use, or it would be computed twice, and stand in the same block, or a
multiplication might move into a loop.  Not handled: products after a swizzle.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.passes.base import CostModel, Pass, PassContext
from glslc_multi.compiler.passes.motion.legality import merged_flags


class Contract(Pass):
    """See the module's text."""

    name = "contract"
    description = "joins multiplications with the additions that use them"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for block in function.blocks:
            for instruction in block:
                if instruction.op is ops.FADD or instruction.op is ops.FSUB:
                    progress |= _contract(instruction, context.costs)
        return progress


def _contract(total: Instruction, costs: CostModel) -> bool:
    """Replace a sum or difference whose first or else second operand is a product."""
    for index, product in enumerate(total.operands):
        if not _is_used_up(product, total):
            continue
        assert isinstance(product, Instruction)
        operands = [*product.operands, total.operands[1 - index]]
        negated = _operand_to_negate(operands, is_product_first=index == 0) if total.op is ops.FSUB else None
        if not _is_worth_it(total, None if negated is None else operands[negated], costs):
            continue
        builder = Builder.before(total)
        builder.flags = merged_flags(total, product)
        if negated is not None:
            operands[negated] = _negate(operands[negated], builder)
        total.replace_all_uses_with(builder.op(ops.FMAD, *operands))
        total.erase()
        product.erase()
        return True
    return False


def _operand_to_negate(operands: Sequence[Value], *, is_product_first: bool) -> int:
    """Which operand of the multiply-add makes it a difference: the addend, or a factor."""
    if is_product_first:
        return 2
    return 1 if _is_free_to_negate(operands[1]) and not _is_free_to_negate(operands[0]) else 0


def _is_used_up(product: Value, total: Instruction) -> bool:
    """Whether `product` is one, and `total` its only use."""
    if not isinstance(product, Instruction) or product.op is not ops.FMUL or product.block is not total.block:
        return False
    return len(product.users) == 1 and product.users[total] == 1


def _is_worth_it(total: Instruction, negated: Value | None, costs: CostModel) -> bool:
    def cost(opcode: Opcode) -> float:
        return costs.cost(opcode, total.type.width)

    negation = 0.0 if negated is None or _is_free_to_negate(negated) else cost(ops.FNEG)
    return cost(ops.FMAD) + negation < cost(ops.FMUL) + cost(total.op)


def _is_free_to_negate(value: Value) -> bool:
    return not isinstance(value, Instruction) or value.op is ops.FNEG


def _negate(value: Value, builder: Builder) -> Value:
    if isinstance(value, Constant):
        return Constant(value.type, tuple(None if c is None else -c for c in value.components))
    if isinstance(value, Instruction) and value.op is ops.FNEG:
        return value.operands[0]
    return builder.op(ops.FNEG, value)
