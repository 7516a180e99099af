"""What a program does to a wave of lanes (vertices or pixels), clause by clause; both engines run it.

Conditional clauses and jumps decide for the whole wave, so inside of them instructions must be predicated, as on the
machine: a clause runs if any lane wants it; a jump forward is taken if all lanes want it, one backward if any does.
How many lanes are a wave is up to the engine: what a program computes must not depend on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from glslc_multi.backends.xenos_family.isa.instruction_set import Opcode
from glslc_multi.backends.xenos_family.isa.operands import decode_alu
from glslc_multi.backends.xenos_family.isa.program import Issue, Program, issues_of
from glslc_multi.backends.xenos_family.isa.registers import STACK_DEPTH
from glslc_multi.backends.xenos_family.machine.alu import Alu
from glslc_multi.backends.xenos_family.machine.fetch import FetchUnit
from glslc_multi.backends.xenos_family.machine.state import FIRST_LOOP, KILLED, Machine
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Edge, LaneProgram, Lanes

Fields = Mapping[str, int]


class Place(NamedTuple):
    """The start of a clause, or the instructions that its condition guards."""

    clause: int
    passed: bool = False
    #: Clauses that calls return to, and constants of the loops that are open, the innermost last.
    calls: tuple[int, ...] = ()
    loops: tuple[int, ...] = ()

    def to(self, clause: int, **changed: Any) -> Place:
        """The start of another clause."""
        return self._replace(clause=clause, passed=False, **changed)


Edges = Sequence[Edge[Place]]


class FamilyProgram(LaneProgram[Place]):
    """A program.

    Inputs have the keys of `state.py`; outputs are the components of exports, by number and component, and the killed
    lanes.
    """

    lanes_part = False

    def __init__(self, program: Program, lanes: Lanes) -> None:
        self._program = program
        self._lanes = lanes
        self._a = lanes.operations
        self._machine = Machine(lanes)
        self._alu = Alu(self._machine, previous_counts=_reads_previous(program))
        self._fetches = FetchUnit(self._machine, program)
        #: Components of exports that were written.
        self._exported: set[tuple[int, int]] = set()

    @property
    def start(self) -> Place:
        return Place(0)

    def step(self, place: Place) -> Edges:
        if place.clause >= len(self._program.clauses):
            self._lanes.fault("the program leaves its clauses without an end")
        row, fields = self._program.isa.decode_clause(self._program.clauses[place.clause])
        onward = place.to(place.clause + 1)
        if row.kind == "exec":
            return self._exec(place, row, fields)
        if row.kind == "loop":
            return self._start_loop(place, fields) if row.name == "LOOP_START" else self._end_loop(place, fields)
        if row.name == "RETURN":
            back = place.to(place.calls[-1], calls=place.calls[:-1]) if place.calls else onward
            return ((back, None),)
        if row.kind == "jump":
            return self._jump(place, row.name, fields)
        return ((onward, None),)

    def finish(self) -> None:
        a, lanes = self._a, self._lanes
        lanes.output(KILLED, a.select(self._machine.killed(), a.iconst(1), a.iconst(0)), "i32")
        for number, component in sorted(self._exported):
            lanes.output((number, component), lanes.read(_export_name(number, component)))

    # --- Instructions -------------------------------------------------------------------------------------------------

    def _exec(self, place: Place, row: Opcode, fields: Fields) -> Edges:
        onward = place.to(place.clause + 1)
        if row.condition and not place.passed:
            is_met = self._is_bool(fields) if row.condition == "bool" else self._wanted_by_any(fields)
            return (place._replace(passed=True), is_met), (onward, None)
        for issue in issues_of(self._program.isa, place.clause, self._program.clauses[place.clause]):
            self.issue(issue)
        return () if row.ends else ((onward, None),)

    def issue(self, issue: Issue) -> None:
        """Run an instruction."""
        word = self._program.instruction(issue.slot)
        if word is None:
            self._lanes.fault(f"slot {issue.slot} holds no instruction")
        if issue.is_fetch:
            self._fetches.run(word, issue.slot)
        else:
            self._alu.run(word, self.export)
        self._lanes.end_instruction()

    def export(self, number: int, values: Mapping[int, Number]) -> None:
        """Components leave, in the lanes of the mask."""
        for component, value in values.items():
            self._exported.add((number, component))
            self._lanes.write(_export_name(number, component), value)

    # --- Conditions ---------------------------------------------------------------------------------------------------

    def _is_bool(self, fields: Fields) -> Number:
        return self._lanes.any(self._machine.is_bool(fields))

    def _wanted_by_any(self, fields: Fields) -> Number:
        return self._lanes.any(self._machine.wanting(fields["condition"]))

    def _jump(self, place: Place, name: str, fields: Fields) -> Edges:
        onward, target = place.to(place.clause + 1), place.to(fields["addr"])
        if name == "COND_CALL":
            if len(place.calls) == STACK_DEPTH:
                self._lanes.fault(f"calls are nested deeper than {STACK_DEPTH}")
            target = target._replace(calls=(*place.calls, onward.clause))
        if fields["force_call"]:
            return ((target, None),)
        return (target, self._is_taken(place, fields)), (onward, None)

    def _is_taken(self, place: Place, fields: Fields) -> Number:
        if not fields["predicated_jmp"]:
            return self._is_bool(fields)
        if fields["addr"] <= place.clause:
            return self._wanted_by_any(fields)
        return self._lanes.all(self._machine.wanting(fields["condition"]))

    # --- Loops --------------------------------------------------------------------------------------------------------

    def _start_loop(self, place: Place, fields: Fields) -> Edges:
        """Past the loop if its count is 0, else into it."""
        a, depth, constant = self._a, len(place.loops), fields["loop_id"]
        if depth == STACK_DEPTH:
            self._lanes.fault(f"loops are nested deeper than {STACK_DEPTH}")
        count, outer = self._part(constant, 0), self._machine.counter
        is_empty = a.ieq(count, a.iconst(0))
        self._lanes.write(_outer(depth), outer)
        self._lanes.write(_remaining(depth), count)
        self._machine.counter = a.select(is_empty, outer, self._part(constant, 8))
        inside = place.to(place.clause + 1, loops=(*place.loops, constant))
        return (place.to(fields["addr"]), self._lanes.any(is_empty)), (inside, None)

    def _end_loop(self, place: Place, fields: Fields) -> Edges:
        """Back while the count lasts, then on."""
        if not place.loops:
            self._lanes.fault(f"clause {place.clause} ends a loop that was not begun")
        a, lanes, depth = self._a, self._lanes, len(place.loops) - 1
        remaining = a.isub(lanes.read(_remaining(depth), "i32"), a.iconst(1))
        is_left = a.ilt(a.iconst(0), remaining)
        if fields.get("pred_break"):
            is_left = a.band(is_left, self._machine.wanting(1 - fields["condition"]))
        # A signed byte.
        step = a.asr(a.shl(self._part(place.loops[-1], 16), a.iconst(24)), a.iconst(24))
        counter = a.iadd(self._machine.counter, step)
        lanes.write(_remaining(depth), remaining)
        self._machine.counter = a.select(is_left, counter, lanes.read(_outer(depth), "i32"))
        outside = place.to(place.clause + 1, loops=place.loops[:-1])
        return (place.to(fields["addr"]), lanes.any(is_left)), (outside, None)

    def _part(self, constant: int, shift: int) -> Number:
        """A byte of a loop constant."""
        word = self._lanes.constant(FIRST_LOOP + constant, "i32")
        return self._a.bits_and(self._a.shr(word, self._a.iconst(shift)), self._a.iconst(0xFF))


def _export_name(number: int, component: int) -> str:
    return f"export{number}.{component}"


def _outer(depth: int) -> str:
    """The variable that keeps aL of the loop around."""
    return f"outer{depth}"


def _remaining(depth: int) -> str:
    """The variable that counts how often a loop runs yet."""
    return f"remaining{depth}"


def _reads_previous(program: Program) -> bool:
    """Tell whether an instruction may read the previous result of the scalar unit; fetches may look as if they did."""
    decoded = map(decode_alu, program.instructions)
    return any(alu is not None and alu.scalar.of_previous and not alu.is_scalar_idle for alu in decoded)
