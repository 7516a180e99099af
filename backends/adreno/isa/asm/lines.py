"""One line of assembly text to the fields of a word: clauses, halves of ALU instructions, fetches."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from backends.adreno.isa import formats, instructions, names
from backends.adreno.isa.asm.text import Cursor, Mistake, Option, read_options, unknown
from backends.adreno.isa.registers import CONSTANTS, REGISTERS
from compiler.diagnostics.catalogue.machine import ADRENO_NOT_ENCODABLE
from compiler.isa.fields import Format, from_words
from compiler.records import dataclass

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_BUFFER = re.compile(r"NO ALLOC|[A-Z/]+", re.ASCII)
_BY_NUMBER = re.compile(r"(?P<kind>OP|TEX_OP)\(", re.ASCII)
_SUFFIX = re.compile(r"EQ|NE")
_CLAMP = re.compile(r"CLAMP\b")
_DESTINATION = re.compile(r"(?P<bank>export|R)(?=[0-9\[])", re.ASCII)
_SOURCE = re.compile(r"(?P<bank>[RC])(?=[0-9\[])", re.ASCII)
_BASE = re.compile(r"a0|aL")
_MASK = re.compile(r"\.(?P<x>[x_])(?P<y>[y_])(?P<z>[z_])(?P<w>[w_])(?![\w])", re.ASCII)
_SWIZZLE = re.compile(r"\.(?P<letters>[xyzw]{4})(?!\w)", re.ASCII)
_FETCHED = re.compile(r"\.(?P<letters>[xyzw01_]{4})(?!\w)", re.ASCII)
_INDEX = re.compile(r"\.(?P<letters>[xyzw])(?!\w)", re.ASCII)
_COORDINATES = re.compile(r"\.(?P<letters>[xyzw]{3})(?!\w)", re.ASCII)

_LAST_REGISTER, _LAST_CONSTANT = REGISTERS - 1, CONSTANTS - 1

_FLOW = {"ADDR": Option(("addr",)), "ABSOLUTE_ADDR": Option(fixed={"address_mode": 1})}
_BOOL = {"BOOL_ADDR": Option(("bool_addr",))}
_OPTIONS: Mapping[str, Mapping[str, Option]] = {
    formats.NONE.name: {},
    formats.EXEC.name: {
        **_FLOW,
        **_BOOL,
        "CNT": Option(("cnt",)),
        "YIELD": Option(fixed={"yield": 1}),
        "VC": Option(("vc",)),
        "COND": Option(("condition",)),
    },
    formats.LOOP.name: {**_FLOW, "LOOP_ID": Option(("loop_id",))},
    formats.JUMP.name: {
        **_FLOW,
        **_BOOL,
        "DIR": Option(("direction",)),
        "FORCE_CALL": Option(fixed={"force_call": 1}),
        "COND": Option(("condition",), {"predicated_jmp": 1}),
        "BOOL_COND": Option(("condition",)),
    },
    formats.ALLOC.name: {
        "SIZE": Option(("size",)),
        "NO_SERIAL": Option(fixed={"no_serial": 1}),
        "ALLOC_MODE": Option(fixed={"alloc_mode": 1}),
    },
    formats.VERTEX.name: {
        **{name: Option(fixed={"format": code}) for code, name in names.FORMATS.items()},
        "TYPE": Option(("format",)),
        "SIGNED": Option(fixed={"signed": 1}),
        "UNSIGNED": Option(fixed={"signed": 0}),
        "NORMALIZED": Option(fixed={"num_format": 0}),
        "STRIDE": Option(("stride",)),
        "OFFSET": Option(("offset",)),
        "EXP_ADJUST": Option(("exp_adjust",)),
        # Older texts have one number, 3 * index + selector.
        "CONST": Option(("const_index", "const_index_sel"), packed=3),
        "RESERVED": Option(("reserved0", "reserved3")),
    },
    formats.TEXTURE.name: {
        **{name: Option((part,), values=values) for name, (part, values) in names.TEXTURE_CHOICES.items()},
        "CONST": Option(("const_index",)),
        "VALID_ONLY": Option(fixed={"fetch_valid_only": 1}),
        "DENORM": Option(fixed={"denorm": 1}),
        "LOD": Option(("comp_lod",)),
        "LOD_BIAS": Option(("lod_bias",)),
        "REG_LOD": Option(("reg_lod",)),
        "USE_REG_GRADIENTS": Option(fixed={"reg_gradients": 1}),
        "LOCATION": Option(("sample_location",), values=names.LOCATIONS),
        "OFFSET": Option(("off_x", "off_y", "off_z")),
    },
}
_BUFFER_NAMES = {
    **{name: code for code, name in enumerate(names.BUFFERS)},
    **{alias: names.BUFFERS.index(name) for alias, name in names.BUFFER_ALIASES.items()},
}

# --- For the disassembler ---------------------------------------------------------------------------------------------


def parse_clause(text: str) -> int | None:
    """The clause that a line without its comment means; None where it means none."""
    try:
        line = read_clause(Cursor(text))
    except Mistake:
        return None
    return line.row.format.encode({**line.fields, "op": line.row.code})


def parse_instruction(lines: Sequence[str], is_fetch: bool, first: bool) -> int | None:
    """The instruction that lines mean; None where they mean none."""
    cursors = [Cursor(line.partition(";")[0].rstrip()) for line in lines]
    try:
        if is_fetch:
            return read_fetch(cursors[0], first)
        alu = AluLines(cursors[0])
        if len(cursors) > 1:
            alu.add_scalar(cursors[1])
        return alu.word()
    except Mistake:
        return None


# --- Clauses ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClauseLine:
    """A clause as written; absent fields of an exec clause follow from its instructions."""

    row: instructions.Word
    fields: Mapping[str, int]
    #: All bits, from a line that gives them.
    word: int | None = None


def read_clause(cursor: Cursor) -> ClauseLine:
    """The clause of a line."""
    match = cursor.need(_NAME, "a clause")
    if match[0] == "CLAUSE":
        return _raw_clause(cursor)
    row = instructions.CLAUSE_BY_NAME.get(match[0])
    if row is None:
        raise unknown("clause", match, instructions.CLAUSE_BY_NAME)
    fields: dict[str, int] = {}
    if row.format is formats.ALLOC:
        buffer = cursor.need(_BUFFER, "a buffer")
        if buffer[0] not in _BUFFER_NAMES:
            raise unknown("buffer", buffer, _BUFFER_NAMES)
        fields["buffer"] = _BUFFER_NAMES[buffer[0]]
    fields.update(read_options(cursor, _OPTIONS[row.format.name], row.format))
    return ClauseLine(row, fields)


def _raw_clause(cursor: Cursor) -> ClauseLine:
    cursor.require("(")
    word = cursor.number("the clause", 0, (1 << formats.CLAUSE_SIZE) - 1)
    cursor.require(")")
    cursor.finish()
    row, fields = instructions.decode_clause(word)
    return ClauseLine(row, fields, word)


# --- ALU instructions -------------------------------------------------------------------------------------------------


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
        self._word = _raw_word(cursor)
        if self._word is None:
            self._vector(cursor)

    def add_scalar(self, cursor: Cursor) -> None:
        """The second half; raises `Mistake` if the first has used what it needs."""
        start = cursor.at
        if self._word is not None or "scalar_op" in self._fields:
            raise cursor.unexpected("a clause or an instruction")
        self._fields["scalar_op"] = _opcode(cursor, instructions.SCALAR_BY_NAME, names.SCALAR_ALIASES, "scalar_op")
        exported = self._fields["export"]
        self._destination(cursor, "scalar")
        if self._fields["export"] != exported:
            raise _not_encodable("both halves write exports, or both write registers", start, len(cursor.text))
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
        self._fields["vector_op"] = code = _opcode(cursor, instructions.VECTOR_BY_NAME, {}, "vector_op", self._fields)
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
        number, base = _numbered(cursor, "register", _LAST_REGISTER)
        if base == "a0" or (base and self._fields["export"]):
            raise _not_encodable("a destination can be relative to aL only, and no export can", *match.span())
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
            raise _not_encodable(
                "the scalar operation reads the third source of the vector operation", source.start, source.end
            )
        self._sources.setdefault(name, source)

    def _finish(self, cursor: Cursor, half: str) -> None:
        if cursor.take(_CLAMP):
            self._fields[f"{half}_clamp"] = 1
        cursor.finish()
        # Here, and not when the whole is asked for, so that mistakes are in the line that is being read.
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
            rule = "all constants behind the first one are relative, or none is"
            raise _not_encodable(rule, source.start, source.end)
        bases |= {source.base} if source.base else set()
        if len(bases) > 1:
            rule = "constants of one instruction are relative to a0, or to aL"
            raise _not_encodable(rule, source.start, source.end)
    return {**flags, "const_rel_a0": int("a0" in bases)}


def _not_encodable(rule: str, start: int, end: int) -> Mistake:
    return Mistake(ADRENO_NOT_ENCODABLE, start, end, rule=rule)


def _raw_word(cursor: Cursor) -> int | None:
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


def _opcode(
    cursor: Cursor,
    known: Mapping[str, instructions.Operation],
    aliases: Mapping[str, str],
    part: str,
    predicate: dict[str, int] | None = None,
) -> int:
    """The code of an operation; its suffix goes to `predicate`."""
    code = _code_by_number(cursor, "OP", formats.ALU, part, predicate)
    if code is not None:
        return code
    match = cursor.need(_NAME, "an operation")
    name = aliases.get(match[0], match[0])
    if name not in known and predicate is not None:
        name = _without_suffix(name, predicate)
    if name not in known:
        raise unknown("operation", match, known)
    return known[name].code


def _code_by_number(
    cursor: Cursor, kind: str, layout: Format, part: str, predicate: dict[str, int] | None
) -> int | None:
    """The code in `OP(n)`."""
    if not cursor.accept(f"{kind}("):
        return None
    code = cursor.number("the operation", *layout.by_name[part].range)
    cursor.require(")")
    if predicate is not None and (suffix := cursor.take(_SUFFIX)):
        _without_suffix(suffix[0], predicate)
    return code


def _without_suffix(name: str, predicate: dict[str, int]) -> str:
    """The name without EQ or NE, which say that the instruction is predicated."""
    if not name.endswith(names.SUFFIXES):
        return name
    predicate.update(predicated=1, pred_condition=names.SUFFIXES.index(name[-2:]))
    return name[:-2]


def _numbered(cursor: Cursor, what: str, last: int) -> tuple[int, str]:
    """The number behind a bank's letter, and what it is relative to."""
    if not cursor.accept("["):
        return cursor.number(what, 0, last), ""
    base = cursor.need(_BASE, "a0 or aL")
    cursor.require("+")
    number = cursor.number(what, 0, last)
    cursor.require("]")
    return number, base[0]


