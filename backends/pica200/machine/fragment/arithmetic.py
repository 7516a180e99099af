"""Bytes as the combiners compute with them: whole numbers 0 to 255 that stand for 0 to 1.

The two modes are those of `isa/fragment/rounding.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.pica200.isa.fragment.rounding import WHOLE, Rounding
from glslc_multi.compiler.arithmetic.operations import Derived, LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number

#: What ADD_SIGNED takes for a half.
HALF = 128
_HALF_A_STEP = 127
_SIGN_BIT = 31


class ByteArithmetic(Derived):
    """Operations on bytes, as i32."""

    def __init__(self, core: LaneOperations, rounding: Rounding) -> None:
        super().__init__(core)
        self._rounds = rounding == "hardware"
        self._zero, self._whole = core.iconst(0), core.iconst(WHOLE)

    # --- Bytes --------------------------------------------------------------------------------------------------------

    def complement(self, x: Number) -> Number:
        return self.core.isub(self._whole, x)

    def limited(self, x: Number) -> Number:
        """255 where a number is above."""
        return self.core.imin(x, self._whole)

    def clamped(self, x: Number) -> Number:
        return self.limited(self.core.imax(x, self._zero))

    def scaled(self, x: Number, factor: int) -> Number:
        return x if factor == 1 else self.limited(self.core.imul(x, self.core.iconst(factor)))

    def over_whole(self, x: Number) -> Number:
        """The product of two bytes, or the sum of two whose factors add up to 255, as a byte."""
        return self._quotient(self.core.iadd(x, self.core.iconst(_HALF_A_STEP)) if self._rounds else x)

    def _quotient(self, x: Number) -> Number:
        """x / 255, cut off, for x from 0 to 65534 (after Blinn, "Three wrongs make a right", 1995, which rounds)."""
        a = self.core
        return a.asr(a.iadd(a.iadd(x, a.asr(x, a.iconst(8))), a.iconst(1)), a.iconst(8))

    def limited_quotient(self, x: Number) -> Number:
        """What is left of x / 255 within 0 to 255, cut off, for any x."""
        a = self.core
        return self._quotient(a.imax(a.imin(x, a.iconst(WHOLE * WHOLE)), self._zero))

    def less(self, x: Number, y: Number) -> Number:
        return self.core.ilt(x, y)

    def same(self, x: Number, y: Number) -> Number:
        return self.core.ieq(x, y)

    # --- What functions are made of -----------------------------------------------------------------------------------

    def add(self, x: Number, y: Number) -> Number:
        return self.limited(self.core.iadd(x, y))

    def add_signed(self, x: Number, y: Number) -> Number:
        return self.clamped(self.core.isub(self.core.iadd(x, y), self.core.iconst(HALF)))

    def subtract(self, x: Number, y: Number) -> Number:
        return self.core.imax(self.core.isub(x, y), self._zero)

    def multiply(self, x: Number, y: Number) -> Number:
        return self.over_whole(self.core.imul(x, y))

    def mix(self, x: Number, y: Number, weight: Number) -> Number:
        products = self.core.imul(x, weight), self.core.imul(y, self.complement(weight))
        return self.over_whole(self.core.iadd(*products))

    # --- Dot products -------------------------------------------------------------------------------------------------

    def dot3(self, first: Sequence[Number], second: Sequence[Number]) -> Number:
        """The sum of three products of numbers that bytes stand for from -1 to 1."""
        signed = [[self._signed(x) for x in vector] for vector in (first, second)]
        term = self._measured_term if self._rounds else self._emulated_term
        red, green, blue = (term(x, y) for x, y in zip(*signed, strict=True))
        return self.clamped(self.core.iadd(self.core.iadd(red, green), blue))

    def _signed(self, x: Number) -> Number:
        return self.core.isub(self.core.imul(x, self.core.iconst(2)), self._whole)

    def _emulated_term(self, x: Number, y: Number) -> Number:
        """(x y + 128) / 256, cut off towards 0."""
        a = self.core
        product = a.iadd(a.imul(x, y), a.iconst(HALF))
        toward_zero = a.bits_and(a.asr(product, a.iconst(_SIGN_BIT)), self._whole)
        return a.asr(a.iadd(product, toward_zero), a.iconst(8))

    def _measured_term(self, x: Number, y: Number) -> Number:
        """x y / 255 to nearest, in one's complement: a term of mixed signs is one less."""
        a = self.core
        sign = [a.asr(number, a.iconst(_SIGN_BIT)) for number in (x, y)]
        magnitude = [a.bits_xor(*pair) for pair in zip((x, y), sign, strict=True)]
        return a.bits_xor(self.over_whole(a.imul(*magnitude)), a.bits_xor(*sign))
