"""What the texture units can do: they give combiners texels, at coordinates of the rasteriser; vertices have none."""

from __future__ import annotations

from glslc_multi.compiler.isa.textures import TextureUnit

TEXTURES = TextureUnit(
    images=("2d", "cube"), modes=("auto",), stages=("fragment",), rows=False, computes_coordinates=False
)
