"""Clauses to words: addresses, ALLOCs, (S) bits.

Every ALLOC is right before the clause with its first export.  The number of clauses is even, so a NOP may follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from math import ceil

from glslc_multi.backends.xenos_family.codegen.clauses import Clause, Count, CountEnd, Item, Jump, Word
from glslc_multi.backends.xenos_family.codegen.conventions import Conventions
from glslc_multi.backends.xenos_family.codegen.machine_ops import FETCHES
from glslc_multi.backends.xenos_family.codegen.register_files import POINT_SIZE
from glslc_multi.backends.xenos_family.isa import formats, instructions
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.registers import PARAMETER_BUFFER
from glslc_multi.compiler.codegen.machine import MachineFunction
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.isa.listing import Origins

#: What may have run before a clause that a jump leads to.
_KINDS = frozenset({"alu", "vertex", "texture"})


class Layout:
    """The order of a program's clauses, ALLOCs included; `parameters` is how many parameters or colours it exports."""

    def __init__(self, conventions: Conventions, clauses: Iterable[Item], parameters: int) -> None:
        self._isa = conventions.isa
        self._counts_exports = conventions.counts_exports
        self._clauses = list(clauses)
        self._parameters = parameters
        # The clauses with their ALLOCs; the last one exports, so that it runs and ends the program.
        order: list[Item | int] = []
        exported = [item.buffer for item in self._clauses if isinstance(item, Clause)]
        if PARAMETER_BUFFER not in exported:
            # A vertex program without parameters has the ALLOC all the same.
            order.append(self._alloc(PARAMETER_BUFFER))
        allocated = {0}
        for item in self._clauses:
            if isinstance(item, Clause) and item.buffer not in allocated:
                order.append(self._alloc(item.buffer))
                allocated.add(item.buffer)
            order.append(item)
        self._order = order

    @property
    def size(self) -> int:
        """Slots of the program."""
        return self._first_slot + sum(len(item.words) for item in self._exec_clauses) + self._isa.trailing_slots

    @property
    def first_beyond(self) -> Origins:
        """Where in the source the first instruction comes from that has no slot, in a program that is too large."""
        words = [word for item in self._exec_clauses for word in item.words]
        return words[max(self._isa.slot_limit - self._isa.trailing_slots - self._first_slot, 0)].origins

    @property
    def _first_slot(self) -> int:
        """Slot of the first instruction."""
        return (len(self._order) + 1) // 2

    @property
    def _exec_clauses(self) -> list[Clause]:
        return [item for item in self._order if isinstance(item, Clause)]

    def program(self) -> Program:
        """The words of a program that is not too large."""
        number_of = {id(item): number for number, item in enumerate(self._order)}
        words: list[int] = []
        slots: list[int] = []
        origins: list[Origins] = []
        #: Kinds of the instruction that may have run last.
        previous: Set[str] = set()
        for number, item in enumerate(self._order):
            if isinstance(item, int):
                words.append(item)
            elif not isinstance(item, Clause):
                words.append(_loop_clause(self._isa, item, number_of))
            else:
                address = self._first_slot + len(slots)
                previous = _KINDS if item.is_target else previous
                words.append(_exec(self._isa, item, address, previous, is_end=number == len(self._order) - 1))
                slots += [word.word for word in item.words]
                origins += [word.origins for word in item.words]
                previous = _last_kinds(item, previous)
        if len(words) % 2:
            words.append(self._isa.encode_clause("NOP"))
        nothing: list[Origins] = [()] * self._isa.trailing_slots
        slots += [0] * len(nothing)
        return Program(self._isa, tuple(words), tuple(slots), (*(() for _ in words), *origins, *nothing))

    def _alloc(self, buffer: int) -> int:
        exports = self._exports_to(buffer) if self._counts_exports else 1
        return self._isa.encode_clause("ALLOC", buffer=buffer, size=exports - 1)

    def _exports_to(self, buffer: int) -> int:
        """How many exports go to a buffer; one at least."""
        if buffer == PARAMETER_BUFFER:
            return max(self._parameters, 1)
        return 1 + any(isinstance(item, Clause) and _exports(item, POINT_SIZE.index) for item in self._clauses)


