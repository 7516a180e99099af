"""Registers of fog and of gas. The mode is in TEXENV_UPDATE_BUFFER."""

from __future__ import annotations

from glslc_multi.backends.pica200.isa.fragment.registers.layout import Register, bits, colour, layout
from glslc_multi.backends.pica200.isa.fragment.tables import DATA_REGISTERS

_WORD = layout("word", bits("value", 31, 0))
_GAS_DEPTH = layout(
    "gas_depth",
    bits("value", 23, 0),
    bits("function", 25, 24, "depth test of gas", {0: "never", 1: "always", 2: "greater", 3: "less"}),
)
_INDEX = layout("fog_index", bits("entry", 15, 0, "the entry that is written next"))

#: Entry of the table: what is between it and the next one is a straight line.
ENTRY = layout(
    "fog_entry",
    bits("difference", 12, 0, "to the next entry, in 2048ths", signed=True),
    bits("value", 23, 13, "in 2048ths"),
)

FOG_COLOR = Register(0x0E1, "FOG_COLOR", colour("fog_color", alpha=False), "what fog makes of a colour")

ROWS: tuple[Register, ...] = (
    FOG_COLOR,
    Register(0x0E4, "GAS_ATTENUATION", _WORD, "gas: attenuation"),
    Register(0x0E5, "GAS_ACCMAX", _WORD, "gas: the largest density"),
    Register(0x0E6, "FOG_LUT_INDEX", _INDEX, "place in the fog table"),
    *(Register(0x0E8 + n, f"FOG_LUT_DATA{n}", ENTRY, "entry of the fog table") for n in range(DATA_REGISTERS)),
    Register(0x120, "GAS_LIGHT_XY", _WORD, "gas: light"),
    Register(0x121, "GAS_LIGHT_Z", _WORD, "gas: light"),
    Register(0x122, "GAS_LIGHT_Z_COLOR", _WORD, "gas: light"),
    Register(0x123, "GAS_LUT_INDEX", _WORD, "place in the gas table"),
    Register(0x124, "GAS_LUT_DATA", _WORD, "entry of the gas table"),
    Register(0x125, "GAS_ACCMAX_FEEDBACK", _WORD, "gas: the largest density found"),
    Register(0x126, "GAS_DELTAZ_DEPTH", _GAS_DEPTH, "gas: depth"),
)
