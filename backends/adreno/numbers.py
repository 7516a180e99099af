"""The machine's arithmetic over numpy lanes: float32, where zero times anything is +0.

Denormal operands count as zero of the same sign; `flush` is applied where operands are read.
"""

from __future__ import annotations

import numpy as np

from compiler.ir.lanes import Array, LaneArithmetic

SMALLEST_NORMAL = np.finfo(np.float32).tiny


def flush(x: Array) -> Array:
    """`x` with denormal numbers as zero of the same sign."""
    magnitude = np.abs(x)
    if magnitude.min(initial=np.inf) >= SMALLEST_NORMAL:
        return x
    return np.where(magnitude < SMALLEST_NORMAL, np.copysign(np.float32(0), x), x)


class AdrenoArithmetic(LaneArithmetic):
    """float32 with the machine's multiplication."""

    __slots__ = ()

    def fmul(self, x: Array, y: Array) -> Array:
        """The product; +0 if a factor is zero, whatever the other one is."""
        is_zero = (np.abs(x) < SMALLEST_NORMAL) | (np.abs(y) < SMALLEST_NORMAL)
        return np.where(is_zero, np.float32(0), np.multiply(x, y))


ADRENO = AdrenoArithmetic()
