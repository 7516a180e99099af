"""Attributes and textures that a picture has where none are given, as arrays; `preview_defaults.py` chooses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from glslc_multi.compiler.arithmetic.images import KINDS
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.ir.samplers import SAMPLER_KINDS, SamplerKind
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.runtime.preview_defaults import CHECKS, TEXELS, attribute_source, elements_of
from glslc_multi.runtime.textures import Texture

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.target import Target
    from glslc_multi.runtime.meshes import Mesh


def attributes_of(vertex: Module, mesh: Mesh) -> dict[str, Array]:
    """A value of every attribute for each vertex of the mesh."""
    return {v.name: _attribute(v, mesh) for v in vertex.variables.values() if v.storage == "attribute"}


def _attribute(variable: Variable, mesh: Mesh) -> Array:
    source = attribute_source(variable)
    count, width = len(mesh.position), variable.type.width
    filled = np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))
    if isinstance(source, str):
        values = mesh.position * 0.5 + 0.5 if source == "colour" else getattr(mesh, source)
    else:
        values = np.tile(source, (count, 1))
    filled[:, : values.shape[1]] = values
    column = filled[:, 0] if variable.type.is_scalar else filled[:, :width]
    if not variable.is_matrix:
        return column
    return np.tile(np.eye(variable.columns), (count, 1, 1))


def textures_of(modules: Iterable[Module], target: Target) -> dict[str, Any]:
    """A chequered image for every sampler."""
    textures: dict[str, Any] = {}
    for module in modules:
        for variable in module.variables.values():
            if variable.storage == "sampler":
                sampler = SAMPLER_KINDS[variable.type.kind]
                textures |= elements_of(variable, make_texture(chequered(sampler), target, sampler))
    return textures


def make_texture(image: Array, target: Target, sampler: SamplerKind = SAMPLER_KINDS["sampler2D"]) -> Texture:
    """An image with the filter that a target has, for a kind of sampler: ints count to 255; depths are those of red,
    and not filtered."""
    kind, compare = sampler.image_kind, "lequal" if sampler.is_shadow else ""
    if sampler.texel != "float":
        numbers = (image * 255).astype(np.int32 if sampler.texel == "int" else np.uint32)
        return Texture(numbers, kind=kind, texels=sampler.texel)
    filter = "linear" if target.filters_textures and not sampler.is_shadow else "nearest"
    return Texture(image, filter, kind=kind, compare=compare)


def chequered(sampler: SamplerKind) -> Array:
    """The same image in each of six faces, layers or slices."""
    y, x = np.mgrid[:TEXELS, :TEXELS] * CHECKS // TEXELS
    dark, light = np.array([0.25, 0.4, 0.6]), np.array([0.95, 0.9, 0.8])
    image = np.where(((x + y) % 2)[:, :, None], light, dark)
    axes = KINDS[sampler.image_kind].axes
    if "height" not in axes:
        image = image[0]
    return np.stack([image] * 6) if image.ndim == len(axes) else image
