"""Which hardware rules (`rules.py`) of its machine a program breaks.

Rules of single words come first, then those of the control-flow program, then those of what it runs, in the
order of the clauses.  `stage` adds the rules of a vertex or fragment program.  A program that breaks no rule
runs as its words say; whether that is what the author wants, no rule knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from glslc_multi.backends.xenos_family.isa import formats, instructions
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.backends.xenos_family.isa.program import CLAUSE_LIMIT, Issue, Program, issues_of
from glslc_multi.backends.xenos_family.isa.registers import (
    EXPORTS,
    FIRST_MEMORY,
    NEEDED_EXPORT,
    POSITION_BUFFER,
    SELECTORS,
    Stage,
)
from glslc_multi.compiler.records import dataclass, field, replace

_EXPORT, _DESTINATION = formats.ALU.by_name["export"], formats.ALU.by_name["vector_dest"]


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that is broken, and where: a clause or a slot, as the text says."""

    rule: str
    where: str
    #: What the rule asks.
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


def validate(program: Program, stage: Stage | None = None) -> list[Fault]:
    """The faults of a program; rules of a stage only if it is given."""
    rules = program.isa.rules
    return [replace(fault, text=rules[fault.rule]) for fault in _faults(program, stage) if fault.rule in rules]


def _faults(program: Program, stage: Stage | None) -> list[Fault]:
    """What is against the rules of any machine of the family."""
    faults = list(_whole(program))
    for number, word in enumerate(program.clauses):
        faults += (Fault(rule, f"clause {number}") for rule in _clause_faults(program, number, word))
    faults += (Fault("loop-pairs", f"clause {number}") for number in _unpaired_loops(program))
    issues = [issue for issue in program.issues() if program.instruction(issue.slot) is not None]
    faults += _instruction_faults(program, issues, stage)
    faults += _export_faults(program, stage)
    faults += (Fault(rule, f"clause {issue.clause}") for issue in issues for rule in _predicate_faults(program, issue))
    faults += (Fault("missing-sync", f"slot {issue.slot}") for issue in _unsynchronised(program, issues))
    return faults


def _whole(program: Program) -> Iterator[Fault]:
    if len(program.slots) > program.isa.slot_limit:
        yield Fault("size", f"{len(program.slots)} slots")
    if not any(program.isa.decode_clause(word)[0].ends for word in program.clauses):
        yield Fault("no-end", "program")


# --- Clauses ----------------------------------------------------------------------------------------------------------


def _clause_faults(program: Program, number: int, word: int) -> Iterator[str]:
    row, fields = program.isa.decode_clause(word)
    if not row.format.accepts(word):
        yield "reserved-bits"
    if row.kind == "exec":
        if fields["cnt"] > CLAUSE_LIMIT:
            yield "clause-count"
        if fields["sequence"] >> 2 * fields["cnt"]:
            yield "unused-sequence"
        if any(program.instruction(issue.slot) is None for issue in issues_of(program.isa, number, word)):
            yield "slot-range"
    elif "addr" in fields and row.name != "RETURN":
        if fields["addr"] >= len(program.clauses):
            yield "jump-range"
        if row.kind == "jump" and fields["direction"] != (fields["addr"] > number):
            yield "jump-direction"


def _unpaired_loops(program: Program) -> Iterator[int]:
    """Clauses of loops that do not fit together: each end names the clause after the other."""
    open_loops: list[tuple[int, Mapping[str, int]]] = []
    for number, word in enumerate(program.clauses):
        row, fields = program.isa.decode_clause(word)
        if row.name == "LOOP_START":
            open_loops.append((number, fields))
        elif row.name == "LOOP_END":
            start, begun = open_loops.pop() if open_loops else (number, {"addr": -1, "loop_id": -1})
            pair = (begun["loop_id"], begun["addr"], fields["addr"])
            if pair != (fields["loop_id"], number + 1, start + 1):
                yield number
    yield from (number for number, _ in open_loops)


# --- Instructions -----------------------------------------------------------------------------------------------------


def _instruction_faults(program: Program, issues: list[Issue], stage: Stage | None) -> Iterator[Fault]:
    """Rules of single instructions, each slot once."""
    kinds: dict[int, bool] = {}
    for issue in issues:
        word = program.instruction(issue.slot)
        assert word is not None
        if issue.slot not in kinds:
            rules = _fetch_faults(program.isa, word) if issue.is_fetch else _alu_faults(word, stage)
            yield from (Fault(rule, f"slot {issue.slot}") for rule in rules)
        if kinds.setdefault(issue.slot, issue.is_fetch) != issue.is_fetch:
            yield Fault("two-kinds", f"slot {issue.slot}")