def _source(cursor: Cursor) -> _Source:
    start = cursor.at
    negate = cursor.accept("-")
    absolute = cursor.accept("|")
    bank = cursor.need(_SOURCE, "a source")["bank"]
    is_register = bank == "R"
    number, base = _numbered(
        cursor, "register" if is_register else "constant", _LAST_REGISTER if is_register else _LAST_CONSTANT
    )
    match = cursor.take(_SWIZZLE)
    letters = match["letters"] if match else instructions.COMPONENTS
    swizzle = sum((instructions.COMPONENTS.index(letter) - slot & 3) << 2 * slot for slot, letter in enumerate(letters))
    end = cursor.at
    if absolute:
        cursor.require("|")
    if absolute and not is_register:
        raise _not_encodable("a constant has no absolute value, a register has", start, end)
    if base == "a0" and is_register:
        raise _not_encodable("a register can be relative to aL only", start, end)
    byte = number | (formats.ABSOLUTE if absolute else 0) | (formats.RELATIVE if base and is_register else 0)
    return _Source(byte, int(is_register), swizzle, int(negate), "" if is_register else base, start, end)


# --- Fetches ----------------------------------------------------------------------------------------------------------


def read_fetch(cursor: Cursor, first: bool) -> int:
    """The word of a fetch; `first` is true for the first instruction of a program."""
    word = _raw_word(cursor)
    if word is not None:
        return word
    fields: dict[str, int] = {}
    code, layout = _fetch_opcode(cursor, fields)
    fields["opcode"] = code
    is_vertex = layout is formats.VERTEX
    _fetch_operands(cursor, fields, is_vertex)
    if is_vertex:
        fields["num_format"] = 1
        fields["reserved0"], fields["reserved3"] = formats.vertex_reserved(first)
    fields.update(read_options(cursor, _OPTIONS[layout.name], layout))
    return layout.encode(fields)


