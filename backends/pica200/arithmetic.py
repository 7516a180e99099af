"""Arithmetic of the simulator's two modes, over numpy lanes.

`F32` computes like the known emulators, in float32.  `F24` computes like the hardware: every result is
rounded to 1-7-16 bits, to nearest even; numbers below the smallest normal are flushed to +0 on the way in
and out; there is no negative zero.  Numbers of both are stored as float32, which holds all of 1-7-16.

Both multiply infinity by zero to zero, alone and inside MAD and dot products.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backends.pica200.numbers import MANTISSA_BITS, OVERFLOW, SMALLEST_NORMAL
from compiler.ir.lanes import Array, LaneArithmetic
from compiler.ir.types import Kind

#: Low bits of a double's 52-bit mantissa that 1-7-16 has no room for.
_DROPPED = 52 - MANTISSA_BITS
_HALF = (1 << (_DROPPED - 1)) - 1


def round_to_f24(values: Any) -> Array:
    """The numbers of 1-7-16 nearest to these, as float32.

    One operation in double precision rounded once more equals the operation in 1-7-16, because 53 bits
    exceed 2 * 17 + 2 (Figueroa, "When is double rounding innocuous?", 1995).
    """
    wide = np.asarray(values, dtype=np.float64)
    bits = wide.view(np.uint64) if wide.ndim else np.frombuffer(wide.tobytes(), np.uint64)[0]
    odd = (bits >> np.uint64(_DROPPED)) & np.uint64(1)
    kept = ~np.uint64((1 << _DROPPED) - 1)
    nearest = ((bits + np.uint64(_HALF) + odd) & kept).view(np.float64)
    limited = np.where(np.abs(nearest) >= OVERFLOW, np.copysign(np.inf, nearest), nearest)
    return _flush(np.where(np.isfinite(wide), limited, wide)).astype(np.float32)


def _flush(x: Array) -> Array:
    """`x` with numbers below the smallest normal, and negative zero, as +0; in double precision."""
    wide = np.asarray(x, dtype=np.float64)
    return np.where(np.abs(wide) < SMALLEST_NORMAL, 0.0, wide)


def _multiply(x: Array, y: Array) -> Array:
    """The product, zero where IEEE arithmetic makes a NaN of infinity times zero."""
    product = np.multiply(x, y)
    invented = np.isnan(product) & ~np.isnan(x) & ~np.isnan(y)
    return np.where(invented, product.dtype.type(0), product)


class F32Arithmetic(LaneArithmetic):
    """float32, as the emulators compute."""

    __slots__ = ()

    def fmul(self, x: Array, y: Array) -> Array:
        return _multiply(x, y)


class F24Arithmetic(LaneArithmetic):
    """1-7-16, as the hardware computes."""

    __slots__ = ()

    def encode(self, kind: Kind, values: Any) -> Array:
        return round_to_f24(values) if kind == "float" else super().encode(kind, values)

    def fconst(self, value: float) -> Array:
        return round_to_f24(value)

    def fadd(self, x: Array, y: Array) -> Array:
        return round_to_f24(np.add(_flush(x), _flush(y)))

    def fsub(self, x: Array, y: Array) -> Array:
        return round_to_f24(np.subtract(_flush(x), _flush(y)))

    def fmul(self, x: Array, y: Array) -> Array:
        return round_to_f24(_multiply(_flush(x), _flush(y)))

    def fdiv(self, x: Array, y: Array) -> Array:
        return round_to_f24(np.divide(_flush(x), _flush(y)))

    def fneg(self, x: Array) -> Array:
        return np.where(x == 0, np.float32(0), np.negative(x))

    def ffloor(self, x: Array) -> Array:
        return round_to_f24(np.floor(_flush(x)))

    def fsqrt(self, x: Array) -> Array:
        return round_to_f24(np.sqrt(_flush(x)))

    def elementary(self, name: str, *arguments: Array) -> Array:
        return round_to_f24(super().elementary(name, *map(_flush, arguments)))

    def itof(self, x: Array) -> Array:
        return round_to_f24(x)


F32 = F32Arithmetic()
F24 = F24Arithmetic()
