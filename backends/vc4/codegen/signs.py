"""Negations move towards sums, which can absorb them.

The machine has no negation of operands: each costs an instruction.  In: a function of single numbers.  Out: the same
with the negations of factors after their products, where only sums and products read these, and with differences for
sums of negated terms.  Exact in IEEE arithmetic.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext

_ABSORB_SIGNS = frozenset({ops.FADD, ops.FSUB, ops.FMUL})


class SinkSigns(Pass):
    """See the module's text."""

    name = "vc4-signs"
    description = "moves negations to sums, which absorb them"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for block in function.blocks:
            for instruction in block:
                progress |= _sink(instruction)
        return progress


def _sink(instruction: Instruction) -> bool:
    """Rewrite a sum or product of negated operands."""
    if instruction.op not in _ABSORB_SIGNS or not instruction.type.is_scalar:
        return False
    (x, x_negated), (y, y_negated) = map(_without_sign, instruction.operands)
    if not (x_negated or y_negated):
        return False
    builder = Builder.before(instruction)
    if instruction.op is ops.FMUL:
        return _sink_product(instruction, builder, x, y, is_negative=x_negated != y_negated)
    y_negated ^= instruction.op is ops.FSUB
    if x_negated and y_negated:
        if not _is_absorbed(instruction):
            return False
        return _replace(instruction, builder.op(ops.FNEG, builder.op(ops.FADD, x, y)))
    if x_negated:
        return _replace(instruction, builder.op(ops.FSUB, y, x))
    return _replace(instruction, builder.op(ops.FSUB if y_negated else ops.FADD, x, y))


def _sink_product(instruction: Instruction, builder: Builder, x: Value, y: Value, *, is_negative: bool) -> bool:
    if not is_negative:
        return _replace(instruction, builder.op(ops.FMUL, x, y))
    for factor, other in ((x, y), (y, x)):
        if isinstance(factor, Constant):
            return _replace(instruction, builder.op(ops.FMUL, other, _negative(factor)))
    if not _is_absorbed(instruction):
        return False
    return _replace(instruction, builder.op(ops.FNEG, builder.op(ops.FMUL, x, y)))


def _without_sign(value: Value) -> tuple[Value, bool]:
    if isinstance(value, Instruction) and value.op is ops.FNEG:
        return value.operands[0], True
    return value, False


def _is_absorbed(value: Instruction) -> bool:
    """Whether all readers can absorb a sign."""
    return bool(value.users) and all(user.op in _ABSORB_SIGNS for user in value.users)


def _negative(constant: Constant) -> Constant:
    return Constant(constant.type, tuple(None if number is None else -number for number in constant.components))


def _replace(instruction: Instruction, value: Value) -> bool:
    instruction.replace_all_uses_with(value)
    instruction.erase()
    return True
