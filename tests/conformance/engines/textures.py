"""Recorded textures as arrays of colours, by the rules of OpenGL ES 3.0 for each format.

What a format lacks is 0, alpha 1 (section 3.8.16); bytes are fractions of 255, sRGB becomes linear (section 3.8.17),
whole numbers stay whole, a depth is red alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glslc_multi.compiler.arithmetic.images import Texels
from glslc_multi.runtime.textures import Texture
from tests.conformance.model import TextureData

Array = NDArray[Any]


class _Format(NamedTuple):
    """What a texel is made of, in the order of memory."""

    number: str
    channels: int
    texels: Texels = "float"


_FORMATS = {
    "r8": _Format("<u1", 1),
    "rg8": _Format("<u1", 2),
    "rgba8": _Format("<u1", 4),
    "srgb8_alpha8": _Format("<u1", 4),
    "r32f": _Format("<f4", 1),
    "rgba32f": _Format("<f4", 4),
    "depth32f": _Format("<f4", 1),
    "rgba8i": _Format("<i1", 4, "int"),
    "rgba8ui": _Format("<u1", 4, "uint"),
    "rgba32i": _Format("<i4", 4, "int"),
    "rgba32ui": _Format("<u4", 4, "uint"),
}

_WHOLE = {"int": np.int32, "uint": np.uint32}


def levels_of(data: TextureData) -> list[Array]:
    """Each level as (layers, height, width, 4): 32-bit integers of formats of whole numbers, else doubles.

    Layers are the faces of a cube, the slices of a volume or the layers of an array.
    """
    return [_rgba(data.format, _texels(data, number, image)) for number, image in enumerate(data.levels)]


def _texels(data: TextureData, level: int, image: bytes) -> Array:
    format = _FORMATS[data.format]
    layers = {"cube": 6, "2d_array": data.depth, "3d": max(data.depth >> level, 1)}.get(data.kind, 1)
    size = (max(data.height >> level, 1), max(data.width >> level, 1))
    texels: Array = np.frombuffer(image, dtype=format.number).reshape(layers, *size, format.channels)
    return texels


def _rgba(name: str, texels: Array) -> Array:
    format = _FORMATS[name]
    colours: Array
    if format.texels != "float":
        colours = texels.astype(_WHOLE[format.texels])
    elif texels.dtype == np.uint8:
        colours = texels / 255.0
    else:
        colours = texels.astype(np.float64)
    missing = np.zeros((*texels.shape[:3], 4 - format.channels), dtype=colours.dtype)
    if format.channels < 4:
        missing[..., -1] = 1
    rgba: Array = np.concatenate([colours, missing], axis=3)
    if name.startswith("srgb"):
        rgba[..., :3] = _linear(rgba[..., :3])
    return rgba


def _linear(share: Array) -> Array:
    """The light of an sRGB number (OpenGL ES 3.0 equation 3.21)."""
    linear: Array = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear


def texture(data: TextureData) -> Texture:
    """The texture with its sampling state."""
    base, *smaller = (level[0] if data.kind == "2d" else level for level in levels_of(data))
    return Texture(
        base,
        (data.minify, data.magnify),
        (data.wrap_s, data.wrap_t, data.wrap_r),
        smaller,
        kind=data.kind,
        texels=_FORMATS[data.format].texels,
        channels="rgba",
        compare=data.compare,
    )
