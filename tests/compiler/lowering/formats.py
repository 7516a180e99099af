"""Number formats of targets as lane arithmetics, for tests that ask whether a lowering survives them.

Numbers are float64 arrays that hold values of the format; every result is rounded into it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array, LaneArithmetic


class _RoundedLanes(LaneArithmetic):
    """Arithmetic in double precision, each result put through `round`."""

    __slots__ = ()

    def round(self, x: Array) -> Array:
        """`x` as a number of the format."""
        raise AssertionError("each format has its own")

    def encode(self, kind: str, values: Any) -> Array:
        if kind == "float":
            return self.round(np.asarray(values, dtype=np.float64))
        return super().encode(kind, values)

    def fconst(self, value: float) -> Array:
        return self.round(np.asarray(value, dtype=np.float64))

    def fadd(self, x: Array, y: Array) -> Array:
        return self.round(np.add(x, y))

    def fsub(self, x: Array, y: Array) -> Array:
        return self.round(np.subtract(x, y))

    def fmul(self, x: Array, y: Array) -> Array:
        return self.round(np.multiply(x, y))

    def fdiv(self, x: Array, y: Array) -> Array:
        return self.round(np.divide(x, y))

    def fsqrt(self, x: Array) -> Array:
        return self.round(np.sqrt(x))

    def itof(self, x: Array) -> Array:
        return self.round(x.astype(np.float64))


class Float24(_RoundedLanes):
    """PICA200: 16 bits of mantissa, rounded to nearest."""

    __slots__ = ()

    def round(self, x: Array) -> Array:
        mantissa, exponent = np.frexp(x)
        rounded: Array = np.ldexp(np.rint(np.ldexp(mantissa, 17)), exponent - 17)
        return rounded


class Fixed17(_RoundedLanes):
    """THEIA: 17 fraction bits, truncated towards zero, within 2^14."""

    __slots__ = ()

    def round(self, x: Array) -> Array:
        steps = np.trunc(np.nan_to_num(np.ldexp(x, 17)))
        rounded: Array = np.clip(steps, -(2.0**31), 2.0**31 - 1) / 2.0**17
        return rounded

    def encode(self, kind: str, values: Any) -> Array:
        """Literals and values from the host are rounded to nearest."""
        if kind == "float":
            return self.round(np.rint(np.ldexp(np.asarray(values, dtype=np.float64), 17)) / 2.0**17)
        return super().encode(kind, values)


FLOAT32, FLOAT24, FIXED17 = LaneArithmetic(), Float24(), Fixed17()
