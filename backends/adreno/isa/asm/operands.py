"""What lines of several kinds share: opcodes with their suffix, numbers of registers, raw words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from backends.adreno.isa import formats, instructions, names
from backends.adreno.isa.asm.text import Cursor, Mistake, unknown
from backends.adreno.isa.registers import REGISTERS
from compiler.diagnostics.catalogue.machine import ADRENO_NOT_ENCODABLE
from compiler.isa.fields import Format, from_words

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
LAST_REGISTER = REGISTERS - 1
_SUFFIX = re.compile(r"EQ|NE")
_BASE = re.compile(r"a0|aL")


def not_encodable(rule: str, start: int, end: int) -> Mistake:
    return Mistake(ADRENO_NOT_ENCODABLE, start, end, rule=rule)


def raw_word(cursor: Cursor) -> int | None:
    """The word of a line `WORDS(a, b, c)`."""
    if not cursor.accept("WORDS("):
        return None
    dwords = []
    for index in range(formats.SLOT_SIZE // 32):
        if index:
            cursor.require(",")
        dwords.append(cursor.number("a dword", 0, 0xFFFFFFFF))
    cursor.require(")")
    cursor.finish()
    return from_words(dwords)


def opcode(
    cursor: Cursor,
    known: Mapping[str, instructions.Operation],
    aliases: Mapping[str, str],
    part: str,
    predicate: dict[str, int] | None = None,
) -> int:
    """The code of an operation; its suffix goes to `predicate`."""
    code = code_by_number(cursor, "OP", formats.ALU, part, predicate)
    if code is not None:
        return code
    match = cursor.need(NAME, "an operation")
    name = aliases.get(match[0], match[0])
    if name not in known and predicate is not None:
        name = without_suffix(name, predicate)
    if name not in known:
        raise unknown("operation", match, known)
    return known[name].code


def code_by_number(
    cursor: Cursor, kind: str, layout: Format, part: str, predicate: dict[str, int] | None
) -> int | None:
    """The code in `OP(n)`."""
    if not cursor.accept(f"{kind}("):
        return None
    code = cursor.number("the operation", *layout.by_name[part].range)
    cursor.require(")")
    if predicate is not None and (suffix := cursor.take(_SUFFIX)):
        without_suffix(suffix[0], predicate)
    return code


def without_suffix(name: str, predicate: dict[str, int]) -> str:
    """The name without EQ or NE, which say that the instruction is predicated."""
    if not name.endswith(names.SUFFIXES):
        return name
    predicate.update(predicated=1, pred_condition=names.SUFFIXES.index(name[-2:]))
    return name[:-2]


def numbered(cursor: Cursor, what: str, last: int) -> tuple[int, str]:
    """The number after a bank's letter, and what it is relative to."""
    if not cursor.accept("["):
        return cursor.number(what, 0, last), ""
    base = cursor.need(_BASE, "a0 or aL")
    cursor.require("+")
    number = cursor.number(what, 0, last)
    cursor.require("]")
    return number, base[0]
