"""Vertex data: numbers to the bytes that a host packs into buffers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from glslc_multi.backends.xenos_family.isa.vertex_formats import FLOAT, STORAGE_FORMATS
from glslc_multi.compiler.arithmetic.lanes import Array

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
