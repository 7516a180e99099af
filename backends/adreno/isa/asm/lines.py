"""Single lines to words, without a program around them."""

from __future__ import annotations

from collections.abc import Sequence

from backends.adreno.isa.asm import grammar
from backends.adreno.isa.asm.alu import AluLines
from backends.adreno.isa.asm.clauses import read_clause
from backends.adreno.isa.asm.fetches import fetch_word
from compiler.diagnostics import DiagnosticSink, SourceFile
from compiler.isa.assembly import Line, Mistake
from compiler.isa.grammar import parse


def parse_clause(text: str) -> int | None:
    """The clause that a line without its comment means; None where it means none."""
    try:
        line = read_clause(_line(text))
    except Mistake:
        return None
    return line.row.format.encode({**line.fields, "op": line.row.code})


def parse_instruction(lines: Sequence[str], is_fetch: bool, first: bool) -> int | None:
    """The instruction that lines mean; None where they mean none."""
    head, *more = map(_line, lines)
    try:
        if is_fetch:
            return fetch_word(parse(head, grammar.fetch_line), first)
        alu = AluLines(parse(head, grammar.alu_line))
        for line in more:
            alu.add_scalar(line)
        return alu.word()
    except Mistake:
        return None


def _line(text: str) -> Line:
    """The only line of a text."""
    return Line(SourceFile("", text), 1, text.partition(";")[0].rstrip(), DiagnosticSink())
