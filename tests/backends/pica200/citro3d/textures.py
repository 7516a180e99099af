"""Images of the driver library: objects with memory of their own, and what texture units that read them are sent.

That is made at the draw, so that what changes an image after it was bound counts as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.isa.fragment.registers import BY_NAME
from glslc_multi.backends.pica200.isa.fragment.registers.textures import FORMATS
from tests.backends.pica200.citro3d.context import Context, Image
from tests.backends.pica200.citro3d.enumerators import number_of

#: Bits of a texel.
_BITS = dict(zip(FORMATS.values(), (32, 24, 16, 16, 16, 16, 16, 8, 8, 8, 4, 4, 4, 8), strict=True))
#: What the library's allocator begins images at.
_ALIGNMENT = 0x80
_ADDRESS_UNIT = 8
#: Of the addresses of a cube's further sides, which share the rest with the first.
_SIDE_BITS = 22
_SIDES = 6
_FLAT, _CUBES, _SHADOWS = 0, (1, 4), (2, 4)
_ETC1 = 2
_CLEAR_CACHE = 1 << 16
_LEAST_LOD, _MOST_LOD = -0x1000, 0xFFF
_MOST_SHADOW_BIAS = (1 << 24) - 1


def _init_with_params(
    context: Context, name: str, width: int, height: int, format: str, type: str, levels: int, in_vram: int
) -> None:
    if in_vram:
        raise ValueError("addresses in video memory are not modelled")
    if levels:
        raise ValueError("images with smaller ones are not modelled")
    kind, texels = number_of("texture type", type), number_of("texture format", format)
    size = width * height * _BITS[FORMATS[texels]] // 8
    context.images[name] = Image(width, height, texels, kind, context.free_memory, size)
    used = size * (_SIDES if kind in _CUBES else 1)
    context.free_memory += used + -used % _ALIGNMENT


def _init(context: Context, name: str, width: int, height: int, format: str) -> None:
    _init_with_params(context, name, width, height, format, "GPU_TEX_2D", 0, 0)


def _set_filter(context: Context, name: str, mag: str, min: str) -> None:
    image = context.images[name]
    image.mag, image.min = number_of("filter", mag), number_of("filter", min)


def _set_wrap(context: Context, name: str, s: str, t: str) -> None:
    image = context.images[name]
    image.wrap_s, image.wrap_t = number_of("wrap", s), number_of("wrap", t)


def _set_lod_bias(context: Context, name: str, bias: float) -> None:
    context.images[name].lod_bias = min(max(int(bias * 256), _LEAST_LOD), _MOST_LOD)


def _set_border(context: Context, name: str, colour: int) -> None:
    context.images[name].border = colour


def _bind(context: Context, unit: int, name: str | None) -> None:
    """Units 1 and 2 take flat images alone, and say nothing."""
    if unit and context.images[str(name)].type != _FLAT:
        return
    context.units[unit] = None if name is None else context.images[name]
    context.bound.add(unit)


def _shadow_params(context: Context, perspective: str, bias: float) -> None:
    steps = min(int(abs(bias) * (1 << 24)), _MOST_SHADOW_BIAS)
    context.set("TEXUNIT0_SHADOW", "", steps & ~1 | 1 - number_of("bool", perspective))


TEXTURE_CALLS: Mapping[str, Callable[..., None]] = {
    "C3D_TexInitWithParams": _init_with_params,
    "C3D_TexInit": _init,
    "C3D_TexSetFilter": _set_filter,
    "C3D_TexSetWrap": _set_wrap,
    "C3D_TexSetLodBias": _set_lod_bias,
    "tex->border": _set_border,
    "C3D_TexBind": _bind,
    "C3D_TexShadowParams": _shadow_params,
}


def texture_writes(context: Context) -> Iterator[Write]:
    """The units that something was bound to, then what all have in common."""
    for unit in sorted(context.bound):
        image = context.units[unit]
        if image is not None:
            yield from _unit_writes(unit, image)
    config, shadow = BY_NAME["TEXUNIT_CONFIG"].address, BY_NAME["TEXUNIT0_SHADOW"].address
    if not context.bound and context.changed.isdisjoint((config, shadow)):
        return
    word = context.registers[config]
    if context.bound:
        word = word & ~0b111 | sum(1 << unit for unit, image in context.units.items() if image) | _CLEAR_CACHE
    yield Write(config, word, 0b1011)
    if word & _CLEAR_CACHE:
        yield Write(config, _CLEAR_CACHE, 0b0100)
    yield Write(shadow, context.registers[shadow])


def _unit_writes(unit: int, image: Image) -> Iterator[Write]:
    sampling = {
        "mag": image.mag,
        "min": image.min,
        "wrap_s": image.wrap_s,
        "wrap_t": image.wrap_t,
        "etc1": _ETC1 if FORMATS[image.format] == "etc1" else 0,
    }
    if unit == 0:
        sampling |= {"type": image.type, "shadow": int(image.type in _SHADOWS)}
    prefix = f"TEXUNIT{unit}_"
    yield Write(BY_NAME[f"{prefix}BORDER_COLOR"].address, image.border)
    yield _write(f"{prefix}DIM", width=image.width, height=image.height)
    yield _write(f"{prefix}PARAM", **sampling)
    yield _write(f"{prefix}LOD", bias=image.lod_bias)
    sides = [(image.address + side * image.size) // _ADDRESS_UNIT for side in range(_SIDES)]
    yield _write(f"{prefix}ADDR{'' if unit else 1}", address=sides[0])
    for side, address in enumerate(sides[1:] if image.type in _CUBES else (), start=2):
        yield _write(f"{prefix}ADDR{side}", address=address % (1 << _SIDE_BITS))
    yield _write(f"{prefix}TYPE", format=image.format)


def _write(name: str, **fields: int) -> Write:
    register = BY_NAME[name]
    return Write(register.address, register.format.encode(fields))
