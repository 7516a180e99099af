"""Signs, which are instructions here: negations move to where a difference, or a constant, takes them in.

    normalize(-x) -> -normalize(x)      -x - y * c -> y * -c - x        x + -y -> x - y        x - -y -> x + y

In: floats.  Out: fewer negations; `reflect(-l, n)` and `normalize(-p)` have none.  All of it is exact.
"""

from __future__ import annotations

from typing import TypeGuard

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext

#: Factors of factors that are looked at for a constant.
_DEPTH = 4


class FoldSigns(Pass):
    """See the module's text."""

    name = "agal-signs"
    description = "moves negations to where differences and constants take them in"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for instruction in list(function.instructions()):
            value = _without_negation(Builder.before(instruction), instruction)
            if value is not None:
                instruction.replace_all_uses_with(value)
                progress = True
        return progress


def _without_negation(b: Builder, instruction: Instruction) -> Value | None:
    if instruction.op is ops.NORMALIZE:
        (vector,) = instruction.operands
        if _is_negation(vector):
            return b.op(ops.FNEG, b.op(ops.NORMALIZE, vector.operands[0]))
    if instruction.op is ops.FADD:
        for negation, other in (instruction.operands, tuple(reversed(instruction.operands))):
            if _is_negation(negation):
                return b.op(ops.FSUB, other, negation.operands[0])
    return _difference(b, instruction) if instruction.op is ops.FSUB else None


def _difference(b: Builder, instruction: Instruction) -> Value | None:
    first, second = instruction.operands
    if _is_negation(second):
        return b.op(ops.FADD, first, second.operands[0])
    if _is_negation(first):
        turned = _negated_product(b, second, _DEPTH)
        if turned is not None:
            return b.op(ops.FSUB, turned, first.operands[0])
    return None


def _is_negation(value: Value) -> TypeGuard[Instruction]:
    return isinstance(value, Instruction) and value.op is ops.FNEG


def _negated_product(b: Builder, value: Value, depth: int) -> Value | None:
    """The negative of a product that nothing else reads, by a constant factor; None where there is none."""
    if isinstance(value, Constant):
        return Constant(value.type, tuple(None if c is None else -float(c) for c in value.components))
    if not isinstance(value, Instruction) or depth == 0 or len(value.users) != 1:
        return None
    if value.op is ops.SWIZZLE:
        source = _negated_product(b, value.operands[0], depth - 1)
        return None if source is None else b.swizzle(source, value.attribute)
    if value.op is not ops.FMUL:
        return None
    for factor, other in (value.operands, tuple(reversed(value.operands))):
        turned = _negated_product(b, factor, depth - 1)
        if turned is not None:
            return b.op(ops.FMUL, other, turned)
    return None
