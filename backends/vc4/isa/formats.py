"""The bits of an instruction word, 64 in all.

Bits 63 to 60, the signal, select one of four formats: an ALU instruction (signals 0 to 12), one with a small
immediate instead of the file B address (13), an immediate of 32 bits (14), a branch (15).
"""

from __future__ import annotations

from glslc_multi.compiler.isa.fields import Field, Format

WORD_SIZE = 64
WORD_BYTES = WORD_SIZE // 8

#: The address of no register, in all four address fields.
NOWHERE = 39
NO_SIGNAL, SMALL_IMMEDIATE, LOAD, BRANCH = 1, 13, 14, 15

_SIGNAL = Field("sig", 60, 4, default=NO_SIGNAL, doc="signal; selects the format")
_WRITE_SWAP = Field("ws", 44, 1, doc="0: ADD writes file A, MUL file B; 1: the reverse")
_SET_FLAGS = Field("sf", 45, 1, doc="set flags")
_WRITE_ADDRESSES = (
    Field("waddr_add", 38, 6, default=NOWHERE, doc="destination of ADD"),
    Field("waddr_mul", 32, 6, default=NOWHERE, doc="destination of MUL"),
)
_PACK = (
    Field("pm", 56, 1, doc="0: file A is packed and unpacked; 1: the result of MUL is packed, r4 unpacked"),
    Field("pack", 52, 4, doc="pack mode"),
)
_CONDITIONS = (
    Field("cond_add", 49, 3, doc="condition of ADD's write"),
    Field("cond_mul", 46, 3, doc="condition of MUL's write"),
)
_IMMEDIATE = Field("immediate", 0, 32)

ALU_FORMAT = Format(
    "alu",
    WORD_SIZE,
    (
        _SIGNAL,
        Field("unpack", 57, 3, doc="unpack mode"),
        *_PACK,
        *_CONDITIONS,
        _SET_FLAGS,
        _WRITE_SWAP,
        *_WRITE_ADDRESSES,
        Field("op_mul", 29, 3, doc="operation of MUL"),
        Field("op_add", 24, 5, doc="operation of ADD"),
        Field("raddr_a", 18, 6, default=NOWHERE, doc="address in file A"),
        Field("raddr_b", 12, 6, default=NOWHERE, doc="address in file B, or code of the small immediate"),
        Field("add_a", 9, 3, doc="operands: 0 to 5 r0 to r5, 6 file A, 7 file B or the small immediate"),
        Field("add_b", 6, 3),
        Field("mul_a", 3, 3),
        Field("mul_b", 0, 3),
    ),
)
LOAD_FORMAT = Format(
    "load immediate",
    WORD_SIZE,
    (
        _SIGNAL,
        Field("mode", 57, 3, doc="0 one value, 1 signed and 3 unsigned numbers of two bits a lane, 4 semaphore"),
        *_PACK,
        *_CONDITIONS,
        _SET_FLAGS,
        _WRITE_SWAP,
        *_WRITE_ADDRESSES,
        _IMMEDIATE,
    ),
)
BRANCH_FORMAT = Format(
    "branch",
    WORD_SIZE,
    (
        _SIGNAL,
        Field("cond", 52, 4, default=15, doc="condition over all lanes"),
        Field("relative", 51, 1, doc="the target counts from after the delay slots"),
        Field("use_register", 50, 1, doc="the target is increased by a register of file A"),
        Field("raddr_a", 45, 5, doc="that register; the lowest bit also means: set flags"),
        _WRITE_SWAP,
        *_WRITE_ADDRESSES,
        Field("immediate", 0, 32, signed=True, doc="in bytes"),
    ),
)
FORMATS = (ALU_FORMAT, LOAD_FORMAT, BRANCH_FORMAT)


def format_of(word: int) -> Format:
    """The format of a word."""
    signal = _SIGNAL.extract(word)
    if signal == BRANCH:
        return BRANCH_FORMAT
    return LOAD_FORMAT if signal == LOAD else ALU_FORMAT
