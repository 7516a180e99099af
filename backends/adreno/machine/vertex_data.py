"""Vertex data: numbers to the bytes that a host packs into buffers, and bytes to the numbers that fetches find."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from backends.adreno.isa.vertex_formats import FLOAT, STORAGE_FORMATS, Layout
from compiler.arithmetic.lanes import Array

# --- Packing ----------------------------------------------------------------------------------------------------------

_DTYPES: Mapping[str, str] = {FLOAT: "<f4", "half": "<f2"}
_BITS = 8


def pack_vertices(rows: Iterable[Mapping[str, Any]], values: Mapping[int, Array], lanes: int) -> dict[int, bytes]:
    """The buffer of each vertex constant, from the rows of the register map's `fetches`."""
    buffers: dict[int, Array] = {}
    for row in rows:
        numbers = values.get(row["attribute_number"])
        if numbers is None:
            continue
        packed = pack(numbers, row["type"], row["width"])
        if packed.shape[1] == row["stride"]:
            buffers[row["vertex_constant"]] = packed
            continue
        buffer = buffers.setdefault(row["vertex_constant"], np.zeros((lanes, row["stride"]), np.uint8))
        buffer[:, row["offset"] : row["offset"] + packed.shape[1]] = packed
    return {constant: buffer.tobytes() for constant, buffer in buffers.items()}


def pack(values: Array, name: str, width: int) -> Array:
    """Bytes of shape (lanes, bytes of `width` components) of the format called `name`."""
    given = np.asarray(values)[:, :width]
    if name in _DTYPES:
        return _bytes(given.astype(_DTYPES[name], order="C"))
    numbers, row = given.astype(np.float64), STORAGE_FORMATS[name]
    size = row.size(1)
    bits = _BITS * size - row.signed
    scale = 2.0**bits - 1 if row.normalised else 2.0**-row.exponent
    lowest = -(2.0**bits) if row.signed else 0.0
    whole = np.clip(np.rint(np.nan_to_num(numbers * scale)), lowest, 2.0**bits - 1)
    return _bytes(whole.astype(np.int64).astype(f"<{'i' if row.signed else 'u'}{size}"))


def _bytes(numbers: Array) -> Array:
    return np.ascontiguousarray(numbers).view(np.uint8).reshape(len(numbers), -1)


# --- Reading ----------------------------------------------------------------------------------------------------------

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
    """Whether elements of this size begin at whole words, inside the buffer."""
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
