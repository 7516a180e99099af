"""Runs a program over lanes: vertices or pixels that go through the clauses together, as a wave does.

In: a program, and what the host sets.  Out: the exports in order, the registers at the end and the lanes
that were killed.  Conditional clauses and jumps decide for the whole wave, so inside of them instructions
must be predicated, as on the machine: a clause runs if any lane wants it; a jump forward is taken if all
lanes want it, one backward if any does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from backends.adreno.isa import formats, instructions
from backends.adreno.isa.program import Issue, Program, issues_of
from backends.adreno.isa.registers import BOOL_BITS, COMPONENT_COUNT, REGISTERS, STACK_DEPTH
from backends.adreno.machine.alu import execute_alu
from backends.adreno.machine.fetch import FetchUnit
from backends.adreno.machine.state import Machine, SimulationFault
from compiler.arithmetic.lanes import Array, quiet
from compiler.records import dataclass, field


class Texture(Protocol):
    """Answers texture fetches, with filters, which are part of the texture's constant."""

    def __call__(self, coordinates: Array, lod: Array, fields: Mapping[str, int]) -> Array:
        """RGBA of shape (4, lanes) for coordinates of shape (3, lanes).

        `lod` is the level of detail that the program sets; `fields` are those of the fetch (`comp_lod` asks to
        add the one from neighbouring lanes, `denorm` means coordinates in texels).
        """


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the host sets."""

    #: Constant -> x, y, z, w; absent ones are +0.
    constants: Mapping[int, Any] = field(default_factory=dict)
    #: Register -> array of shape (4, lanes).
    registers: Mapping[int, Any] = field(default_factory=dict)
    #: Dword -> 32 bool constants, the first one lowest.
    bools: Mapping[int, int] = field(default_factory=dict)
    #: Loop constants: count, start and step, 8 bits each.
    loops: Mapping[int, int] = field(default_factory=dict)
    #: 3 * index + selector of the fetch constant -> bytes.
    buffers: Mapping[int, bytes] = field(default_factory=dict)
    textures: Mapping[int, Texture] = field(default_factory=dict)
    #: Whether lanes 4k to 4k + 3 are a 2x2 block of pixels.
    quads: bool = False


#: What runs a program on a machine, with what the host sets, and within a number of steps.
Execute = Callable[[Machine, Inputs, int], None]


@dataclass(frozen=True, slots=True)
class Export:
    """One write to an export: values of shape (4, lanes), of which `mask` and `lanes` say what was written."""

    number: int
    mask: int
    values: Array
    lanes: Array


@dataclass(frozen=True, slots=True)
class Result:
    """What a program did."""

    exports: tuple[Export, ...]
    #: Four rows a register.
    rows: Sequence[Array]
    #: True for lanes that were killed: their exports do not count.
    killed: Array
    #: Clauses that the interpreter came to, and instructions that it issued for the wave.
    clauses: int = 0
    issued: int = 0

    @property
    def registers(self) -> Array:
        """Shape (64, 4, lanes)."""
        return np.stack(self.rows).reshape(REGISTERS, COMPONENT_COUNT, -1)

    @property
    def executed_slots(self) -> int:
        """Slots that were executed; two clauses are one."""
        return self.issued + (self.clauses + 1) // 2

    def outputs(self) -> dict[int, Array]:
        """Export -> last values, +0 where nothing was written."""
        found: dict[int, Array] = {}
        for export in self.exports:
            values = found.setdefault(export.number, np.zeros_like(export.values))
            for component in range(len(instructions.COMPONENTS)):
                if export.mask >> component & 1:
                    np.copyto(values[component], export.values[component], where=export.lanes)
        return found


def simulate(
    program: Program, inputs: Inputs, lanes: int = 1, max_clauses: int = 100_000, execute: Execute | None = None
) -> Result:
    """Run `program`; raises `SimulationFault` for what the machine leaves undefined.

    `execute` does the program's work in place of the interpreter, and leaves exports and killed lanes only.
    """
    machine = Machine(lanes, inputs.constants, inputs.registers)
    with quiet():
        if execute is None:
            _Run(program, inputs, machine).run(max_clauses)
        else:
            execute(machine, inputs, max_clauses)
    exports = tuple(Export(*export) for export in machine.exports)
    return Result(exports, machine.rows, machine.killed, machine.clauses, machine.issued)


@dataclass(slots=True)
class _Loop:
    """An open loop."""

    constant: int
    outer: int
    iteration: int = 0

    @property
    def count(self) -> int:
        return self.constant & 0xFF

    @property
    def counter(self) -> int:
        """aL in this iteration."""
        step = self.constant >> 16 & 0xFF
        return (self.constant >> 8 & 0xFF) + self.iteration * (step - 256 if step > 127 else step)


class _Run:
    """The clauses' part of the machine."""

    def __init__(self, program: Program, inputs: Inputs, machine: Machine) -> None:
        self._program = program
        self._inputs = inputs
        self._machine = machine
        self._fetches = FetchUnit(machine, inputs.buffers, inputs.textures, inputs.quads)
        self._calls: list[int] = []
        self._loops: list[_Loop] = []
        self._at = 0
        self._ended = False

    def run(self, max_clauses: int) -> None:
        """From the first clause to the end."""
        for _ in range(max_clauses):
            if self._ended:
                return
            if self._at >= len(self._program.clauses):
                raise SimulationFault("the program leaves its clauses without an end")
            number, word = self._at, self._program.clauses[self._at]
            self._at += 1
            self._machine.clauses += 1
            self._clause(number, word)
        raise SimulationFault(f"the program does not end within {max_clauses} clauses")

    def _clause(self, number: int, word: int) -> None:
        row, fields = instructions.decode_clause(word)
        if row.format is formats.EXEC:
            self._exec(number, word, row, fields)
        elif row.format is formats.LOOP:
            self._loop(number, row.name == "LOOP_START", fields)
        elif row.format is formats.JUMP:
            self._jump(number, row.name, fields)

    # --- Clauses ------------------------------------------------------------------------------------------------------

    def _exec(self, number: int, word: int, row: instructions.Opcode, fields: Mapping[str, int]) -> None:
        if row.condition == "bool" and self._bool(fields) != fields["condition"]:
            return
        if row.condition == "predicate" and not self._wanting(fields).any():
            return
        for issue in issues_of(number, word):
            self._issue(issue)
        self._ended = row.ends

    def _issue(self, issue: Issue) -> None:
        word = self._program.instruction(issue.slot)
        if word is None:
            raise SimulationFault(f"slot {issue.slot} holds no instruction")
        self._machine.issued += 1
        if issue.is_fetch:
            self._fetches.execute(word)
        else:
            execute_alu(self._machine, word)

    def _bool(self, fields: Mapping[str, int]) -> int:
        dword, bit = divmod(fields["bool_addr"], BOOL_BITS)
        return self._inputs.bools.get(dword, 0) >> bit & 1

    def _wanting(self, fields: Mapping[str, int]) -> Array:
        """Lanes whose predicate is as wanted."""
        return np.equal(self._machine.predicate, bool(fields["condition"]))

    def _jump(self, number: int, name: str, fields: Mapping[str, int]) -> None:
        if name == "RETURN":
            self._at = self._calls.pop() if self._calls else self._at
            return
        if not self._is_taken(number, fields):
            return
        if name == "COND_CALL":
            if len(self._calls) == STACK_DEPTH:
                raise SimulationFault(f"calls are nested deeper than {STACK_DEPTH}")
            self._calls.append(self._at)
        self._at = fields["addr"]

    def _is_taken(self, number: int, fields: Mapping[str, int]) -> bool:
        if fields["force_call"]:
            return True
        if not fields["predicated_jmp"]:
            return self._bool(fields) == fields["condition"]
        wanting = self._wanting(fields)
        return bool(wanting.all() if fields["addr"] > number else wanting.any())

    def _loop(self, number: int, is_start: bool, fields: Mapping[str, int]) -> None:
        if is_start:
            self._start_loop(fields)
            return
        if not self._loops:
            raise SimulationFault(f"clause {number} ends a loop that was not begun")
        loop = self._loops[-1]
        loop.iteration += 1
        if loop.iteration < loop.count:
            self._at = fields["addr"]
            self._machine.counter = loop.counter
        else:
            self._machine.counter = self._loops.pop().outer

    def _start_loop(self, fields: Mapping[str, int]) -> None:
        loop = _Loop(self._inputs.loops.get(fields["loop_id"], 0), self._machine.counter)
        if loop.count == 0:
            self._at = fields["addr"]
            return
        if len(self._loops) == STACK_DEPTH:
            raise SimulationFault(f"loops are nested deeper than {STACK_DEPTH}")
        self._loops.append(loop)
        self._machine.counter = loop.counter
