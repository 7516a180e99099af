"""Floats and vectors of them, a number a pixel, as lighting and fog compute with them."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.arithmetic.operations import Derived, LaneOperations
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.isa.fields import Field

_WORD = 32

Vector = Sequence[Number]


class VectorArithmetic(Derived):
    """Floats in single precision, and vectors of them."""

    def __init__(self, core: LaneOperations) -> None:
        super().__init__(core)
        self.zero, self.one = core.fconst(0.0), core.fconst(1.0)

    # --- Numbers ------------------------------------------------------------------------------------------------------

    def at_least_zero(self, x: Number) -> Number:
        return self.core.select(self.core.flt(self.zero, x), x, self.zero)

    def at_most_one(self, x: Number) -> Number:
        return self.core.select(self.core.flt(x, self.one), x, self.one)

    def clamped(self, x: Number) -> Number:
        """Within 0 to 1; 0 for NaN."""
        return self.at_most_one(self.at_least_zero(x))

    def field(self, word: Number, field: Field) -> Number:
        """Bits of a word."""
        a, above = self.core, _WORD - field.low - field.width
        shift = a.asr if field.signed else a.shr
        return shift(a.shl(word, a.iconst(above)), a.iconst(_WORD - field.width))

    # --- Vectors ------------------------------------------------------------------------------------------------------

    def plus(self, x: Vector, y: Vector) -> list[Number]:
        return [self.core.fadd(*pair) for pair in zip(x, y, strict=True)]

    def minus(self, x: Vector, y: Vector) -> list[Number]:
        return [self.core.fsub(*pair) for pair in zip(x, y, strict=True)]

    def product(self, x: Vector, y: Vector) -> list[Number]:
        """Component by component."""
        return [self.core.fmul(*pair) for pair in zip(x, y, strict=True)]

    def times(self, x: Vector, factor: Number) -> list[Number]:
        return [self.core.fmul(component, factor) for component in x]

    def dot(self, x: Vector, y: Vector) -> Number:
        total, *others = self.product(x, y)
        for product in others:
            total = self.core.fadd(total, product)
        return total

    def cross(self, x: Vector, y: Vector) -> list[Number]:
        a = self.core
        pairs = ((1, 2), (2, 0), (0, 1))
        return [a.fsub(a.fmul(x[i], y[j]), a.fmul(x[j], y[i])) for i, j in pairs]

    def length(self, x: Vector) -> Number:
        return self.core.fsqrt(self.dot(x, x))

    def normalised(self, x: Vector) -> list[Number]:
        length = self.length(x)
        return [self.core.fdiv(component, length) for component in x]

    def rotated(self, quaternion: Vector, x: Vector) -> list[Number]:
        """x + 2 q × (q × x + w x), for a quaternion (q, w) of length 1."""
        axis, w = quaternion[:3], quaternion[3]
        inner = self.plus(self.cross(axis, x), self.times(x, w))
        return self.plus(x, self.times(self.cross(axis, inner), self.core.fconst(2.0)))
