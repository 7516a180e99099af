"""The state that instructions read and write, one number a lane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from compiler.codegen.target import MachineFault
from compiler.ir.lanes import Array

REGISTERS, CONSTANTS, COMPONENT_COUNT = 64, 256, 4
#: What a0 is limited to.
ADDRESS_RANGE = -256, 255


class SimulationFault(MachineFault):
    """The program does what the machine leaves undefined, or what the simulator has no data for."""


class Machine:
    """Registers, constants and flags of all lanes; at the start everything is false or +0."""

    def __init__(self, lanes: int, constants: Mapping[int, Any], registers: Mapping[int, Any]) -> None:
        self.lanes = lanes
        self.registers = np.zeros((REGISTERS, COMPONENT_COUNT, lanes), np.float32)
        for number, values in registers.items():
            self.registers[number] = np.asarray(values, np.float32).reshape(COMPONENT_COUNT, -1)
        self.constants = np.zeros((CONSTANTS, COMPONENT_COUNT), np.float32)
        for number, values in constants.items():
            self.constants[number] = values
        #: The previous scalar result.
        self.previous = np.zeros(lanes, np.float32)
        self.predicate = np.zeros(lanes, np.bool_)
        self.killed = np.zeros(lanes, np.bool_)
        #: a0 of each lane, and aL, which all lanes share.
        self.address = np.zeros(lanes, np.int64)
        self.counter = 0
        #: Clauses and instructions that were executed.
        self.clauses = self.issued = 0
        #: Number, mask, values and lanes of each export.
        self.exports: list[tuple[int, int, Array, Array]] = []

    def active(self, fields: Mapping[str, int]) -> Array:
        """Lanes that run an instruction with these fields."""
        if not fields["predicated"]:
            return np.ones(self.lanes, np.bool_)
        return np.equal(self.predicate, bool(fields["pred_condition"]))

    def read_register(self, number: int, relative: bool) -> Array:
        """A register, shape (4, lanes); +0 outside of the registers."""
        place = number + self.counter if relative else number
        if 0 <= place < REGISTERS:
            found: Array = self.registers[place]
            return found
        return np.zeros((COMPONENT_COUNT, self.lanes), np.float32)

    def read_constant(self, number: int, offset: Array | int) -> Array:
        """A constant, shape (4, lanes), or (4, 1) if it is the same in all lanes; +0 outside of the constants."""
        places = np.atleast_1d(np.asarray(number + offset))
        inside = (places >= 0) & (places < CONSTANTS)
        values = self.constants[np.where(inside, places, 0)].T
        return np.where(inside, values, np.float32(0))

    def write_register(self, number: int, relative: bool, component: int, values: Array, lanes: Array) -> None:
        """One component; nothing outside of the registers."""
        place = number + self.counter if relative else number
        if 0 <= place < REGISTERS:
            np.copyto(self.registers[place, component], values, where=lanes)
