"""The two modes of the combiners' arithmetic, since what is known of it has two sources.

`azahar` is that of the known emulator, to the byte: products are cut off, and the terms of DOT3 are divided by 256.
`hardware` has DOT3 as it was measured on a console, where each term is rounded to the nearest over 255; of the other
products nothing was measured, and they are rounded like these.
"""

from __future__ import annotations

from math import ceil
from typing import Literal, get_args

Rounding = Literal["azahar", "hardware"]
ROUNDINGS: tuple[Rounding, ...] = get_args(Rounding)

_WHOLE = 255
#: What single precision may add to the number of a byte.
_NOISE = 2.0**-10


def byte_above(number: float) -> int:
    """The byte for a number of 0 to 1 that is not below it: for colours of lights, since the unit cuts results off."""
    return ceil(min(max(number, 0.0), 1.0) * _WHOLE - _NOISE)
