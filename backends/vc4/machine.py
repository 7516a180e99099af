"""The state of QPUs that run the same way: registers, flags, queues, and where they are in the program.

Arrays have a leading axis of groups, 16 lanes each.  When groups go different ways, `divided` makes a machine of
each part; so a machine's position in the program and in its streams is one number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np

from backends.vc4.isa import LANES
from backends.vc4.registers import FILE_SIZE
from backends.vc4.uniforms import Uniform
from compiler.codegen.target import MachineFault
from compiler.ir.lanes import Array
from compiler.records import dataclass, field

VPM_ROWS = 64
ACCUMULATOR_COUNT = 6
#: What registers hold that nothing has written, once a thread switch has lost their values.
LOST = 0xDEADBEEF


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
    """One or more groups at the same place of the program; at the start registers are 0 and flags false."""

    __slots__ = (
        "accumulators",
        "branch_in",
        "end_in",
        "files",
        "flags",
        "groups",
        "payload",
        "pc",
        "reads",
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
        shape = (len(groups), LANES)
        #: Numbers of the groups.
        self.groups = groups
        self.files = np.zeros((2, FILE_SIZE, *shape), np.uint32)
        self.accumulators = np.zeros((ACCUMULATOR_COUNT, *shape), np.uint32)
        #: Zero, negative, carry.
        self.flags = np.zeros((3, *shape), np.bool_)
        self.vpm = np.zeros((VPM_ROWS, *shape), np.uint32)
        #: (file, number) -> registers beside the files that hold values, such as pixel coordinates.
        self.payload: dict[tuple[int, int], Array] = {}
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

    def divided(self, part: Array) -> Machine:
        """The machine of some of the groups, by a truth value each."""
        other = Machine.__new__(Machine)
        for name in ("pc", "uniform", "varying", "steps", "branch_in", "switch_in", "end_in", "target"):
            setattr(other, name, getattr(self, name))
        other.groups = self.groups[part]
        other.files = self.files[:, :, part]
        for name in ("accumulators", "flags", "vpm"):
            setattr(other, name, getattr(self, name)[:, part])
        other.payload = {place: values[part] for place, values in self.payload.items()}
        other.tmus = (self.tmus[0].selected(part), self.tmus[1].selected(part))
        other.reads, other.writes = _copied(self.reads), _copied(self.writes)
        return other

    def set_registers(self, values: Mapping[str, Any], group_count: int) -> None:
        """Start values by name: ra0 to rb31, r0 to r5."""
        for name, value in values.items():
            place = self.accumulators if name[1].isdigit() else self.files["ab".index(name[1])]
            place[int(name.lstrip("rab"))] = lanes_of(value, group_count)

    def lose(self) -> None:
        """What a thread switch does to accumulators and flags."""
        self.accumulators[:] = LOST
        self.flags[:] = False


def _copied(rows: Rows | None) -> Rows | None:
    return None if rows is None else Rows(rows.row, rows.stride, rows.left)


def lanes_of(values: Any, group_count: int) -> Array:
    """Words for all lanes, from one value, 16, or all; floats become their patterns."""
    found = np.asarray(values)
    if found.dtype.kind == "f":
        found = found.astype(np.float32).view(np.uint32)
    found = (found.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
    if found.size == group_count * LANES:
        return found.reshape(group_count, LANES)
    return np.broadcast_to(found, (group_count, LANES)).copy()
