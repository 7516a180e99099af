"""Arithmetic of the simulator's two modes, over numpy lanes.

`F32` computes like the known emulators, in float32.  `F24` computes like the hardware: every result is
rounded to 1-7-16 bits, to nearest even; numbers below the smallest normal are flushed to +0 where they enter
and where they arise; there is no negative zero.  Its numbers are stored as doubles, in which it computes.

Both multiply infinity by zero to zero, alone and inside MAD and dot products.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from backends.pica200.isa.meanings import Vector, sum_of_products
from backends.pica200.isa.numbers import MANTISSA_BITS, OVERFLOW, SMALLEST_NORMAL
from compiler.arithmetic.lanes import Array, LaneArithmetic, quiet

#: Times a double it keeps the bits that 1-7-16 has room for apart from the others.
SPLITTER = float((1 << (52 - MANTISSA_BITS)) + 1)


#: Numbers of 17 bits from the first magnitude on are multiples of the smallest normal number, and so are their sums,
#: rounded or not: none is to be flushed.  Four of them that are below the second one do not overflow.
MODERATE = SMALLEST_NORMAL * (1 << MANTISSA_BITS), OVERFLOW / 8


def round_to_f24(values: Any) -> Array:
    """The numbers of 1-7-16 nearest to these."""
    return _rounded(np.asarray(values, dtype=np.float64))


def _rounded(wide: Array) -> Array:
    """Doubles rounded to 1-7-16.

    One operation in double precision rounded once more equals the operation in 1-7-16, because 53 bits
    exceed 2 * 17 + 2 (Figueroa, "When is double rounding innocuous?", 1995).
    """
    nearest = _nearest(wide)
    return nearest if _is_plain(nearest) else _limited(wide, nearest)


def _nearest(wide: Array) -> Array:
    """Rounded to 17 bits by Veltkamp's splitting, whatever the exponent; NaN for infinities and what is near them.

    It is to nearest (Boldo, "Pitfalls of a full floating-point proof", 2006), and ties are to even: a double that lies
    between two numbers of 17 bits is an even number of units of the product with `SPLITTER`, which is rounded to even.
    """
    scaled = np.asarray(np.multiply(wide, SPLITTER))
    nearest: Array = np.subtract(scaled, np.subtract(scaled, wide), out=scaled)
    return nearest


def _is_within(nearest: Array, low: float, high: float) -> bool:
    """Whether all magnitudes are: `low` included, `high` not; a NaN is not."""
    if not nearest.size:
        return True
    magnitude = np.abs(nearest)
    # Looking for the position takes half as long as looking for the number; a NaN is found by both.
    lowest, highest = magnitude.item(magnitude.argmin()), magnitude.item(magnitude.argmax())
    return bool(low <= lowest and highest < high)


def _is_plain(nearest: Array) -> bool:
    """Whether all are normal numbers of 1-7-16: nothing is to be done for zeros, infinities, NaNs."""
    return _is_within(nearest, SMALLEST_NORMAL, OVERFLOW)


def _limited(wide: Array, nearest: Array) -> Array:
    """The `nearest` of `wide` with infinities, and with +0 for zeros and for what is below the smallest normal."""
    magnitude = np.abs(nearest)
    flushed = np.where(magnitude < SMALLEST_NORMAL, 0.0, nearest)
    if magnitude.item(magnitude.argmax()) < OVERFLOW:
        return flushed
    overflows = (magnitude >= OVERFLOW) | (np.abs(wide) >= OVERFLOW)
    return np.where(overflows, np.copysign(np.inf, wide), np.where(wide == 0, 0.0, flushed))


def _defined(product: Array, x: Array, y: Array) -> Array:
    """The product, zero where IEEE arithmetic makes a NaN of infinity times zero."""
    unknown = np.isnan(product)
    return np.where(unknown & ~np.isnan(x) & ~np.isnan(y), product.dtype.type(0), product) if unknown.any() else product


@lru_cache(maxsize=256)
def _constant(value: float) -> Array:
    with quiet():
        return round_to_f24(value)


class F32Arithmetic(LaneArithmetic):
    """float32, as the emulators compute."""

    __slots__ = ()

    def fmul(self, x: Array, y: Array) -> Array:
        return _defined(np.asarray(np.multiply(x, y)), x, y)

    def dot(self, s: Vector, t: Vector) -> Array:
        return np.asarray(sum_of_products(self, s, t))


class F24Arithmetic(LaneArithmetic):
    """1-7-16, as the hardware computes; operands are numbers of this format."""

    __slots__ = ()

    def encode(self, kind: str, values: Any) -> Array:
        return round_to_f24(values) if kind == "float" else super().encode(kind, values)

    def decode(self, kind: str, x: Array) -> Array:
        return np.asarray(x, dtype=np.float32) if kind == "float" else x

    def fconst(self, value: float) -> Array:
        return _constant(value)

    def fadd(self, x: Array, y: Array) -> Array:
        return _rounded(np.add(x, y, dtype=np.float64))

    def fsub(self, x: Array, y: Array) -> Array:
        return _rounded(np.subtract(x, y, dtype=np.float64))

    def fmul(self, x: Array, y: Array) -> Array:
        product = np.asarray(np.multiply(x, y, dtype=np.float64))
        nearest = _nearest(product)
        return nearest if _is_plain(nearest) else _limited(_defined(product, x, y), nearest)

    def dot(self, s: Vector, t: Vector) -> Array:
        """Where products are zero or of moderate size, so are their sums: see `MODERATE`."""
        products = _nearest(np.multiply(s, t, dtype=np.float64))
        if not _is_within(products, *MODERATE):
            products += 0.0  # makes +0 of -0
            if not _is_within(np.where(products == 0, 1.0, products), *MODERATE):
                return np.asarray(sum_of_products(self, s, t))
        total: Array = products[0]
        for product in products[1:]:
            total = _nearest(total + product)
        return total

    def fdiv(self, x: Array, y: Array) -> Array:
        return _rounded(np.divide(x, y, dtype=np.float64))

    def fneg(self, x: Array) -> Array:
        return np.subtract(0.0, x)

    def fsqrt(self, x: Array) -> Array:
        return _rounded(np.sqrt(x, dtype=np.float64))

    def elementary(self, name: str, *arguments: Array) -> Array:
        return round_to_f24(super().elementary(name, *arguments))

    def itof(self, x: Array) -> Array:
        return round_to_f24(x)


F32 = F32Arithmetic()
F24 = F24Arithmetic()
