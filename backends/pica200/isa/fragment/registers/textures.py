"""Registers of the texture units and of the procedural texture."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.pica200.isa.fragment.floats import F16
from glslc_multi.backends.pica200.isa.fragment.registers.layout import (
    Register,
    bits,
    colour,
    flag,
    layout,
    numbered,
    real,
)
from glslc_multi.backends.pica200.isa.fragment.tables import DATA_REGISTERS

_FILTERS = numbered("nearest", "linear")
_WRAPS = numbered("edge", "border", "repeat", "mirrored")
_TYPES = numbered("2d", "cube", "shadow_2d", "projection", "shadow_cube", "disabled")
FORMATS = numbered(
    "rgba8",
    "rgb8",
    "rgba5551",
    "rgb565",
    "rgba4",
    "la8",
    "hilo8",
    "l8",
    "a8",
    "la4",
    "l4",
    "a4",
    "etc1",
    "etc1a4",
)
_CUBE_SIDES = 6

_CONFIG = layout(
    "texunit_config",
    flag("unit0", 0, "unit 0 is on"),
    flag("unit1", 1, "unit 1 is on"),
    flag("unit2", 2, "unit 2 is on"),
    bits("unit3_coordinate", 9, 8, "what unit 3 looks up", numbered("texcoord0", "texcoord1", "texcoord2")),
    flag("unit3", 10, "unit 3, the procedural texture, is on"),
    flag("unit2_texcoord1", 13, "unit 2 looks up texcoord1, else texcoord2"),
    flag("clear_cache", 16, "forget texels"),
    ones=1 << 12,
)
_DIM = layout("dim", bits("height", 10, 0), bits("width", 26, 16))
_SAMPLING = (
    bits("mag", 1, 1, "enlarged", _FILTERS),
    bits("min", 2, 2, "made smaller", _FILTERS),
    bits("etc1", 5, 4, "2 for ETC1"),
    bits("wrap_t", 10, 8, "outside of 0 to 1", _WRAPS),
    bits("wrap_s", 14, 12, "outside of 0 to 1", _WRAPS),
    bits("mipmap", 24, 24, "between levels", _FILTERS),
)
_PARAM0 = layout("param0", *_SAMPLING, flag("shadow", 20), bits("type", 30, 28, "what is looked up", _TYPES))
_PARAM = layout("param", *_SAMPLING)
_LOD = layout(
    "lod",
    bits("bias", 12, 0, "added to the level of detail, in 256ths", signed=True),
    bits("max", 19, 16, "smallest image"),
    bits("min", 27, 24, "largest image"),
)
_ADDRESS = layout("address", bits("address", 27, 0, "physical address, in units of 8 bytes"))
_SHADOW = layout(
    "texture_shadow",
    flag("orthographic", 0, "coordinates are not divided by w"),
    bits("bias", 23, 1, "subtracted from the depth"),
)
_TYPE = layout("texture_type", bits("format", 3, 0, "format of the texels", FORMATS))


def _unit(number: int, base: int, format_address: int) -> Iterator[Register]:
    """The registers of units 1 and 2; the format's comes last."""
    rows = (("BORDER_COLOR", colour("border_color")), ("DIM", _DIM), ("PARAM", _PARAM), ("LOD", _LOD))
    for index, (name, fields) in enumerate((*rows, ("ADDR", _ADDRESS))):
        yield Register(base + index, f"TEXUNIT{number}_{name}", fields, f"unit {number}")
    yield Register(format_address, f"TEXUNIT{number}_TYPE", _TYPE, f"unit {number}")


_UNIT0 = (
    Register(0x081, "TEXUNIT0_BORDER_COLOR", colour("border_color"), "unit 0"),
    Register(0x082, "TEXUNIT0_DIM", _DIM, "unit 0"),
    Register(0x083, "TEXUNIT0_PARAM", _PARAM0, "unit 0"),
    Register(0x084, "TEXUNIT0_LOD", _LOD, "unit 0"),
    *(
        Register(0x085 + side, f"TEXUNIT0_ADDR{side + 1}", _ADDRESS, "unit 0; a side of a cube")
        for side in range(_CUBE_SIDES)
    ),
    Register(0x08B, "TEXUNIT0_SHADOW", _SHADOW, "unit 0"),
    Register(0x08E, "TEXUNIT0_TYPE", _TYPE, "unit 0"),
)

