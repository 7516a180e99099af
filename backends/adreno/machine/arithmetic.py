"""The machine's arithmetic over numpy lanes: float32, where zero times anything is +0.

Denormal operands count as zero of the same sign.  Few rows of lanes have numbers that need either rule, so a look
whether there are any comes first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from backends.adreno.isa.semantics import SMALLEST_NORMAL
from compiler.arithmetic.lanes import LANES, Array, LaneArithmetic


class Operand(NamedTuple):
    """What an instruction reads: a row of lanes, or a row of one number that all lanes have."""

    row: Array
    #: Whether no number in it is zero.
    is_nonzero: bool


def operand_of(row: Array) -> Operand:
    """The row with denormal numbers as zero of the same sign."""
    is_small = np.abs(row) < SMALLEST_NORMAL
    if not np.count_nonzero(is_small):
        return Operand(row, True)
    return Operand(np.where(is_small, np.copysign(np.float32(0), row), row), False)


class AdrenoArithmetic(LaneArithmetic):
    """float32 with the machine's multiplication."""

    __slots__ = ()

    def fmul(self, x: Array, y: Array) -> Array:
        """The product; +0 if a factor is zero, whatever the other one is: then IEEE's product is zero or NaN."""
        product = np.multiply(x, y)
        is_plain = np.abs(product) > 0
        if np.count_nonzero(is_plain) == is_plain.size:
            return product
        return np.where((x == 0) | (y == 0), np.float32(0), product)


ADRENO = AdrenoArithmetic()


def arithmetic_of(factors: Iterable[Operand]) -> LaneArithmetic:
    """What computes with these factors: where none is zero, the machine multiplies as others do."""
    return LANES if all(factor.is_nonzero for factor in factors) else ADRENO
