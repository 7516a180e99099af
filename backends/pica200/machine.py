"""The registers of many vertices at once, and what one arithmetic instruction does to them.

Every register component is an array with one element a vertex (a *lane*); an instruction works on the
lanes that it is given.  Meanings come from the instruction table, number formats from `arithmetic.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from backends.pica200.descriptors import Descriptor
from backends.pica200.isa import BANKS, Instruction, destination_register, source_register
from compiler.ir.lanes import Array, LaneArithmetic
from compiler.records import dataclass

#: Lanes: their numbers, or all of them.
Lanes = Any

#: Uniforms 96 to 127 do not exist; relative addressing reads them as ones.
ADDRESSABLE = 128
#: Address values beyond this range count as 0.
ADDRESS_RANGE = -128, 127

GEOMETRY_OUTPUTS = 7
SLOTS = 3


@dataclass(frozen=True, slots=True)
class Triangle:
    """Three vertices that a geometry shader issued: [slot][output register][component]."""

    winding: bool
    vertices: Array


class Machine:
    """All state but the program counter and the loop counter."""

    def __init__(self, arithmetic: LaneArithmetic, lanes: int) -> None:
        self._a = arithmetic
        self.lanes = lanes
        zeros = np.zeros
        self._banks = {bank: zeros((BANKS[bank], 4, lanes), np.float32) for bank in "vr"}
        self.uniforms = zeros((ADDRESSABLE, 4), np.float32)
        self.uniforms[BANKS["c"] :] = 1.0
        #: The two output banks that EMIT swaps; the first is written.
        self.outputs = zeros((2, BANKS["o"], 4, lanes), np.float32)
        self.address = zeros((2, lanes), np.int32)
        self.flags = zeros((2, lanes), np.bool_)
        #: SETEMIT's vertex, primitive and winding.
        self.emission = zeros((3, lanes), np.int32)
        self._slots = zeros((SLOTS, GEOMETRY_OUTPUTS, 4, lanes), np.float32)
        #: Lane -> its triangles.
        self.emitted: defaultdict[int, list[Triangle]] = defaultdict(list)

    def set_input(self, register: int, values: Array) -> None:
        """Give an input register [lane][component]."""
        self._banks["v"][register] = self._a.encode("float", values).T

    def input(self, register: int) -> Array:
        """An input register [component][lane]."""
        found: Array = self._banks["v"][register]
        return found

    def set_uniform(self, register: int, values: Sequence[float]) -> None:
        """Give a float uniform."""
        self.uniforms[register] = self._a.encode("float", values)

    # --- Arithmetic ---------------------------------------------------------------------------------------------------

    def execute(self, instruction: Instruction, descriptor: Descriptor, lanes: Lanes, counter: int) -> None:
        """An instruction that has a descriptor."""
        operation = instruction.operation
        sources = [
            self._source(instruction, descriptor, number, lanes, counter)
            for number in range(len(operation.layout.sources))
        ]
        relations = [instruction.fields[name] for name in ("cmpx", "cmpy") if name in instruction.fields]
        if operation.flags is not None:
            self._set_flags(operation.flags(self._a, *sources, *relations), lanes)
        if operation.compute is None:
            return
        values = operation.compute(self._a, *sources)
        if operation.operands == "mova":
            self._write_address(values, descriptor.mask, lanes)
        else:
            self._write(instruction, values, descriptor.mask, lanes)

    def _source(
        self, instruction: Instruction, descriptor: Descriptor, number: int, lanes: Lanes, counter: int
    ) -> tuple[Array, ...]:
        layout = instruction.operation.layout
        place = layout.sources[number]
        bank, index = source_register(instruction.fields[place])
        relative = instruction.fields["idx"] if place == layout.wide else 0
        if bank == "c":
            components = self._uniform(index, self._offset(relative, lanes, counter))
        else:
            components = self._banks[bank][index][:, lanes]
        values = tuple(components[component] for component in descriptor.selectors[number])
        return tuple(map(self._a.fneg, values)) if descriptor.negations[number] else values

    def _offset(self, relative: int, lanes: Lanes, counter: int) -> Array:
        if relative == 0:
            return np.zeros((), np.int32)
        value = np.asarray(counter, np.int32) if relative == 3 else self.address[relative - 1][lanes]
        return np.where((value < ADDRESS_RANGE[0]) | (value > ADDRESS_RANGE[1]), 0, value)

    def _uniform(self, index: int, offset: Array) -> Array:
        """Components of a uniform, first axis; one value a lane where the offset has them."""
        return np.moveaxis(self.uniforms[(index + offset) % ADDRESSABLE], -1, 0)

    def _write(self, instruction: Instruction, values: Sequence[Array], mask: int, lanes: Lanes) -> None:
        bank, index = destination_register(instruction.fields["dst"])
        target = self.outputs[0] if bank == "o" else self._banks[bank]
        # What is only moved is a view of its register, which this may be about to change.
        values = [value if value.base is None else value.copy() for value in values]
        for component, value in enumerate(values):
            if mask & 8 >> component:
                target[index, component, lanes] = value

    def _write_address(self, values: Sequence[Array], mask: int, lanes: Lanes) -> None:
        for component in (0, 1):
            if mask & 8 >> component:
                self.address[component, lanes] = self._a.ftoi(values[component])

    def _set_flags(self, values: Sequence[Array], lanes: Lanes) -> None:
        self.flags[0, lanes], self.flags[1, lanes] = values

    def condition(self, fields: Mapping[str, int], lanes: Lanes) -> Array:
        """The condition of format 2 in each lane."""
        x = self.flags[0][lanes] == fields["refx"]
        y = self.flags[1][lanes] == fields["refy"]
        return np.asarray((x | y, x & y, x, y)[fields["condop"]])

    # --- Geometry -----------------------------------------------------------------------------------------------------

    def set_emission(self, fields: Mapping[str, int], lanes: Lanes) -> None:
        for row, name in enumerate(("vertex", "primitive", "winding")):
            self.emission[row, lanes] = fields[name]

    def emit(self, lanes: Array) -> None:
        """Store the outputs, issue the triangle if one is due, swap the banks."""
        for lane in lanes.tolist():
            vertex, primitive, winding = self.emission[:, lane].tolist()
            self._slots[vertex % SLOTS, :, :, lane] = self.outputs[0, :GEOMETRY_OUTPUTS, :, lane]
            if primitive:
                self.emitted[lane].append(Triangle(bool(winding), self._slots[:, :, :, lane].copy()))
        self.outputs[:, :, :, lanes] = self.outputs[::-1, :, :, lanes].copy()
