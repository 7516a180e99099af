"""The arithmetic unit, bit for bit: v1.2 has that of trunk, icarus another divider and root.

A number is its signed 32 bits, an i32 of each pixel; products have 64 bits until they are summed.  Section numbers are
those of the machine's reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

from glslc_multi.backends.theia.isa.numbers import FRACTION_BITS, ONE, SIGN, WORD_MASK
from glslc_multi.backends.theia.isa.registers import Variant
from glslc_multi.compiler.arithmetic.operations import Derived, LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number

_LOW = SIGN - 1
#: The multiplier is exact where three times the left factor has 32 bits: surely below this.
_SURELY_EXACT = 1 << 30
#: Base-4 digits of a 32-bit magnitude.
_DIGITS = 16
#: What a division by zero yields on trunk.
BY_ZERO = 0x0FFFFFFF
#: The recurrence of the square root keeps four times the rest, which is up to twice the root: here that overflows.
_FIRST_OVERFLOW = 1 << 60
#: Entries of icarus's table of roots, and what is read after its end.
_TABLE_SIZE, _BEHIND_TABLE = 128, 0xCACA


class Unit(Derived):
    """`RowArithmetic` of the main line."""

    # sums --------------------------------------------------------------------------------------
    def fadd(self, x: Number, y: Number) -> Number:
        total = self.iadd(x, y)
        return self._with_true_sign(total, self.bits_and(self.bits_xor(x, total), self.bits_xor(y, total)))

    def fsub(self, x: Number, y: Number) -> Number:
        difference = self.isub(x, y)
        return self._with_true_sign(difference, self.bits_and(self.bits_xor(x, y), self.bits_xor(x, difference)))

    def _with_true_sign(self, x: Number, overflow: Number) -> Number:
        """The sign of the exact sum over its low 31 bits, which is no wrap-around (section 5.1).

        Where 32 bits overflow, which a negative number in `overflow` says, the sign of `x` is wrong.
        """
        return self.bits_xor(x, self.bits_and(overflow, self.iconst(SIGN)))

    def cut_sum(self, x: Number) -> Number:
        """A sum in 64 bits as a number: its sign over its low 31 bits."""
        sign = self.bits_and(self.asr(x, self.lconst(63)), self.lconst(~_LOW))
        return self.narrowed(self.bits_or(self.bits_and(x, self.lconst(_LOW)), sign))

    # products ----------------------------------------------------------------------------------
    def fmul(self, x: Number, y: Number) -> Number:
        return self.narrowed(self.products((x,), (y,))[0])

    def products(self, x: Sequence[Number], y: Sequence[Number]) -> Sequence[Number]:
        """Products of pairs, in 64 bits and without the digits that are cut off.

        They are exact but where left factors are large, which few programs meet.
        """
        pairs = list(zip(x, y, strict=True))
        exact = [self._cut_off(self.imul(self.widened(left), self.widened(right))) for left, right in pairs]
        # Their sum with it has a sign where a factor has no less than 31 bits.
        raised = [self.iadd(left, self.iconst(_SURELY_EXACT)) for left in x]
        is_large = self.ilt(reduce(self.bits_or, raised), self.iconst(0))
        products: Sequence[Number] = self.unless(
            is_large, exact, lambda: [self._digit_product(*pair) for pair in pairs]
        )
        return products

    def _cut_off(self, product: Number) -> Number:
        """A shift goes down: what is below 0 has to be raised for digits to be cut off."""
        raised = self.bits_and(self.asr(product, self.lconst(63)), self.lconst(ONE - 1))
        return self.asr(self.iadd(product, raised), self.lconst(FRACTION_BITS))

    def _digit_product(self, x: Number, y: Number) -> Number:
        """As the multiplier makes it: digit times `x` is cut to 32 bits (section 5.2)."""
        left, right = self.iabs(self.widened(x)), self.iabs(self.widened(y))
        total = self.lconst(0)
        for position in range(_DIGITS):
            shift = self.lconst(2 * position)
            digit = self.bits_and(self.shr(right, shift), self.lconst(3))
            part = self.bits_and(self.imul(digit, left), self.lconst(WORD_MASK))
            total = self.iadd(total, self.shl(part, shift))
        negative = self.widened(self._is_negative(x, y))
        return self._signed(self.shr(total, self.lconst(FRACTION_BITS)), negative)

    def _is_negative(self, x: Number, y: Number) -> Number:
        """All bits where a product or quotient is negative, else none."""
        return self.asr(self.bits_xor(x, y), self.iconst(31))

    def _signed(self, magnitude: Number, negative: Number) -> Number:
        return self.isub(self.bits_xor(magnitude, negative), negative)

    # quotients and roots -----------------------------------------------------------------------
    def fdiv(self, x: Number, y: Number) -> Number:
        """In doubles: a quotient below a whole number lacks at least 1 / y of it, more than rounding adds."""
        core, by_zero = self.core, self.ieq(y, self.iconst(0))
        divisor = self.select(by_zero, self.iconst(1), y)
        quotient = core.fabs(core.fdiv(self.itod(x), self.itod(divisor)))
        whole = self.narrowed(self.dtol(core.fmul(quotient, self.dconst(ONE))))
        kept = self.select(by_zero, self.iconst(BY_ZERO), self.bits_and(whole, self.iconst(_LOW)))
        return self._signed(kept, self._is_negative(x, y))

    def is_quick(self, x: Number, y: Number) -> Number:
        """Whether a division is: its quotient is 0, 1/2^17 or that of a division by zero (section 5.5)."""
        dividend = self.shl(self.iabs(self.widened(x)), self.lconst(FRACTION_BITS))
        divisor = self.iabs(self.widened(y))
        return self.bor(self.ieq(y, self.iconst(0)), self.bnot(self.ilt(divisor, dividend)))

    def length(self, x: Sequence[Number]) -> Number:
        """The root of the sum of squares."""
        return self.narrowed(self._root_of_sum(reduce(self.iadd, self.products(x, x))))

    def _root_of_sum(self, total: Number) -> Number:
        """The whole root, as long as the registers of the digit recurrence do not overflow (section 5.6)."""
        radicand = self.shl(total, self.lconst(FRACTION_BITS))
        overflows = self.ult(self.lconst(_FIRST_OVERFLOW - 1), radicand)
        return self.unless(overflows, [self.root(total)], lambda: [self._digit_root(radicand)])[0]

    def root(self, x: Number) -> Number:
        """The largest number whose square is not above `x`, a number in 64 bits."""
        core, radicand = self.core, self.shl(x, self.lconst(FRACTION_BITS))
        found = self.dtol(core.fsqrt(core.fmul(self.itod(x), self.dconst(ONE))))
        # The root of a double is rounded, perhaps up.
        is_above = self.ilt(radicand, self.imul(found, found))
        return self.select(is_above, self.isub(found, self.lconst(1)), found)

    def _digit_root(self, radicand: Number) -> Number:
        """The recurrence with its 32-bit registers."""
        root2 = rest = root = self.lconst(0)
        for position in range(31, -1, -1):
            digits = self.bits_and(self.shr(radicand, self.lconst(2 * position)), self.lconst(3))
            root2 = self._word(self.iadd(self.iadd(root2, root2), self.lconst(1)))
            rest = self._word(self.iadd(self.shl(rest, self.lconst(2)), digits))
            below = self.ilt(rest, root2)
            root = self.select(below, root, self.iadd(root, self.lconst(1 << position)))
            rest = self.select(below, rest, self.isub(rest, root2))
            root2 = self._word(self.iadd(root2, self.select(below, self.lconst(-1), self.lconst(1))))
        return root

    def _word(self, x: Number) -> Number:
        return self.bits_and(x, self.lconst(WORD_MASK))


class IcarusUnit(Unit):
    """Divider and table of square roots of the last branch."""

    def fdiv(self, x: Number, y: Number) -> Number:
        dividend, divisor = self.shl(self._magnitude(x), self.lconst(FRACTION_BITS)), self._magnitude(y)
        by_zero = self.ieq(y, self.iconst(0))
        quotient = self.udiv(dividend, self.select(by_zero, self.lconst(1), divisor))
        kept = self.select(by_zero, self.lconst(WORD_MASK), quotient)
        return self._signed(self.narrowed(kept), self._is_negative(x, y))

    def _magnitude(self, x: Number) -> Number:
        """That of the smallest number is sign-extended by mistake."""
        wide = self.widened(x)
        return self.select(self.ieq(x, self.iconst(SIGN)), wide, self.iabs(wide))

    def _root_of_sum(self, total: Number) -> Number:
        """A table over the integer part; large sums read it coarsely and double (section 5.6)."""
        core, low = self.core, self._word(total)
        is_large = self.ilt(self.lconst(0), self.bits_and(total, self.lconst(1 << 24)))
        index = self.select(is_large, self.shr(low, self.lconst(23)), self.shr(low, self.lconst(FRACTION_BITS)))
        entry = self.dtol(core.fsqrt(core.fmul(self.itod(index), self.dconst(ONE * ONE))))
        found = self.select(self.ilt(index, self.lconst(_TABLE_SIZE)), entry, self.lconst(_BEHIND_TABLE))
        return self.select(is_large, self.iadd(found, found), found)


UNITS: Mapping[Variant, Callable[[LaneOperations], Unit]] = {"trunk": Unit, "icarus": IcarusUnit, "v1.2": Unit}
