"""EMIT: triangles that a lane issues, of which nobody knows beforehand how many.

The slots and the hidden bank of outputs are variables.  Each triangle is appended to rows of outputs with room for a
number of them; of those beyond it only the count is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from glslc_multi.backends.pica200.isa.registers import MAPPED_OUTPUTS
from glslc_multi.backends.pica200.machine.arithmetic import MachineArithmetic
from glslc_multi.backends.pica200.machine.places import SLOTS, Emission
from glslc_multi.compiler.arithmetic.protocol import Number
from glslc_multi.compiler.execution.program import Lanes

#: How many triangles each lane issued.
COUNT = "issued"
WINDING = "winding"

#: A register and its component.
Output = tuple[int, int]


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
        self.fill(emission.slot)
        if emission.issues:
            lanes, a = self._lanes, self._a
            count = lanes.read(COUNT, "i32")
            fits = a.ilt(count, most)
            for slot in range(SLOTS):
                for output, value in self.in_slot(slot).items():
                    lanes.append((slot, *output), value, count, fits)
            lanes.append(WINDING, a.iconst(emission.winding), count, fits, "i32")
            lanes.write(COUNT, a.iadd(count, a.iconst(1)))
        self.swap()

    def fill(self, slot: int) -> None:
        """Store the outputs in a slot."""
        for output in self._visible:
            self._lanes.write(_slot_name(slot, output), self._read(variable("o", *output)))

    def in_slot(self, slot: int) -> dict[Output, Number]:
        """What the vertex in a slot has."""
        return {output: self._a.stored(self._read(_slot_name(slot, output))) for output in self._visible}

    def shown(self) -> dict[Output, Number]:
        """What a vertex has that is emitted now."""
        return {output: self._a.stored(self._read(variable("o", *output))) for output in self._visible}

    def swap(self) -> None:
        """Let the banks of outputs change places."""
        for output in self._outputs:
            names = variable("o", *output), variable("hidden o", *output)
            shown, hidden = map(self._read, names)
            self._lanes.write(names[0], hidden)
            self._lanes.write(names[1], shown)

    def _read(self, name: str) -> Number:
        return self._lanes.read(name, self._a.element)

    def finish(self) -> None:
        self._lanes.output(COUNT, self._lanes.read(COUNT, "i32"), "i32")


def _slot_name(slot: int, output: Output) -> str:
    return variable(f"slot {slot} o", *output)
