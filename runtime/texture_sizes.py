"""What machines leave to the host about textures: their sizes, as uniforms, and their kinds, filters and comparisons.

See `compiler/lowering/interface`: `texture_sizes`, `texture_rows` and `depth_comparisons`, which ask for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy

import numpy as np

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import FILTERS, Texture
from glslc_multi.compiler.artifact import Binding, Reflection
from glslc_multi.compiler.diagnostics.catalogue.limits import TEXTURE_STATE
from glslc_multi.compiler.lowering.interface.texture_sizes import size_name


def texture_sizes(textures: Mapping[str, Sequence[Texture]]) -> dict[str, Array]:
    """The uniforms with the sizes of all textures, by name; of an array of samplers one for each element."""
    return {
        size_name(name): np.stack([texture.size(np.zeros(1))[:, 0] for texture in several])
        for name, several in textures.items()
    }


def as_held(texture: Texture, sampler: str) -> Texture:
    """What machines have of a texture: a 1D one is a 2D one of one row, and where the code compares, the texture does
    not."""
    compare = "" if sampler.endswith("Shadow") else texture.compare
    if texture.kind != "1d" and texture.compare == compare:
        return texture
    held = copy(texture)
    held.kind, held.compare = "2d" if texture.kind == "1d" else texture.kind, compare
    return held


def check_demands(reflection: Reflection, textures: Mapping[str, Sequence[Texture]]) -> None:
    """Raise where a texture is sampled otherwise than the code takes for granted."""
    state = reflection.host_state or {}
    for binding in reflection.samplers:
        for texture in textures.get(binding.name, ()):
            for wanted, function in _missing(binding, texture, state):
                fail(TEXTURE_STATE, name=binding.name, wanted=wanted, function=function, target=reflection.target)


def _missing(binding: Binding, texture: Texture, state: Mapping[str, bool | int | str]) -> Iterator[tuple[str, str]]:
    """What a texture must have and has not, and what of GLSL wants that."""
    compare = state.get(f"{binding.name}.compare", texture.compare)
    if texture.compare != compare:
        yield f"the comparison {compare}", binding.type
    within, between = FILTERS[texture.minify]
    if f"{binding.name}.filter" in state and "linear" in (within, between, texture.magnify):
        yield "the filter nearest", "texelFetch" if compare == "" else binding.type
    if f"{binding.name}.mipmaps" in state and between:
        yield "no mipmaps", "textureOffset"
