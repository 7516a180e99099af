"""Registers of the lighting unit: eight lights, and what is the same for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from glslc_multi.backends.pica200.isa.fragment.floats import F16, F20
from glslc_multi.backends.pica200.isa.fragment.registers.layout import (
    Part,
    Register,
    bits,
    flag,
    layout,
    numbered,
    real,
)
from glslc_multi.backends.pica200.isa.fragment.tables import DATA_REGISTERS, LIGHTS

#: Tables whose input can be chosen, and their places in the registers that choose it.
INPUT_TABLES: Mapping[str, int] = {"d0": 0, "d1": 1, "sp": 2, "fr": 3, "rb": 4, "rg": 5, "rr": 6}
#: What a table is looked up at.
INPUTS = numbered("n_dot_h", "v_dot_h", "n_dot_v", "l_dot_n", "l_dot_spot", "cos_phi")
#: Factors of what a table says.
SCALES = {0: "x1", 1: "x2", 2: "x4", 3: "x8", 6: "x0.25", 7: "x0.5"}
#: Code of a configuration -> the tables that count with it; that of the distance always does.
CONFIGURATIONS: Mapping[int, tuple[str, ...]] = {
    0: ("d0", "rr", "sp"),
    1: ("fr", "rr", "sp"),
    2: ("d0", "d1", "rr"),
    3: ("d0", "d1", "fr"),
    4: ("d0", "d1", "rr", "rg", "rb", "sp"),
    5: ("d0", "rr", "rg", "rb", "sp", "fr"),
    6: ("d0", "d1", "rr", "sp", "fr"),
    8: ("d0", "d1", "rr", "rg", "rb", "sp", "fr"),
}
_BUMP_MODES = numbered("off", "normal", "tangent")

_ENABLE0 = layout("lighting_enable0", flag("enable", 0, "lighting is on"))
_ENABLE1 = layout("lighting_enable1", flag("off", 0, "lighting is off"))


def _light_colour(name: str) -> tuple[Part, ...]:
    return (
        bits("b", 9, 0, f"{name}; 255 is 1"),
        bits("g", 19, 10, name),
        bits("r", 29, 20, name),
    )


_COLOUR = layout("light_color", *_light_colour("product of light and material"))
_XY = layout("light_xy", real("x", 0, F16, "position, or direction to the light"), real("y", 16, F16))
_Z = layout("light_z", real("z", 0, F16))
_SPOT_XY = layout(
    "spot_xy", bits("x", 12, 0, "opposite direction, in 2047ths", signed=True), bits("y", 28, 16, signed=True)
)
_SPOT_Z = layout("spot_z", bits("z", 12, 0, "opposite direction, in 2047ths", signed=True))
_LIGHT_CONFIG = layout(
    "light_config",
    flag("directional", 0, "the position is a direction"),
    flag("two_sided", 1, "lights both sides"),
    flag("geometric_factor0", 2, "specular 0 has the geometric factor"),
    flag("geometric_factor1", 3, "specular 1 has the geometric factor"),
)
_DISTANCE_BIAS = layout("distance_bias", real("bias", 0, F20, "added to the scaled distance"))
_DISTANCE_SCALE = layout("distance_scale", real("scale", 0, F20, "of the distance, before its table"))

#: Registers of a light that are colours.
LIGHT_COLOURS = ("SPECULAR0", "SPECULAR1", "DIFFUSE", "AMBIENT")
#: What 1 is in the directions of spots.
SPOT_ONE = 2047
LIGHT_BASE, LIGHT_STRIDE = 0x140, 0x10
#: The registers of a light by place; the ninth is unused.
LIGHT_REGISTERS = (
    ("SPECULAR0", 0x0, _COLOUR, "specular colour of distribution 0"),
    ("SPECULAR1", 0x1, _COLOUR, "specular colour of distribution 1"),
    ("DIFFUSE", 0x2, _COLOUR, "diffuse colour"),
    ("AMBIENT", 0x3, _COLOUR, "ambient colour"),
    ("XY", 0x4, _XY, "where it is"),
    ("Z", 0x5, _Z, "where it is"),
    ("SPOTDIR_XY", 0x6, _SPOT_XY, "where it shines from"),
    ("SPOTDIR_Z", 0x7, _SPOT_Z, "where it shines from"),
    ("CONFIG", 0x9, _LIGHT_CONFIG, "what it is like"),
    ("ATTENUATION_BIAS", 0xA, _DISTANCE_BIAS, "distance"),
    ("ATTENUATION_SCALE", 0xB, _DISTANCE_SCALE, "distance"),
)

_NUM_LIGHTS = layout("num_lights", bits("last", 2, 0, "number of lights less one"))
_CONFIG0 = layout(
    "lighting_config0",
    flag("shadow", 0, "shadows count"),
    flag("fresnel_primary", 2, "table fr is the alpha of the primary colour"),
    flag("fresnel_secondary", 3, "table fr is the alpha of the secondary colour"),
    bits("configuration", 7, 4, "which tables count", {code: f"layer{min(code, 7)}" for code in CONFIGURATIONS}),
    bits("fixed", 11, 8, "always 4"),
    flag("shadow_primary", 16, "shadows darken the primary colour"),
    flag("shadow_secondary", 17, "shadows darken the secondary colour"),
    flag("invert_shadow", 18, "shadows are where the texture is bright"),
    flag("shadow_alpha", 19, "shadows darken alpha"),
    bits("bump_unit", 23, 22, "texture unit of the bump map"),
    bits("shadow_unit", 25, 24, "texture unit of the shadow map"),
    flag("clamp_highlights", 27, "no specular colour behind the surface"),
    bits("bump", 29, 28, "what the bump map turns", _BUMP_MODES),
    flag("bump_z", 30, "the map has z, too"),
    flag("fixed_high", 31, "always 1"),
)
_CONFIG1 = layout(
    "lighting_config1",
    *(flag(f"no_shadow{light}", light, f"light {light} casts no shadow") for light in range(LIGHTS)),
    *(flag(f"no_spot{light}", 8 + light, f"light {light} is no spot") for light in range(LIGHTS)),
    flag("no_d0", 16, "table d0 does not count"),
    flag("no_d1", 17, "table d1 does not count"),
    flag("fixed", 18, "always 1"),
    flag("no_fr", 19, "table fr does not count"),
    flag("no_rb", 20, "table rb does not count; some sources say rr"),
    flag("no_rg", 21, "table rg does not count"),
    flag("no_rr", 22, "table rr does not count; some sources say rb"),
    flag("unused", 23, "1 after citro3d's start"),
    *(
        flag(f"no_distance{light}", 24 + light, f"the distance of light {light} does not count")
        for light in range(LIGHTS)
    ),
)
_INDEX = layout(
    "lighting_index",
    bits("entry", 7, 0, "the entry that is written next"),
    bits("table", 12, 8, "0 d0, 1 d1, 3 fr, 4 rb, 5 rg, 6 rr, 8 + l spot, 16 + l distance of light l"),
)
#: Entry of a table: what is between it and the next one is a straight line.
ENTRY = layout(
    "lighting_entry",
    bits("value", 11, 0, "in 4095ths"),
    bits("difference", 22, 12, "to the next entry, in 2047ths"),
    flag("negative", 23, "the difference is negative"),
)
_ABSOLUTE = layout(
    "lut_input_abs",
    *(
        flag(f"signed_{name}", 4 * place + 1, "the input is -1 to 1, else 0 to 1")
        for name, place in INPUT_TABLES.items()
    ),
)
_SELECT = layout(
    "lut_input_select",
    *(bits(name, 4 * place + 2, 4 * place, "what it is looked up at", INPUTS) for name, place in INPUT_TABLES.items()),
)
_SCALE = layout(
    "lut_input_scale",
    *(bits(name, 4 * place + 2, 4 * place, "times what it says", SCALES) for name, place in INPUT_TABLES.items()),
)
_PERMUTATION = layout(
    "permutation", *(bits(f"slot{slot}", 4 * slot + 2, 4 * slot, "the light of this slot") for slot in range(LIGHTS))
)


def signed_field(table: str) -> str:
    """The field of LIGHTING_LUTINPUT_ABS for a table; spots share one, and distances have none."""
    return f"signed_{'sp' if table.startswith('spot') else table}"


def _light(number: int) -> Iterator[Register]:
    for name, place, fields, doc in LIGHT_REGISTERS:
        address = LIGHT_BASE + LIGHT_STRIDE * number + place
        yield Register(address, f"LIGHT{number}_{name}", fields, f"light {number}: {doc}")


ROWS: tuple[Register, ...] = (
    Register(0x08F, "LIGHTING_ENABLE0", _ENABLE0, "lighting"),
    *(register for light in range(LIGHTS) for register in _light(light)),
    Register(0x1C0, "LIGHTING_AMBIENT", layout("ambient", *_light_colour("ambient light")), "ambient light"),
    Register(0x1C2, "LIGHTING_NUM_LIGHTS", _NUM_LIGHTS, "how many lights there are"),
    Register(0x1C3, "LIGHTING_CONFIG0", _CONFIG0, "what lighting is like"),
    Register(0x1C4, "LIGHTING_CONFIG1", _CONFIG1, "what is left out"),
    Register(0x1C5, "LIGHTING_LUT_INDEX", _INDEX, "place in the tables"),
    Register(0x1C6, "LIGHTING_ENABLE1", _ENABLE1, "lighting"),
    *(Register(0x1C8 + n, f"LIGHTING_LUT_DATA{n}", ENTRY, "entry of a table") for n in range(DATA_REGISTERS)),
    Register(0x1D0, "LIGHTING_LUTINPUT_ABS", _ABSOLUTE, "what tables are looked up at"),
    Register(0x1D1, "LIGHTING_LUTINPUT_SELECT", _SELECT, "what tables are looked up at"),
    Register(0x1D2, "LIGHTING_LUTINPUT_SCALE", _SCALE, "factors of what tables say"),
    Register(0x1D9, "LIGHTING_LIGHT_PERMUTATION", _PERMUTATION, "the lights of the slots"),
)
