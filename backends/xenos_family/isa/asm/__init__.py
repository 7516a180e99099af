"""Assembly text to a program.

Each clause has a line of its own; the instructions that an exec clause runs follow it.  Addresses and counts
are computed where the text gives none: instructions then have the order of the text.  Hardware rules are
checked by `validate.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from glslc_multi.backends.xenos_family.isa.asm import grammar
from glslc_multi.backends.xenos_family.isa.asm.alu import AluLines
from glslc_multi.backends.xenos_family.isa.asm.clauses import ClauseLine, read_clause
from glslc_multi.backends.xenos_family.isa.asm.fetches import fetch_word
from glslc_multi.backends.xenos_family.isa.asm.syntax import Fetch, Half, Instruction, Raw
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.backends.xenos_family.isa.program import CLAUSE_LIMIT, Program
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue.machine import ADRENO_CLAUSE, OUT_OF_RANGE
from glslc_multi.compiler.isa.assembly import Line
from glslc_multi.compiler.isa.fields import FieldError
from glslc_multi.compiler.isa.grammar import parse
from glslc_multi.compiler.records import dataclass, field

_PREFIX = re.compile(rf"{grammar.SYNC}(?P<kind>ALU|FETCH):")
_CLAUSE_START = re.compile(r"(?:NOP|(?:COND_)?(?:PRED_)?EXEC\w*|LOOP_\w+|COND_\w+|RETURN|ALLOC|MARK_\w+|CLAUSE)\b")


def assemble(isa: InstructionSet, text: str, filename: str, sink: DiagnosticSink) -> Program:
    """The program of `text`; all mistakes are reported to `sink`, then raised together."""
    file = SourceFile(filename, text)
    reader = _Reader(isa, sink)
    for line in reader.grammar.language.lines(file, sink):
        line.attempt(reader.read)
    sink.raise_if_errors()
    return _Layout(isa, reader.clauses, sink, Span(file, 1, 1, 1, 1)).program()


@dataclass(slots=True)
class _Instruction:
    """A fetch, whose word depends on its slot, or an ALU instruction, whose second line may follow."""

    operation: Fetch | Raw | AluLines
    is_fetch: bool
    sync: bool
    span: Span

    def word(self, isa: InstructionSet, first: bool) -> int:
        if isinstance(self.operation, AluLines):
            return self.operation.word()
        return fetch_word(isa, self.operation, first)


@dataclass(slots=True)
class _Clause:
    """A clause and its instructions."""

    line: ClauseLine
    span: Span
    instructions: list[_Instruction] = field(default_factory=list)

    @property
    def is_exec(self) -> bool:
        return self.line.row.kind == "exec"


class _Reader:
    """Reads line by line."""

    def __init__(self, isa: InstructionSet, sink: DiagnosticSink) -> None:
        self.grammar = grammar.grammar_of(isa)
        self.clauses: list[_Clause] = []
        self._isa = isa
        self._sink = sink
        self._open: AluLines | None = None
        #: Whether a scalar line would belong to an ALU instruction that has a mistake already.
        self._is_broken = False

    def read(self, line: Line) -> None:
        """One line; raises `Mistake`."""
        prefix = _PREFIX.match(line.text, line.indent)
        if prefix is not None:
            self._open, self._is_broken = None, False
            self._instruction(line, prefix["kind"] == "FETCH")
        elif (self._open is not None or self._is_broken) and not _CLAUSE_START.match(line.text, line.indent):
            if self._open is not None:
                self._open.add_scalar(line)
        else:
            self._open, self._is_broken = None, False
            self.clauses.append(_Clause(read_clause(self._isa, line), line.whole))

    def _instruction(self, line: Line, is_fetch: bool) -> None:
        self._is_broken = not is_fetch
        parsed: Instruction = parse(line, self.grammar.instruction_line)
        operation = self._operation(parsed.operation, is_fetch)
        self._is_broken = False
        if not self.clauses or not self.clauses[-1].is_exec:
            self._sink.report(ADRENO_CLAUSE, line.whole, problem="an instruction must follow an exec clause")
            return
        is_synchronised = parsed.prefix["sync"] is not None
        self.clauses[-1].instructions.append(_Instruction(operation, is_fetch, is_synchronised, line.whole))

    def _operation(self, parsed: Half | Fetch | Raw, is_fetch: bool) -> Fetch | Raw | AluLines:
        if not is_fetch:
            assert not isinstance(parsed, Fetch)
            self._open = AluLines(self._isa, parsed)
            return self._open
        assert not isinstance(parsed, Half)
        # Its word depends on its slot; mistakes are found here.
        fetch_word(self._isa, parsed, first=False)
        return parsed


class _Layout:
    """Gives instructions their slots, and clauses their addresses."""

    def __init__(self, isa: InstructionSet, clauses: list[_Clause], sink: DiagnosticSink, start: Span) -> None:
        self._isa = isa
        self._clauses = clauses
        self._sink = sink
        self._start = start
        self._words: dict[int, int] = {}

    def program(self) -> Program:
        first = (len(self._clauses) + 1) // 2
        words = []
        following = first
        has_exec = False
        for clause in self._clauses:
            fields = self._fields(clause, following)
            if clause.is_exec:
                # The first exec clause runs the first instruction; a file shows its number of clauses by this.
                if not has_exec and fields["addr"] != first:
                    self._report(
                        clause.span, f"the first exec clause must begin at slot 0x{first:x}, after the clauses"
                    )
                has_exec = True
                self._assign(clause, fields["addr"], first)
                following = fields["addr"] + len(clause.instructions)
            words.append(self._encode(clause, fields))
        if not has_exec:
            self._report(self._start, "the text has no exec clause")
        slots = range(first, first + len(self._words))
        missing = next((slot for slot in slots if slot not in self._words), None)
        if missing is not None:
            self._report(self._start, f"no clause has an instruction for slot 0x{missing:x}")
        self._sink.raise_if_errors()
        words += [0] * (len(words) % 2)
        instructions = tuple(self._words[slot] for slot in sorted(self._words))
        return Program(self._isa, tuple(words), (*instructions, *(0,) * self._isa.trailing_slots))

    def _fields(self, clause: _Clause, following: int) -> Mapping[str, int]:
        """The fields of the clause, with what follows from its instructions."""
        if not clause.is_exec or clause.line.word is not None:
            return clause.line.fields
        count = len(clause.instructions)
        sequence = sum(
            (instruction.is_fetch | instruction.sync << 1) << 2 * index
            for index, instruction in enumerate(clause.instructions[:CLAUSE_LIMIT])
        )
        return {"addr": following, "cnt": count, **clause.line.fields, "sequence": sequence}

    def _assign(self, clause: _Clause, addr: int, first: int) -> None:
        count = clause.line.fields.get("cnt", len(clause.instructions))
        if count != len(clause.instructions):
            self._report(clause.span, f"the clause says {count} instructions, {len(clause.instructions)} follow")
            return
        if count > CLAUSE_LIMIT and clause.line.word is None:
            self._report(clause.span, f"a clause runs at most {CLAUSE_LIMIT} instructions, {count} follow")
            return
        for slot, instruction in enumerate(clause.instructions, addr):
            word = instruction.word(self._isa, slot == first)
            if slot < first:
                self._report(instruction.span, f"slot 0x{slot:x} holds clauses")
            elif self._words.setdefault(slot, word) != word:
                self._report(instruction.span, f"slot 0x{slot:x} holds another instruction already")

    def _encode(self, clause: _Clause, fields: Mapping[str, int]) -> int:
        if clause.line.word is not None:
            return clause.line.word
        row = clause.line.row
        try:
            return row.format.encode({**fields, "op": row.code})
        except FieldError:
            # Everything that the text gives is in range: only a computed address can be too large.
            low, high = row.format.by_name["addr"].range
            self._sink.report(OUT_OF_RANGE, clause.span, what="the slot", low=low, high=high, found=fields["addr"])
            return 0

    def _report(self, span: Span, problem: str) -> None:
        self._sink.report(ADRENO_CLAUSE, span, problem=problem)