def _fetch_opcode(cursor: Cursor, fields: dict[str, int]) -> tuple[int, Format]:
    code = _code_by_number(cursor, "TEX_OP", formats.TEXTURE, "opcode", fields)
    if code is not None:
        return code, instructions.FETCH_BY_CODE[code].format if code in instructions.FETCH_BY_CODE else formats.TEXTURE
    match = cursor.need(_NAME, "a fetch")
    name = match[0] if match[0] in instructions.FETCH_BY_NAME else _without_suffix(match[0], fields)
    row = instructions.FETCH_BY_NAME.get(name)
    if row is None:
        raise unknown("fetch", match, instructions.FETCH_BY_NAME)
    return row.code, row.format


def _fetch_operands(cursor: Cursor, fields: dict[str, int], is_vertex: bool) -> None:
    fields["dst_reg"], fields["dst_rel"] = _fetch_register(cursor)
    letters = cursor.need(_FETCHED, "four letters of xyzw01_")["letters"]
    fields["dst_swizzle"] = sum(names.FETCH_COMPONENTS.index(letter) << 3 * slot for slot, letter in enumerate(letters))
    cursor.require("=")
    fields["src_reg"], fields["src_rel"] = _fetch_register(cursor)
    if is_vertex:
        fields["src_chan"] = instructions.COMPONENTS.index(cursor.need(_INDEX, "one component")["letters"])
        return
    letters = cursor.need(_COORDINATES, "three components")["letters"]
    fields["src_swizzle"] = sum(
        instructions.COMPONENTS.index(letter) << 2 * slot for slot, letter in enumerate(letters)
    )


def _fetch_register(cursor: Cursor) -> tuple[int, int]:
    start = cursor.at
    if not cursor.accept("R"):
        raise cursor.unexpected("a register")
    number, base = _numbered(cursor, "register", _LAST_REGISTER)
    if base == "a0":
        raise _not_encodable("a register can be relative to aL only", start, cursor.at)
    return number, int(bool(base))
