"""The registers of many vertices at once, and what one arithmetic instruction does to them.

Every register component is an array with one element a vertex (a *lane*); an instruction works on the
lanes that it is given.  Meanings come from the instruction table, number formats from `arithmetic.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from backends.pica200.isa.actions import Action, Operand
from backends.pica200.isa.registers import BANKS, COMPONENTS, MAPPED_OUTPUTS
from compiler.arithmetic.lanes import Array, LaneArithmetic
from compiler.records import dataclass

#: Lanes: their numbers, or all of them.
Lanes = Any

#: Uniforms 96 to 127 do not exist; relative addressing reads them as ones.
ADDRESSABLE = 128
#: Address values beyond this range count as 0.
ADDRESS_RANGE = -128, 127

SLOTS = 3

#: All components in their order.
_ORDER = tuple(range(len(COMPONENTS)))


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
        self._number = arithmetic.fconst(0.0).dtype
        #: Registers by bank and index, [component][lane]; those that nobody has touched are missing.
        self._registers: dict[tuple[str, int], Array] = {}
        self.uniforms = zeros((ADDRESSABLE, 4), self._number)
        self.uniforms[BANKS["c"] :] = 1.0
        self.outputs = zeros((BANKS["o"], 4, lanes), np.float32)
        self.address = zeros((2, lanes), np.int32)
        self.flags = zeros((2, lanes), np.bool_)
        #: Lane -> its triangles.
        self.emitted: defaultdict[int, list[Triangle]] = defaultdict(list)

    def set_input(self, register: int, values: Array) -> None:
        """Give an input register [lane][component]."""
        self._registers["v", register] = self._a.encode("float", np.ascontiguousarray(values.T))

    def input(self, register: int) -> Array:
        """An input register [component][lane]."""
        return self._register("v", register)

    def _register(self, bank: str, index: int) -> Array:
        """The components of a register, [component][lane]."""
        if bank == "o":
            found: Array = self.outputs[index]
            return found
        if (bank, index) not in self._registers:
            self._registers[bank, index] = np.zeros((4, self.lanes), self._number)
        return self._registers[bank, index]

    def set_uniforms(self, values: Mapping[int, Sequence[float]]) -> None:
        """Give float uniforms, by register."""
        self.uniforms[list(values)] = self._a.encode("float", np.array(list(values.values())).reshape(-1, 4))

    # --- Arithmetic ---------------------------------------------------------------------------------------------------

    def execute(self, action: Action, lanes: Lanes, counter: int) -> None:
        """An instruction that has a descriptor."""
        operation = action.operation
        sources = [self._source(operand, lanes, counter) for operand in action.operands]
        if operation.flags is not None:
            self._set_flags(operation.flags(self._a, *sources, *action.relations), lanes)
        if operation.compute is None:
            return
        values = action.results(operation.compute(self._a, *sources))
        if action.destination is None:
            self._write_address(values, action.written, lanes)
        else:
            self._write(action.destination, values, action.written, lanes)

    def _source(self, operand: Operand, lanes: Lanes, counter: int) -> Array:
        """The components of a source, first axis."""
        if operand.relative:
            components = self._uniform_at(operand.index, self._offset(operand.relative, lanes, counter))
        elif operand.bank == "c":
            components = self.uniforms[operand.index, :, None]
        else:
            components = self._register(operand.bank, operand.index)[:, lanes]
        values = _selected(components, operand.selector)
        return self._a.fneg(values) if operand.is_negated else values

    def _offset(self, relative: int, lanes: Lanes, counter: int) -> Array:
        value = np.asarray(counter, np.int32) if relative == 3 else self.address[relative - 1][lanes]
        return np.where((value < ADDRESS_RANGE[0]) | (value > ADDRESS_RANGE[1]), 0, value)

    def _uniform_at(self, index: int, offset: Array) -> Array:
        """Components of uniforms; one value for all lanes where the offset is."""
        components: Array = self.uniforms[(index + offset) % ADDRESSABLE].reshape(-1, 4).T
        return components

    def _write(
        self, destination: tuple[str, int], values: Sequence[Array], written: Sequence[int], lanes: Lanes
    ) -> None:
        register = self._register(*destination)
        if isinstance(values, np.ndarray):
            # What is only moved is a view of a register, maybe of this one.
            values = values if values.base is None else values.copy()
        for component, value in zip(written, values, strict=True):
            register[component, lanes] = value

    def _write_address(self, values: Sequence[Array], written: Sequence[int], lanes: Lanes) -> None:
        for component, value in zip(written, values, strict=True):
            if component < len(self.address):
                self.address[component, lanes] = self._a.ftoi(value)

    def _set_flags(self, values: Sequence[Array], lanes: Lanes) -> None:
        self.flags[0, lanes], self.flags[1, lanes] = values

    def condition(self, fields: Mapping[str, int], lanes: Lanes) -> Array:
        """The condition of format 2 in each lane."""
        x = self.flags[0][lanes] == fields["refx"]
        y = self.flags[1][lanes] == fields["refy"]
        return np.asarray((x | y, x & y, x, y)[fields["condop"]])

    # --- Geometry -----------------------------------------------------------------------------------------------------

    @cached_property
    def emission(self) -> Array:
        """SETEMIT's vertex, primitive and winding."""
        return np.zeros((3, self.lanes), np.int32)

    @cached_property
    def _slots(self) -> Array:
        return np.zeros((SLOTS, MAPPED_OUTPUTS, 4, self.lanes), np.float32)

    @cached_property
    def _hidden(self) -> Array:
        """The bank of outputs that EMIT swaps with the visible one."""
        return np.zeros_like(self.outputs)

    def set_emission(self, fields: Mapping[str, int], lanes: Lanes) -> None:
        for row, name in enumerate(("vertex", "primitive", "winding")):
            self.emission[row, lanes] = fields[name]

    def emit(self, lanes: Array) -> None:
        """Store the outputs, issue the triangle if one is due, swap the banks."""
        for lane in lanes.tolist():
            vertex, primitive, winding = self.emission[:, lane].tolist()
            self._slots[vertex % SLOTS, :, :, lane] = self.outputs[:MAPPED_OUTPUTS, :, lane]
            if primitive:
                self.emitted[lane].append(Triangle(bool(winding), self._slots[:, :, :, lane].copy()))
        hidden, self._hidden[:, :, lanes] = self._hidden[:, :, lanes], self.outputs[:, :, lanes]
        self.outputs[:, :, lanes] = hidden


def _selected(components: Array, selector: tuple[int, ...]) -> Array:
    """Rows in the order of a swizzle: a view, if they follow one another."""
    first = selector[0] if selector else 0
    if selector == _ORDER[first : first + len(selector)]:
        return components[first : first + len(selector)]
    return components[list(selector)]
