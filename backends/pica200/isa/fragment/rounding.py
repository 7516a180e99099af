"""The two modes of the combiners' arithmetic, since what is known of it has two sources.

`azahar` is that of the known emulator, to the byte: products are cut off, and the terms of DOT3 are divided by 256.
`hardware` has DOT3 as it was measured on a console, where each term is rounded to the nearest over 255; of the other
products nothing was measured, and they are rounded like these.
"""

from __future__ import annotations

from typing import Literal, get_args

Rounding = Literal["azahar", "hardware"]
ROUNDINGS: tuple[Rounding, ...] = get_args(Rounding)
