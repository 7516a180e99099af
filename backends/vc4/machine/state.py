"""The state of QPUs that run together: registers, flags, queues, and their position in the program.

Arrays have a leading axis of groups, 16 lanes each.  When groups part at a branch, `divided` makes a machine of each
part; so a machine's position in the program and in its streams is one number.  Words never change: a write replaces
them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from backends.vc4.isa.fixed_function import VPM_ROWS
from backends.vc4.isa.instructions import LANES
from backends.vc4.isa.registers import ACCUMULATORS, FILE_SIZE, R0
from backends.vc4.isa.uniforms import Uniform
from backends.vc4.machine.arithmetic import Words, constant
from compiler.arithmetic.lanes import Array
from compiler.records import dataclass, field
from compiler.target import MachineFault

ACCUMULATOR_COUNT = 6
#: Numbers of registers: file A, file B, r0 to r5; then what an instruction's ports read and what it unpacks.
R0_REGISTER = 2 * FILE_SIZE
R4_REGISTER, R5_REGISTER = R0_REGISTER + 4, R0_REGISTER + 5
PORT_REGISTERS = (R0_REGISTER + ACCUMULATOR_COUNT, R0_REGISTER + ACCUMULATOR_COUNT + 1)
UNPACKED_REGISTER = R0_REGISTER + ACCUMULATOR_COUNT + 2
#: A register that nothing is written to.
EMPTY_REGISTER = UNPACKED_REGISTER + 1
_FLAG_COUNT = 3
#: What registers hold that nothing has written, once a thread switch has lost their values.
LOST = 0xDEADBEEF
NOTHING = constant(0)


class SimulationFault(MachineFault):
    """The program does what the machine leaves undefined, or what the simulator has no data for."""


@dataclass(slots=True)
class Rows:
    """A run of VPM rows: the next one, the distance, and how many may still be read."""

    row: int
    stride: int
    left: int

    def take(self, what: str) -> int:
        """The next row."""
        if not self.left:
            raise SimulationFault(f"{what} more rows than were set up")
        found = self.row
        self.row, self.left = (found + self.stride) % VPM_ROWS, self.left - 1
        return found


@dataclass(slots=True)
class TextureUnit:
    """One TMU: the parameters of the next request, and results that wait, oldest first."""

    coordinates: dict[str, Array] = field(default_factory=dict)
    parameters: list[Uniform] = field(default_factory=list)
    results: deque[Array] = field(default_factory=deque)

    def selected(self, groups: Array) -> TextureUnit:
        coordinates = {letter: values[groups] for letter, values in self.coordinates.items()}
        return TextureUnit(coordinates, list(self.parameters), deque(result[groups] for result in self.results))


class Machine:
    """One or more groups at the same point of the program; at the start registers are 0 and flags false."""

    __slots__ = (
        "branch_in",
        "end_in",
        "flags",
        "groups",
        "payload",
        "pc",
        "reads",
        "registers",
        "steps",
        "switch_in",
        "target",
        "tmus",
        "uniform",
        "varying",
        "vpm",
        "writes",
    )

    def __init__(self, groups: Array) -> None:
        #: Numbers of the groups.
        self.groups = groups
        #: By number.
        self.registers = [NOTHING] * (EMPTY_REGISTER + 1)
        #: Zero, negative, carry.
        self.flags: list[Array] = [np.zeros((len(groups), LANES), np.bool_)] * _FLAG_COUNT
        self.vpm = [NOTHING] * VPM_ROWS
        #: (file, number) -> registers beside the files that hold values, such as pixel coordinates.
        self.payload: dict[tuple[int, int], Words] = {}
        self.tmus = (TextureUnit(), TextureUnit())
        self.reads: Rows | None = None
        self.writes: Rows | None = None
        self.pc = self.uniform = self.varying = self.steps = 0
        #: Instructions until something happens; 0 if nothing is to happen.
        self.branch_in = self.switch_in = self.end_in = 0
        self.target = 0

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.groups), LANES

    @property
    def banks(self) -> tuple[list[Words], ...]:
        """What a program leaves."""
        return self.registers, self.vpm

    def divided(self, part: Array) -> Machine:
        """The machine of some of the groups, by a truth value each."""
        other = Machine.__new__(Machine)
        for name in ("pc", "uniform", "varying", "steps", "branch_in", "switch_in", "end_in", "target"):
            setattr(other, name, getattr(self, name))
        other.groups = self.groups[part]
        other.registers = [part_of(words, part) for words in self.registers]
        other.flags = [flag[part] for flag in self.flags]
        other.vpm = [part_of(words, part) for words in self.vpm]
        other.payload = {address: part_of(words, part) for address, words in self.payload.items()}
        other.tmus = (self.tmus[0].selected(part), self.tmus[1].selected(part))
        other.reads, other.writes = _copied(self.reads), _copied(self.writes)
        return other

    def set_registers(self, values: Mapping[str, Any], group_count: int) -> None:
        """Start values by name: ra0 to rb31, r0 to r5."""
        for name, value in values.items():
            first = R0_REGISTER if name[1].isdigit() else FILE_SIZE * "ab".index(name[1])
            self.registers[first + int(name.lstrip("rab"))] = words_of(value, group_count)

    def lose(self) -> None:
        """What a thread switch does to accumulators and flags."""
        self.registers[R0_REGISTER : R0_REGISTER + ACCUMULATOR_COUNT] = [constant(LOST)] * ACCUMULATOR_COUNT
        self.flags = [np.zeros(self.shape, np.bool_)] * _FLAG_COUNT

    def spread(self, words: Words) -> Array:
        """The words with one for each lane."""
        bits = words.bits
        return bits if bits.shape == self.shape else np.broadcast_to(bits, self.shape)


def written_register(file: int, number: int) -> int | None:
    """The number of the register that a write address names; None of other addresses."""
    if number < FILE_SIZE:
        return file * FILE_SIZE + number
    return R0_REGISTER + number - R0 if number in ACCUMULATORS else None


def joined(machines: Sequence[Machine], group_count: int) -> Machine:
    """A machine of all groups, with the registers and rows of the one that each of them is in."""
    if len(machines) == 1:
        # Groups that have never parted are in their order.
        return machines[0]
    whole = Machine(np.arange(group_count))
    for bank, *parts in zip(whole.banks, *(machine.banks for machine in machines), strict=True):
        bank[:] = [_whole(machines, words, whole.shape) for words in zip(*parts, strict=True)]
    return whole


def _whole(machines: Sequence[Machine], parts: Sequence[Words], shape: tuple[int, int]) -> Words:
    found = np.zeros(shape, np.uint32)
    for machine, words in zip(machines, parts, strict=True):
        found[machine.groups] = words.bits
    return Words(found)


def chosen(lanes: Array | None, new: Words, old: Words) -> Words:
    """New words in some lanes (None: in all), old ones in the others."""
    return new if lanes is None else Words(np.where(lanes, new.bits, old.bits))


def part_of(words: Words, part: Array) -> Words:
    """The words of some groups."""
    return words if words.bits.ndim == 1 else Words(words.bits[part])


def _copied(rows: Rows | None) -> Rows | None:
    return None if rows is None else Rows(rows.row, rows.stride, rows.left)


def words_of(values: Any, group_count: int) -> Words:
    """Words from one value, 16, or one for each lane; floats become their patterns."""
    found = np.asarray(values)
    if found.dtype.kind == "f":
        found = found.astype(np.float32).view(np.uint32)
    if found.dtype != np.uint32:
        found = (found.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
    return Words(found.reshape(group_count, LANES) if found.size == group_count * LANES else found.reshape(-1))


def lanes_of(values: Any, group_count: int) -> Array:
    """The same with one for each lane."""
    return np.broadcast_to(words_of(values, group_count).bits, (group_count, LANES))
