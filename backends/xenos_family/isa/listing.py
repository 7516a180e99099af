"""The words of a program one by one: clauses first, then the instructions that they run."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.backends.xenos_family.isa import formats
from glslc_multi.backends.xenos_family.isa.disasm import clause_text, instruction_lines
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.compiler.isa.fields import Format
from glslc_multi.compiler.isa.listing import CodeWord, Part


def list_words(program: Program) -> list[CodeWord]:
    """The words of a program that the compiler made."""
    return list(_words(program))


def _words(program: Program) -> Iterator[CodeWord]:
    for number, word in enumerate(program.clauses):
        row, fields = program.isa.decode_clause(word)
        repeats = row.kind in ("loop", "jump") and fields["addr"] <= number
        # Clauses are decoded while instructions run.
        yield CodeWord(f"cf{number}", clause_text(program.isa, word), (Part(row.format, word),), 0, repeats)
    fetches = {issue.slot for issue in program.issues() if issue.is_fetch}
    for slot, word in enumerate(program.instructions, start=program.first_slot):
        lines = instruction_lines(program.isa, word, slot in fetches, first=slot == program.first_slot)
        text = " | ".join(line.strip().replace("\t", " ") for line in lines)
        form, samplers = _fetch(program, word) if slot in fetches else (formats.ALU, ())
        yield CodeWord(str(slot), text, (Part(form, word),), samplers=samplers)


def _fetch(program: Program, word: int) -> tuple[Format, tuple[int, ...]]:
    """The layout of a fetch, and the sampler that it reads by."""
    row, fields = program.isa.decode_fetch(word)
    if row is None:
        return program.isa.formats.texture, ()
    return row.format, ((fields["const_index"],) if row.name == "SAMPLE" else ())
