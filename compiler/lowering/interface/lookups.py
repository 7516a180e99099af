"""Texture lookups that a machine lacks and that no lowering can have: refused at their place, with the way out."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import NOT_EXPRESSIBLE
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Module
from glslc_multi.compiler.ir.variables import TextureAccess
from glslc_multi.compiler.isa.textures import TextureUnit

#: Kind of texture -> as messages call it, and what to do without it.
_IMAGES = {
    "1d": ("1D textures", "use a 2D texture one row high"),
    "3d": ("3D textures", "use a 2D texture with the slices side by side"),
    "rect": ("rectangle textures", "use a 2D texture, and coordinates from 0 to 1"),
    "1d_array": ("arrays of 1D textures", "use a 2D texture with a row for each layer"),
    "2d_array": ("arrays of 2D textures", "use a 2D texture with the layers side by side, or several samplers"),
    "buffer": ("buffer textures", "use a 2D texture or an array of uniforms"),
}
#: The same of what is in the textures.
_WHOLE_NUMBERS = "textures of whole numbers", "use a texture of floats, and multiply what is read"
_DEPTHS = "lookups that compare depths", "use a sampler without 'Shadow', and compare what is read"
_PLACES = "sizes of textures, texels by number and offsets", "compute coordinates in the vertex shader"
_DETAIL = "a texture lookup with a level of detail of its own", "let the hardware choose the level"
_LEVELS = "sizes and texels of levels other than 0", "use level 0, or textureLod with coordinates from 0 to 1"


def refuse_lookups(module: Module, target: str, unit: TextureUnit, sink: DiagnosticSink) -> None:
    """Report what is asked of textures that the machine lacks; 2D textures and cube maps its own checks know best."""
    for function in module.functions.values():
        for instruction in function.instructions():
            refused = _refused(instruction, unit) if isinstance(instruction.attribute, TextureAccess) else None
            if refused is not None:
                construct, help = refused
                sink.report(NOT_EXPRESSIBLE, instruction.span, target=target, construct=construct, help=help)
    sink.raise_if_errors()


def _refused(lookup: Instruction, unit: TextureUnit) -> tuple[str, str] | None:
    access: TextureAccess = lookup.attribute
    kind = access.kind
    if not unit.images:
        return None
    is_row = kind.image_kind == "1d" and unit.rows
    if kind.image_kind in _IMAGES and kind.image_kind not in unit.images and not is_row:
        return _IMAGES[kind.image_kind]
    if kind.texel != "float":
        return _WHOLE_NUMBERS
    if kind.is_shadow and not unit.computes_coordinates:
        return _DEPTHS
    if not unit.computes_coordinates and (access.offset or access.mode == "fetch" or lookup.op is ops.TEXTURE_SIZE):
        return _PLACES
    if not unit.computes_coordinates and access.mode not in unit.modes:
        return _DETAIL
    asks_texels = lookup.op is ops.TEXTURE_SIZE or access.mode == "fetch"
    return _LEVELS if asks_texels and not _is_base_level(lookup) else None


def _is_base_level(lookup: Instruction) -> bool:
    level = lookup.operands[-1]
    # An undefined level may be any.
    return isinstance(level, Constant) and level.components[0] in (0, None)
