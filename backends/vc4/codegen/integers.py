"""Products and quotients of ints.

The multiplier takes the low 24 bits of both factors, without sign: `MUL24` products of what is known to be that small
are one instruction, which selection finds by the ranges; others are put together of three there.  Quotients become
quotients of floats here, put right by what they leave over, so that they are exact.
"""

from __future__ import annotations

from typing import ClassVar

from compiler.ir import ops
from compiler.ir.builder import Builder, int_constant
from compiler.ir.module import Function, Instruction, Value
from compiler.passes.base import Pass, PassContext
from compiler.records import dataclass

#: How often what is left over is divided again: float32 finds about 21 bits of a quotient at a time.
_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class LowerIntegers(Pass):
    """See the module's text."""

    name: ClassVar[str] = "lower-integers"
    description: ClassVar[str] = "computes quotients of ints by floats"
    preserves_control_flow: ClassVar[bool] = True

    def run(self, function: Function, context: PassContext) -> bool:
        quotients = [i for i in function.instructions() if i.op is ops.IDIV]
        for quotient in quotients:
            quotient.replace_all_uses_with(_divided(quotient))
            quotient.erase()
        return bool(quotients)


def _divided(quotient: Instruction) -> Value:
    """The quotient of the magnitudes, then the sign; 0 where the divisor is 0."""
    builder, (x, y) = Builder.before(quotient), quotient.operands
    width = quotient.type.width

    def number(value: int) -> Value:
        return int_constant(*(value,) * width)

    zero = number(0)

    def magnitude(value: Value) -> Value:
        return builder.op(ops.SELECT, builder.op(ops.ILT, value, zero), builder.op(ops.ISUB, zero, value), value)

    divisor, rest = magnitude(y), magnitude(x)
    reciprocal = builder.op(ops.FRCP, builder.op(ops.ITOF, divisor))
    found: Value = zero
    for _ in range(_ROUNDS):
        part = builder.op(ops.FTOI, builder.op(ops.FMUL, builder.op(ops.ITOF, rest), reciprocal))
        found = builder.op(ops.IADD, found, part)
        rest = builder.op(ops.ISUB, rest, builder.op(ops.IMUL, part, divisor))
    for _ in range(_ROUNDS):
        is_below = builder.op(ops.ILT, rest, zero)
        found = builder.op(ops.IADD, found, builder.op(ops.SELECT, is_below, number(-1), zero))
        rest = builder.op(ops.IADD, rest, builder.op(ops.SELECT, is_below, divisor, zero))
    for _ in range(_ROUNDS):
        is_left = builder.op(ops.ILE, divisor, rest)
        found = builder.op(ops.IADD, found, builder.op(ops.SELECT, is_left, number(1), zero))
        rest = builder.op(ops.ISUB, rest, builder.op(ops.SELECT, is_left, divisor, zero))
    signs_differ = builder.op(ops.XOR, builder.op(ops.ILT, x, zero), builder.op(ops.ILT, y, zero))
    signed = builder.op(ops.SELECT, signs_differ, builder.op(ops.ISUB, zero, found), found)
    return builder.op(ops.SELECT, builder.op(ops.IEQ, y, zero), zero, signed)
