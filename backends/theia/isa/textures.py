"""What the texture unit can do: texels of one image in memory, without levels."""

from __future__ import annotations

from glslc_multi.compiler.isa.textures import TextureUnit

TEXTURES = TextureUnit(images=("2d",), modes=("auto",), stages=("fragment",), rows=False)
