"""Arithmetic of the simulator's two modes, over numpy lanes.

`F32` computes like the known emulators, in float32.  `F24` computes like the hardware: every result is
rounded to 1-7-16 bits, to nearest even; numbers below the smallest normal are flushed to +0 where they enter
and where they arise; there is no negative zero.  Numbers of both are stored as float32, which holds all of 1-7-16.

Both multiply infinity by zero to zero, alone and inside MAD and dot products.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from backends.pica200.numbers import MANTISSA_BITS, OVERFLOW, SMALLEST_NORMAL
from compiler.ir.lanes import Array, LaneArithmetic
from compiler.ir.types import Kind

#: Low bits of a double's 52-bit mantissa that 1-7-16 has no room for.
_DROPPED = np.uint64(52 - MANTISSA_BITS)
_ONE = np.uint64(1)
_HALF = np.uint64((1 << (51 - MANTISSA_BITS)) - 1)
_KEPT = np.uint64(2**64 - (1 << (52 - MANTISSA_BITS)))


def round_to_f24(values: Any) -> Array:
    """The numbers of 1-7-16 nearest to these, as float32."""
    return _rounded(np.array(values, dtype=np.float64))


def _rounded(wide: Array) -> Array:
    """Numbers in double precision rounded to 1-7-16, as float32.

    One operation in double precision rounded once more equals the operation in 1-7-16, because 53 bits
    exceed 2 * 17 + 2 (Figueroa, "When is double rounding innocuous?", 1995).
    """
    shape, wide = wide.shape, wide.reshape(-1)
    bits = wide.view(np.uint64)
    raised = bits >> _DROPPED
    raised &= _ONE
    raised += _HALF
    raised += bits
    raised &= _KEPT
    nearest = raised.view(np.float64)
    magnitude = np.abs(nearest)
    if not magnitude.max(initial=0.0) < OVERFLOW:
        limited = np.where(magnitude >= OVERFLOW, np.copysign(np.inf, nearest), nearest)
        nearest = np.where(np.isfinite(wide), limited, wide)
    np.copyto(nearest, 0.0, where=magnitude < SMALLEST_NORMAL)
    found = nearest.astype(np.float32)
    return found if found.shape == shape else found.reshape(shape)


def _multiply(x: Array, y: Array, format: type[np.floating[Any]]) -> Array:
    """The product, zero where IEEE arithmetic makes a NaN of infinity times zero."""
    product = np.asarray(np.multiply(x, y, dtype=format))
    unknown = np.isnan(product)
    if unknown.any():
        np.copyto(product, 0, where=unknown & ~np.isnan(x) & ~np.isnan(y))
    return product


class F32Arithmetic(LaneArithmetic):
    """float32, as the emulators compute."""

    __slots__ = ()

    def fmul(self, x: Array, y: Array) -> Array:
        return _multiply(x, y, np.float32)


class F24Arithmetic(LaneArithmetic):
    """1-7-16, as the hardware computes; operands are numbers of this format."""

    __slots__ = ()

    def encode(self, kind: Kind, values: Any) -> Array:
        return round_to_f24(values) if kind == "float" else super().encode(kind, values)

    def fconst(self, value: float) -> Array:
        return round_to_f24(value)

    def fadd(self, x: Array, y: Array) -> Array:
        return _rounded(np.asarray(np.add(x, y, dtype=np.float64)))

    def fsub(self, x: Array, y: Array) -> Array:
        return _rounded(np.asarray(np.subtract(x, y, dtype=np.float64)))

    def fmul(self, x: Array, y: Array) -> Array:
        return _rounded(_multiply(x, y, np.float64))

    def fdiv(self, x: Array, y: Array) -> Array:
        return _rounded(np.asarray(np.divide(x, y, dtype=np.float64)))

    def fneg(self, x: Array) -> Array:
        return np.where(x == 0, np.float32(0), np.negative(x))

    def ffloor(self, x: Array) -> Array:
        return round_to_f24(np.floor(x))

    def fsqrt(self, x: Array) -> Array:
        return _rounded(np.asarray(np.sqrt(x, dtype=np.float64)))

    def elementary(self, name: str, *arguments: Array) -> Array:
        return round_to_f24(super().elementary(name, *arguments))

    def itof(self, x: Array) -> Array:
        return round_to_f24(x)


F32 = F32Arithmetic()
F24 = F24Arithmetic()