def _fetch_faults(isa: InstructionSet, word: int) -> Iterator[str]:
    row, fields = isa.decode_fetch(word)
    if row is None:
        yield "undefined-operation"
        return
    if not row.format.accepts(word):
        yield "reserved-bits"
    if any(fields["dst_swizzle"] >> 3 * slot & 7 == formats.UNDEFINED_COMPONENT for slot in range(4)):
        yield "unwritable-component"
    if fields.get("const_index_sel", 0) >= SELECTORS:
        yield "fetch-constant"


def _alu_faults(word: int, stage: Stage | None) -> Iterator[str]:
    fields = formats.ALU.decode(word)
    rows = instructions.VECTOR_BY_CODE.get(fields["vector_op"]), instructions.SCALAR_BY_CODE.get(fields["scalar_op"])
    if None in rows:
        yield "undefined-operation"
    if stage == "vertex" and any(row is not None and row.kills is not None for row in rows):
        yield "kill-in-vertex"
    if fields["export"]:
        number = fields["vector_dest"]
        if stage is not None and number not in EXPORTS[stage]:
            yield "export-number"
        if fields["vector_dest_rel"]:
            yield "export-relative"
        if fields["scalar_mask"] and fields["scalar_dest"] != number:
            yield "export-two-numbers"
        if fields["vector_mask"] & fields["scalar_mask"]:
            yield "write-conflict"
    elif fields["vector_mask"] & fields["scalar_mask"] and fields["vector_dest"] == fields["scalar_dest"]:
        yield "write-conflict"


def _predicate_faults(program: Program, issue: Issue) -> Iterator[str]:
    """Whether a clause says of an instruction's predicate what is true."""
    row, clause = program.isa.decode_clause(program.clauses[issue.clause])
    word = program.instruction(issue.slot)
    assert word is not None
    fields = program.isa.decode_fetch(word)[1] if issue.is_fetch else formats.ALU.decode(word)
    if clause.get("pred_clean") and not issue.is_fetch and instructions.sets_predicate(fields):
        yield "predicate-clean"
    if row.condition == "predicate" and (fields["predicated"], fields["pred_condition"]) != (1, clause["condition"]):
        yield "predicate-mismatch"


# --- Exports ----------------------------------------------------------------------------------------------------------


def _export_faults(program: Program, stage: Stage | None) -> Iterator[Fault]:
    allocated: set[int] = set()
    exported: set[int] = set()
    for number, word in enumerate(program.clauses):
        row, fields = program.isa.decode_clause(word)
        if row.kind == "alloc":
            if fields["buffer"] == POSITION_BUFFER and any(export < FIRST_MEMORY for export in exported):
                yield Fault("alloc-order", f"clause {number}")
            allocated.add(fields["buffer"])
        found = set(_exports_of(program, number, word))
        buffers = {program.isa.buffer_of(export) for export in found}
        if len(buffers) > 1:
            yield Fault("mixed-buffers", f"clause {number}")
        if buffers - allocated:
            yield Fault("missing-alloc", f"clause {number}")
        exported |= found
    if stage is not None and NEEDED_EXPORT[stage] not in exported:
        yield Fault("missing-output", "program")


def _exports_of(program: Program, number: int, clause: int) -> Iterator[int]:
    """The exports that a clause writes."""
    for issue in issues_of(program.isa, number, clause):
        word = program.instruction(issue.slot)
        if word is None or issue.is_fetch:
            continue
        if _EXPORT.extract(word):
            yield _DESTINATION.extract(word)


# --- Synchronisation --------------------------------------------------------------------------------------------------


def _unsynchronised(program: Program, issues: list[Issue]) -> Iterator[Issue]:
    """Instructions without (S) that may follow one of another kind, in the order of the clauses, of which conditional
    ones may be left out."""
    #: The kinds that may have run last: before this clause, and now.
    before: set[str] = set()
    previous: set[str] = set()
    clause = -1
    for issue in issues:
        if issue.clause != clause:
            before = previous | (before if _is_conditional(program, clause) else set())
            clause, previous = issue.clause, before
        word = program.instruction(issue.slot)
        assert word is not None
        if not issue.is_fetch:
            kind = "alu"
        else:
            kind = "vertex" if program.isa.decode_fetch(word)[0] is program.isa.fetch_by_name["VERTEX"] else "texture"
        if previous - {kind} and not issue.sync:
            yield issue
        previous = {kind}


def _is_conditional(program: Program, clause: int) -> bool:
    return clause >= 0 and program.isa.decode_clause(program.clauses[clause])[0].condition != ""
