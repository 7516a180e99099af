"""Quotients, remainders and conversions of ints, which the machine has no instruction for.

The multiplier takes the low 24 bits of both factors, without sign: a product of ints that are known to be that small is
one instruction, which selection finds by their ranges; others are three of these, with shifts and sums.  Products
with powers of two, and quotients by them, are shifts, which selection finds, too.  Other quotients are found here with
floats, and are exact for all ints of 32 bits:

A quotient a / d of magnitudes is a product with a reciprocal that is taken a little too small (`_BELOW`), by more than
reciprocal, conversion and product can be off together, which is less than 2^-20.  So its whole part q is never too
large, and short of the quotient by less than 1 + 2^-18 a / d.  The remainder a - q d, which is exact, is divided in the
same way.  What is missing then is less than 1 + 2^-5, and so one at most, which the second remainder tells.  One
division is enough where a is below 2^17.

Magnitudes are up to 2^31, whose conversion to a float has the wrong sign.  Numbers without a sign are halved before and
doubled after, which leaves one more place to correct (Warren, Hacker's Delight, 2nd edition, section 9-3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glslc_multi.compiler.analysis.ranges import Interval, ValueRanges, value_ranges
from glslc_multi.compiler.arithmetic.protocol import INT_MAX
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, int_constant
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.passes.base import Pass, PassContext

_BELOW = 1.0 - 2.0**-19
#: Dividends below this one need one division.
_ONE_ROUND = 2**17
_INFINITY = 0x7F800000
_MAGNITUDE = 0x7FFFFFFF


class LowerIntegers(Pass):
    """See the module's text."""

    name = "vc4-integers"
    description = "computes quotients of ints by floats"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        divisions = [i for i in function.instructions() if i.op in _DIVISIONS and not _is_shift(i)]
        tests = [i for i in function.instructions() if i.op is ops.FISNAN]
        # Of what is made here, the analysis knows nothing.
        bounds = _bounds(divisions, context.analyses(function).get(value_ranges)) if divisions else {}
        for instruction in divisions:
            instruction.replace_all_uses_with(_Division(instruction, bounds[instruction]).result())
            instruction.erase()
        for instruction in tests:
            # NaN arithmetic is unknown to the machine: the bits tell.
            builder, (x,) = Builder.before(instruction), instruction.operands
            ones, infinity = (int_constant(*(word,) * x.type.width) for word in (_MAGNITUDE, _INFINITY))
            instruction.replace_all_uses_with(
                builder.op(ops.ILT, infinity, builder.op(ops.IAND, builder.op(ops.BITCAST_FTOI, x), ones))
            )
            instruction.erase()
        return bool(divisions or tests)


def _bounds(found: Iterable[Instruction], ranges: ValueRanges) -> dict[Instruction, list[Interval]]:
    """The ranges of all operands."""
    return {i: [_joined(ranges.of(operand)) for operand in i.operands] for i in found}


_DIVISIONS = frozenset({ops.IDIV, ops.IREM, ops.UDIV, ops.UREM})


def _is_shift(division: Instruction) -> bool:
    return division.op is ops.IDIV and exponent_of(division.operands[1]) is not None


def exponent_of(value: Value) -> int | None:
    """Of a constant that is a power of two in all components, the exponent."""
    numbers = set(value.components) if isinstance(value, Constant) else set()
    number = numbers.pop() if len(numbers) == 1 else None
    if not isinstance(number, int) or number <= 0 or number & (number - 1):
        return None
    return number.bit_length() - 1


