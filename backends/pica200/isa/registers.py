"""Registers and limits: how many there are of each, and their numbers in words."""

from __future__ import annotations

from collections.abc import Mapping

COMPONENTS = "xyzw"

#: Bank -> number of registers, in code words and in assembly text.
BANKS: Mapping[str, int] = {"v": 16, "o": 16, "r": 16, "c": 96, "i": 4, "b": 16}
#: First number of each bank in a source field.
SOURCE_BASE: Mapping[str, int] = {"v": 0x00, "r": 0x10, "c": 0x20}
#: First number of each bank in a destination field.
DESTINATION_BASE: Mapping[str, int] = {"o": 0x00, "r": 0x10}
#: Address registers by the value of the field `idx`; 0 is none.
ADDRESS_REGISTERS = ("", "a0.x", "a0.y", "aL")

#: Output registers that reach the rasteriser; geometry shaders have no others.
MAPPED_OUTPUTS = 7

CODE_WORDS = 512
#: What fields of words can address.
ADDRESSES = 1 << 12
DESCRIPTORS = 128
#: MAD and MADI have five bits for the descriptor.
MAD_DESCRIPTORS = 32


def source_register(number: int) -> tuple[str, int]:
    """Bank and index of a register number in a source field."""
    if number < SOURCE_BASE["r"]:
        return "v", number
    if number < SOURCE_BASE["c"]:
        return "r", number - SOURCE_BASE["r"]
    return "c", number - SOURCE_BASE["c"]


def destination_register(number: int) -> tuple[str, int]:
    """Bank and index of a register number in a destination field."""
    return ("o", number) if number < DESTINATION_BASE["r"] else ("r", number - DESTINATION_BASE["r"])