_CLAMPS = numbered("zero", "edge", "repeat", "mirrored", "pulse")
#: Functions of the procedural texture by code, and what they compute of u and v.
PROCEDURAL_FUNCTIONS = numbered("u", "u2", "v", "v2", "add", "add2", "sqrt2", "min", "max", "rmax")
_SHIFTS = numbered("none", "odd", "even")
_PROCEDURAL_FILTERS = numbered(
    "nearest",
    "linear",
    "nearest_mip_nearest",
    "linear_mip_nearest",
    "nearest_mip_linear",
    "linear_mip_linear",
)
_PROCEDURAL = layout(
    "procedural",
    bits("u_clamp", 2, 0, "u outside of 0 to 1", _CLAMPS),
    bits("v_clamp", 5, 3, "v outside of 0 to 1", _CLAMPS),
    bits("rgb_function", 9, 6, "of u and v", PROCEDURAL_FUNCTIONS),
    bits("a_function", 13, 10, "of u and v, for alpha", PROCEDURAL_FUNCTIONS),
    flag("separate_alpha", 14, "alpha has its own function and map"),
    flag("noise", 15, "noise is added to u and v"),
    bits("u_shift", 17, 16, "rows that are moved", _SHIFTS),
    bits("v_shift", 19, 18, "columns that are moved", _SHIFTS),
    bits("bias_low", 27, 20, "low bits of the bias of the level of detail"),
)
_NOISE = layout(
    "noise",
    bits("amplitude", 15, 0, "in 4096ths", signed=True),
    real("phase", 16, F16),
)
_FREQUENCY = layout("frequency", real("u", 0, F16), real("v", 16, F16))
_COLOURS = layout(
    "colours",
    bits("filter", 2, 0, "between colours", _PROCEDURAL_FILTERS),
    bits("fixed", 10, 3, "always 0x60"),
    bits("width", 18, 11, "how many colours there are"),
    bits("bias_high", 26, 19, "high bits of the bias of the level of detail"),
)
_COLOUR_OFFSET = layout("colour_offset", bits("offset", 7, 0, "the first colour"), bits("fixed", 31, 8, "0xE0C080"))
_PROCEDURAL_INDEX = layout(
    "procedural_index",
    bits("entry", 7, 0, "the entry that is written next"),
    bits("table", 11, 8, "0 noise, 2 colour map, 3 alpha map, 4 colours, 5 their differences"),
)
_PROCEDURAL_ENTRY = layout("procedural_entry", bits("entry", 31, 0, "as the table has it"))

ROWS: tuple[Register, ...] = (
    Register(0x080, "TEXUNIT_CONFIG", _CONFIG, "which units are on, and what they look up"),
    *_UNIT0,
    *_unit(1, 0x091, 0x096),
    *_unit(2, 0x099, 0x09E),
    Register(0x0A8, "TEXUNIT3_PROCTEX0", _PROCEDURAL, "procedural texture"),
    Register(0x0A9, "TEXUNIT3_PROCTEX1", _NOISE, "procedural texture: noise of u"),
    Register(0x0AA, "TEXUNIT3_PROCTEX2", _NOISE, "procedural texture: noise of v"),
    Register(0x0AB, "TEXUNIT3_PROCTEX3", _FREQUENCY, "procedural texture: frequencies of the noise"),
    Register(0x0AC, "TEXUNIT3_PROCTEX4", _COLOURS, "procedural texture: colours"),
    Register(0x0AD, "TEXUNIT3_PROCTEX5", _COLOUR_OFFSET, "procedural texture: colours"),
    Register(0x0AF, "PROCTEX_LUT", _PROCEDURAL_INDEX, "place in the tables of the procedural texture"),
    *(
        Register(0x0B0 + n, f"PROCTEX_LUT_DATA{n}", _PROCEDURAL_ENTRY, "entry of a table of the procedural texture")
        for n in range(DATA_REGISTERS)
    ),
)
