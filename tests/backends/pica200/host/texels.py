"""Texels in the order of the machine: blocks of 8 by 8, the upper ones first, in which bits of column and row take
turns."""

from __future__ import annotations

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array


def rows_of_texels(texels: Array, width: int, height: int) -> Array:
    """Red, green, blue and alpha from the lowest row on; a block is made of four of 4 by 4, these of four of 2 by 2."""
    blocks = texels.reshape(height // 8, width // 8, 2, 2, 2, 2, 2, 2)
    # Of each pair of bits the second one is the column's.
    rows = blocks.transpose(0, 2, 4, 6, 1, 3, 5, 7).reshape(height, width)[::-1]
    return np.stack([rows >> shift & 255 for shift in (24, 16, 8, 0)], axis=-1)
