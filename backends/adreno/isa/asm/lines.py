"""Single lines to words, without a program around them: what the disassembler checks its own text with."""

from __future__ import annotations

from collections.abc import Sequence

from backends.adreno.isa.asm.alu import AluLines
from backends.adreno.isa.asm.clauses import read_clause
from backends.adreno.isa.asm.fetches import read_fetch
from backends.adreno.isa.asm.text import Cursor, Mistake


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
