"""What the fixed-function hardware hands to a program and takes from it: payload, varyings, depth, rows of the VPM."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

#: The register of file A with a fragment's w, and that of file B with its depth, when a program starts.
PAYLOAD_REGISTER = 15
#: Depths are integers from 0 to this.
DEPTH_STEPS = 0xFFFFFF
#: Where they are in the words that the chip stores: above eight bits of stencil.
DEPTH_SHIFT = 8
#: Primitive -> varyings that the hardware inserts before the shader's own: the position inside of a point or line.
BUILT_IN_VARYINGS: Mapping[str, int] = {"triangles": 0, "lines": 1, "points": 2}

#: The size of a point that is drawn at least.
SMALLEST_POINT = 0.125
#: Rows of a coordinate program in front of those that all have: the position in clip space.
CLIP_ROWS = 4

# --- VPM --------------------------------------------------------------------------------------------------------------

VPM_ROWS = 64
#: Rows that one setup can read.
VPM_READ_LIMIT = 16
#: Bits of a setup that say how rows are accessed; all of 32-bit words, horizontal; and that with a stride of one row.
_ACCESS_MASK, _ROWS_OF_WORDS, _STRIDE_OF_ONE = 0xC0000B00, 0x00000A00, 1 << 12
_STRIDE_SHIFT, _LENGTH_SHIFT = 12, 20


class VpmSetup(NamedTuple):
    """A run of rows of 32-bit words; reads end after `length` of them, writes do not end."""

    row: int
    stride: int
    length: int


def vpm_setup(row: int, length: int = 0) -> int:
    """The setup for rows from `row` on; reads have a length."""
    return _ROWS_OF_WORDS | _STRIDE_OF_ONE | length % VPM_READ_LIMIT << _LENGTH_SHIFT | row


def vpm_setup_of(word: int) -> VpmSetup | None:
    """The rows that a setup names; None where they are not horizontal rows of 32-bit words."""
    if word & _ACCESS_MASK != _ROWS_OF_WORDS:
        return None
    stride, length = word >> _STRIDE_SHIFT & VPM_ROWS - 1, word >> _LENGTH_SHIFT & VPM_READ_LIMIT - 1
    return VpmSetup(word & VPM_ROWS - 1, stride or VPM_ROWS, length or VPM_READ_LIMIT)
