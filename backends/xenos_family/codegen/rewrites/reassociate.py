"""Reassociation: sums of products start with what is added last, so that the first product is a multiply-add, too.

In: a function after `contract`.  Out: a sum of products (multiply-adds in a chain, each used once, that ends in a
product) to which something is added computes `a * b + (c * d + e)` instead of `(a * b + c * d) + e`.  This is how
a matrix meets a position whose last component is 1.  GLSL lets us reassociate; `-fprecise` and instructions
flagged `precise` do not.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import PRECISE, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext


class AbsorbAddends(Pass):
    """See the module's text."""

    name = "xenos-family-addends"
    description = "starts sums of products with what is added last"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        if context.precise:
            return False
        sums = [i for i in function.instructions() if i.op is ops.FADD and not i.flags & PRECISE]
        absorbed = [_absorb(total) for total in sums]
        return any(absorbed)


def _absorb(total: Instruction) -> bool:
    """Rewrite one sum; whether it was one of products."""
    left, right = total.operands
    for products, addend in ((left, right), (right, left)):
        chain = _chain(products, total)
        if chain:
            # Let the product of the chain add `addend`, and the chain replace `total`.
            block = total.block
            assert block is not None
            for instruction in reversed(chain):
                instruction.unlink()
                block.insert_before(total, instruction)
            product = chain[-1]
            product.op = ops.FMAD
            product.add_operand(addend)
            total.replace_all_uses_with(chain[0])
            total.erase()
            return True
    return False


def _chain(value: Value, user: Instruction) -> list[Instruction]:
    """The multiply-adds that end in a product, the product last; empty where `value` is something else."""
    chain: list[Instruction] = []
    while isinstance(value, Instruction) and value.op in (ops.FMAD, ops.FMUL):
        if list(value.users.values()) != [1] or value.block is not user.block or value.flags & PRECISE:
            return []
        chain.append(value)
        if value.op is ops.FMUL:
            return chain
        user, value = value, value.operands[2]
    return []
