"""Lookups of textures as calls."""

from __future__ import annotations

from collections.abc import Callable

from glslc_multi.backends.glsl.dialects import Dialect
from glslc_multi.backends.glsl.names import Names
from glslc_multi.backends.glsl.text import POSTFIX, Text, call
from glslc_multi.compiler.ir.module import Instruction, Value
from glslc_multi.compiler.ir.variables import TextureAccess

_MODERN = {"auto": "texture", "bias": "texture", "lod": "textureLod", "grad": "textureGrad", "fetch": "texelFetch"}
LOOKUP_NAMES = frozenset({*_MODERN.values(), "textureSize", *(f"{name}Offset" for name in _MODERN.values())})
#: What follows the name of the image's shape.
_LEGACY = {"auto": "", "bias": "", "lod": "Lod", "grad": "Grad"}
_SHAPES = {"2D": "2D", "Cube": "Cube", "3D": "3D", "1D": "1D", "External": "2D"}


def lookup(i: Instruction, dialect: Dialect, names: Names, of: Callable[[Value], Text]) -> Text:
    """Return the call that samples a texture."""
    access: TextureAccess = i.attribute
    indices = [of(o) for o in i.operands[: access.address.index_count]]
    sampler = names.element(access.address, indices)
    coordinate, *others = i.operands[access.address.index_count :]
    coordinates = of(coordinate)
    if access.kind.is_shadow:
        reference, *others = others
        width = coordinate.type.width + 1
        filler = ["0.0"] if dialect.is_modern and access.kind.name == "sampler1DShadow" else []
        coordinates = call(f"vec{max(width, 3)}", coordinates, *filler, of(reference))
    arguments = [sampler, coordinates, *map(of, others)]
    if dialect.is_modern:
        name, offset = _MODERN[access.mode], access.offset
        if names.hides(name) and access.kind.can_offset:
            # A sampler of ES 1.00 may be called `texture`: the function of another name does the same.
            offset = offset or (0,) * access.kind.dimensions
        if offset:
            numbers = ", ".join(map(str, offset))
            moved = numbers if len(offset) == 1 else f"ivec{len(offset)}({numbers})"
            # The bias is the last argument.
            arguments.insert(3 if access.mode in ("lod", "fetch") else 4 if access.mode == "grad" else 2, Text(moved))
            name += "Offset"
    else:
        name = f"texture{_SHAPES[access.kind.shape]}{_LEGACY[access.mode]}"
        if dialect.is_es and access.mode in ("lod", "grad") and (access.mode == "grad" or names.is_fragment):
            name += "EXT"
        if access.kind.is_shadow:
            name = name.replace("texture", "shadow")
            return Text(f"{call(name, *arguments).text}.x", POSTFIX)
    result = call(name, *arguments)
    return call(i.type.name, result) if access.kind.texel == "uint" else result


def size_of_texture(i: Instruction, names: Names, of: Callable[[Value], Text]) -> Text:
    """Return the call that yields the size of a level."""
    access: TextureAccess = i.attribute
    *indices, level = i.operands
    arguments = [names.element(access.address, [of(o) for o in indices])]
    if access.kind.shape not in ("2DRect", "Buffer"):
        arguments.append(of(level))
    return call("textureSize", *arguments)
