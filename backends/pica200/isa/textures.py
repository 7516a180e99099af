"""What the texture unit can do: nothing, the vertex and geometry units have no textures."""

from __future__ import annotations

from compiler.isa.textures import TextureUnit

TEXTURES = TextureUnit(images=(), modes=(), stages=())
