"""Single lines to words, without a program around them."""

from __future__ import annotations

from collections.abc import Sequence

from backends.adreno.isa.asm import grammar
from backends.adreno.isa.asm.alu import AluLines
from backends.adreno.isa.asm.clauses import read_clause
from backends.adreno.isa.asm.fetches import fetch_word
from compiler.isa.grammar import parse
from compiler.isa.mistakes import Mistake


def parse_clause(text: str) -> int | None:
    """The clause that a line without its comment means; None where it means none."""
    line = grammar.LANGUAGE.line(text).attempt(read_clause)
    return None if line is None else line.row.format.encode({**line.fields, "op": line.row.code})


def parse_instruction(lines: Sequence[str], is_fetch: bool, first: bool) -> int | None:
    """The instruction that lines mean; None where they mean none."""
    head, *more = map(grammar.LANGUAGE.line, lines)
    try:
        if is_fetch:
            return fetch_word(parse(head, grammar.fetch_line), first)
        alu = AluLines(parse(head, grammar.alu_line))
        for line in more:
            alu.add_scalar(line)
        return alu.word()
    except Mistake:
        return None
