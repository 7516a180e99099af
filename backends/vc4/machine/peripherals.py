"""The peripherals at the addresses above 31: uniforms, varyings, VPM, TMUs and tile buffer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from backends.vc4.isa import registers
from backends.vc4.isa.fixed_function import VPM_ROWS, vpm_setup_of
from backends.vc4.isa.instructions import LANES, Signal
from backends.vc4.isa.uniforms import BUFFER_ADDRESS, BUFFER_SPACING, STREAM_ADDRESS, Slot, Uniform, word_of
from backends.vc4.machine.arithmetic import Words, separate
from backends.vc4.machine.state import (
    NOTHING,
    Machine,
    Rows,
    SimulationFault,
    TextureUnit,
    chosen,
    part_of,
    words_of,
)
from compiler.arithmetic.lanes import Array
from compiler.records import dataclass, field

#: Coordinates in the order of a TMU's registers.
LETTERS = "strb"


@dataclass(frozen=True, slots=True)
class TextureRequest:
    """One sample in each lane: words of coordinates by letter (s, t, r, b) and the slots of the parameters.

    `groups` are the numbers of the groups that make the request; results have their shape, (groups, 16)."""

    sampler: int
    coordinates: Mapping[str, Array]
    parameters: Sequence[Uniform]
    groups: Array


#: Returns the words of the results, as the TMU puts them into r4.
Sampler = Callable[[TextureRequest], Array]


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
    textures: Mapping[int, Sampler] = field(default_factory=dict)
    buffers: Mapping[int, Sequence[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TlbWrite:
    """A write to the tile buffer: the address, words and which lanes; of all groups."""

    waddr: int
    values: Array
    lanes: Array


class Peripherals:
    """All peripherals of the QPUs that run a program."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self._varyings = [(self._given(first), self._given(second)) for first, second in inputs.varyings]
        self._colour = self._given(inputs.colour)
        # Words that only a TMU sees are 0 here.
        self._stream = separate(np.array([word_of(slot) or 0 for slot in inputs.uniforms], np.uint32))
        self.tlb: list[TlbWrite] = []

    def start(self, machine: Machine) -> None:
        """Give a machine of all groups what it finds at the start."""
        inputs = self._inputs
        machine.set_registers(inputs.registers, inputs.groups)
        for row, values in inputs.vpm.items():
            machine.vpm[row] = self._given(values)
        machine.payload = {
            (0, 41): self._given(inputs.x_coord),
            (1, 41): self._given(inputs.y_coord),
            (0, 42): self._given(inputs.ms_mask),
            (1, 42): self._given(inputs.rev_flag),
            (0, 38): self._given(np.arange(LANES)),
        }

    def _given(self, values: Any) -> Words:
        return words_of(values, self._inputs.groups)

    def _of_groups(self, words: Words, machine: Machine) -> Words:
        """Of words of all groups, those of a machine's."""
        is_whole = len(machine.groups) == self._inputs.groups
        return words if is_whole else part_of(words, machine.groups)

    # --- Reads --------------------------------------------------------------------------------------------------------

    def read(self, machine: Machine, file: int, number: int) -> Words:
        """A register beside the files; each port is read once an instruction."""
        if number == registers.UNIFORM_READ:
            return self._uniform_word(machine)
        if number == registers.VARYING_READ:
            return self._varying(machine)
        if number == registers.VPM_READ:
            return self._vpm_row(machine)
        return machine.payload.get((file, number), NOTHING)

    def varying_constant(self, machine: Machine) -> Words:
        """The other part of the varying that was read last."""
        return self._of_groups(self._varyings[machine.varying - 1][1], machine)

    def _uniform(self, machine: Machine) -> Uniform:
        stream = self._inputs.uniforms
        if not 0 <= machine.uniform < len(stream):
            raise SimulationFault(f"uniform {machine.uniform} of {len(stream)} is read")
        machine.uniform += 1
        return stream[machine.uniform - 1]

    def _uniform_word(self, machine: Machine) -> Words:
        slot = self._uniform(machine)
        if isinstance(slot, Slot) and slot.kind == "texture":
            raise SimulationFault(f"uniform {machine.uniform - 1}, a parameter of a texture, is read as a number")
        return self._stream[machine.uniform - 1]

    def _varying(self, machine: Machine) -> Words:
        if machine.varying == len(self._varyings):
            raise SimulationFault(f"more than {len(self._varyings)} varyings are read")
        machine.varying += 1
        return self._of_groups(self._varyings[machine.varying - 1][0], machine)

    def _vpm_row(self, machine: Machine) -> Words:
        if machine.reads is None:
            raise SimulationFault("the VPM is read without a setup")
        return machine.vpm[machine.reads.take("reads")]

    # --- Writes -------------------------------------------------------------------------------------------------------

    def write(self, machine: Machine, file: int, number: int, values: Words, lanes: Array | None) -> None:
        """A register beside the files and accumulators, in some lanes."""
        if number in registers.TMU:
            self._texture(machine, number, values)
        elif number in registers.TLB:
            self._tile(machine, number, values, lanes)
        elif number == registers.VPM:
            self._write_vpm(machine, values, lanes)
        elif number == registers.VPM_SETUP:
            self._set_up(machine, file, values)
        elif number == registers.UNIFORM_ADDRESS:
            self._move_uniforms(machine, file, values)
        elif number == registers.VPM_ADDRESS:
            raise SimulationFault("transfers between VPM and memory are not simulated")
        elif (file, number) in machine.payload:
            machine.payload[file, number] = chosen(lanes, values, machine.payload[file, number])

    def _tile(self, machine: Machine, number: int, values: Words, lanes: Array | None) -> None:
        shape = (self._inputs.groups, LANES)
        all_values, all_lanes = np.zeros(shape, np.uint32), np.zeros(shape, np.bool_)
        all_values[machine.groups], all_lanes[machine.groups] = values.bits, True if lanes is None else lanes
        self.tlb.append(TlbWrite(number, all_values, all_lanes))

    def _write_vpm(self, machine: Machine, values: Words, lanes: Array | None) -> None:
        if machine.writes is None:
            raise SimulationFault("the VPM is written without a setup")
        row = machine.writes.take("writes")
        machine.vpm[row] = chosen(lanes, values, machine.vpm[row])

    def _set_up(self, machine: Machine, file: int, values: Words) -> None:
        word = _one_value(values, "the VPM setup")
        setup = vpm_setup_of(word)
        if setup is None:
            raise SimulationFault(f"VPM setup 0x{word:08x} is not of horizontal rows of 32-bit words")
        if file == 0:
            machine.reads = Rows(*setup)
        else:
            machine.writes = Rows(setup.row, setup.stride, VPM_ROWS)

    def _move_uniforms(self, machine: Machine, file: int, values: Words) -> None:
        if file:
            raise SimulationFault("relative addresses of uniforms are not simulated")
        distance = _one_value(values, "the address of uniforms") - STREAM_ADDRESS
        if distance % 4 or not 0 <= distance <= 4 * len(self._inputs.uniforms):
            raise SimulationFault(f"the address of uniforms is {distance} bytes after the stream's start")
        machine.uniform = distance // 4

    # --- TMU and tile buffer ------------------------------------------------------------------------------------------

    def _texture(self, machine: Machine, number: int, words: Words) -> None:
        values = machine.spread(words)
        unit = machine.tmus[(number - registers.TMU.start) // 4]
        letter = LETTERS[number % 4]
        if letter == "s" and not unit.coordinates:
            unit.results.append(self._load(values))
            return
        unit.coordinates[letter] = values
        unit.parameters.append(self._uniform(machine))
        if letter == "s":
            unit.results.append(self._sample(machine, unit))
            unit.coordinates, unit.parameters = {}, []

    def _sample(self, machine: Machine, unit: TextureUnit) -> Array:
        first = unit.parameters[0]
        if not isinstance(first, Slot) or first.source not in self._inputs.textures:
            raise SimulationFault(f"there is no texture for the parameter {first}")
        request = TextureRequest(first.source, unit.coordinates, tuple(unit.parameters), machine.groups)
        return np.broadcast_to(self._inputs.textures[first.source](request), machine.shape).astype(np.uint32)

    def _load(self, addresses: Array) -> Array:
        """Words of buffers."""
        numbers, offsets = np.divmod(addresses.astype(np.int64) - BUFFER_ADDRESS, BUFFER_SPACING)
        result = np.zeros(addresses.shape, np.uint32)
        for number in np.unique(numbers):
            part = numbers == number
            data = np.asarray(self._inputs.buffers.get(int(number), ()), np.uint32)
            indices = offsets[part] // 4
            if indices.max() >= len(data):
                raise SimulationFault(f"a load from 0x{int(addresses[part].max()):08x} is outside of all buffers")
            result[part] = data[indices]
        return result

    def load_r4(self, machine: Machine, signal: int) -> Words:
        """What a signal puts into r4."""
        if signal in (Signal.LOADC, Signal.LDCEND):
            return self._of_groups(self._colour, machine)
        if signal not in (Signal.LDTMU0, Signal.LDTMU1):
            raise SimulationFault(f"the signal {Signal(signal).name.lower()} is not simulated")
        results = machine.tmus[signal - Signal.LDTMU0].results
        if not results:
            raise SimulationFault(f"TMU {signal - Signal.LDTMU0} has no result: the program would wait forever")
        return Words(results.popleft())


def _one_value(values: Words, what: str) -> int:
    """The value that all lanes agree on."""
    found = int(values.bits.flat[0])
    if (values.bits != found).any():
        raise SimulationFault(f"{what} differs between lanes")
    return found
