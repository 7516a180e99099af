"""The state of a core: registers and texture memory of many pixels side by side, as the host sets and finds them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.backends.theia.isa.numbers import WORD_MASK
from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.isa.registers import physical
from glslc_multi.backends.theia.machine.constants import LANES, REGISTERS
from glslc_multi.backends.theia.machine.texture_memory import Memory, no_texture, texture_memory
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.execution.program import Key, LaneState


class Machine:
    """Registers and texture memory of a core, for `count` pixels side by side.

    A register is a row of three lanes, first axis the lane, which may be the same for all pixels.
    """

    def __init__(self, program: Program, count: int = 1, texture: Mapping[int, int] | None = None) -> None:
        self.program = program
        self.count = count
        self._memory: Memory = no_texture()
        if texture:
            self.set_texture(np.fromiter(texture.keys(), np.int64), _signed(list(texture.values())))
        self._shared = np.zeros((REGISTERS, LANES), np.int32)
        #: Registers that may differ from pixel to pixel.
        self._rows: dict[int, Array] = {}

    def widened(self, count: int) -> Machine:
        """A machine of one pixel for `count` of them, which begin with its registers."""
        machine = Machine(self.program, count)
        machine._memory, machine._shared = self._memory, self._shared.copy()
        return machine

    def set_texture(self, addresses: Array, words: Array) -> None:
        """Words (int32) at these addresses, and zeros elsewhere."""
        self._memory = texture_memory(addresses, words)

    # --- Registers ----------------------------------------------------------------------------------------------------

    def load(self, address: int, row: Sequence[Any]) -> None:
        """Put three patterns (or arrays of them, one element a pixel) into a register."""
        found = np.stack(np.broadcast_arrays(*map(_signed, row)))
        self.set_row(physical(address, self.program.variant), found.reshape(LANES, -1))

    def set_row(self, register: int, row: Array) -> None:
        if row.shape[1] == 1:
            self._rows.pop(register, None)
            self._shared[register] = row[:, 0]
        else:
            self._rows[register] = row

    def row(self, address: int) -> Array:
        """The lanes of a register."""
        return self.row_of(physical(address, self.program.variant))

    def row_of(self, register: int) -> Array:
        """The lanes of a register by its physical number."""
        row = self._rows.get(register)
        return self._shared[register][:, None] if row is None else row

    def patterns(self, address: int, pixel: int = 0) -> tuple[int, int, int]:
        """The patterns of a register's lanes."""
        row = np.broadcast_to(self.row(address), (LANES, self.count))
        x, y, z = (int(value) & WORD_MASK for value in row[:, pixel])
        return x, y, z

    # --- Runs ---------------------------------------------------------------------------------------------------------

    @property
    def varying(self) -> Collection[int]:
        """Registers (by physical number) that differ from pixel to pixel."""
        return self._rows.keys()

    def state(self, varying: Collection[int], max_steps: int, most: int = 1) -> LaneState:
        """What a run of the program begins with that takes these registers from each pixel."""
        inputs: dict[Key, Any] = dict(self._memory)
        for register in varying:
            row = self._rows.get(register, self._shared[register])
            inputs |= {(register, lane): row[lane] for lane in range(LANES)}
        immediates = _signed([word & WORD_MASK for word in self.program.words])
        words = np.concatenate((self._shared.ravel(), immediates))
        return LaneState(self.count, inputs, words, max_steps=max_steps, most=most)

    def take(self, outputs: Mapping[Key, Array], registers: Collection[int]) -> None:
        """The rows that a run leaves in these registers."""
        for register in registers:
            self.set_row(register, np.stack([outputs[register, lane] for lane in range(LANES)]))


def _signed(patterns: Any) -> Array:
    """Patterns as signed numbers."""
    return np.asarray(patterns, np.int64).astype(np.int32)
