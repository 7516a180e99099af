"""Runs a block of a program for many pixels at once, with its exact cycles.

In: a program, registers, texture memory, a start address.  Out: registers, and `Outcomes`: what became of the pixels.
Pixels with the same history run together; where they diverge, those at the lowest address go first, so that they
reconverge.  What would hang the hardware, or never end, is an outcome that does not complete.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from backends.theia.isa import instructions
from backends.theia.isa.instructions import Decoded
from backends.theia.isa.numbers import WORD_MASK
from backends.theia.isa.program import ORIGIN, Program
from backends.theia.machine.arithmetic import Array, wrap
from backends.theia.machine.outcomes import Outcome, Outcomes
from backends.theia.machine.state import ZEROS, Machine

#: Cycles of an instruction besides its unit's, and of RET.
_ISSUE_CYCLES, _RETURN_CYCLES = 1, 2
#: Divider and square root of trunk: a simulation of the hardware may differ by so many cycles each.
TOLERANCE = 2
_TOLERANT = ("DIV", "MAG")
DEFAULT_STEPS = 100_000

_MULP = instructions.BY_NAME["MULP"].code
_TMREAD = instructions.BY_NAME["TMREAD"].code
_NONE = -1


class _Point(NamedTuple):
    """Where pixels are, from where they came, and where RET would go."""

    address: int
    previous: int = _NONE
    returns: int = _NONE


class _Group(NamedTuple):
    """Pixels at one program point."""

    pixels: Array
    #: The row that the instruction before has made: the next one reads it instead of that one's destination.
    forwarded: Array

    def joined(self, other: _Group) -> _Group:
        """Both, in the order of pixels."""
        pixels = np.concatenate((self.pixels, other.pixels))
        rows = [np.broadcast_to(each.forwarded, (3, len(each.pixels))) for each in (self, other)]
        order = np.argsort(pixels)
        return _Group(pixels[order], np.concatenate(rows, axis=1)[:, order])

    def only(self, chosen: Array) -> _Group:
        """Those of its pixels that a mask chooses."""
        row = self.forwarded
        if chosen.all():
            return self
        return _Group(self.pixels[chosen], row if row.shape[1] == 1 else row[:, chosen])


class _Run:
    """One run of a block: which pixels are where."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.outcomes = Outcomes(machine.count)
        self.waiting: dict[_Point, _Group] = {}
        self._code = [instructions.decode(word) for word in machine.program.words]

    def wait(self, point: _Point, group: _Group) -> None:
        """Pixels arrive at a program point."""
        there = self.waiting.get(point)
        if len(group.pixels):
            self.waiting[point] = group if there is None else there.joined(group)

    def step(self) -> None:
        """One instruction: that of the lowest address."""
        address = min(point.address for point in self.waiting)
        for point in [point for point in self.waiting if point.address == address]:
            self._execute(point, self.waiting.pop(point))

    def _execute(self, point: _Point, group: _Group) -> None:
        decoded, before = self._decoded(point.address), self._decoded(point.previous)
        cycles = None if decoded is None else decoded.instruction.cycles(self.machine.program.variant)
        reason = ""
        if self.machine.program.index_of(point.address) is None:
            reason = f"runs to address {point.address:04x}, outside of the program"
        elif decoded is None or cycles is None:
            reason = f"the instruction at {point.address:04x} never completes"
        elif decoded.instruction.role == "end" and before is None:
            reason = "RETURN as the first instruction never completes"
        elif before is not None and decoded.instruction.code == before.instruction.code == _TMREAD:
            reason = "TMREAD directly after TMREAD never completes"
        if reason or decoded is None or cycles is None:
            self.outcomes.stop(group.pixels, reason)
        elif decoded.instruction.role == "end":
            self.outcomes.stop(group.pixels, return_code=decoded.code)
        else:
            _Execution(self, decoded, before, point, group).run(cycles)

    def _decoded(self, address: int) -> Decoded | None:
        index = self.machine.program.index_of(address)
        return None if index is None else self._code[index]


