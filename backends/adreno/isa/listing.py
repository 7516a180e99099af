"""The words of a program one by one: clauses first, then the instructions that they run."""

from __future__ import annotations

from collections.abc import Iterator

from backends.adreno.isa import formats, instructions
from backends.adreno.isa.container import unpack
from backends.adreno.isa.disasm import clause_text, instruction_lines
from backends.adreno.isa.program import Program
from compiler.isa.fields import Format
from compiler.isa.listing import CodeWord, Part


def list_words(data: bytes) -> list[CodeWord]:
    """The words of a file that the compiler made."""
    return list(_words(unpack(data)))


def _words(program: Program) -> Iterator[CodeWord]:
    for number, word in enumerate(program.clauses):
        row, fields = instructions.decode_clause(word)
        repeats = row.format in (formats.LOOP, formats.JUMP) and fields["addr"] <= number
        # Clauses are decoded while instructions run.
        yield CodeWord(f"cf{number}", clause_text(word), (Part(row.format, word),), 0, repeats)
    fetches = {issue.slot for issue in program.issues() if issue.is_fetch}
    for slot, word in enumerate(program.instructions, start=program.first_slot):
        lines = instruction_lines(word, slot in fetches, first=slot == program.first_slot)
        text = " | ".join(line.strip().replace("\t", " ") for line in lines)
        yield CodeWord(str(slot), text, (Part(_format(word, slot in fetches), word),))


def _format(word: int, is_fetch: bool) -> Format:
    if not is_fetch:
        return formats.ALU
    return formats.VERTEX if formats.VERTEX.by_name["opcode"].extract(word) == 0 else formats.TEXTURE
