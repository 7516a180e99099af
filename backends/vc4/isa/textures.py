"""What the texture unit can do: 2D textures and cube maps, with a bias or a level of detail that the shader gives."""

from __future__ import annotations

from glslc_multi.compiler.isa.textures import TextureUnit

TEXTURES = TextureUnit()
