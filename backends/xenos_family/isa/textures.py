"""What the texture unit can do: fetches in both stages."""

from __future__ import annotations

from glslc_multi.compiler.isa.textures import TextureUnit

TEXTURES = TextureUnit(modes=("auto", "bias", "lod", "grad"))
