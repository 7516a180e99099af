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
    issues = list(program.issues())
    first_instruction = len(program.clauses) - program.first_slot
    for number, word in enumerate(program.clauses):
        row, fields = program.isa.decode_clause(word)
        text, parts = clause_text(program.isa, word), (Part(row.format, word),)
        skips: tuple[range, ...] = ()
        repeats = None
        if row.kind in ("loop", "jump") and fields["addr"] <= number:
            repeats = range(fields["addr"], number + 1)
        elif row.kind == "jump":
            skips = (range(number + 1, fields["addr"]),)
        elif row.condition:
            skips = (range(number, number + 1),)
        slots = [issue.slot + first_instruction for issue in issues if issue.clause == number]
        runs = range(slots[0], slots[-1] + 1) if slots else None
        # Clauses are decoded while instructions run.
        yield CodeWord(f"cf{number}", text, parts, 0, skips, repeats, runs)
    fetches = {issue.slot for issue in issues if issue.is_fetch}
    run = {issue.slot for issue in issues}
    for slot, word in enumerate(program.instructions, start=program.first_slot):
        lines = instruction_lines(program.isa, word, slot in fetches, first=slot == program.first_slot)
        text = " | ".join(line.strip().replace("\t", " ") for line in lines)
        form, samplers = _fetch(program, word) if slot in fetches else (formats.ALU, ())
        yield CodeWord(str(slot), text, (Part(form, word),), int(slot in run), samplers=samplers)


def _fetch(program: Program, word: int) -> tuple[Format, tuple[int, ...]]:
    """The layout of a fetch, and the sampler that it reads by."""
    row, fields = program.isa.decode_fetch(word)
    if row is None:
        return program.isa.formats.texture, ()
    return row.format, ((fields["const_index"],) if row.name == "SAMPLE" else ())
