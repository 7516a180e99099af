"""Textures in memory, read by the parameters of a lookup: formats of four bytes a texel."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.runtime.textures import Texture
from tests.backends.vc4.host.lists import Image

#: Texels of a block of 64 bytes, in both directions; blocks of a quarter tile, and quarters of a tile.
_BLOCK, _QUARTER = 4, 4
_TILE = 2 * _QUARTER * _BLOCK
_WRAPS = ("repeat", "clamp", "mirror")
_MINIFY = ("linear", "nearest", "nearest_mipmap_nearest", "nearest_mipmap_linear", "linear_mipmap_nearest",
           "linear_mipmap_linear")  # fmt: skip


def texture_at(image: Image, parameters: Sequence[int]) -> Texture:
    """The texture of these parameters."""
    p0, p1, *others = parameters
    assert p0 >> 4 & 15 == 0 and not p1 >> 31, "texels are RGBA8888"
    width, height, levels = p1 >> 8 & 2047, p1 >> 20 & 2047, 1 + (p0 & 15)
    faces = [p0 & ~0xFFF]
    if p0 >> 9 & 1:
        assert others[0] >> 30 == 1
        faces = [faces[0] + number * (others[0] & 0x3FFFF000) for number in range(6)]
    chains = [_chain(image, address, width, height, levels) for address in faces]
    by_level = [np.stack(level) if len(faces) > 1 else level[0] for level in zip(*chains, strict=True)]
    wraps = _WRAPS[p1 & 3], _WRAPS[p1 >> 2 & 3]
    filters = _MINIFY[p1 >> 4 & 7], "nearest" if p1 >> 7 & 1 else "linear"
    return Texture(by_level[0], filters, wraps if len(faces) == 1 else "clamp", by_level[1:])


def _chain(image: Image, address: int, width: int, height: int, levels: int) -> list[Array]:
    """All levels of a face: those after the first lie in front of it, each in front of the one before."""
    found = []
    for level in range(levels):
        size = max(width >> level, 1), max(height >> level, 1)
        if level:
            address -= _bytes(*size)
        found.append(_level(np.frombuffer(image.bytes(address, _bytes(*size)), np.uint8).reshape(-1, 4), *size))
    return found


def _is_small(width: int, height: int) -> bool:
    return width <= 4 * _BLOCK or height <= 4 * _BLOCK


def _bytes(width: int, height: int) -> int:
    unit = _BLOCK if _is_small(width, height) else _TILE
    return -(-width // unit) * -(-height // unit) * unit * unit * 4


def _level(texels: Array, width: int, height: int) -> Array:
    """Texels in the order of memory as rows: blocks, then quarters of tiles, then tiles."""
    found = np.zeros((height + _TILE, width + _TILE, 4), np.uint8)
    for number, (x, y) in enumerate(_blocks(width, height)):
        found[y : y + _BLOCK, x : x + _BLOCK] = texels[16 * number : 16 * number + 16].reshape(_BLOCK, _BLOCK, 4)
    return found[:height, :width]


def _blocks(width: int, height: int) -> list[tuple[int, int]]:
    """Where blocks begin, in the order of memory."""
    if _is_small(width, height):
        return [(x, y) for y in range(0, height, _BLOCK) for x in range(0, width, _BLOCK)]
    found = []
    for row, y in enumerate(range(0, height, _TILE)):
        columns = range(0, width, _TILE)
        half = _TILE // 2
        # In even rows down, right, up; in odd rows from right to left, beginning at the far corner.
        corners = [(0, 0), (0, half), (half, half), (half, 0)]
        if row % 2:
            columns, corners = columns[::-1], [*corners[2:], *corners[:2]]
        for x in columns:
            for right, down in corners:
                found += [
                    (x + right + _BLOCK * across, y + down + _BLOCK * below)
                    for below in range(_QUARTER)
                    for across in range(_QUARTER)
                ]
    return found
