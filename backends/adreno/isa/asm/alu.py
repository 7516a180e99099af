"""The lines of an ALU instruction, one for each half, to its word."""

from __future__ import annotations

import re
from collections.abc import Mapping

from backends.adreno.isa import formats, instructions, names
from backends.adreno.isa.asm.operands import LAST_REGISTER, not_encodable, numbered, opcode, raw_word
from backends.adreno.isa.asm.text import Cursor
from backends.adreno.isa.registers import CONSTANTS
from compiler.records import dataclass

_CLAMP = re.compile(r"CLAMP\b")
_DESTINATION = re.compile(r"(?P<bank>export|R)(?=[0-9\[])", re.ASCII)
_SOURCE = re.compile(r"(?P<bank>[RC])(?=[0-9\[])", re.ASCII)
_MASK = re.compile(r"\.(?P<x>[x_])(?P<y>[y_])(?P<z>[z_])(?P<w>[w_])(?![\w])", re.ASCII)
_SWIZZLE = re.compile(r"\.(?P<letters>[xyzw]{4})(?!\w)", re.ASCII)
_LAST_CONSTANT = CONSTANTS - 1


@dataclass(frozen=True, slots=True)
class _Source:
    """A source as written."""

    byte: int
    bank: int
    swizzle: int
    negate: int
    #: What its constant's number is relative to.
    base: str
    start: int
    end: int


class AluLines:
    """An ALU instruction, from its vector line and perhaps a scalar line."""

    def __init__(self, cursor: Cursor) -> None:
        self._fields: dict[str, int] = {}
        self._sources: dict[str, _Source] = {}
        self._word = raw_word(cursor)
        if self._word is None:
            self._vector(cursor)

    def add_scalar(self, cursor: Cursor) -> None:
        """The second half; raises `Mistake` if the first has used what it needs."""
        start = cursor.at
        if self._word is not None or "scalar_op" in self._fields:
            raise cursor.unexpected("a clause or an instruction")
        self._fields["scalar_op"] = opcode(cursor, instructions.SCALAR_BY_NAME, names.SCALAR_ALIASES, "scalar_op")
        exported = self._fields["export"]
        self._destination(cursor, "scalar")
        if self._fields["export"] != exported:
            raise not_encodable("both halves write exports, or both write registers", start, len(cursor.text))
        cursor.require("=")
        self._add_source("src3", _source(cursor))
        self._finish(cursor, "scalar")

    def word(self) -> int:
        """The whole instruction."""
        if self._word is not None:
            return self._word
        fields = dict(self._fields)
        for name, source in self._sources.items():
            fields[name], fields[f"{name}_bank"] = source.byte, source.bank
            fields[f"{name}_swizzle"], fields[f"{name}_negate"] = source.swizzle, source.negate
        return instructions.encode_alu(**fields, **_relative_flags(self._sources))

    def _vector(self, cursor: Cursor) -> None:
        self._fields["vector_op"] = code = opcode(cursor, instructions.VECTOR_BY_NAME, {}, "vector_op", self._fields)
        self._destination(cursor, "vector")
        cursor.require("=")
        row = instructions.VECTOR_BY_CODE.get(code)
        count = row.sources if row else 2
        # The third source comes first.
        for index, name in enumerate(("src3", "src1", "src2") if count == 3 else ("src1", "src2")[:count]):
            if index:
                cursor.require(",")
            self._add_source(name, _source(cursor))
        if count == 1:
            self._add_source("src2", self._sources["src1"])
        self._finish(cursor, "vector")

    def _destination(self, cursor: Cursor, half: str) -> None:
        match = cursor.need(_DESTINATION, "a destination")
        self._fields["export"] = int(match["bank"] == "export")
        number, base = numbered(cursor, "register", LAST_REGISTER)
        if base == "a0" or (base and self._fields["export"]):
            raise not_encodable("a destination can be relative to aL only, and no export can", *match.span())
        self._fields[f"{half}_dest"] = number
        if base:
            self._fields[f"{half}_dest_rel"] = 1
        mask = cursor.take(_MASK)
        letters = mask.group(*instructions.COMPONENTS) if mask else instructions.COMPONENTS
        self._fields[f"{half}_mask"] = sum(1 << bit for bit, letter in enumerate(letters) if letter != "_")

    def _add_source(self, name: str, source: _Source) -> None:
        earlier = self._sources.get(name)
        same = earlier is None or all(
            getattr(earlier, part) == getattr(source, part) for part in ("byte", "bank", "swizzle", "negate", "base")
        )
        if not same:
            raise not_encodable(
                "the scalar operation reads the third source of the vector operation", source.start, source.end
            )
        self._sources.setdefault(name, source)

    def _finish(self, cursor: Cursor, half: str) -> None:
        if cursor.take(_CLAMP):
            self._fields[f"{half}_clamp"] = 1
        cursor.finish()
        # Here, not in `word`, so that mistakes are in the line that is being read.
        _relative_flags(self._sources)


def _relative_flags(sources: Mapping[str, _Source]) -> dict[str, int]:
    """The flags of relative constants, which several constants share; the third source comes last."""
    banks = {f"{name}_bank": sources[name].bank if name in sources else 0 for name in ("src1", "src2", "src3")}
    flags: dict[str, int] = {}
    bases: set[str] = set()
    for name, source in sorted(sources.items()):
        if source.bank:
            continue
        is_relative = int(bool(source.base))
        if flags.setdefault(formats.constant_flag(name, banks), is_relative) != is_relative:
            rule = "all constants after the first one are relative, or none is"
            raise not_encodable(rule, source.start, source.end)
        bases |= {source.base} if source.base else set()
        if len(bases) > 1:
            rule = "constants of one instruction are relative to a0, or to aL"
            raise not_encodable(rule, source.start, source.end)
    return {**flags, "const_rel_a0": int("a0" in bases)}


def _source(cursor: Cursor) -> _Source:
    start = cursor.at
    negate = cursor.accept("-")
    absolute = cursor.accept("|")
    bank = cursor.need(_SOURCE, "a source")["bank"]
    is_register = bank == "R"
    number, base = numbered(
        cursor, "register" if is_register else "constant", LAST_REGISTER if is_register else _LAST_CONSTANT
    )
    match = cursor.take(_SWIZZLE)
    letters = match["letters"] if match else instructions.COMPONENTS
    swizzle = sum((instructions.COMPONENTS.index(letter) - slot & 3) << 2 * slot for slot, letter in enumerate(letters))
    end = cursor.at
    if absolute:
        cursor.require("|")
    if absolute and not is_register:
        raise not_encodable("a constant has no absolute value, a register has", start, end)
    if base == "a0" and is_register:
        raise not_encodable("a register can be relative to aL only", start, end)
    byte = number | (formats.ABSOLUTE if absolute else 0) | (formats.RELATIVE if base and is_register else 0)
    return _Source(byte, int(is_register), swizzle, int(negate), "" if is_register else base, start, end)
