"""The machine's numbers: two's complement of 32 bits with 17 fraction bits, -16384 to 16383.99999.

A number is kept here as its 32-bit pattern, an integer from 0 to 2^32 - 1.  Arithmetic over many pixels
is `arithmetic.py`.
"""

from __future__ import annotations

import math

FRACTION_BITS = 17
#: The pattern of 1.0.
ONE = 1 << FRACTION_BITS
WORD_MASK = 0xFFFFFFFF
SIGN = 1 << 31
#: The patterns of the smallest and the largest number.
SMALLEST, LARGEST = SIGN, SIGN - 1


def pattern_of(value: float) -> int:
    """The pattern of the nearest number, ties to even; what is out of range saturates, NaN is 0."""
    if math.isnan(value):
        return 0
    scaled = max(float(-SIGN), min(float(LARGEST), value * ONE))
    return round(scaled) & WORD_MASK


def value_of(pattern: int) -> float:
    """The value of a pattern, exactly."""
    return signed(pattern) / ONE


def signed(pattern: int) -> int:
    """The pattern as a signed integer."""
    return pattern - (1 << 32) if pattern & SIGN else pattern
