"""What words of assembly text mean: registers, raw words, and the suffix of a predicated instruction."""

from __future__ import annotations

from glslc_multi.backends.xenos_family.isa import names
from glslc_multi.backends.xenos_family.isa.asm.syntax import Raw, Register
from glslc_multi.backends.xenos_family.isa.registers import REGISTERS
from glslc_multi.compiler.isa.fields import from_words
from glslc_multi.compiler.isa.mistakes import Word
from glslc_multi.compiler.isa.numbers import in_range

LAST_REGISTER = REGISTERS - 1
_DWORD = 0xFFFFFFFF


def number_and_base(register: Register, what: str, last: int) -> tuple[int, str]:
    """The number of a register, and what it is relative to."""
    if register.base is None or register.number is None:
        return in_range(register.word, what, 0, last, group="number"), ""
    return in_range(register.number, what, 0, last), register.base[0]


def raw_word(raw: Raw) -> int:
    """The word whose dwords a line gives."""
    return from_words([in_range(word, "a dword", 0, _DWORD) for word in raw.numbers])


def predicate_of(name: Word) -> dict[str, int]:
    """The fields that the suffix EQ or NE sets, which says that the instruction is predicated."""
    suffix = name["suffix"]
    return {} if suffix is None else {"predicated": 1, "pred_condition": names.SUFFIXES.index(suffix)}
