"""What words of assembly text mean: numbers in a range, registers, and the suffix of a predicated instruction."""

from __future__ import annotations

from backends.adreno.isa import names
from backends.adreno.isa.asm.syntax import Raw, Register
from backends.adreno.isa.registers import REGISTERS
from compiler.diagnostics.catalogue.machine import ADRENO_NOT_ENCODABLE, ADRENO_OUT_OF_RANGE
from compiler.isa.assembly import Mistake, Place, Word, whole_number
from compiler.isa.fields import from_words

LAST_REGISTER = REGISTERS - 1
_DWORD = 0xFFFFFFFF


def in_range(word: Word, what: str, low: int, high: int, group: str | int = 0) -> int:
    """A number in a range; it is a group of the word."""
    text = word[group]
    value = whole_number(text[2:], 16) if text[:2] in ("0x", "0X") else whole_number(text.lstrip("-"))
    value = -value if text.startswith("-") else value
    if not low <= value <= high:
        raise Mistake(ADRENO_OUT_OF_RANGE, word.span(group), what=what, low=low, high=high, found=text)
    return value


def not_encodable(rule: str, place: Place) -> Mistake:
    return Mistake(ADRENO_NOT_ENCODABLE, place, rule=rule)


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
