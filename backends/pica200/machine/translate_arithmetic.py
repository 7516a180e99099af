"""The machine's two number formats, emitted for this computer: the formulas of `arithmetic.py` in the same steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from backends.pica200.isa.meanings import sum_of_products
from backends.pica200.isa.numbers import OVERFLOW, SMALLEST_NORMAL
from backends.pica200.machine.arithmetic import MODERATE, SPLITTER, round_to_f24
from compiler.native.arithmetic import HostArithmetic
from compiler.native.emitter import Value
from compiler.native.vectors import DoubleArithmetic, VectorArithmetic

#: All bits of a double but the sign.
_MAGNITUDE = (1 << 63) - 1
#: Magnitudes of factors whose products are moderate.
_FACTORS = tuple(map(math.sqrt, MODERATE))


def _product(a: VectorArithmetic, x: Value, y: Value, product: Value) -> Value:
    """The product, zero where IEEE arithmetic makes a NaN of infinity times zero."""
    is_made = a.band(a.bnot(a.feq(product, product)), a.band(a.feq(x, x), a.feq(y, y)))
    return a.select(is_made, a.fconst(0.0), product)


class HostF32(HostArithmetic):
    """`arithmetic.F32`, emitted."""

    def dot(self, s: Sequence[Value], t: Sequence[Value]) -> Value:
        return sum_of_products(self, s, t)  # type: ignore[no-any-return]

    def fmul(self, x: Value, y: Value) -> Value:
        return _product(self, x, y, super().fmul(x, y))


class HostF24(DoubleArithmetic):
    """`arithmetic.F24`, emitted, in the same steps: numbers are doubles that the format has."""

    def fconst(self, value: float) -> Value:
        return super().fconst(float(round_to_f24(value)))

    def fadd(self, x: Value, y: Value) -> Value:
        return self._rounded(super().fadd(x, y))

    def fsub(self, x: Value, y: Value) -> Value:
        return self._rounded(super().fsub(x, y))

    def fmul(self, x: Value, y: Value) -> Value:
        product = super().fmul(x, y)
        return self._settled(self._nearest(product), lambda: _product(self, x, y, product))

    def dot(self, s: Sequence[Value], t: Sequence[Value]) -> Value:
        """Where products are zero or of moderate size, so are their sums, which begin with +0.

        It is factors that are looked at: a vector is once, if many matrix rows are multiplied with it.
        """
        emitter, add, multiply = self.emitter, super().fadd, super().fmul
        products = [self._nearest(multiply(x, y)) for x, y in zip(s, t, strict=True)]
        total = emitter.doubles(0.0)
        for number, product in enumerate(products):
            total = add(total, product) if number == 0 else self._nearest(add(total, product))
        leaves = self.bor(*(emitter.any(self._leaves(factors, *_FACTORS)) for factors in (s, t)))
        return emitter.unless(leaves, [total], lambda: [sum_of_products(self, s, t)])[0]

    def _leaves(self, numbers: Sequence[Value], low: float, high: float) -> Value:
        """Lanes where one of the numbers is neither zero nor of a magnitude from `low` on and below `high`."""
        emitter, (least, limit) = self.emitter, (_bits_of(bound) for bound in (low, high))
        magnitudes = [emitter.binary("and", self.bits(number), self.lconst(_MAGNITUDE)) for number in numbers]
        # One less makes zero the largest.
        lowest = self._extreme("umin", [self.iadd(bits, self.lconst(-1)) for bits in magnitudes])
        highest = self._extreme("umax", magnitudes)
        is_low = emitter.compare("icmp ult", lowest, self.lconst(least - 1))
        return self.bor(is_low, emitter.compare("icmp uge", highest, self.lconst(limit)))

    def _extreme(self, name: str, values: Sequence[Value]) -> Value:
        found = values[0]
        for value in values[1:]:
            found = self.emitter.intrinsic(name, found.type, found, value)
        return found

    def fdiv(self, x: Value, y: Value) -> Value:
        return self._rounded(super().fdiv(x, y))

    def fneg(self, x: Value) -> Value:
        return super().fsub(self.fconst(0.0), x)

    def fsqrt(self, x: Value) -> Value:
        return self._rounded(super().fsqrt(x))

    def elementary(self, name: str, *arguments: Value) -> Value:
        emitter = self.emitter
        narrow = [emitter.convert("fptrunc", argument, emitter.float) for argument in arguments]
        found = HostArithmetic(emitter).elementary(name, *narrow)
        return self._rounded(emitter.convert("fpext", found, emitter.double))

    def itof(self, x: Value) -> Value:
        return self._rounded(super().itof(x))

    def _rounded(self, wide: Value) -> Value:
        return self._settled(self._nearest(wide), lambda: wide)

    def _nearest(self, wide: Value) -> Value:
        subtract = super().fsub
        scaled = super().fmul(wide, self.emitter.doubles(SPLITTER))
        return subtract(scaled, subtract(scaled, wide))

    def _settled(self, nearest: Value, exact: Callable[[], Value]) -> Value:
        """With +0 for what vanishes; infinities and NaNs are seldom, and made of the `exact` value."""
        emitter, magnitude = self.emitter, self.fabs(nearest)
        flushed = self.select(self.flt(magnitude, emitter.doubles(SMALLEST_NORMAL)), emitter.doubles(0.0), nearest)
        is_special = emitter.compare("fcmp uge", magnitude, emitter.doubles(OVERFLOW))
        return emitter.unless(emitter.any(is_special), [flushed], lambda: [self._limited(exact(), flushed)])[0]

    def _limited(self, wide: Value, flushed: Value) -> Value:
        """Infinite where `wide` overflows, NaN where it is that."""
        emitter = self.emitter
        limit = emitter.doubles(OVERFLOW)
        in_range = self.band(self.flt(self.fabs(wide), limit), self.flt(self.fabs(flushed), limit))
        infinity = emitter.intrinsic("copysign", wide.type, emitter.doubles(float("inf")), wide)
        special = super().fadd(wide, infinity)
        is_zero = self.feq(wide, emitter.doubles(0.0))
        return self.select(is_zero, emitter.doubles(0.0), self.select(in_range, flushed, special))


def _bits_of(value: float) -> int:
    """The representation of a double."""
    return int(np.float64(value).view(np.int64))
