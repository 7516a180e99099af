"""The judge of code: runs a block of a program for many pixels at once, with its exact cycles.

In: a program, registers, texture memory, a start address.  Out: registers, and for each pixel an `Outcome`.
Pixels whose ways part are run in turn, those at the lowest address first.  What would hang the hardware, or
never end, is an outcome that does not complete.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from backends.theia import isa
from backends.theia.arithmetic import UNITS, Array, wrap
from backends.theia.isa import Decoded
from backends.theia.numbers import WORD_MASK
from backends.theia.program import ORIGIN, Program
from backends.theia.registers import COUNT, OUTPUTS, is_written, physical
from compiler.records import dataclass, field

#: Cycles from trigger to done beside those of instructions, of an instruction beside its unit's, and of RET.
_START_CYCLES, _ISSUE_CYCLES, _RETURN_CYCLES = 3, 1, 2
#: Divider and square root of trunk: a simulation of the hardware may differ by so many cycles each.
TOLERANCE = 2
_TOLERANT = ("DIV", "MAG")
DEFAULT_STEPS = 100_000

_MULP = isa.BY_NAME["MULP"].code
_TMREAD = isa.BY_NAME["TMREAD"].code
_NONE = -1


@dataclass(slots=True)
class Outcome:
    """What became of one pixel."""

    completes: bool = False
    #: Why it does not complete.
    reason: str = ""
    return_code: int = 0
    cycles: int = _START_CYCLES
    #: How far the cycles of hardware may be off.
    tolerance: int = 0
    #: Instructions executed, the final RETURN not counted.
    executed: int = 0
    #: Whether the last conditional jump was taken; None without one.
    taken: bool | None = None
    #: Address and word, in order.
    output: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class _Flight:
    """The state of a run that does not outlive it, one element a pixel."""

    at: Array
    active: Array
    previous: Array
    #: The last instruction's destination field and result: the next one reads them there.
    forward_address: Array
    forward_value: Array
    return_address: Array
    outcomes: list[Outcome]

    @classmethod
    def begin(cls, count: int, start: int) -> _Flight:
        none = np.full(count, _NONE)
        outcomes = [Outcome() for _ in range(count)]
        value = np.zeros((3, count), dtype=np.int64)
        return cls(np.full(count, start), np.ones(count, bool), none, none.copy(), value, none.copy(), outcomes)

    def stop(self, lanes: Array, reason: str = "", return_code: int = 0) -> None:
        """End these pixels, well without a reason."""
        self.active[lanes] = False
        for lane in lanes:
            outcome = self.outcomes[lane]
            outcome.completes, outcome.reason, outcome.return_code = not reason, reason, return_code


class Machine:
    """Registers and texture of a core, for `count` pixels side by side."""

    def __init__(self, program: Program, count: int = 1, texture: Mapping[int, int] | None = None) -> None:
        self.program = program
        self.unit = UNITS[program.variant]
        self.texture = texture or {}
        self.registers = np.zeros((COUNT + len(OUTPUTS), 3, count), dtype=np.int64)
        self._code = [isa.decode(word) for word in program.words]

    def load(self, address: int, row: Sequence[Any]) -> None:
        """Put three patterns (or arrays of them, one element a pixel) into a register."""
        for lane, patterns in enumerate(row):
            self.row(address)[lane] = wrap(patterns)

    def row(self, address: int) -> Array:
        """The lanes of a register for all pixels; what is stored there is kept."""
        row: Array = self.registers[physical(address, self.program.variant)]
        return row

    def patterns(self, address: int, pixel: int = 0) -> tuple[int, int, int]:
        """The patterns of a register's lanes."""
        x, y, z = (int(value) & WORD_MASK for value in self.row(address)[:, pixel])
        return x, y, z

    def run(self, start: int = ORIGIN, max_steps: int = DEFAULT_STEPS) -> list[Outcome]:
        """Execute from `start` to RETURN."""
        flight = _Flight.begin(self.registers.shape[2], start)
        for _ in range(max_steps):
            if not flight.active.any():
                return flight.outcomes
            address = int(flight.at[flight.active].min())
            self._step(flight, address, np.flatnonzero(flight.active & (flight.at == address)))
        flight.stop(np.flatnonzero(flight.active), f"no RETURN in {max_steps} steps")
        return flight.outcomes

    def _step(self, flight: _Flight, address: int, lanes: Array) -> None:
        index = self.program.index_of(address)
        decoded = None if index is None else self._code[index]
        cycles = None if decoded is None else decoded.instruction.cycles(self.program.variant)
        if index is None:
            flight.stop(lanes, f"runs to address {address:04x}, outside of the program")
        elif decoded is None or cycles is None:
            flight.stop(lanes, f"the instruction at {address:04x} never completes")
        elif decoded.instruction.role == "end":
            _finish(flight, decoded, lanes)
        elif decoded.instruction.code == _TMREAD:
            _Execution(self, flight, decoded, address, _stop_read_pairs(flight, lanes)).run(cycles)
        else:
            _Execution(self, flight, decoded, address, lanes).run(cycles)


