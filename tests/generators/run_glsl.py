"""What running a generated program needs besides its text."""

from __future__ import annotations

import numpy as np

from glslc_multi.runtime.textures import Texture
from tests.generators.glsl import Program


def textures_of(program: Program) -> dict[str, Texture]:
    """The program's textures, nearest and clamped, one level."""
    return {name: _texture(**texture) for name, texture in program.textures.items()}


def _texture(kind: str, width: int, height: int, data: list[int]) -> Texture:
    shape = (6, height, width, 4) if kind == "cube" else (height, width, 4)
    return Texture(np.array(data, np.uint8).reshape(shape), filter="nearest", wrap="clamp")
