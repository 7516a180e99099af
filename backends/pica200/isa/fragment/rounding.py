"""The two modes of the combiners' arithmetic, since what is known of it has two sources.

`azahar` is that of the known emulator, to the byte: products are cut off, and the terms of DOT3 are divided by 256.
`hardware` has DOT3 as it was measured on a console, where each term is rounded to the nearest over 255; of the other
products nothing was measured, and they are rounded like these.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Literal, get_args

Rounding = Literal["azahar", "hardware"]
ROUNDINGS: tuple[Rounding, ...] = get_args(Rounding)

#: The byte for 1.
WHOLE = 255
#: What single precision may add to the number of a byte.
_NOISE = 2.0**-10


def byte_of(number: float | Fraction) -> int:
    """The byte for a number: the nearest one, of two the upper one.

    Exact for single precision.  Where a host has numbers of many lanes, or C, it computes floor(255 x + 0.5) in double
    precision, which comes to the same.
    """
    return min(max(floor(2 * WHOLE * number + 1) // 2, 0), WHOLE)


def byte_above(number: float) -> int:
    """The byte for a number of 0 to 1 that is not below it: for colours of lights, since the unit cuts results off."""
    return ceil(min(max(number, 0.0), 1.0) * WHOLE - _NOISE)
