"""How `tex` reads a texture: the sampler's fields in the terms of `compiler/arithmetic/sampling.py`.

The texture's own filter and wrap count only under `ignoresampler`, where the host sets them.  Anisotropic
filters, whose result no document defines, are sampled like linear ones.
"""

from __future__ import annotations

from copy import copy

from glslc_multi.backends.agal.isa.program import Sampler
from glslc_multi.backends.agal.isa.registers import BY_TYPE, SAMPLER
from glslc_multi.backends.agal.isa.sampler_options import IGNORE_SAMPLER
from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.diagnostics.catalogue.evaluation import DERIVATIVE_WITHOUT_QUADS, UNUSABLE_TEXTURE

#: Wrap of u and v by the field `wrap`.
_WRAPS = (("clamp", "clamp"), ("repeat", "repeat"), ("clamp", "repeat"), ("repeat", "clamp"))
#: What follows the filter's name, by the field `mip`.
_MIPS = ("", "_mipmap_nearest", "_mipmap_linear")


def with_sampler(texture: Texture, sampler: Sampler) -> Texture:
    """The texture with the state that a sampler gives it."""
    if sampler.special & IGNORE_SAMPLER:
        return texture
    filter = "linear" if sampler.filter else "nearest"
    sampled = copy(texture)
    sampled.minify, sampled.magnify = filter + _MIPS[sampler.mip], filter
    sampled.wrap = _WRAPS[sampler.wrap]
    return sampled


def of_base_level(texture: Texture) -> Texture:
    """The texture as its magnification filter reads level 0, and nothing else."""
    sampled = copy(texture)
    sampled.minify = sampled.magnify
    return sampled


def usable(texture: Texture, sampler: Sampler, *, quads: bool) -> Texture:
    """The texture, if the sampler can read it."""
    is_cube = bool(sampler.dimension)
    problem = "it is of the other dimension" if texture.is_cube != is_cube else texture.problem
    if problem:
        fail(UNUSABLE_TEXTURE, name=BY_TYPE["fragment", SAMPLER].spell(sampler.number), problem=problem)
    if texture.needs_level and not quads:
        fail(DERIVATIVE_WITHOUT_QUADS, what="the level of detail of a mipmapped texture")
    return texture
