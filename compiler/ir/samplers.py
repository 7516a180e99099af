"""Kinds of samplers: what GLSL's names of them say about coordinates and texels.

A name has parts, in this order: `i` or `u` (texels are ints or unsigned ints), `sampler`, the shape of the
image, `Array` (images in layers), `Shadow` (lookups compare with a depth).  So the names are the table, and `kind_of`
reads it.  Desktop GLSL 3.30 section 4.1.7 has them all; GLSL ES 3.00 those of 2D, 3D and cube images.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

from glslc_multi.compiler.records import dataclass

#: `samplerExternal` is what GLSL spells samplerExternalOES; its images are 2D.
SamplerName = Literal[
    "sampler1D",
    "sampler2D",
    "sampler3D",
    "samplerCube",
    "sampler2DRect",
    "sampler1DArray",
    "sampler2DArray",
    "samplerBuffer",
    "samplerExternal",
    "sampler1DShadow",
    "sampler2DShadow",
    "samplerCubeShadow",
    "sampler2DRectShadow",
    "sampler1DArrayShadow",
    "sampler2DArrayShadow",
    "isampler1D",
    "isampler2D",
    "isampler3D",
    "isamplerCube",
    "isampler2DRect",
    "isampler1DArray",
    "isampler2DArray",
    "isamplerBuffer",
    "usampler1D",
    "usampler2D",
    "usampler3D",
    "usamplerCube",
    "usampler2DRect",
    "usampler1DArray",
    "usampler2DArray",
    "usamplerBuffer",
]
Shape = Literal["1D", "2D", "3D", "Cube", "2DRect", "Buffer", "External"]
TexelKind = Literal["float", "int", "uint"]

#: Components of a place in the image; in a cube map it is a direction.
_DIMENSIONS: dict[Shape, int] = {"1D": 1, "2D": 2, "3D": 3, "Cube": 3, "2DRect": 2, "Buffer": 1, "External": 2}
_IMAGES: dict[Shape, str] = {
    "1D": "1d",
    "2D": "2d",
    "3D": "3d",
    "Cube": "cube",
    "2DRect": "rect",
    "Buffer": "buffer",
    "External": "2d",
}
_TEXELS: dict[str, TexelKind] = {"": "float", "i": "int", "u": "uint"}
_NAME = re.compile(
    r"(?P<texel>[iu]?)sampler(?P<shape>1D|2DRect|2D|3D|Cube|Buffer|External)(?P<array>(Array)?)(?P<shadow>(Shadow)?)"
)


@dataclass(frozen=True, slots=True)
class SamplerKind:
    """What a sampler reads, and how lookups name a place in it."""

    name: SamplerName
    shape: Shape
    texel: TexelKind = "float"
    #: The coordinate ends with the number of a layer.
    is_arrayed: bool = False
    #: Lookups take a depth, and yield how it compares with the texels.
    is_shadow: bool = False

    @property
    def is_cube(self) -> bool:
        return self.shape == "Cube"

    @property
    def dimensions(self) -> int:
        """Components of a coordinate without the layer, of gradients, and of an offset."""
        return _DIMENSIONS[self.shape]

    @property
    def coordinate_width(self) -> int:
        return self.dimensions + self.is_arrayed

    @property
    def image_kind(self) -> str:
        """The kind of texture that it reads (`glslc_multi.compiler.arithmetic.images`)."""
        return _IMAGES[self.shape] + ("_array" if self.is_arrayed else "")

    @property
    def size_width(self) -> int:
        """Components of the size of a level: of a cube map that of a face; with layers their number is the last one."""
        return (2 if self.is_cube else self.dimensions) + self.is_arrayed

    @property
    def can_filter(self) -> bool:
        """Whether there are lookups beside fetches."""
        return self.shape != "Buffer"

    @property
    def can_fetch(self) -> bool:
        """Whether there are fetches of one texel by its number (GLSL 3.30 section 8.7)."""
        return not self.is_cube and not self.is_shadow

    @property
    def can_offset(self) -> bool:
        """Whether lookups may be moved by whole texels."""
        return not self.is_cube and self.can_filter


def kind_of(name: SamplerName) -> SamplerKind:
    """What a name of the list says."""
    match = _NAME.fullmatch(name)
    assert match is not None
    shape: Shape = match["shape"]  # type: ignore[assignment]
    return SamplerKind(name, shape, _TEXELS[match["texel"]], bool(match["array"]), bool(match["shadow"]))


#: Every kind by its name.
SAMPLER_KINDS: dict[str, SamplerKind] = {name: kind_of(name) for name in get_args(SamplerName)}