def _finish(flight: _Flight, decoded: Decoded, lanes: Array) -> None:
    is_first = np.array([flight.outcomes[lane].executed == 0 for lane in lanes])
    flight.stop(lanes[is_first], "RETURN as the first instruction never completes")
    flight.stop(lanes[~is_first], return_code=decoded.code)


def _stop_read_pairs(flight: _Flight, lanes: Array) -> Array:
    """The pixels that do not come directly from another TMREAD; the others hang."""
    hangs = flight.previous[lanes] == _TMREAD
    flight.stop(lanes[hangs], "TMREAD directly after TMREAD never completes")
    going: Array = lanes[~hangs]
    return going


class _Execution:
    """One instruction for the pixels that have come to it."""

    __slots__ = ("address", "decoded", "flight", "lanes", "machine")

    def __init__(self, machine: Machine, flight: _Flight, decoded: Decoded, address: int, lanes: Array) -> None:
        self.machine = machine
        self.flight = flight
        self.decoded = decoded
        self.address = address
        self.lanes = lanes

    def run(self, cycles: int) -> None:
        decoded, lanes, flight = self.decoded, self.lanes, self.flight
        instruction = decoded.instruction
        self._settle_mulp()
        first, second = self._operands()
        following = np.full(len(lanes), self.address + 1)
        value = np.zeros((3, len(lanes)), dtype=np.int64)
        if instruction.relation is not None:
            following = self._branch(instruction.relation, first, second, following)
        elif instruction.compute is not None and instruction.role == "compute":
            # A row of constants has one element for all pixels.
            value = value + instruction.compute(self.machine.unit, first, second).reshape(3, -1)
        else:
            value, following = _ROLES[instruction.role](self, first, second, value, following)
        self._count(cycles, first, second)
        if instruction.has_destination and not self._keeps_destination():
            self._write(decoded.destination, value)
        flight.forward_address[lanes] = decoded.target if instruction.is_jump else decoded.destination
        flight.forward_value[:, lanes] = value
        flight.previous[lanes] = instruction.code
        flight.at[lanes] = following

    def _operands(self) -> tuple[Array, Any]:
        """Both sources; of an instruction with an immediate, the old destination and this."""
        decoded = self.decoded
        if decoded.instruction.format is isa.IMMEDIATE:
            return self._read(decoded.destination), decoded.immediate
        return self._read(decoded.first), self._read(decoded.second)

    def _read(self, address: int) -> Array:
        """A register's row, or what the instruction before has just made for it."""
        stored = self.machine.row(address)[:, self.lanes]
        is_forwarded = self.flight.forward_address[self.lanes] == address
        return np.where(is_forwarded, self.flight.forward_value[:, self.lanes], stored)

    def _write(self, address: int, value: Array) -> None:
        if is_written(address, self.machine.program.variant):
            self.machine.row(address)[:, self.lanes] = value

    def _keeps_destination(self) -> bool:
        """RET writes its destination on icarus only."""
        return self.decoded.instruction.role == "return" and self.machine.program.variant != "icarus"

    def _settle_mulp(self) -> None:
        """Lanes x and y of MULP's result are those of the next instruction's first source, or its immediate value."""
        flight = self.flight
        after = self.lanes[flight.previous[self.lanes] == _MULP]
        for lane in after:
            destination = int(flight.forward_address[lane])
            if is_written(destination, self.machine.program.variant):
                self.machine.row(destination)[:2, lane] = self._first_source(lane)

    def _first_source(self, lane: int) -> Array:
        """Lanes x and y of the first source as stored, nothing forwarded."""
        if self.decoded.instruction.format is isa.IMMEDIATE:
            return wrap((self.decoded.immediate, 0))
        source: Array = self.machine.row(self.decoded.first)[:2, lane].copy()
        return source

    def _count(self, cycles: int, first: Array, second: Any) -> None:
        """Add this instruction's cycles."""
        instruction = self.decoded.instruction
        spent = np.full(len(self.lanes), cycles)
        if instruction.name == "DIV":
            spent = self.machine.unit.division_cycles(first, second, cycles)
        extra = _ISSUE_CYCLES + (_RETURN_CYCLES if instruction.role == "return" else 0)
        is_tolerant = instruction.name in _TOLERANT and self.machine.program.variant != "icarus"
        for lane, count in zip(self.lanes, spent, strict=True):
            outcome = self.flight.outcomes[lane]
            outcome.cycles += int(count) + extra
            outcome.executed += 1
            outcome.tolerance += TOLERANCE if is_tolerant else 0

    # --- Roles --------------------------------------------------------------------------------------------------------

    def _branch(self, relation: isa.Relation, first: Array, second: Array, following: Array) -> Array:
        lane = self.decoded.instruction.lane
        taken = relation(self.machine.unit, first[lane], second[lane])
        for pixel, is_taken in zip(self.lanes, taken, strict=True):
            self.flight.outcomes[pixel].taken = bool(is_taken)
        return np.where(taken, self.decoded.target, following)

    def _do_nothing(self, first: Array, second: Any, value: Array, following: Array) -> tuple[Array, Array]:
        return value, following

    def _do_jump(self, first: Array, second: Any, value: Array, following: Array) -> tuple[Array, Array]:
        return value, np.full_like(following, self.decoded.target)

    def _do_call(self, first: Array, second: Any, value: Array, following: Array) -> tuple[Array, Array]:
        self.flight.return_address[self.lanes] = following
        return value, np.full_like(following, self.decoded.target)

    def _do_return(self, first: Array, second: Any, value: Array, following: Array) -> tuple[Array, Array]:
        compute = self.decoded.instruction.compute
        result = first if compute is None else compute(self.machine.unit, first, second)
        return result, self.flight.return_address[self.lanes]

    def _do_address(self, first: Array, second: Any, value: Array, following: Array) -> tuple[Array, Array]:
        return np.broadcast_to(following, value.shape).astype(np.int64), following

    def _do_read(self, first: Array, second: Any, value: Array, following: Array) -> tuple[Array, Array]:
        words = [self.machine.texture.get(int(address) & WORD_MASK, 0) for address in first.ravel()]
        return wrap(words).reshape(first.shape), following

    def _do_write(self, first: Array, second: Array, value: Array, following: Array) -> tuple[Array, Array]:
        for column, pixel in enumerate(self.lanes):
            pairs = zip(first[:, column], second[:, column], strict=True)
            words = [(int(address) & WORD_MASK, int(word) & WORD_MASK) for address, word in pairs]
            self.flight.outcomes[pixel].output += words
        return value, following


_Do = Callable[[_Execution, Array, Any, Array, Array], tuple[Array, Array]]
_ROLES: Mapping[isa.Role, _Do] = {
    "nothing": _Execution._do_nothing,
    "jump": _Execution._do_jump,
    "call": _Execution._do_call,
    "return": _Execution._do_return,
    "address": _Execution._do_address,
    "read": _Execution._do_read,
    "write": _Execution._do_write,
}


def simulate(
    program: Program,
    registers: Mapping[int, Sequence[int]],
    *,
    texture: Mapping[int, int] | None = None,
    start: int = ORIGIN,
    max_steps: int = DEFAULT_STEPS,
) -> tuple[Outcome, Machine]:
    """Run one pixel with these registers (all others 0)."""
    machine = Machine(program, texture=texture)
    for address, row in registers.items():
        machine.load(address, row)
    return machine.run(start, max_steps)[0], machine
