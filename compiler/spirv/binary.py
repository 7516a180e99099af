"""Reads and writes binaries: bytes and instructions (section 2.3 of the specification).

Everything that a file can do wrong ends here or is a well-formed operand: counts of words, ids against the bound,
texts against the end of their instruction.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Sequence

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.spirv.code import Code, Instruction, Invalid, Value, parameters_of
from glslc_multi.compiler.spirv.grammar import BY_NUMBER, kind_at
from glslc_multi.compiler.spirv.grammar.model import Row
from glslc_multi.compiler.spirv.grammar.refused import REFUSED_ROWS

MAGIC = 0x07230203
_MAGICS = {MAGIC.to_bytes(4, "little"): "little", MAGIC.to_bytes(4, "big"): "big"}
_HEADER = 5
#: The universal limit on ids (section 2.17).
_BOUND = 0x3FFFFF
#: The text form begins with as many lines.
HEADER_LINES = 5


# ----------------------------------------------------------------------------------------- reading
def read_binary(data: bytes) -> Code:
    """The instructions of a binary module, which begins with the magic number; raises `Invalid`."""
    words = _words(data)
    bound = words[3]
    if not 0 < bound <= _BOUND:
        raise Invalid(messages.NOT_A_MODULE, None, what=f"its bound of ids is {bound}, of at most {_BOUND}")
    instructions: list[Instruction] = []
    position, end = _HEADER, len(words)
    while position < end:
        first = words[position]
        after = position + (first >> 16)
        row = BY_NUMBER.get(first & 0xFFFF) or REFUSED_ROWS.get(first & 0xFFFF)
        if row is None or after == position or after > end:
            raise _unreadable(first, position, end)
        instructions.append(_read(row, words[position + 1 : after], bound, len(instructions)))
        position = after
    version = words[1]
    return Code(instructions, bound, (version >> 16 & 0xFF, version >> 8 & 0xFF), words[2])


def _words(data: bytes) -> list[int]:
    if len(data) % 4 or len(data) < 4 * _HEADER:
        raise Invalid(messages.NOT_A_MODULE, None, what=f"{len(data)} bytes are no whole words after a header")
    words = array("I", data)
    if _MAGICS[data[:4]] != sys.byteorder:
        words.byteswap()
    return words.tolist()


def _unreadable(first: int, position: int, end: int) -> Invalid:
    number, count = first & 0xFFFF, first >> 16
    row = BY_NUMBER.get(number) or REFUSED_ROWS.get(number)
    if row is None:
        return Invalid(messages.UNKNOWN_WORD, None, word=number, kind=f"instruction (at word {position})")
    what = "an instruction of no words" if count == 0 else f"{count} words, and {end - position} are left"
    return Invalid(messages.MALFORMED_INSTRUCTION, None, name=f"{row.name} at word {position}", what=what)


def _read(row: Row, words: list[int], bound: int, index: int) -> Instruction:
    """An instruction from the words after its first."""
    word_index = HEADER_LINES + 1 + index
    start = row.has_type + row.has_result
    if len(words) < start + row.least:
        raise Invalid(messages.MALFORMED_INSTRUCTION, word_index, name=row.name, what="operands are missing")
    type_ = words[0] if row.has_type else 0
    result = words[start - 1] if row.has_result else 0
    if (row.has_type and not 0 < type_ < bound) or (row.has_result and not 0 < result < bound):
        raise _out_of_bound(row, word_index, type_ if not 0 < type_ < bound and row.has_type else result)
    rest = words[start:]
    if not row.only_ids:
        return Instruction(row, type_, result, _Operands(row, rest, bound, word_index).read(), word_index)
    if not row.repeats and len(rest) > len(row.kinds):
        raise Invalid(
            messages.MALFORMED_INSTRUCTION, word_index, name=row.name, what="there are words after its operands"
        )
    if rest and (max(rest) >= bound or 0 in rest):
        raise _out_of_bound(row, word_index, next(id for id in rest if not 0 < id < bound))
    return Instruction(row, type_, result, rest, word_index)


def _out_of_bound(row: Row, place: int, id: int) -> Invalid:
    return Invalid(messages.BAD_ID, place, name=row.name, id=id, what="is 0, or not below the bound of the module")


class _Operands:
    """Words of one instruction, taken one operand after another."""

    def __init__(self, row: Row, words: Sequence[int], bound: int, place: int) -> None:
        self._row, self._words, self._bound, self._place = row, words, bound, place
        self._position = 0

    def read(self) -> list[Value]:
        kinds = self._row.kinds
        values: list[Value] = []
        number = 0
        while self._position < len(self._words):
            if number >= len(kinds) and not self._row.repeats:
                raise self._malformed("there are words after its operands")
            self._take(kind_at(self._row, number, values), values)
            number += 1
        return values

    def _take(self, kind: str, values: list[Value]) -> None:
        if kind == "string":
            # Bytes up to a zero, which is in the last of its words.
            data = b"".join(word.to_bytes(4, "little") for word in self._words[self._position :])
            end = data.find(b"\0")
            if end < 0:
                raise self._malformed("its text has no end")
            self._position += end // 4 + 1
            values.append(data[:end].decode("utf-8", "replace"))
        elif kind == "number":
            values += self._words[self._position :]
            self._position = len(self._words)
        elif kind == "case":
            values += (self._word("literal"), self._word("id"))
        elif kind == "pair":
            values += (self._word("id"), self._word("literal"))
        else:
            value = self._word(kind)
            values.append(value)
            for parameter in parameters_of(kind, value):
                self._take(parameter, values)

    def _word(self, kind: str) -> int:
        if self._position >= len(self._words):
            raise self._malformed("operands are missing")
        value = self._words[self._position]
        self._position += 1
        if kind in ("id", "label") and not 0 < value < self._bound:
            raise _out_of_bound(self._row, self._place, value)
        return value

    def _malformed(self, what: str) -> Invalid:
        return Invalid(messages.MALFORMED_INSTRUCTION, self._place, name=self._row.name, what=what)


# ----------------------------------------------------------------------------------------- writing
def write_binary(code: Code) -> bytes:
    """Return the words of a module, the lowest byte of each first."""
    words = [MAGIC, code.version[0] << 16 | code.version[1] << 8, code.generator, code.bound, 0]
    for instruction in code.instructions:
        own = [id for id in (instruction.type, instruction.result) if id]
        for operand in instruction.operands:
            own += _words_of_text(operand) if isinstance(operand, str) else [operand]
        words += [(len(own) + 1) << 16 | instruction.row.number, *own]
    return struct.pack(f"<{len(words)}I", *words)


def _words_of_text(text: str) -> tuple[int, ...]:
    """Return the words of a text, which ends in one to four zeros."""
    data = text.encode("utf-8")
    data += bytes(4 - len(data) % 4)
    return struct.unpack(f"<{len(data) // 4}I", data)
