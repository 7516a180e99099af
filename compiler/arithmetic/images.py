"""Images of textures: what users give as arrays becomes levels of one shape.

In: an array whose axes are those of its kind, and perhaps channels.  Out: levels as doubles of the shape (slices,
height, width, 4): a 3D texture has slices, an array layers, a cube map the faces +x -x +y -y +z -z, all others one
slice; what has one dimension is one texel high.  Doubles hold all 32-bit integers.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from glslc_multi.compiler.records import dataclass

Array = NDArray[Any]
Texels = Literal["float", "int", "uint"]


@dataclass(frozen=True, slots=True)
class ImageKind:
    """One kind of texture."""

    #: As messages call it.
    label: str
    #: Of an array without channels, slowest first.
    axes: tuple[str, ...]
    #: Components of a coordinate that name a place, not a layer.
    dimensions: int
    #: Whether coordinates count texels.
    counts_texels: bool = False

    @property
    def has_layers(self) -> bool:
        return self.axes[0] == "layers"


#: Kind of a texture by its name; names and order of axes are those of the calls that OpenGL takes images by.
KINDS: dict[str, ImageKind] = {
    "1d": ImageKind("1D", ("width",), 1),
    "2d": ImageKind("2D", ("height", "width"), 2),
    "3d": ImageKind("3D", ("depth", "height", "width"), 3),
    "cube": ImageKind("a cube map", ("faces", "height", "width"), 3),
    "rect": ImageKind("a rectangle", ("height", "width"), 2, counts_texels=True),
    "1d_array": ImageKind("an array of 1D", ("layers", "width"), 1),
    "2d_array": ImageKind("an array of 2D", ("layers", "height", "width"), 2),
    "buffer": ImageKind("a buffer", ("width",), 1, counts_texels=True),
}
#: Channels by their number, unless they are named: luminance, luminance and alpha, rgb, rgba (GL ES 2.0 table 3.12).
_COLOURS = ("", "l", "la", "rgb", "rgba")
#: Of integers and of depths (GL ES 3.0 table 3.11).
_PLAIN = ("", "r", "rg", "rgb", "rgba")


def kind_of(array: Array) -> str:
    """The kind that the shape of an array suggests: a cube map of six images, else 2D."""
    return "cube" if array.ndim == 4 else "2d"


def level_of(array: Any, kind: str, texels: Texels, channels: str) -> Array:
    """One level; unsigned integers are fractions of their largest value, unless the texels are integers."""
    given = np.asarray(array)
    values = _numbers(given, texels)
    axes = KINDS[kind].axes
    if values.ndim == len(axes):
        values = values[..., None]
    if values.ndim != len(axes) + 1 or not 1 <= values.shape[-1] <= 4 or values.size == 0 or _lacks_faces(axes, values):
        wanted = ", ".join(("6" if axis == "faces" else axis) for axis in axes)
        also = " or (6, height, width, channels)" if kind == "2d" else ""
        raise ValueError(f"a texture is ({wanted}, channels){also}, found {given.shape}")
    if "height" not in axes:
        values = values[..., None, :, :]
    if values.ndim == 3:
        values = values[None]
    return _rgba(values, channels or (_COLOURS if texels == "float" else _PLAIN)[values.shape[-1]])


def _numbers(given: Array, texels: Texels) -> Array:
    if texels != "float":
        wanted = "i" if texels == "int" else "u"
        if given.dtype.kind != wanted or given.dtype.itemsize > 4:
            raise ValueError(f"texels of kind {texels} must be that of 8, 16 or 32 bits, found {given.dtype}")
        return given.astype(np.float64)
    values = given.astype(np.float64)
    if given.dtype.kind == "u":
        values /= np.iinfo(given.dtype).max
    elif given.dtype.kind != "f":
        raise ValueError(f"texels must be unsigned integers or floats, found {given.dtype}")
    return values


def _lacks_faces(axes: tuple[str, ...], values: Array) -> bool:
    return axes[0] == "faces" and values.shape[0] != 6


def _rgba(texels: Array, channels: str) -> Array:
    """Named channels as red, green, blue and alpha: luminance is all three colours; what is missing is 0, alpha 1."""
    if len(channels) != texels.shape[-1] or len(set(channels)) != len(channels) or not set(channels) <= set("rgbal"):
        raise ValueError(f"channels {channels!r} do not name {texels.shape[-1]} of r, g, b, a and l")
    full = np.zeros((*texels.shape[:-1], 4))
    full[..., 3] = 1.0
    for number, letter in enumerate(channels):
        components = (0, 1, 2) if letter == "l" else ("rgba".index(letter),)
        for component in components:
            full[..., component] = texels[..., number]
    return full


def averaged(level: Array, kind: str) -> list[Array]:
    """All smaller levels, each texel the mean of the (at most) two it covers along each axis that shrinks."""
    axes = (0, 1, 2) if kind == "3d" else (1, 2)
    smaller = []
    while max(level.shape[axis] for axis in axes) > 1:
        for axis in axes[-2:] + axes[:-2]:
            even = level.shape[axis] // 2 * 2
            if even:
                pairs = np.split(np.take(level, range(even), axis=axis), even // 2, axis=axis)
                level = np.concatenate([pair.mean(axis=axis, keepdims=True) for pair in pairs], axis=axis)
        smaller.append(level)
    return smaller


def shape_of_level(base: tuple[int, ...], kind: str, number: int) -> tuple[int, ...]:
    """The shape that a level must have (GL ES 3.0 section 3.8.13): layers and faces stay."""
    slices, height, width, channels = base
    smaller = [max(size >> number, 1) for size in (slices, height, width)]
    return (smaller[0] if kind == "3d" else slices, *smaller[1:], channels)


def level_count(base: tuple[int, ...], kind: str) -> int:
    """How many levels there are down to one texel."""
    sizes = base[:3] if kind == "3d" else base[1:3]
    return max(sizes).bit_length()
