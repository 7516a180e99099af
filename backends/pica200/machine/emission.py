"""EMIT: triangles that a lane issues, of which nobody knows beforehand how many.

The slots and the hidden bank of outputs are variables.  Each triangle is appended to rows of outputs with room for a
number of them; of those beyond it only the count is kept.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from backends.pica200.isa.registers import COMPONENTS, MAPPED_OUTPUTS
from backends.pica200.machine.arithmetic import MachineArithmetic
from backends.pica200.machine.places import SLOTS, Emission
from compiler.arithmetic.lanes import Array
from compiler.arithmetic.protocol import Number
from compiler.execution.program import Key, Lanes
from compiler.records import dataclass

#: How many triangles each lane issued.
COUNT = "issued"
_WINDING = "winding"

#: A register and its component.
Output = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Triangle:
    """Three vertices that a geometry shader issued: [slot][output register][component]."""

    winding: bool
    vertices: Array


@lru_cache(maxsize=1024)
def variable(bank: str, register: int, component: int) -> str:
    """The name of a register's component."""
    return f"{bank}{register}.{component}"


class Emitter:
    """What EMIT does in a program that writes these outputs."""

    def __init__(self, lanes: Lanes, arithmetic: MachineArithmetic, outputs: Sequence[Output]) -> None:
        self._lanes = lanes
        self._a = arithmetic
        self._outputs = outputs
        #: Those that vertices have.
        self._visible = [output for output in outputs if output[0] < MAPPED_OUTPUTS]

    def emit(self, emission: Emission, most: Number) -> None:
        """Store the outputs, issue the triangle if one is due and there is room (for `most`), swap the banks."""
        for output in self._visible:
            self._lanes.write(_slot_name(emission.slot, output), self._read(variable("o", *output)))
        if emission.issues:
            self._issue(emission.winding, most)
        for output in self._outputs:
            names = variable("o", *output), variable("hidden o", *output)
            shown, hidden = map(self._read, names)
            self._lanes.write(names[0], hidden)
            self._lanes.write(names[1], shown)

    def _issue(self, winding: bool, most: Number) -> None:
        lanes, a = self._lanes, self._a
        count = lanes.read(COUNT, "i32")
        fits = a.ilt(count, most)
        for slot in range(SLOTS):
            for output in self._visible:
                lanes.append((slot, *output), a.stored(self._read(_slot_name(slot, output))), count, fits)
        lanes.append(_WINDING, a.iconst(winding), count, fits, "i32")
        lanes.write(COUNT, a.iadd(count, a.iconst(1)))

    def _read(self, name: str) -> Number:
        return self._lanes.read(name, self._a.element)

    def finish(self) -> None:
        self._lanes.output(COUNT, self._lanes.read(COUNT, "i32"), "i32")


def _slot_name(slot: int, output: Output) -> str:
    return variable(f"slot {slot} o", *output)


def triangles_of(found: Mapping[Key, Array]) -> defaultdict[int, list[Triangle]]:
    """The triangles of each lane that has some, from a run that had room for all."""
    triangles: defaultdict[int, list[Triangle]] = defaultdict(list)
    counts, windings = found.get(COUNT), found.get(_WINDING)
    if counts is None or windings is None:
        return triangles
    vertices = np.zeros((*windings.shape, SLOTS, MAPPED_OUTPUTS, len(COMPONENTS)), np.float32)
    for key, values in found.items():
        if isinstance(key, tuple) and len(key) == 3:
            vertices[(..., *key)] = values
    for lane in np.flatnonzero(counts).tolist():
        triangles[lane] = [Triangle(bool(windings[n, lane]), vertices[n, lane]) for n in range(counts[lane])]
    return triangles
