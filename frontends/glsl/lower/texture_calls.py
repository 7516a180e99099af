"""Calls of texture functions: which texel, how its level is found, and what of it is the result.

What a function's name says of its arguments stands in `frontends/glsl/library/textures.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import int_constant
from glslc_multi.compiler.ir.module import Constant, Value
from glslc_multi.compiler.ir.samplers import SamplerKind
from glslc_multi.compiler.ir.variables import TextureAccess
from glslc_multi.compiler.shading.emitter import Emitter
from glslc_multi.compiler.shading.lvalues import MemoryLValue
from glslc_multi.compiler.shading.operand import Operand
from glslc_multi.frontends.glsl.library.textures import (
    Lookup,
    has_levels,
    lookup_of,
    offset_argument,
    reference_component,
)
from glslc_multi.frontends.glsl.symbols import BuiltinFunction
from glslc_multi.frontends.glsl.types import VEC4


def is_lookup(function: BuiltinFunction) -> bool:
    """Whether this is a texture function, whose first argument is a sampler."""
    return lookup_of(function.name) is not None


def lower_lookup(
    emitter: Emitter, function: BuiltinFunction, sampler: MemoryLValue, arguments: Sequence[Operand]
) -> Operand:
    """Sample a texture, or ask for its size; `arguments` are those after the sampler."""
    lookup = lookup_of(function.name)
    assert lookup is not None
    if lookup.is_size:
        address, indices = sampler.address(emitter)
        access = TextureAccess(address)
        levels = [argument.value for argument in arguments] if has_levels(access.kind) else [int_constant(0)]
        return Operand(function.return_type, (emitter.texture_size(access, [*indices, *levels]),), function.precision)
    address, indices = sampler.address(emitter)
    kind = TextureAccess(address).kind
    emitter.at_precision(arguments[0].precision)
    point = _place(emitter, lookup, kind, arguments[0].value)
    extra = [argument.value for argument in arguments[1:]]
    offset = _numbers(extra.pop(offset_argument(lookup, kind) - 2)) if lookup.has_offset else ()
    if lookup.mode == "fetch" and not extra:
        extra = [int_constant(0)]
    mode = "bias" if lookup.mode == "auto" and extra else lookup.mode
    emitter.at_precision(sampler.precision)
    texel = emitter.texture(TextureAccess(address, mode, offset), [*indices, *point, *extra])
    return Operand(function.return_type, (_result(emitter, function, kind, texel),), sampler.precision)


def _place(emitter: Emitter, lookup: Lookup, kind: SamplerKind, coordinate: Value) -> list[Value]:
    """The coordinate without what it has no use for, divided by its last component where the name says so; and the
    depth to compare with."""
    width = kind.coordinate_width
    if lookup.mode == "fetch":
        return [coordinate]
    pattern = [*range(width), *([reference_component(kind)] if kind.is_shadow else [])]
    point = emitter.swizzle(coordinate, pattern)
    if lookup.is_projective:
        last = coordinate.type.width - 1
        point = emitter.op(ops.FDIV, point, emitter.swizzle(coordinate, [last] * len(pattern)))
    if not kind.is_shadow:
        return [point]
    return [emitter.swizzle(point, range(width)), emitter.swizzle(point, [width])]


def _numbers(offset: Value) -> tuple[int, ...]:
    assert isinstance(offset, Constant)
    return tuple(int(component or 0) for component in offset.components)


def _result(emitter: Emitter, function: BuiltinFunction, kind: SamplerKind, texel: Value) -> Value:
    """Of a comparison the verdict; the old names repeat it as the luminance of a color (GL 2.1 section 3.8.14)."""
    if not kind.is_shadow:
        return texel
    return emitter.swizzle(texel, (0, 0, 0, 3) if function.return_type is VEC4 else (0,))
