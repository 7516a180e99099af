"""The arithmetic unit as code for groups of pixels: `arithmetic.py` again, emitted.

A lane is a vector of i64, one signed number of 32 bits a pixel, as in the interpreter; a row is three of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backends.host.arithmetic import DoubleArithmetic
from backends.host.emitter import Emitter, Value
from backends.host.translation import refuse
from backends.theia.arithmetic import DIGITS, LARGEST_EXACT
from backends.theia.numbers import FRACTION_BITS, SIGN, WORD_MASK
from backends.theia.registers import Variant

_TWO_52 = 2.0**52
_TWO_52_BITS = 0x4330000000000000
_MANTISSA = (1 << 52) - 1


class Lane:
    """A number of each pixel; products can be negated."""

    __slots__ = ("unit", "value")

    def __init__(self, unit: HostUnit, value: Value) -> None:
        self.unit = unit
        self.value = value

    def __neg__(self) -> Lane:
        return self.unit.difference(self.unit.iconst(0), self)


class Row(tuple[Lane, Lane, Lane]):
    """Three lanes."""

    __slots__ = ()


def _lanewise(operation: Callable[..., Lane]) -> Callable[..., Any]:
    """The operation on lanes, and on rows lane by lane; a lane beside a row is each of its lanes."""

    def apply(unit: HostUnit, *operands: Lane | Row, **more: Any) -> Lane | Row:
        if not any(isinstance(operand, Row) for operand in operands):
            return operation(unit, *operands, **more)
        columns = zip(*(operand if isinstance(operand, Row) else (operand,) * 3 for operand in operands), strict=True)
        return Row(operation(unit, *column, **more) for column in columns)

    return apply


class HostUnit:
    """`backends.theia.isa.RowArithmetic`, emitted; truth values are masks."""

    def __init__(self, emitter: Emitter, variant: Variant) -> None:
        self.emitter = emitter
        self._variant = variant

    # numbers of 64 bits ----------------------------------------------------------------------
    def row(self, x: Lane, y: Lane, z: Lane) -> Row:
        return Row((x, y, z))

    def iconst(self, value: int | Lane) -> Lane:
        """A number; an immediate value that the host sets is a lane already."""
        return value if isinstance(value, Lane) else self._number(((value + SIGN) & WORD_MASK) - SIGN)

    def _number(self, value: int) -> Lane:
        return Lane(self, self.emitter.ints(value, "i64"))

    def _binary(self, operation: str, x: Lane, y: Lane) -> Lane:
        return Lane(self, self.emitter.binary(operation, x.value, y.value))

    def difference(self, x: Lane, y: Lane) -> Lane:
        return self._binary("sub", x, y)

    def choose(self, condition: Value, x: Lane, y: Lane) -> Lane:
        return Lane(self, self.emitter.select(condition, x.value, y.value))

    def wrapped(self, x: Lane) -> Lane:
        """Reduced to signed 32 bits."""
        word = self.emitter.convert("trunc", x.value, self.emitter.i32)
        return Lane(self, self.emitter.convert("sext", word, self.emitter.i64))

    def _keep_sign(self, t: Lane) -> Lane:
        """A 64-bit sum as a number: its sign over its low 31 bits."""
        low = self._binary("and", t, self._number(SIGN - 1))
        return self.choose(self._is_negative(t), self._binary("sub", low, self._number(SIGN)), low)

    def _is_negative(self, x: Lane) -> Value:
        return self._compare("icmp slt", x, self._number(0))

    def _compare(self, predicate: str, x: Lane, y: Lane) -> Value:
        return self.emitter.compare(predicate, x.value, y.value)

    def _magnitude(self, x: Lane) -> Lane:
        return Lane(self, self.emitter.intrinsic("abs", x.value.type, x.value, Value("false", "i1")))

    def _signs_differ(self, x: Lane, y: Lane) -> Value:
        return self.emitter.binary("xor", self._is_negative(x), self._is_negative(y))

    def _apply_sign(self, magnitude: Lane, negative: Value) -> Lane:
        return self.choose(negative, -magnitude, magnitude)

    def _multiplied(self, x: Lane, y: Lane) -> Lane:
        """The product of magnitudes as the multiplier makes it: exact, but for left factors whose triple has more than
        32 bits, which few programs meet; these go another way."""
        emitter = self.emitter
        left, right = self._magnitude(x), self._magnitude(y)
        start, slow, join = emitter.fresh(), emitter.fresh(), emitter.fresh()
        emitter.jump(start)
        emitter.label(start)
        exact = self._binary("mul", left, right)
        is_large = self._compare("icmp ugt", left, self._number(int(LARGEST_EXACT)))
        emitter.branch(emitter.any(is_large), slow, join)
        emitter.label(slow)
        cut = self._digit_products(left, right)
        emitter.jump(join)
        emitter.label(join)
        ways = f"[ {exact.value.text}, %{start} ], [ {cut.value.text}, %{slow} ]"
        return Lane(self, emitter.value(emitter.i64, f"phi {emitter.i64} {ways}"))

    def _digit_products(self, left: Lane, right: Lane) -> Lane:
        total = self._number(0)
        for position in range(DIGITS):
            shift = self._number(2 * position)
            digit = self._binary("and", self._binary("lshr", right, shift), self._number(3))
            part = self._binary("and", self._binary("mul", digit, left), self._number(WORD_MASK))
            total = self._binary("add", total, self._binary("shl", part, shift))
        return total

    # the protocol ----------------------------------------------------------------------------
    @_lanewise
    def fadd(self, x: Lane, y: Lane) -> Lane:
        return self._keep_sign(self._binary("add", x, y))

    @_lanewise
    def fsub(self, x: Lane, y: Lane) -> Lane:
        return self._keep_sign(self._binary("sub", x, y))

    @_lanewise
    def product(self, x: Lane, y: Lane) -> Lane:
        shifted = self._binary("lshr", self._multiplied(x, y), self._number(FRACTION_BITS))
        return self._apply_sign(shifted, self._signs_differ(x, y))

    def total(self, *terms: Lane) -> Lane:
        found = terms[0]
        for term in terms[1:]:
            found = self._binary("add", found, term)
        return self._keep_sign(found)

    @_lanewise
    def fmul(self, x: Lane, y: Lane) -> Lane:
        found: Lane = self.product(x, y)
        return self.wrapped(found)

    @_lanewise
    def imul(self, x: Lane, y: Lane) -> Lane:
        low = self._binary("and", self._multiplied(x, y), self._number(WORD_MASK))
        return self.wrapped(self._apply_sign(low, self._signs_differ(x, y)))

    @_lanewise
    def isub(self, x: Lane, y: Lane) -> Lane:
        return self.wrapped(self.difference(x, y))

    @_lanewise
    def bits_and(self, x: Lane, y: Lane) -> Lane:
        return self._binary("and", x, y)

    @_lanewise
    def _shifted_left(self, x: Lane, *, count: int) -> Lane:
        return self.wrapped(self._binary("shl", x, self._number(count)))

    @_lanewise
    def _shifted_right(self, x: Lane, *, count: int) -> Lane:
        return self._binary("lshr", self._binary("and", x, self._number(WORD_MASK)), self._number(count))

    def shift_left(self, x: Lane | Row, count: int) -> Lane | Row:
        found: Lane | Row = self._shifted_left(x, count=count)
        return found

    def shift_right(self, x: Lane | Row, count: int) -> Lane | Row:
        found: Lane | Row = self._shifted_right(x, count=count)
        return found

    def flt(self, x: Lane, y: Lane) -> Value:
        return self._compare("icmp slt", x, y)

    def same_magnitude(self, x: Lane, y: Lane) -> Value:
        return self._compare("icmp eq", self._magnitude(x), self._magnitude(y))

    def bor(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("or", x, y)

    def bnot(self, x: Value) -> Value:
        return self.emitter.binary("xor", x, self.emitter.splat("i1", "true"))

    # division and roots ----------------------------------------------------------------------
    @_lanewise
    def fdiv(self, x: Lane, y: Lane) -> Lane:
        if self._variant == "icarus":
            return self._icarus_quotient(x, y)
        zero, divisor = self._number(0), self._magnitude(y)
        by_zero = self._compare("icmp eq", divisor, zero)
        dividend = self._binary("shl", self._magnitude(x), self._number(FRACTION_BITS))
        quotient = self._whole_quotient(dividend, self.choose(by_zero, self._number(1), divisor))
        kept = self.choose(by_zero, self._number(0x0FFFFFFF), self._binary("and", quotient, self._number(SIGN - 1)))
        return self.wrapped(self._apply_sign(kept, self._signs_differ(x, y)))

    def _whole_quotient(self, x: Lane, y: Lane) -> Lane:
        """x / y cut off, of numbers from 0 to 2^48, by way of doubles.

        A quotient below a whole number n lacks at least 1 / y of it, which is more than half a unit in the last place.
        """
        a = DoubleArithmetic(self.emitter)
        quotient = a.ffloor(a.fdiv(self._as_double(a, x), self._as_double(a, y)))
        bits = a.bits(a.fadd(quotient, a.fconst(_TWO_52)))
        return self._binary("and", Lane(self, bits), self._number(_MANTISSA))

    def _as_double(self, a: DoubleArithmetic, x: Lane) -> Value:
        """A number from 0 to 2^52, which are the low bits of 2^52 + x."""
        bits = self._binary("or", x, self._number(_TWO_52_BITS))
        return a.fsub(a.from_bits(bits.value), a.fconst(_TWO_52))

    def _icarus_quotient(self, x: Lane, y: Lane) -> Lane:
        zero, divisor = self._number(0), self._widened(y)
        by_zero = self._compare("icmp eq", divisor, zero)
        dividend = self._binary("shl", self._widened(x), self._number(FRACTION_BITS))
        quotient = self._binary("udiv", dividend, self.choose(by_zero, self._number(1), divisor))
        kept = self._binary("and", self.choose(by_zero, self._number(WORD_MASK), quotient), self._number(WORD_MASK))
        return self.wrapped(self._apply_sign(kept, self._signs_differ(x, y)))

    def _widened(self, x: Lane) -> Lane:
        """The magnitude; that of the smallest number is sign-extended by mistake."""
        is_smallest = self._compare("icmp eq", x, self._number(-SIGN))
        return self.choose(is_smallest, self._number(-SIGN), self._magnitude(x))

    def length(self, x: Row) -> Lane:
        """The digit recurrence of trunk."""
        if self._variant == "icarus":
            refuse("MAG of icarus, which reads a table")
        squares = [self.product(lane, lane) for lane in x]
        radicand = self._binary("add", self._binary("add", squares[0], squares[1]), squares[2])
        radicand = self._binary("shl", radicand, self._number(FRACTION_BITS))
        root2 = rest = root = self._number(0)
        for position in range(31, -1, -1):
            digits = self._binary("and", self._binary("lshr", radicand, self._number(2 * position)), self._number(3))
            root2 = self._low(self._binary("add", self._binary("add", root2, root2), self._number(1)))
            rest = self._low(self._binary("add", self._binary("mul", rest, self._number(4)), digits))
            below = self._compare("icmp ugt", root2, rest)
            root = self.choose(below, root, self._binary("add", root, self._number(1 << position)))
            rest = self.choose(below, rest, self.difference(rest, root2))
            step = self.choose(below, self._number(-1), self._number(1))
            root2 = self._low(self._binary("add", root2, step))
        return self.wrapped(root)

    def _low(self, x: Lane) -> Lane:
        return self._binary("and", x, self._number(WORD_MASK))
