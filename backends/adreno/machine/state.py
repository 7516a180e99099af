"""The state that instructions read and write, in rows of one number a lane.

Rows are never changed: a write replaces the old row by another.  So what was read stays as it was, and what is known
of a row holds for good.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from backends.adreno.isa.registers import COMPONENT_COUNT, CONSTANTS, REGISTERS
from backends.adreno.machine.arithmetic import Operand, operand_of
from compiler.arithmetic.lanes import Array
from compiler.target import MachineFault

_NOTHING = operand_of(np.zeros(1, np.float32))


class SimulationFault(MachineFault):
    """The program does what the machine leaves undefined, or what the simulator has no data for."""


class Machine:
    """Registers, constants and flags of all lanes; at the start everything is false or +0."""

    def __init__(self, lanes: int, constants: Mapping[int, Any], registers: Mapping[int, Any]) -> None:
        self.lanes = lanes
        self.everywhere = np.ones(lanes, np.bool_)
        nothing = np.zeros(lanes, np.float32)
        #: Four rows a register.
        self.rows: list[Array] = [nothing] * (REGISTERS * COMPONENT_COUNT)
        for number, values in registers.items():
            components = np.asarray(values, np.float32).reshape(COMPONENT_COUNT, -1)
            first = number * COMPONENT_COUNT
            self.rows[first : first + COMPONENT_COUNT] = np.broadcast_to(components, (COMPONENT_COUNT, lanes))
        #: The rows as operands, of those that were read since they were written.
        self._operands: dict[int, Operand] = {}
        self.constants = np.zeros((CONSTANTS, COMPONENT_COUNT), np.float32)
        for number, values in constants.items():
            self.constants[number] = values
        self._flushed_constants = operand_of(self.constants).row
        self._is_nonzero = self._flushed_constants != 0
        #: The previous scalar result; one number, where it is the same in all lanes.
        self.previous = nothing
        self.predicate = np.zeros(lanes, np.bool_)
        self.killed = np.zeros(lanes, np.bool_)
        #: a0 of each lane, and aL, which all lanes share.
        self.address = np.zeros(lanes, np.int64)
        self.counter = 0
        #: Clauses and instructions that were executed.
        self.clauses = self.issued = 0
        #: Number, mask, values and lanes of each export.
        self.exports: list[tuple[int, int, Array, Array]] = []

    def active(self, fields: Mapping[str, int]) -> Array | None:
        """Lanes that run an instruction with these fields; None: all."""
        if not fields["predicated"]:
            return None
        return np.equal(self.predicate, bool(fields["pred_condition"]))

    def numbered(self, number: int, relative: int) -> int:
        """The register that a number names, which may be relative to aL."""
        return number + self.counter if relative else number

    def read_register(self, number: int, component: int) -> Operand:
        """A component of a register; +0 outside of the registers."""
        if not 0 <= number < REGISTERS:
            return _NOTHING
        row = number * COMPONENT_COUNT + component
        found = self._operands.get(row)
        if found is None:
            found = self._operands[row] = operand_of(self.rows[row])
        return found

    def read_constant(self, number: int, component: int) -> Operand:
        """A component of a constant; +0 outside of the constants."""
        if not 0 <= number < CONSTANTS:
            return _NOTHING
        row = self._flushed_constants[number, component : component + 1]
        return Operand(row, self._is_nonzero[number, component])

    def read_constants(self, numbers: Array, component: int) -> Operand:
        """The same of a constant for each lane."""
        inside = (numbers >= 0) & (numbers < CONSTANTS)
        values = self.constants[np.where(inside, numbers, 0), component]
        return operand_of(np.where(inside, values, np.float32(0)))

    def write_register(self, number: int, component: int, values: Array, lanes: Array | None) -> None:
        """One row; nothing outside of the registers."""
        if 0 <= number < REGISTERS:
            row = number * COMPONENT_COUNT + component
            self.rows[row] = changed(self.rows[row], values, lanes)
            self._operands.pop(row, None)


def changed(old: Array, new: Array, lanes: Array | None) -> Array:
    """The row `old` with what `new` has in some lanes (None: in all)."""
    return np.where(lanes, new, old) if lanes is not None else spread(new, len(old))


def spread(row: Array, lanes: int) -> Array:
    """The row with a number for each lane."""
    return row if row.shape == (lanes,) else np.broadcast_to(row, (lanes,))
