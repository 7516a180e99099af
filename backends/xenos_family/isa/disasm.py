"""Program to assembly text, which assembles to the same program.

The syntax is that of the driver's disassembler, with additions for what that hides (`README.md` lists
them); `reference=True` leaves them out, for comparison.  Bits that no text expresses make an instruction
`WORDS(...)`, so text never says less than the words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from glslc_multi.backends.xenos_family.isa import formats, spelling
from glslc_multi.backends.xenos_family.isa.container import unpack
from glslc_multi.backends.xenos_family.isa.exactness import is_exact_alu, is_exact_clause, is_exact_fetch
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.backends.xenos_family.isa.program import Issue, Program, issues_of
from glslc_multi.backends.xenos_family.isa.registers import Stage
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.isa.container import unpacked
from glslc_multi.compiler.isa.disassembly import report_no_text, text_of
from glslc_multi.compiler.isa.fields import to_words


def disassemble(
    isa: InstructionSet,
    data: bytes,
    filename: str,
    sink: DiagnosticSink,
    *,
    stage: Stage | None = None,
    reference: bool = False,
) -> str:
    """The text of a file.  `stage` adds comments to exports; mistakes are reported, then raised."""
    program = unpacked(partial(unpack, isa), data, filename, sink, isa.name)
    return disassemble_program(program, sink, filename, stage=stage, reference=reference)


def disassemble_program(
    program: Program,
    sink: DiagnosticSink,
    filename: str = "<program>",
    *,
    stage: Stage | None = None,
    reference: bool = False,
) -> str:
    """The text of a program."""
    if not reference:
        # Text holds what clauses run: all instructions, and nothing else.
        run = {issue.slot for issue in program.issues()}
        own = range(program.first_slot, program.first_slot + len(program.instructions))
        problems: Mapping[str, set[int]] = {
            "no clause runs it": set(own) - run - program.idle_slots(),
            "a clause runs it, but it is no instruction of the program": run - set(own),
        }
        for reason, slots in problems.items():
            for slot in sorted(slots):
                report_no_text(sink, filename, f"slot {slot}", reason)
                sink.raise_if_errors()
    lines: list[str] = []
    for number, word in enumerate(program.clauses):
        lines.append(clause_text(program.isa, word, reference))
        for issue in issues_of(program.isa, number, word):
            lines += _issue_lines(program, issue, stage, reference)
    return text_of(lines)


def clause_text(isa: InstructionSet, word: int, reference: bool = False) -> str:
    """The line of a clause."""
    if not reference and not is_exact_clause(isa, word):
        return f"CLAUSE(0x{word:012x})"
    return spelling.clause(isa, word, reference)


def instruction_lines(
    isa: InstructionSet,
    word: int,
    is_fetch: bool,
    *,
    first: bool = False,
    stage: Stage | None = None,
    reference: bool = False,
) -> list[str]:
    """The lines of an instruction, without the prefix that names its kind; two for an ALU instruction in pairs."""
    if not reference and not (is_exact_fetch(isa, word) if is_fetch else is_exact_alu(isa, word)):
        return ["WORDS({})".format(", ".join(f"0x{dword:08x}" for dword in to_words(word, formats.SLOT_SIZE)))]
    return spelling.fetch(isa, word, first, reference) if is_fetch else spelling.alu(isa, word, stage, reference)


def _issue_lines(program: Program, issue: Issue, stage: Stage | None, reference: bool) -> list[str]:
    word = program.instruction(issue.slot)
    if word is None:
        # A clause that runs past the end, which `disassemble_program` refuses unless it compares with the reference.
        return []
    kind = "FETCH" if issue.is_fetch else "ALU"
    first = issue.slot == program.first_slot
    head, *more = instruction_lines(program.isa, word, issue.is_fetch, first=first, stage=stage, reference=reference)
    sync = "(S)" if issue.sync else "   "
    return [f"\t   {sync}{kind}:\t{head}", *(f"\t\t    \t{line}" for line in more)]
