"""Single lines to words, without a program around them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from glslc_multi.backends.xenos_family.isa.asm.alu import AluLines
from glslc_multi.backends.xenos_family.isa.asm.clauses import read_clause
from glslc_multi.backends.xenos_family.isa.asm.fetches import fetch_word
from glslc_multi.backends.xenos_family.isa.asm.grammar import grammar_of
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.compiler.isa.grammar import parse
from glslc_multi.compiler.isa.mistakes import Mistake


def parse_clause(isa: InstructionSet, text: str) -> int | None:
    """The clause that a line without its comment means; None where it means none."""
    line = grammar_of(isa).language.line(text).attempt(partial(read_clause, isa))
    return None if line is None else line.row.format.encode({**line.fields, "op": line.row.code})


def parse_instruction(isa: InstructionSet, lines: Sequence[str], is_fetch: bool, first: bool) -> int | None:
    """The instruction that lines mean; None where they mean none."""
    grammar = grammar_of(isa)
    head, *more = map(grammar.language.line, lines)
    try:
        if is_fetch:
            return fetch_word(isa, parse(head, grammar.fetch_line), first)
        alu = AluLines(isa, parse(head, grammar.alu_line))
        for line in more:
            alu.add_scalar(line)
        return alu.word()
    except Mistake:
        return None
