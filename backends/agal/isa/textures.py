"""What the texture unit can do: a bias is part of the sampler operand; no lookups in vertex programs."""

from __future__ import annotations

from glslc_multi.compiler.isa.textures import TextureUnit

TEXTURES = TextureUnit(modes=("auto", "bias"), stages=("fragment",))
