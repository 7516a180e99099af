"""What a program finds when it starts and leaves when it ends, as words in groups of 16 lanes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.backends.vc4.isa.fixed_function import VPM_ROWS
from glslc_multi.backends.vc4.isa.instructions import LANES
from glslc_multi.backends.vc4.isa.uniforms import Uniform, word_of
from glslc_multi.backends.vc4.machine.alu import REGISTER
from glslc_multi.backends.vc4.machine.peripherals import (
    PAYLOAD,
    TILE,
    TILE_LANES,
    VARYING,
    VPM,
    WRITTEN,
    buffer_sources,
    texture_sources,
)
from glslc_multi.backends.vc4.machine.steps import ACCUMULATORS, FILES
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.execution.program import Key, LaneState
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.compiler.target import MachineFault


class SimulationFault(MachineFault):
    """The program does what the machine leaves undefined, or what the simulator has no data for."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a program reads.  Values of lanes are one for all, 16, or 16 for each group; floats or words."""

    groups: int = 1
    uniforms: Sequence[Uniform] = ()
    #: ra0 to rb31 and r0 to r5 at the start, such as ra15 and rb15 of fragments.
    registers: Mapping[str, Any] = field(default_factory=dict)
    #: Interpolated part, and the part that r5 gets.
    varyings: Sequence[tuple[Any, Any]] = ()
    #: Row -> values.
    vpm: Mapping[int, Any] = field(default_factory=dict)
    x_coord: Any = 0
    y_coord: Any = 0
    ms_mask: Any = 0xF
    rev_flag: Any = 0
    #: What the tile buffer holds.
    colour: Any = 0
    #: By the sources of texture slots; and whether lanes 4k to 4k+3 are the pixels of a 2x2 block.
    textures: Mapping[int, Texture] = field(default_factory=dict)
    quads: bool = False
    #: Words by the sources of buffer slots.
    buffers: Mapping[int, Sequence[int]] = field(default_factory=dict)

    def state(self, max_steps: int) -> LaneState:
        """What an engine begins with."""
        textures = [self._texture(source) for source in texture_sources(self.uniforms)]
        return LaneState(LANES * self.groups, _Rows(self), self._constants(), textures, self.quads, max_steps)

    def _texture(self, source: int) -> Texture:
        if source not in self.textures:
            raise SimulationFault(f"there is no texture for the parameter {source}")
        return self.textures[source]

    def _constants(self) -> Array:
        """Words as `buffer_sources` says, and one more, so that there is one."""
        # Words that only a TMU sees are 0 here.
        words = [word_of(slot) or 0 for slot in self.uniforms]
        buffers = [list(map(int, self.buffers.get(source, ()))) for source in buffer_sources(self.uniforms)]
        first = len(words) + 2 * len(buffers)
        directory: list[int] = []
        data: list[int] = []
        for buffer in buffers:
            directory += [first + len(data), len(buffer)]
            data += buffer
        return np.array([*words, *directory, *data, 0], np.int64).astype(np.int32)


class _Rows(dict[Key, Array]):
    """The values by lane, made when a program asks for them."""

    def __init__(self, inputs: Inputs) -> None:
        super().__init__()
        self._inputs = inputs

    def __missing__(self, key: Key) -> Array:
        row = self[key] = words_by_lane(self._values(*key), self._inputs.groups).view(np.int32).ravel()
        return row

    def _values(self, space: str, index: Any = None, part: int = 0) -> Any:
        inputs = self._inputs
        if space == REGISTER:
            return inputs.registers[index]
        if space == PAYLOAD:
            return getattr(inputs, index)
        if space == VPM:
            return inputs.vpm.get(index, 0)
        if space != VARYING:
            return inputs.colour
        if index >= len(inputs.varyings):
            raise SimulationFault(f"more than {len(inputs.varyings)} varyings are read")
        return inputs.varyings[index][part]


def words_by_lane(values: Any, groups: int) -> Array:
    """Words from one value, 16, or one for each lane; floats become their patterns."""
    words = np.asarray(values)
    if words.dtype.kind == "f":
        words = words.astype(np.float32).view(np.uint32)
    if words.dtype != np.uint32:
        words = (words.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
    shape = (groups, LANES)
    return words.reshape(shape) if words.size == groups * LANES else np.broadcast_to(words.reshape(-1), shape)


@dataclass(frozen=True, slots=True)
class TlbWrite:
    """A write to the tile buffer: the address, words and which lanes; of all groups."""

    waddr: int
    values: Array
    lanes: Array


@dataclass(frozen=True, slots=True)
class Result:
    """The results of a program: words, with shapes (..., groups, 16)."""

    inputs: Inputs
    #: What an engine has handed out.
    outputs: Mapping[Key, Array]
    #: Instructions executed by the slowest group; 0 where the engine does not count them.
    steps: int

    @property
    def files(self) -> Array:
        """Files A and B."""
        return np.array([self._registers(names) for names in FILES])

    @property
    def accumulators(self) -> Array:
        """r0 to r5."""
        return self._registers(ACCUMULATORS)

    @property
    def vpm(self) -> Array:
        """All rows."""
        return np.array([self.vpm_row(number) for number in range(VPM_ROWS)])

    @property
    def tlb(self) -> list[TlbWrite]:
        """The writes to the tile buffer that groups came to, in order."""
        writes = sorted(key[1:] for key in self.outputs if key[0] == TILE)
        return [
            TlbWrite(number, self._words((TILE, at, number)), self._words((TILE_LANES, at, number)) == WRITTEN)
            for at, number in writes
            if self.outputs[TILE_LANES, at, number].any()
        ]

    def vpm_row(self, number: int) -> Array:
        """One of them."""
        if (VPM, number) in self.outputs:
            return self._words((VPM, number))
        return words_by_lane(self.inputs.vpm.get(number, 0), self.inputs.groups)

    def _registers(self, names: Sequence[str]) -> Array:
        return np.array([self._words((REGISTER, name)) for name in names])

    def _words(self, key: Key) -> Array:
        words: Array = self.outputs[key].view(np.uint32).reshape(-1, LANES)
        return words
