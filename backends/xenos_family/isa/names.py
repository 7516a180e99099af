"""Spellings that assembler and disassembler share: data formats, filters, buffers, older names."""

from __future__ import annotations

from collections.abc import Mapping

#: Buffers by number, see `registers.py`.
BUFFERS = ("NO ALLOC", "POSITION", "PARAM/PIXEL", "MEMORY")
#: Vertex formats that have a name in text; others are TYPE(0x..).
FORMATS: Mapping[int, str] = {
    0: "FMT_1_REVERSE",
    2: "FMT_8",
    6: "FMT_8_8_8_8",
    10: "FMT_8_8",
    24: "FMT_16",
    25: "FMT_16_16",
    26: "FMT_16_16_16_16",
    33: "FMT_32",
    34: "FMT_32_32",
    35: "FMT_32_32_32_32",
    36: "FMT_32_FLOAT",
    37: "FMT_32_32_FLOAT",
    38: "FMT_32_32_32_32_FLOAT",
    57: "FMT_32_32_32_FLOAT",
}
FILTERS = ("POINT", "LINEAR", "BASEMAP")
ANISOTROPIES = ("DISABLED", "MAX_1_1", "MAX_2_1", "MAX_4_1", "MAX_8_1", "MAX_16_1")
ARBITRARY_FILTERS = ("2x4_SYM", "2x4_ASYM", "4x2_SYM", "4x2_ASYM", "4x4_SYM", "4x4_ASYM")
LOCATIONS = ("CENTROID", "CENTER")
#: Option -> (field, names of its values) of a texture fetch, in the order of text; other values are numbers.
TEXTURE_CHOICES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "MAG": ("mag", FILTERS),
    "MIN": ("min", FILTERS),
    "MIP": ("mip", FILTERS),
    "ANISO": ("aniso", ANISOTROPIES),
    "ARBITRARY": ("arbitrary", ARBITRARY_FILTERS),
    "VOL_MAG": ("vol_mag", FILTERS),
    "VOL_MIN": ("vol_min", FILTERS),
}
#: Letters of a fetch's destination, by the value of three bits.
FETCH_COMPONENTS = "xyzw01?_"
#: Names in older texts.
SCALAR_ALIASES: Mapping[str, str] = {"RCP": "RECIP_IEEE", "RSQ": "RECIPSQ_IEEE", "MOV": "MAXs"}
BUFFER_ALIASES: Mapping[str, str] = {"COORD": "POSITION"}
#: Suffix of a predicated instruction, by the wanted predicate.
SUFFIXES = ("NE", "EQ")
