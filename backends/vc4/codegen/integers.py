"""Products and quotients of ints.

The multiplier takes the low 24 bits of both factors, without sign: a product of ints that are known to be that small is
one instruction, which selection finds by their ranges; others are three of these, with shifts and sums.  Products
with powers of two, and quotients by them, are shifts, which selection finds, too.  Other quotients become quotients of
floats here, corrected by their remainders, so that they are exact.
"""

from __future__ import annotations

from typing import ClassVar

from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.builder import Builder, int_constant
from compiler.ir.module import Constant, Function, Instruction, Value
from compiler.passes.base import Pass, PassContext
from compiler.records import dataclass

#: How often the remainder is divided again: float32 finds about 21 bits of a quotient at a time.
_ROUNDS = 2
_QUOTIENT = Form(__name__, "quotient of ints by floats")


@dataclass(frozen=True, slots=True)
class LowerIntegers(Pass):
    """See the module's text."""

    name: ClassVar[str] = "lower-integers"
    description: ClassVar[str] = "computes quotients of ints by floats"
    preserves_control_flow: ClassVar[bool] = True

    def run(self, function: Function, context: PassContext) -> bool:
        quotients = [i for i in function.instructions() if i.op is ops.IDIV and exponent_of(i.operands[1]) is None]
        for quotient in quotients:
            _QUOTIENT.fires()
            quotient.replace_all_uses_with(_divided(quotient))
            quotient.erase()
        return bool(quotients)


def exponent_of(value: Value) -> int | None:
    """Of a constant that is a power of two in all components, the exponent."""
    numbers = set(value.components) if isinstance(value, Constant) else set()
    number = numbers.pop() if len(numbers) == 1 else None
    if not isinstance(number, int) or number <= 0 or number & (number - 1):
        return None
    return number.bit_length() - 1


def _divided(quotient: Instruction) -> Value:
    """The quotient of the magnitudes, then the sign; 0 where the divisor is 0."""
    builder, (x, y) = Builder.before(quotient), quotient.operands
    width = quotient.type.width

    def number(value: int) -> Value:
        return int_constant(*(value,) * width)

    zero = number(0)

    def magnitude(value: Value) -> Value:
        return builder.op(ops.SELECT, builder.op(ops.ILT, value, zero), builder.op(ops.ISUB, zero, value), value)

    divisor, remainder = magnitude(y), magnitude(x)
    reciprocal = builder.op(ops.FRCP, builder.op(ops.ITOF, divisor))
    found: Value = zero
    for _ in range(_ROUNDS):
        part = builder.op(ops.FTOI, builder.op(ops.FMUL, builder.op(ops.ITOF, remainder), reciprocal))
        found = builder.op(ops.IADD, found, part)
        remainder = builder.op(ops.ISUB, remainder, builder.op(ops.IMUL, part, divisor))
    for _ in range(_ROUNDS):
        is_below = builder.op(ops.ILT, remainder, zero)
        found = builder.op(ops.IADD, found, builder.op(ops.SELECT, is_below, number(-1), zero))
        remainder = builder.op(ops.IADD, remainder, builder.op(ops.SELECT, is_below, divisor, zero))
    for _ in range(_ROUNDS):
        is_left = builder.op(ops.ILE, divisor, remainder)
        found = builder.op(ops.IADD, found, builder.op(ops.SELECT, is_left, number(1), zero))
        remainder = builder.op(ops.ISUB, remainder, builder.op(ops.SELECT, is_left, divisor, zero))
    signs_differ = builder.op(ops.XOR, builder.op(ops.ILT, x, zero), builder.op(ops.ILT, y, zero))
    signed = builder.op(ops.SELECT, signs_differ, builder.op(ops.ISUB, zero, found), found)
    return builder.op(ops.SELECT, builder.op(ops.IEQ, y, zero), zero, signed)
