"""The code of an artifact as an engine runs it that knows no machine: a program on lanes, and where values stand.

A *slot* is a component of a register, as the register map names it; the program's keys are the machine's own names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from compiler.arithmetic.operations import LaneOperations
from compiler.execution.program import Key, LaneProgram, Lanes
from compiler.records import dataclass


class Slot(NamedTuple):
    """A component of a register, by the register map's name of its file."""

    space: str
    number: int
    component: int


#: What stands in a slot; None where nothing does.
ReadSlot = Callable[[Slot], Any]
#: Makes what the chip puts into a register, of what stands in slots.
Computed = Callable[[LaneOperations, ReadSlot], Any]


def _no_memory(_key: Key, _address: int) -> None:
    """No buffer is read."""


@dataclass(frozen=True, slots=True)
class MachineCode:
    """The program of an artifact, and the slots of the register map that its keys mean."""

    make: Callable[[Lanes], LaneProgram[Any]]
    #: Key of an input -> its slot, or how the chip makes it of such.
    input: Callable[[Key], Slot | Computed]
    #: Number of a constant word -> its slot, or the number.
    constant: Callable[[int], Slot | float]
    #: Slot of an output -> its key.
    output: Callable[[Slot], Key]
    #: Number of a texture -> the unit of its sampler.
    sampler: Callable[[int], int] = int
    #: Key and address of a word in a buffer -> the slot of the vertex's value.
    memory: Callable[[Key, int], Slot | None] = _no_memory
    #: Key of the output that says whether the lane was discarded.
    discarded: Key = None
    #: Relative rounding of a few operations.
    rounding: float = 2.0**-20
