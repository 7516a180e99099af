"""The arithmetic of the ALUs and the SFU, over operations on lanes.

Floats have the layout of IEEE single precision.  Denormal numbers and -0 count as +0, as operands and as results;
there is no NaN arithmetic: such patterns act as infinities of their sign.  Sums and products are rounded to nearest
(the machine is one unit in the last place off at most).

A number of lanes is a word, an i32, or a float: then it is known to be neither denormal nor -0 nor NaN, as results of
float operations are.  So what one operation has seen to, the next one need not look at again.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache

from glslc_multi.compiler.arithmetic.operations import Derived, LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number

SIGN, EXPONENT, MAGNITUDE = 0x80000000, 0x7F800000, 0x7FFFFFFF
#: Bits of a mantissa that the SFU does not compute.
SFU_MISSING = 0x3FF
_SMALLEST_NORMAL = 2.0**-126
#: No denormal operand changes a sum from here on.
_SAFE_SUM, _SAFE_SUM_WORD = 2.0**-100, 0x0D800000
_FLOAT, _WORD = struct.Struct("<f"), struct.Struct("<I")
_BYTE_SHIFTS = (0, 8, 16, 24)


class QpuArithmetic(Derived):
    """`glslc_multi.backends.vc4.isa.instructions.WordArithmetic`, and what packing and the SFU take beside it.

    Operations on floats and `words` take words and floats, the others words alone.
    """

    def __init__(self, core: LaneOperations) -> None:
        super().__init__(core)
        self._zero, self._exponent, self._magnitude = map(core.iconst, (0, EXPONENT, MAGNITUDE))
        self._sign, self._sign_and_exponent = map(core.iconst, (SIGN, SIGN | EXPONENT))
        self.literal = lru_cache(maxsize=1 << 12)(self._literal)
        self._nought, self._smallest = map(core.fconst, (0.0, _SMALLEST_NORMAL))

    # --- Words and floats ---------------------------------------------------------------------------------------------

    def words(self, x: Number) -> Number:
        return self.core.bits(x) if self.core.is_float(x) else x

    def number(self, x: Number) -> Number:
        """What the bits are in IEEE single precision."""
        return x if self.core.is_float(x) else self.core.number(x)

    def _literal(self, word: int) -> Number:
        """A word that is known beforehand; small numbers stay words, since setups are such."""
        is_float = not word or _SAFE_SUM_WORD <= word & MAGNITUDE < EXPONENT
        return self.core.fconst(_FLOAT.unpack(_WORD.pack(word))[0]) if is_float else self.core.iconst(word)

    def looked_at(self, x: Number) -> Number:
        """A word from outside, as a float where it is known here and now that it is one in all lanes."""
        a = self.core
        number = a.number(x)
        if a.never(a.below(number, _SMALLEST_NORMAL)):
            return number
        clean = self.clean(x)
        return clean if a.never(a.bnot(a.ieq(a.bits(clean), x))) else x

    def normal(self, x: Number) -> Number:
        a = self.core
        if a.is_float(x):
            return a.bits(x)
        is_zero = a.ieq(a.bits_and(x, self._exponent), self._zero)
        return a.unless(a.below(a.number(x), _SMALLEST_NORMAL), [x], lambda: [a.select(is_zero, self._zero, x)])[0]

    def clean(self, x: Number) -> Number:
        """The word as an operand of sums and products: NaN patterns are infinities there."""
        a = self.core
        if a.is_float(x):
            return x
        exponent = a.bits_and(x, self._exponent)
        limited = a.select(a.ieq(exponent, self._exponent), a.bits_and(x, self._sign_and_exponent), x)
        return a.number(a.select(a.ieq(exponent, self._zero), self._zero, limited))

    def cleaned(self, result: Number) -> Number:
        """The result of a float operation, with 0 for NaN."""
        a = self.core
        return a.select(a.fle(self._smallest, a.fabs(result)), result, self._nought)

    # --- Floats -------------------------------------------------------------------------------------------------------

    def fadd(self, x: Number, y: Number) -> Number:
        a = self.core
        total = a.fadd(self.number(x), self.number(y))
        rare = a.below(total, _SAFE_SUM)
        return a.unless(rare, [total], lambda: [self._exact_sum(self.clean(x), self.clean(y))])[0]

    def fsub(self, x: Number, y: Number) -> Number:
        a = self.core
        return self.fadd(x, a.fneg(y) if a.is_float(y) else a.bits_xor(y, self._sign))

    def _exact_sum(self, x: Number, y: Number) -> Number:
        """The sum of clean numbers; of two infinities the second one."""
        a = self.core
        is_infinite = a.feq(a.fabs(y), a.fconst(float("inf")))
        return a.select(is_infinite, y, self.cleaned(a.fadd(x, y)))

    def fmul(self, x: Number, y: Number) -> Number:
        a = self.core
        product = a.fmul(self.number(x), self.number(y))
        rare = a.below(product, _SMALLEST_NORMAL)
        if not a.is_float(x):
            rare = a.bor(rare, a.below(a.number(x), _SMALLEST_NORMAL))
        if not a.is_float(y):
            rare = a.bor(rare, a.below(a.number(y), _SMALLEST_NORMAL))
        # NaN is the product of 0 and an infinity.
        return a.unless(rare, [product], lambda: [self.cleaned(a.fmul(self.clean(x), self.clean(y)))])[0]

    def fabs(self, x: Number) -> Number:
        return self.core.bits_and(self.words(x), self._magnitude)

    def flt(self, x: Number, y: Number) -> Number:
        """Words in the order of integers, but for two that are negative."""
        a, x, y = self.core, self.words(x), self.words(y)
        return a.select(a.ilt(a.bits_and(x, y), self._zero), a.ilt(y, x), a.ilt(x, y))

    def ftoi(self, x: Number) -> Number:
        a = self.core
        value = a.widened(self.number(x))
        in_range = a.band(a.flt(a.dconst(-(2.0**31) - 1), value), a.flt(value, a.dconst(2.0**31)))
        return a.narrowed(a.dtol(a.select(in_range, value, a.dconst(0.0))))

    # --- Words --------------------------------------------------------------------------------------------------------

    def idiv(self, x: Number, y: Number) -> Number:
        return self.core.udiv(x, y)

    def bit(self, x: Number, position: Number) -> Number:
        a = self.core
        inside = a.ult(position, a.iconst(32))
        found = self.part(a.shr(x, a.select(inside, position, self._zero)), 0, 1)
        return a.band(inside, a.ieq(found, a.iconst(1)))

    def by_bytes(self, function: Callable[[Number, Number], Number], x: Number, y: Number) -> Number:
        a = self.core
        total = self._zero
        for shift in _BYTE_SHIFTS:
            found = function(self.part(x, shift, 8), self.part(y, shift, 8))
            total = a.bits_or(total, a.shl(found, a.iconst(shift)))
        return total

    def part(self, x: Number, shift: int, width: int) -> Number:
        """Bits of a word."""
        a = self.core
        return a.bits_and(a.shr(x, a.iconst(shift)) if shift else x, a.iconst((1 << width) - 1))

    def byte_of_share(self, share: Number) -> Number:
        """The byte nearest to a double from 0 to 1; others are limited, NaN is 0."""
        a = self.core
        zero, one = a.dconst(0.0), a.dconst(1.0)
        limited = a.select(a.flt(zero, share), a.select(a.flt(one, share), one, share), zero)
        scaled = a.fadd(a.fmul(limited, a.dconst(255.0)), a.dconst(0.5))
        return a.narrowed(a.dtol(a.ffloor(scaled)))

    # --- SFU ----------------------------------------------------------------------------------------------------------

    def special_function(self, index: int, x: Number) -> Number:
        """What the SFU computes: 0 recip, 1 recipsqrt, 2 exp2, 3 log2; 13 bits of the mantissa are computed."""
        a = self.core
        found = a.narrowed(_SFU[index](a, a.widened(self.clean(x))))
        return self.cleaned(a.number(a.bits_and(a.bits(found), a.iconst(~SFU_MISSING))))


@lru_cache(maxsize=4)
def arithmetic_over(core: LaneOperations) -> QpuArithmetic:
    """The arithmetic over these operations, kept with its literals for programs that run again."""
    return QpuArithmetic(core)


def _reciprocal(a: LaneOperations, x: Number) -> Number:
    return a.fdiv(a.dconst(1.0), x)


def _reciprocal_root(a: LaneOperations, x: Number) -> Number:
    return _reciprocal(a, a.fsqrt(a.fabs(x)))


def _logarithm(a: LaneOperations, x: Number) -> Number:
    # Of negative numbers nothing is documented; recipsqrt takes the magnitude.
    return a.log2(a.fabs(x))


_SFU: tuple[Callable[[LaneOperations, Number], Number], ...] = (
    _reciprocal,
    _reciprocal_root,
    lambda a, x: a.exp2(x),
    _logarithm,
)