class _Execution:
    """One instruction for the pixels with the same history."""

    __slots__ = ("before", "decoded", "group", "machine", "point", "process")

    def __init__(self, process: _Run, decoded: Decoded, before: Decoded | None, point: _Point, group: _Group) -> None:
        self.process = process
        self.machine = process.machine
        self.decoded = decoded
        self.before = before
        self.point = point
        self.group = group

    def run(self, cycles: int) -> None:
        decoded, pixels, instruction = self.decoded, self.group.pixels, self.decoded.instruction
        self._settle_mulp()
        first, second = self._operands()
        value = self._value(first, second)
        self._count(cycles, first, second)
        if instruction.has_destination and not self._keeps_destination():
            self.machine.write(decoded.destination, value, pixels)
        onward = _Point(self.point.address + 1, self.point.address, self.point.returns)
        there = onward._replace(address=decoded.target)
        following = _Group(pixels, value)
        match instruction.role:
            case "branch":
                self._branch(first, second, following, there, onward)
            case "jump":
                self.process.wait(there, following)
            case "call":
                self.process.wait(there._replace(returns=onward.address), following)
            case "return":
                self.process.wait(onward._replace(address=self.point.returns), following)
            case _:
                self.process.wait(onward, following)

    def _operands(self) -> tuple[Array, Any]:
        """Both sources; of an instruction with an immediate, the old destination and this."""
        decoded = self.decoded
        if decoded.instruction.format is instructions.IMMEDIATE:
            return self._read(decoded.destination), decoded.immediate
        return self._read(decoded.first), self._read(decoded.second)

    def _read(self, address: int) -> Array:
        """A register's row, or what the instruction before has just made for it."""
        before = self.before
        if before is not None and address == (before.target if before.instruction.is_jump else before.destination):
            return self.group.forwarded
        return self.machine.read(address, self.group.pixels)

    def _value(self, first: Array, second: Any) -> Array:
        """What the instruction makes for its destination."""
        instruction = self.decoded.instruction
        match instruction.role:
            case "compute":
                assert instruction.compute is not None
                value: Array = instruction.compute(self.machine.unit, first, second).reshape(3, -1)
                return value
            case "return":
                return first if instruction.compute is None else instruction.compute(self.machine.unit, first, second)
            case "address":
                return ZEROS + (self.point.address + 1)
            case "read":
                words = [self.machine.texture.get(address & WORD_MASK, 0) for address in first.ravel().tolist()]
                return wrap(words).reshape(first.shape)
            case "write":
                self.process.outcomes.write(self.group.pixels, first, second)
        return ZEROS

    def _branch(self, first: Array, second: Array, following: _Group, there: _Point, onward: _Point) -> None:
        instruction, pixels = self.decoded.instruction, following.pixels
        assert instruction.relation is not None
        taken = instruction.relation(self.machine.unit, first[instruction.lane], second[instruction.lane])
        taken = np.broadcast_to(taken, pixels.shape)
        self.process.outcomes.taken[pixels] = taken
        self.process.wait(there, following.only(taken))
        self.process.wait(onward, following.only(~taken))

    def _keeps_destination(self) -> bool:
        """RET writes its destination on icarus only."""
        return self.decoded.instruction.role == "return" and self.machine.program.variant != "icarus"

    def _settle_mulp(self) -> None:
        """Lanes x and y of MULP's result are those of the next instruction's first source, or its immediate value."""
        if self.before is None or self.before.instruction.code != _MULP:
            return
        if self.decoded.instruction.format is instructions.IMMEDIATE:
            own = wrap((self.decoded.immediate, 0)).reshape(2, 1)
        else:
            own = self.machine.read(self.decoded.first, self.group.pixels)[:2]
        self.machine.write(self.before.destination, own, self.group.pixels)

    def _count(self, cycles: int, first: Array, second: Any) -> None:
        """Add this instruction's cycles."""
        instruction = self.decoded.instruction
        spent: Any = cycles
        if instruction.name == "DIV":
            spent = self.machine.unit.division_cycles(first, second, cycles)
        extra = _ISSUE_CYCLES + (_RETURN_CYCLES if instruction.role == "return" else 0)
        is_tolerant = instruction.name in _TOLERANT and self.machine.program.variant != "icarus"
        self.process.outcomes.count(self.group.pixels, spent + extra, TOLERANCE if is_tolerant else 0)


def run_block(machine: Machine, start: int = ORIGIN, max_steps: int = DEFAULT_STEPS) -> Outcomes:
    """Execute from `start` to RETURN."""
    run = _Run(machine)
    run.wait(_Point(start), _Group(np.arange(machine.count), ZEROS))
    for _ in range(max_steps):
        if not run.waiting:
            return run.outcomes
        run.step()
    for group in run.waiting.values():
        run.outcomes.stop(group.pixels, f"no RETURN in {max_steps} steps")
    return run.outcomes


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
    return run_block(machine, start, max_steps)[0], machine
