"""The arithmetic unit as code for groups of pixels: `arithmetic.py` again, emitted.

A lane is a vector of i32, one number a pixel; a row is three of them.  Products have 64 bits until they are summed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from backends.theia.isa.numbers import FRACTION_BITS, ONE, SIGN, WORD_MASK
from backends.theia.isa.registers import Variant
from backends.theia.machine.arithmetic import BEHIND_TABLE, DIGITS, FIRST_OVERFLOW, LARGEST_EXACT, TABLE_SIZE
from compiler.native.emitter import Emitter, Value
from compiler.native.vectors import DoubleArithmetic

_TWO_52 = 2.0**52
_TWO_52_BITS = 0x4330000000000000
_MANTISSA = (1 << 52) - 1
_LOW = SIGN - 1

Lane = Value


class Product:
    """A product of each pixel, in 64 bits; it can be negated."""

    __slots__ = ("emitter", "value")

    def __init__(self, emitter: Emitter, value: Value) -> None:
        self.emitter = emitter
        self.value = value

    def __neg__(self) -> Product:
        return Product(self.emitter, self.emitter.binary("sub", self.emitter.ints(0, "i64"), self.value))


class Row(tuple[Any, Any, Any]):
    """Three lanes, or the products of three."""

    __slots__ = ()


def _lanewise(operation: Callable[..., Lane]) -> Callable[..., Any]:
    """The operation on lanes, and on rows lane by lane; a lane combined with a row is each of its lanes."""

    def apply(unit: HostUnit, *operands: Lane | Row, **more: Any) -> Lane | Row:
        if not any(isinstance(operand, Row) for operand in operands):
            return operation(unit, *operands, **more)
        columns = zip(*(operand if isinstance(operand, Row) else (operand,) * 3 for operand in operands), strict=True)
        return Row(operation(unit, *column, **more) for column in columns)

    return apply


class HostUnit:
    """`backends.theia.isa.instructions.RowArithmetic`, emitted; truth values are masks."""

    def __init__(self, emitter: Emitter, variant: Variant) -> None:
        self.emitter = emitter
        self._variant = variant

    # numbers -----------------------------------------------------------------------------------
    def row(self, x: Lane, y: Lane, z: Lane) -> Row:
        return Row((x, y, z))

    def iconst(self, value: int | Lane) -> Lane:
        """A number; an immediate value that the host sets is a lane already."""
        return value if isinstance(value, Value) else self.emitter.ints(((value + SIGN) & WORD_MASK) - SIGN)

    def _wide(self, value: int) -> Value:
        return self.emitter.ints(value, "i64")

    def _widened(self, x: Lane) -> Value:
        return self.emitter.convert("sext", x, self.emitter.i64)

    def _narrowed(self, x: Value) -> Lane:
        return self.emitter.convert("trunc", x, self.emitter.i32)

    def _magnitude(self, x: Value) -> Value:
        return self.emitter.intrinsic("abs", x.type, x, Value("false", "i1"))

    def _is_negative(self, x: Lane) -> Value:
        return self.emitter.compare("icmp slt", x, self.emitter.ints(0))

    def _signed(self, magnitude: Value, x: Lane, y: Lane) -> Value:
        """A magnitude with the sign of a product or quotient of x and y."""
        emitter = self.emitter
        differ = emitter.binary("xor", self._is_negative(x), self._is_negative(y))
        return emitter.select(differ, emitter.binary("sub", self._wide(0), magnitude), magnitude)

    # sums --------------------------------------------------------------------------------------
    @_lanewise
    def fadd(self, x: Lane, y: Lane) -> Lane:
        """The true sign over the low 31 bits: where 32 bits overflow, their sign is wrong."""
        binary = self.emitter.binary
        found = binary("add", x, y)
        return self._with_sign_turned(found, binary("and", binary("xor", x, found), binary("xor", y, found)))

    @_lanewise
    def fsub(self, x: Lane, y: Lane) -> Lane:
        binary = self.emitter.binary
        found = binary("sub", x, y)
        return self._with_sign_turned(found, binary("and", binary("xor", x, y), binary("xor", x, found)))

    def _with_sign_turned(self, x: Lane, where: Lane) -> Lane:
        """With another sign where a number is negative."""
        binary = self.emitter.binary
        return binary("xor", x, binary("and", where, self.iconst(SIGN)))

    def total(self, *terms: Product) -> Lane:
        binary = self.emitter.binary
        found = reduce(lambda x, y: binary("add", x, y), (term.value for term in terms))
        sign = binary("and", binary("ashr", found, self._wide(63)), self._wide(~_LOW))
        return self._narrowed(binary("or", binary("and", found, self._wide(_LOW)), sign))

    @_lanewise
    def isub(self, x: Lane, y: Lane) -> Lane:
        return self.emitter.binary("sub", x, y)

    # products ----------------------------------------------------------------------------------
    def product(self, x: Lane | Row, y: Lane | Row) -> Product | Row:
        if isinstance(x, Row) and isinstance(y, Row):
            return Row(self._products(x, y))
        assert isinstance(x, Value) and isinstance(y, Value), "no instruction multiplies a row by a lane"
        return self._products((x,), (y,))[0]

    def _products(self, lefts: Sequence[Lane], rights: Sequence[Lane]) -> list[Product]:
        """Products as the multiplier makes them: exact, but for left factors whose triple has more than 32 bits, which
        few programs meet; these are computed otherwise."""
        emitter, binary = self.emitter, self.emitter.binary
        pairs = list(zip(lefts, rights, strict=True))
        exact = [self._cut_off(binary("mul", self._widened(x), self._widened(y))) for x, y in pairs]
        raised = [binary("add", x, emitter.ints(LARGEST_EXACT)) for x in lefts]
        large = [emitter.compare("icmp ugt", x, self.iconst(2 * LARGEST_EXACT)) for x in raised]
        is_any_large = emitter.any(reduce(lambda x, y: binary("or", x, y), large))
        found = emitter.unless(is_any_large, exact, lambda: [self._digit_product(x, y) for x, y in pairs])
        return [Product(emitter, value) for value in found]

    def _cut_off(self, product: Value) -> Value:
        """Without its lower digits; a shift goes down, so what is below 0 is raised."""
        binary = self.emitter.binary
        raised = binary("and", binary("ashr", product, self._wide(63)), self._wide(ONE - 1))
        return binary("ashr", binary("add", product, raised), self._wide(FRACTION_BITS))

    def _digit_product(self, x: Lane, y: Lane) -> Value:
        """Digit times `x` is cut to 32 bits."""
        binary, total = self.emitter.binary, self._wide(0)
        left, right = self._magnitude(self._widened(x)), self._magnitude(self._widened(y))
        for position in range(DIGITS):
            shift = self._wide(2 * position)
            digit = binary("and", binary("lshr", right, shift), self._wide(3))
            part = binary("and", binary("mul", digit, left), self._wide(WORD_MASK))
            total = binary("add", total, binary("shl", part, shift))
        return self._signed(binary("lshr", total, self._wide(FRACTION_BITS)), x, y)

    def fmul(self, x: Lane | Row, y: Lane | Row) -> Lane | Row:
        found = self.product(x, y)
        if isinstance(found, Product):
            return self._narrowed(found.value)
        return Row(self._narrowed(product.value) for product in found)

    @_lanewise
    def imul(self, x: Lane, y: Lane) -> Lane:
        """What the multiplier cuts off is above the low 32 bits."""
        return self.emitter.binary("mul", x, y)

    # bits and comparisons ----------------------------------------------------------------------
    @_lanewise
    def bits_and(self, x: Lane, y: Lane) -> Lane:
        return self.emitter.binary("and", x, y)

    @_lanewise
    def _shifted(self, x: Lane, *, operation: str, count: int) -> Lane:
        return self.emitter.binary(operation, x, self.emitter.ints(count))

    def shift_left(self, x: Lane | Row, count: int) -> Lane | Row:
        found: Lane | Row = self._shifted(x, operation="shl", count=count)
        return found

    def shift_right(self, x: Lane | Row, count: int) -> Lane | Row:
        found: Lane | Row = self._shifted(x, operation="lshr", count=count)
        return found

    def flt(self, x: Lane, y: Lane) -> Value:
        return self.emitter.compare("icmp slt", x, y)

    def same_magnitude(self, x: Lane, y: Lane) -> Value:
        return self.emitter.compare("icmp eq", self._magnitude(x), self._magnitude(y))

    def bor(self, x: Value, y: Value) -> Value:
        return self.emitter.binary("or", x, y)

    def bnot(self, x: Value) -> Value:
        return self.emitter.binary("xor", x, self.emitter.splat("i1", "true"))

    # division and roots ------------------------------------------------------------------------
    @_lanewise
    def fdiv(self, x: Lane, y: Lane) -> Lane:
        if self._variant == "icarus":
            return self._icarus_quotient(x, y)
        emitter, binary = self.emitter, self.emitter.binary
        divisor = self._magnitude(self._widened(y))
        by_zero = emitter.compare("icmp eq", divisor, self._wide(0))
        dividend = binary("shl", self._magnitude(self._widened(x)), self._wide(FRACTION_BITS))
        quotient = self._whole_quotient(dividend, emitter.select(by_zero, self._wide(1), divisor))
        kept = emitter.select(by_zero, self._wide(0x0FFFFFFF), binary("and", quotient, self._wide(_LOW)))
        return self._narrowed(self._signed(kept, x, y))

    def _whole_quotient(self, x: Value, y: Value) -> Value:
        """x / y cut off, of numbers from 0 to 2^48, in doubles.

        A quotient below a whole number n lacks at least 1 / y of it, which is more than half a unit in the last place.
        """
        a = DoubleArithmetic(self.emitter)
        return self._as_whole(a, a.fdiv(self._as_double(a, x), self._as_double(a, y)))

    def _as_double(self, a: DoubleArithmetic, x: Value) -> Value:
        """A number from 0 to 2^52, which are the low bits of 2^52 + x."""
        bits = self.emitter.binary("or", x, self._wide(_TWO_52_BITS))
        return a.fsub(a.number(bits), a.fconst(_TWO_52))

    def _as_whole(self, a: DoubleArithmetic, x: Value) -> Value:
        """The whole part of a double from 0 to 2^52."""
        return self.emitter.binary("and", a.bits(a.fadd(a.ffloor(x), a.fconst(_TWO_52))), self._wide(_MANTISSA))

    def _icarus_quotient(self, x: Lane, y: Lane) -> Lane:
        emitter, binary = self.emitter, self.emitter.binary
        divisor = self._icarus_magnitude(y)
        by_zero = emitter.compare("icmp eq", divisor, self._wide(0))
        dividend = binary("shl", self._icarus_magnitude(x), self._wide(FRACTION_BITS))
        quotient = binary("udiv", dividend, emitter.select(by_zero, self._wide(1), divisor))
        kept = binary("and", emitter.select(by_zero, self._wide(WORD_MASK), quotient), self._wide(WORD_MASK))
        return self._narrowed(self._signed(kept, x, y))

    def _icarus_magnitude(self, x: Lane) -> Value:
        """That of the smallest number is sign-extended by mistake."""
        is_smallest = self.emitter.compare("icmp eq", x, self.iconst(-SIGN))
        wide = self._widened(x)
        return self.emitter.select(is_smallest, wide, self._magnitude(wide))

    def length(self, x: Row) -> Lane:
        """The root of the sum of squares."""
        squares = (product.value for product in self._products(x, x))
        total = reduce(lambda y, z: self.emitter.binary("add", y, z), squares)
        return self._narrowed(self._table_root(total) if self._variant == "icarus" else self._trunk_root(total))

    def _trunk_root(self, total: Value) -> Value:
        """The whole root, as long as trunk's registers do not overflow."""
        emitter, binary = self.emitter, self.emitter.binary
        radicand = binary("shl", total, self._wide(FRACTION_BITS))
        overflows = emitter.any(emitter.compare("icmp uge", radicand, self._wide(FIRST_OVERFLOW)))
        return emitter.unless(overflows, [self._root(total, radicand)], lambda: [self._digit_root(radicand)])[0]

    def _root(self, total: Value, radicand: Value) -> Value:
        """The whole root of `radicand`, which is `total` with fraction bits; the root of a double may be 1 above."""
        a, binary = DoubleArithmetic(self.emitter), self.emitter.binary
        root = self._as_whole(a, a.fsqrt(a.fmul(self._as_double(a, total), a.fconst(float(ONE)))))
        is_above = self.emitter.compare("icmp ugt", binary("mul", root, root), radicand)
        return binary("add", root, self.emitter.convert("sext", is_above, root.type))

    def _digit_root(self, radicand: Value) -> Value:
        """The digit recurrence of trunk."""
        emitter, binary = self.emitter, self.emitter.binary
        root2 = rest = root = self._wide(0)
        for position in range(31, -1, -1):
            digits = binary("and", binary("lshr", radicand, self._wide(2 * position)), self._wide(3))
            root2 = self._low(binary("add", binary("add", root2, root2), self._wide(1)))
            rest = self._low(binary("add", binary("mul", rest, self._wide(4)), digits))
            below = emitter.compare("icmp ugt", root2, rest)
            root = emitter.select(below, root, binary("add", root, self._wide(1 << position)))
            rest = emitter.select(below, rest, binary("sub", rest, root2))
            root2 = self._low(binary("add", root2, emitter.select(below, self._wide(-1), self._wide(1))))
        return root

    def _table_root(self, total: Value) -> Value:
        """The entry of icarus's table, which holds roots that are cut off; large sums read it coarsely and double."""
        emitter, binary, a = self.emitter, self.emitter.binary, DoubleArithmetic(self.emitter)
        is_large = emitter.compare("icmp ne", binary("and", total, self._wide(1 << 24)), self._wide(0))
        digits = emitter.select(is_large, self._wide(23), self._wide(FRACTION_BITS))
        index = binary("lshr", self._low(total), digits)
        entry = self._as_whole(a, a.fsqrt(a.fmul(self._as_double(a, index), a.fconst(float(ONE * ONE)))))
        is_behind = emitter.compare("icmp ugt", index, self._wide(TABLE_SIZE - 1))
        found = emitter.select(is_behind, self._wide(BEHIND_TABLE), entry)
        return emitter.select(is_large, binary("add", found, found), found)

    def _low(self, x: Value) -> Value:
        return self.emitter.binary("and", x, self._wide(WORD_MASK))
