"""Where a run's constants are: registers that all pixels share, then immediates."""

from __future__ import annotations

from glslc_multi.backends.theia.isa.registers import OUTPUTS

#: Lanes of a row, and registers of the variant that has most.
LANES, REGISTERS = 3, OUTPUTS.stop


def lane_word(register: int, lane: int) -> int:
    """Number the constant of a run that is a lane of a register which all pixels share."""
    return LANES * register + lane


def immediate_word(index: int) -> int:
    """Number the constant that is the low half of a word of the program."""
    return LANES * REGISTERS + index