def _exports(clause: Clause, number: int) -> bool:
    fields = [formats.ALU.decode(word.word) for word in clause.words if word.buffer]
    return any(row["export"] and row["vector_dest"] == number for row in fields)


def _loop_clause(isa: InstructionSet, item: Jump | Count | CountEnd, number_of: Mapping[int, int]) -> int:
    """The word of a jump back, or of an end of a loop that the machine counts."""
    if isinstance(item, Jump):
        return isa.encode_clause("COND_JMP", addr=number_of[id(item.target)], predicated_jmp=1, condition=1)
    if isinstance(item, Count):
        return isa.encode_clause("LOOP_START", addr=number_of[id(item.end)] + 1, loop_id=item.constant)
    return isa.encode_clause("LOOP_END", addr=number_of[id(item.start)] + 1, loop_id=item.start.constant)


def _exec(isa: InstructionSet, clause: Clause, address: int, previous: Set[str], *, is_end: bool) -> int:
    """The word of an exec clause.  (S) waits: where kinds change, and always where a jump leads to."""
    sequence = 0
    for number, word in enumerate(clause.words):
        fetch, sync = int(word.kind != "alu"), int(previous != {word.kind} or word.depends)
        sequence |= (fetch | sync << 1) << 2 * number
        previous = {word.kind}
    name = "COND_PRED_EXEC" if clause.condition is not None else "EXEC_END" if is_end else "EXEC"
    fields = {"addr": address, "cnt": len(clause.words), "sequence": sequence, **_hints(isa, name, clause.words)}
    if clause.condition is not None:
        fields["condition"] = int(clause.condition)
    return isa.encode_clause(name, **fields)


def _hints(isa: InstructionSet, name: str, words: Iterable[Word]) -> dict[str, int]:
    """What a clause says of its instructions besides, on machines with room for it."""
    if "pred_clean" not in isa.clause_by_name[name].format.by_name:
        return {}
    fetches = (number for number, word in enumerate(words) if word.kind == "vertex")
    return {"vc": sum(1 << number for number in fetches), "pred_clean": int(not any(map(_sets_predicate, words)))}


def _sets_predicate(word: Word) -> bool:
    return word.kind == "alu" and instructions.sets_predicate(formats.ALU.decode(word.word))


def _last_kinds(clause: Clause, previous: Set[str]) -> Set[str]:
    """The kinds of instruction that may have run last after a clause."""
    if not clause.words:
        return previous
    own = {clause.words[-1].kind}
    return own if clause.condition is None else own | previous


def check_size(isa: InstructionSet, layout: Layout, module: Module, sink: DiagnosticSink) -> None:
    """Report a program that is too long: where its end would have to be, and what makes it shorter."""
    if layout.size <= isa.slot_limit:
        return
    span = origins[0] if (origins := layout.first_beyond) else module.main.span
    _report_size(isa, layout.size, "", span, sink)


def check_least_size(isa: InstructionSet, function: MachineFunction, module: Module, sink: DiagnosticSink) -> None:
    """Report a program that is too long however its values are placed: at best, moves vanish, and two operations share
    each slot.  To find registers for it would take long."""
    least = 0.0
    span: Span | None = None
    for instruction in function.instructions():
        if not (instruction.op.copy or instruction.op.terminator):
            least += 1 if instruction.op in FETCHES else 0.5
            if least > isa.slot_limit and span is None:
                span = instruction.span
    if least > isa.slot_limit:
        _report_size(isa, ceil(least), "at least ", span or module.main.span, sink)


def _report_size(isa: InstructionSet, need: int, bound: str, span: Span | None, sink: DiagnosticSink) -> None:
    """Report that a program takes more slots than there are; `bound` says of what kind their number is."""
    too_many = need - isa.slot_limit
    slots = f"{bound}{too_many} slot{'s' if too_many > 1 else ''}"
    help = f"what the rest computes, {slots}, must go, or to the other stage"
    Limit(isa.name, "instruction slots", isa.slot_limit, help).report(f"{bound}{need}", span, sink)
    sink.raise_if_errors()
