"""The state of a core: registers and texture of many pixels side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from backends.theia.isa.numbers import WORD_MASK
from backends.theia.isa.program import Program
from backends.theia.isa.registers import is_written, physical
from backends.theia.machine.arithmetic import UNITS, Array, wrap

#: A row of zeros for all pixels.
ZEROS = np.zeros((3, 1), dtype=np.int64)


class Machine:
    """Registers and texture of a core, for `count` pixels side by side.

    A row that is the same for all pixels may have one element in each lane.  Rows are replaced, never changed.
    """

    def __init__(self, program: Program, count: int = 1, texture: Mapping[int, int] | None = None) -> None:
        self.program = program
        self.count = count
        self.unit = UNITS[program.variant]
        self.texture = texture or {}
        self._rows: dict[int, Array] = {}

    def widened(self, count: int) -> Machine:
        """A machine of one pixel for `count` of them, which begin with its registers."""
        found = Machine(self.program, count, self.texture)
        found._rows = dict(self._rows)
        return found

    def load(self, address: int, row: Sequence[Any]) -> None:
        """Put three patterns (or arrays of them, one element a pixel) into a register."""
        self.set_row(physical(address, self.program.variant), self.unit.row(*map(wrap, row)))

    def row(self, address: int) -> Array:
        """The lanes of a register."""
        return self.row_of(physical(address, self.program.variant))

    def row_of(self, register: int) -> Array:
        """The lanes of a register by its physical number."""
        return self._rows.get(register, ZEROS)

    def set_row(self, register: int, row: Array) -> None:
        self._rows[register] = row

    def write(self, address: int, value: Array, pixels: Array) -> None:
        """What an instruction writes: the first lanes of a register that can be written."""
        if not is_written(address, self.program.variant):
            return
        register = physical(address, self.program.variant)
        if self.is_every(pixels) and len(value) == 3:
            self._rows[register] = value
            return
        row = np.broadcast_to(self.row_of(register), (3, self.count)).copy()
        row[: len(value), pixels] = value
        self._rows[register] = row

    def read(self, address: int, pixels: Array) -> Array:
        """A register's lanes for these pixels."""
        row = self.row(address)
        return row if row.shape[1] == 1 or self.is_every(pixels) else row[:, pixels]

    def is_every(self, pixels: Array) -> bool:
        return len(pixels) == self.count

    def patterns(self, address: int, pixel: int = 0) -> tuple[int, int, int]:
        """The patterns of a register's lanes."""
        row = np.broadcast_to(self.row(address), (3, self.count))
        x, y, z = (int(value) & WORD_MASK for value in row[:, pixel])
        return x, y, z
