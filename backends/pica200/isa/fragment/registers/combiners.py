"""Registers of the six combiner stages and of their buffer."""

from __future__ import annotations

from glslc_multi.backends.pica200.isa.fragment.combiners import (
    ALPHA_SELECTIONS,
    COLOUR_SELECTIONS,
    FUNCTIONS_BY_CODE,
    SCALES,
    SOURCES,
    STAGES,
)
from glslc_multi.backends.pica200.isa.fragment.registers.layout import Register, bits, colour, flag, layout

_SOURCE = {source.code: source.name for source in SOURCES.values()}
_COLOUR = {selection.code: selection.name for selection in COLOUR_SELECTIONS.values()}
_ALPHA = {selection.code: selection.name for selection in ALPHA_SELECTIONS.values()}
_FUNCTION = {code: function.name for code, function in FUNCTIONS_BY_CODE.items()}
_SCALE = {code: f"x{factor}" for code, factor in enumerate(SCALES)}

#: Operands of a combiner.
OPERANDS = 3

SOURCE = layout(
    "source",
    *(bits(f"rgb{n + 1}", 4 * n + 3, 4 * n, "source of a colour operand", _SOURCE) for n in range(OPERANDS)),
    *(bits(f"a{n + 1}", 4 * n + 19, 4 * n + 16, "source of an alpha operand", _SOURCE) for n in range(OPERANDS)),
)
OPERAND = layout(
    "operand",
    *(bits(f"rgb{n + 1}", 4 * n + 3, 4 * n, "channels of a colour operand", _COLOUR) for n in range(OPERANDS)),
    *(bits(f"a{n + 1}", 4 * n + 14, 4 * n + 12, "channel of an alpha operand", _ALPHA) for n in range(OPERANDS)),
)
COMBINER = layout(
    "combiner",
    bits("rgb", 3, 0, "function of the colour combiner", _FUNCTION),
    bits("a", 19, 16, "function of the alpha combiner", _FUNCTION),
)
CONSTANT = colour("constant")
SCALE = layout(
    "scale",
    bits("rgb", 1, 0, "scale of the colour combiner", _SCALE),
    bits("a", 17, 16, "scale of the alpha combiner", _SCALE),
)

#: First registers of the stages; note the gap between the fourth and the fifth.
STAGE_BASES = (0x0C0, 0x0C8, 0x0D0, 0x0D8, 0x0F0, 0x0F8)
#: The registers of a stage, in the order of their addresses.
STAGE_REGISTERS = (
    ("SOURCE", SOURCE, "sources of the operands"),
    ("OPERAND", OPERAND, "channels of the operands"),
    ("COMBINER", COMBINER, "functions"),
    ("COLOR", CONSTANT, "constant"),
    ("SCALE", SCALE, "scales"),
)

FOG_MODES = {0: "off", 5: "fog", 7: "gas"}

_BUFFER = layout(
    "update_buffer",
    bits("mode", 2, 0, "what fog does", FOG_MODES),
    flag("depth_density", 3, "density of gas: by its depth"),
    bits("rgb", 11, 8, "bit n: stage n writes its colour into the buffer"),
    bits("a", 15, 12, "bit n: stage n writes its alpha into the buffer"),
    flag("z_flip", 16, "fog counts depth from the other end"),
)

UPDATE_BUFFER = Register(0x0E0, "TEXENV_UPDATE_BUFFER", _BUFFER, "what the buffer takes, and the mode of fog")
BUFFER_COLOR = Register(0x0FD, "TEXENV_BUFFER_COLOR", colour("buffer_color"), "what is in the buffer at first")

ROWS: tuple[Register, ...] = (
    *(
        Register(STAGE_BASES[stage] + index, f"TEXENV{stage}_{name}", fields, f"stage {stage}: {doc}")
        for stage in range(STAGES)
        for index, (name, fields, doc) in enumerate(STAGE_REGISTERS)
    ),
    UPDATE_BUFFER,
    BUFFER_COLOR,
)
