"""Vertex data in memory to numbers: the formats of vertex fetches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from compiler.arithmetic.lanes import Array


class Layout(NamedTuple):
    """Widths of a format's components in bits, the first one lowest."""

    widths: tuple[int, ...]
    is_float: bool = False

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return sum(self.widths) // 8


#: Formats of whole bytes, by the value of the field; the machine's others are for textures.
LAYOUTS: Mapping[int, Layout] = {
    2: Layout((8,)),
    3: Layout((5, 5, 5, 1)),
    4: Layout((5, 6, 5)),
    5: Layout((5, 5, 6)),
    6: Layout((8, 8, 8, 8)),
    7: Layout((10, 10, 10, 2)),
    8: Layout((8,)),
    9: Layout((8,)),
    10: Layout((8, 8)),
    15: Layout((4, 4, 4, 4)),
    16: Layout((8, 8, 8)),
    24: Layout((16,)),
    25: Layout((16, 16)),
    26: Layout((16, 16, 16, 16)),
    30: Layout((16,), True),
    31: Layout((16, 16), True),
    32: Layout((16, 16, 16, 16), True),
    33: Layout((32,)),
    34: Layout((32, 32)),
    35: Layout((32, 32, 32, 32)),
    36: Layout((32,), True),
    37: Layout((32, 32), True),
    38: Layout((32, 32, 32, 32), True),
    57: Layout((32, 32, 32), True),
}

_FLOATS: Mapping[int, type[np.floating]] = {16: np.float16, 32: np.float32}


def read_elements(buffer: bytes, addresses: Array, layout: Layout) -> list[Array]:
    """The raw bits of each component, one number a lane; memory outside of the buffer is 0."""
    data = np.frombuffer(buffer, np.uint8)
    if set(layout.widths) == {32} and _are_words_inside(addresses, layout.size, len(data)):
        words = data[: len(data) // 4 * 4].view(np.uint32)
        first = addresses >> 2
        return [words[first + component] for component in range(len(layout.widths))]
    found = [np.zeros(len(addresses), np.uint64) for _ in layout.widths]
    low = 0
    for component, width in enumerate(layout.widths):
        for byte in range(low // 8, (low + width + 7) // 8):
            value = _bytes_at(data, addresses + byte).astype(np.uint64)
            shift = 8 * byte - low
            found[component] |= value << np.uint64(shift) if shift >= 0 else value >> np.uint64(-shift)
        found[component] &= np.uint64((1 << width) - 1)
        low += width
    return found


def _are_words_inside(addresses: Array, size: int, end: int) -> bool:
    """Whether elements of this size begin at whole words and lie in memory."""
    if not len(addresses):
        return False
    # Bits that any address has: the sign of negative ones, too.
    bits = np.bitwise_or.reduce(addresses)
    return bool(bits >= 0 and not bits & 3 and addresses.max() + size <= end)


def _bytes_at(data: Array, addresses: Array) -> Array:
    inside = (addresses >= 0) & (addresses < len(data))
    if not len(data):
        return np.zeros(len(addresses), np.uint8)
    return np.where(inside, data[np.where(inside, addresses, 0)], 0)


def to_number(bits: Array, width: int, layout: Layout, fields: Mapping[str, int]) -> Array:
    """The value of a component as float32, before the exponent is adjusted."""
    if layout.is_float:
        unsigned = np.uint16 if width == 16 else np.uint32
        return bits.astype(unsigned, copy=False).view(_FLOATS[width]).astype(np.float32, copy=False)
    value = bits.astype(np.float64)
    largest = float((1 << width) - 1)
    if fields["signed"]:
        value = np.where(value > largest / 2, value - (largest + 1), value)
    if not fields["num_format"]:
        value = _normalized(value, largest, fields)
    return value.astype(np.float32)


def _normalized(value: Array, largest: float, fields: Mapping[str, int]) -> Array:
    if not fields["signed"]:
        return value / largest
    if fields["signed_rf"]:
        # No zero: the range is divided evenly.
        return (2 * value + 1) / largest
    return np.maximum(value / max((largest - 1) / 2, 1.0), -1.0)