class _Division:
    """A quotient or remainder, before the instruction that it replaces; 0 where the divisor is 0."""

    def __init__(self, original: Instruction, bounds: Sequence[Interval]) -> None:
        self.builder = Builder.before(original)
        self.op = original.op
        self.width = original.type.width
        self.x, self.y = original.operands
        self.bounds = bounds

    def result(self) -> Value:
        is_quotient = self.op in (ops.IDIV, ops.UDIV)
        quotient, remainder = self._unsigned() if self.op in (ops.UDIV, ops.UREM) else self._signed()
        number = quotient if is_quotient else remainder
        if isinstance(self.y, Constant) and all(self.y.components):
            return number
        zero = self._number(0)
        return self._op(ops.SELECT, self._op(ops.IEQ, self.y, zero), zero, number)

    def _signed(self) -> tuple[Value, Value]:
        """By magnitudes, then the signs: a remainder has that of the dividend."""
        dividend, divisor = (
            v if r.low >= 0 else self._negated_where(self._op(ops.ILT, v, self._number(0)), v)
            for v, r in zip((self.x, self.y), self.bounds, strict=True)
        )
        x_range, y_range = self.bounds
        quotient, remainder = self._of_magnitudes(dividend, divisor, max(-x_range.low, x_range.high))
        is_negative = self._op(ops.ILT, self.x, self._number(0)) if x_range.low < 0 else None
        differs = self._op(ops.ILT, self.y, self._number(0)) if y_range.low < 0 else None
        if is_negative is not None:
            remainder = self._negated_where(is_negative, remainder)
            differs = is_negative if differs is None else self._op(ops.XOR, is_negative, differs)
        return (quotient if differs is None else self._negated_where(differs, quotient)), remainder

    def _negated_where(self, condition: Value, value: Value) -> Value:
        return self._op(ops.SELECT, condition, self._op(ops.ISUB, self._number(0), value), value)

    def _unsigned(self) -> tuple[Value, Value]:
        """Half the dividend by the divisor, and twice what comes of it; a divisor from 2^31 on goes once at most."""
        is_large = self._op(ops.ISHR, self.y, self._number(31))
        half = self._op(ops.USHR, self._op(ops.IAND, self.x, self._op(ops.INOT, is_large)), self._number(1))
        found, _ = self._of_magnitudes(half, self.y, INT_MAX)
        quotient = self._op(ops.ISHL, found, self._number(1))
        return self._corrected(quotient, self._rest(self.x, quotient, self.y), self.y)

    def _of_magnitudes(self, dividend: Value, divisor: Value, largest: float) -> tuple[Value, Value]:
        """Quotient and remainder of numbers up to 2^31."""
        scale = self._op(ops.FMUL, self._op(ops.FRCP, self._float(divisor)), self._number(_BELOW))
        quotient = self._estimate(dividend, scale)
        remainder = self._rest(dividend, quotient, divisor)
        if largest < _ONE_ROUND:
            return self._corrected(quotient, remainder, divisor)
        part = self._estimate(remainder, scale)
        return self._corrected(self._op(ops.IADD, quotient, part), self._rest(remainder, part, divisor), divisor)

    def _estimate(self, dividend: Value, scale: Value) -> Value:
        return self._op(ops.FTOI, self._op(ops.FMUL, self._float(dividend), scale))

    def _float(self, magnitude: Value) -> Value:
        """Of 2^31 as well, which is read as -2^31."""
        return self._op(ops.FABS, self._op(ops.ITOF, magnitude))

    def _rest(self, dividend: Value, quotient: Value, divisor: Value) -> Value:
        return self._op(ops.ISUB, dividend, self._op(ops.IMUL, quotient, divisor))

    def _corrected(self, quotient: Value, remainder: Value, divisor: Value) -> tuple[Value, Value]:
        """Once more where the divisor still goes into the remainder."""
        goes = self._op(ops.ULE, divisor, remainder)
        one, zero = self._number(1), self._number(0)
        more = self._op(ops.IADD, quotient, self._op(ops.SELECT, goes, one, zero))
        return more, self._op(ops.ISUB, remainder, self._op(ops.SELECT, goes, divisor, zero))

    def _number(self, value: float) -> Constant:
        type = self.x.type if isinstance(value, int) else self.x.type.with_kind("float")
        return Constant.splat(type, value)

    def _op(self, opcode: Opcode, *operands: Value) -> Value:
        return self.builder.op(opcode, *operands)


def _joined(parts: tuple[Interval, ...]) -> Interval:
    return Interval(min(part.low for part in parts), max(part.high for part in parts))
