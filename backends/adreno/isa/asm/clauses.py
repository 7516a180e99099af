"""The line of a clause to the fields of its word."""

from __future__ import annotations

import re
from collections.abc import Mapping

from backends.adreno.isa import formats, instructions, names
from backends.adreno.isa.asm.operands import NAME
from backends.adreno.isa.asm.text import Cursor, Option, read_options, unknown
from compiler.records import dataclass

_BUFFER = re.compile(r"NO ALLOC|[A-Z/]+", re.ASCII)
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
}
_BUFFER_NAMES = {
    **{name: code for code, name in enumerate(names.BUFFERS)},
    **{alias: names.BUFFERS.index(name) for alias, name in names.BUFFER_ALIASES.items()},
}


@dataclass(frozen=True, slots=True)
class ClauseLine:
    """A clause as written; absent fields of an exec clause follow from its instructions."""

    row: instructions.Opcode
    fields: Mapping[str, int]
    #: All bits, from a line that gives them.
    word: int | None = None


def read_clause(cursor: Cursor) -> ClauseLine:
    """The clause of a line."""
    match = cursor.need(NAME, "a clause")
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
