"""The machine's fixed point as an arithmetic of the evaluator, so that code can be compared bit for bit.

A float is its signed 32-bit pattern with 17 fraction bits, in an array of int32; ints and bools are those of the
evaluator.  Sums, products and quotients are the arithmetic unit's.  The square root is the one that `SQRT` of the
code generator computes (section 5.6 of the machine's reference has `MAG`, which gives the same on trunk below 8192).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from glslc_multi.backends.theia.isa.numbers import FRACTION_BITS, ONE, SIGN
from glslc_multi.backends.theia.isa.registers import Variant
from glslc_multi.backends.theia.machine.arithmetic import UNITS, Unit
from glslc_multi.compiler.arithmetic.lanes import LANES, Array, LaneArithmetic


class FixedPoint(LaneArithmetic):
    """Q14.17 over numpy lanes."""

    __slots__ = ("unit",)

    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    def encode(self, kind: str, values: Any) -> Array:
        """Values from outside are rounded to nearest, ties to even, and saturate; NaN is 0."""
        if kind != "float":
            return super().encode(kind, values)
        scaled = np.asarray(np.rint(np.multiply(values, ONE, dtype=np.float64)))
        limited = np.minimum(np.maximum(scaled, -SIGN), SIGN - 1)
        return np.where(np.isnan(limited), 0.0, limited).astype(np.int32)

    def decode(self, kind: str, x: Array) -> Array:
        return x / ONE if kind == "float" else x

    def fconst(self, value: float) -> Array:
        return self.encode("float", value)

    def fadd(self, x: Array, y: Array) -> Array:
        total: Array = self.unit.fadd(x, y)
        return total

    def fsub(self, x: Array, y: Array) -> Array:
        difference: Array = self.unit.fsub(x, y)
        return difference

    def fmul(self, x: Array, y: Array) -> Array:
        product: Array = self.unit.fmul(x, y)
        return product

    def fdiv(self, x: Array, y: Array) -> Array:
        quotient: Array = self.unit.fdiv(x, y)
        return quotient

    def fneg(self, x: Array) -> Array:
        return self.isub(self.iconst(0), x)

    def fabs(self, x: Array) -> Array:
        return self.iabs(x)

    def ffloor(self, x: Array) -> Array:
        return self.bits_and(x, self.iconst(-ONE))

    def fsqrt(self, x: Array) -> Array:
        """The largest number whose square is not above `x`; 0 below 0."""
        return self.narrowed(self.unit.root(self.widened(self.imax(x, self.iconst(0)))))

    def elementary(self, name: str, *arguments: Array) -> Array:
        return self.encode("float", super().elementary(name, *(x / ONE for x in arguments)))

    def itof(self, x: Array) -> Array:
        return self.shl(x, self.iconst(FRACTION_BITS))

    def ftoi(self, x: Array) -> Array:
        return self.idiv(x, self.iconst(ONE))


FIXED_POINT: Mapping[Variant, FixedPoint] = {variant: FixedPoint(unit(LANES)) for variant, unit in UNITS.items()}
