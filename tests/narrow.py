"""The arithmetic of the narrowest machine with floats, on which exact outputs must be what they are in float32."""

from __future__ import annotations

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array, LaneArithmetic


class Float24(LaneArithmetic):
    """Sums and products rounded to 16 fraction bits, as the narrowest float target computes them."""

    def fadd(self, x: Array, y: Array) -> Array:
        return _round(super().fadd(x, y))

    def fsub(self, x: Array, y: Array) -> Array:
        return _round(super().fsub(x, y))

    def fmul(self, x: Array, y: Array) -> Array:
        return _round(super().fmul(x, y))

    def fdiv(self, x: Array, y: Array) -> Array:
        return _round(super().fdiv(x, y))


def _round(x: Array) -> Array:
    mantissa, exponent = np.frexp(x)
    return np.ldexp(np.round(mantissa * 2**17) / 2**17, exponent).astype(np.float32)
