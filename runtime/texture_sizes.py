"""What machines leave to the host about textures: their sizes, as uniforms, and their filters.

See `compiler.lowering.interface.texture_sizes`, which asks for both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy

import numpy as np

from compiler.arithmetic.evaluation_error import fail
from compiler.arithmetic.lanes import Array
from compiler.arithmetic.sampling import Texture
from compiler.artifact import Reflection
from compiler.diagnostics.catalogue.limits import TEXTURE_STATE
from compiler.lowering.interface.texture_sizes import size_name


def texture_sizes(textures: Mapping[str, Sequence[Texture]]) -> dict[str, Array]:
    """The uniforms with the sizes of all textures, by name; of an array of samplers one for each element."""
    return {
        size_name(name): np.stack([texture.size(np.zeros(1))[:, 0] for texture in several])
        for name, several in textures.items()
    }


def as_row(texture: Texture) -> Texture:
    """What machines have of a 1D texture: a 2D one of one row (`compiler.lowering.interface.texture_rows`)."""
    if texture.kind != "1d":
        return texture
    row = copy(texture)
    row.kind = "2d"
    return row


def check_demands(reflection: Reflection, textures: Mapping[str, Sequence[Texture]]) -> None:
    """Raise where a texture is filtered otherwise than the code takes for granted."""
    state = reflection.host_state or {}
    for name, several in textures.items():
        must_be_nearest, no_mipmaps = f"{name}.filter" in state, f"{name}.mipmaps" in state
        for texture in several:
            if must_be_nearest and (texture.minify, texture.magnify) != ("nearest", "nearest"):
                fail(
                    TEXTURE_STATE,
                    name=name,
                    wanted="the filter nearest",
                    function="texelFetch",
                    target=reflection.target,
                )
            if no_mipmaps and texture.minify not in ("nearest", "linear"):
                fail(TEXTURE_STATE, name=name, wanted="no mipmaps", function="textureOffset", target=reflection.target)
