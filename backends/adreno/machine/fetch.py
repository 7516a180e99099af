"""Fetches on the machine: vertex data, and textures through functions that the host gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from backends.adreno.isa import instructions
from backends.adreno.isa.formats import ONE, UNDEFINED_COMPONENT, ZERO
from backends.adreno.isa.registers import COMPONENT_COUNT, SELECTORS
from backends.adreno.isa.vertex_formats import LAYOUTS
from backends.adreno.machine.state import Machine, SimulationFault, changed, spread
from backends.adreno.machine.vertex_data import read_elements, to_number
from compiler.arithmetic.lanes import Array

_FIXED = {ZERO: np.asarray(0, np.float32), ONE: np.asarray(1, np.float32)}
_BIAS_STEPS = 16
#: Indices and addresses beyond are outside of any buffer.
FAR = 2**40

#: Fetches that the simulator knows.
SIMULATED = ("VERTEX", "SAMPLE", "SET_TEX_LOD", "GET_GRADIENTS")

Sampler = Callable[[Array, Array, Mapping[str, int]], Array]


class FetchUnit:
    """Runs fetches; keeps the level of detail that SET_TEX_LOD has set."""

    def __init__(
        self, machine: Machine, buffers: Mapping[int, bytes], textures: Mapping[int, Sampler], quads: bool = False
    ) -> None:
        self._machine = machine
        self._buffers = buffers
        self._textures = textures
        self._quads = quads
        self._level = np.zeros(machine.lanes, np.float32)

    def execute(self, word: int) -> None:
        """Run one fetch on all lanes whose predicate is as wanted."""
        row, fields = instructions.decode_fetch(word)
        lanes = self._machine.active(fields)
        if row is None or row.name not in SIMULATED:
            raise SimulationFault(f"{row.name if row else 'an undefined fetch'} is not simulated")
        if row.name == "VERTEX":
            self._write(fields, self._vertex(self._source(fields, fields["src_chan"]), fields), lanes)
            return
        coordinates = np.stack([self._source(fields, fields["src_swizzle"] >> 2 * slot & 3) for slot in range(3)])
        if row.name == "SET_TEX_LOD":
            self._level = changed(self._level, coordinates[0], lanes)
        elif row.name == "GET_GRADIENTS":
            self._write(fields, self._gradients(coordinates), lanes)
        else:
            self._write(fields, self._sample(coordinates, fields), lanes)

    def _source(self, fields: Mapping[str, int], component: int) -> Array:
        number = self._machine.numbered(fields["src_reg"], fields["src_rel"])
        return spread(self._machine.read_register(number, component).row, self._machine.lanes)

    def _vertex(self, index: Array, fields: Mapping[str, int]) -> Sequence[Array]:
        """An element; components that it lacks are 0, 0, 0, 1."""
        layout = LAYOUTS.get(fields["format"])
        if layout is None:
            raise SimulationFault(f"vertex format {fields['format']} is not simulated")
        slot = fields["const_index"] * SELECTORS + fields["const_index_sel"]
        if slot not in self._buffers:
            raise SimulationFault(f"there is no vertex buffer {slot}")
        addresses = _whole(index) * fields["stride"] + fields["offset"]
        values = [_FIXED[ZERO]] * (COMPONENT_COUNT - 1) + [_FIXED[ONE]]
        for component, bits in enumerate(read_elements(self._buffers[slot], addresses, layout)):
            number = to_number(bits, layout.widths[component], layout, fields)
            values[component] = np.ldexp(number, fields["exp_adjust"]) if fields["exp_adjust"] else number
        return values

    def _sample(self, coordinates: Array, fields: Mapping[str, int]) -> Array:
        texture = self._textures.get(fields["const_index"])
        if texture is None:
            raise SimulationFault(f"there is no texture {fields['const_index']}")
        lod = np.full(self._machine.lanes, level_bias(fields), np.float32)
        if fields["reg_lod"]:
            lod = lod + self._level
        return np.asarray(texture(coordinates, lod, fields), np.float32)

    def _gradients(self, values: Array) -> Array:
        """Differences of the first two coordinates in each 2x2 block: x and z to the right, y and w upwards."""
        if not self._quads:
            raise SimulationFault("gradients need pixels in blocks of 2x2")
        blocks = values[:2].reshape(2, -1, 2, 2)
        along = [np.diff(blocks, axis=axis).repeat(2, axis=axis).reshape(2, -1) for axis in (3, 2)]
        return np.stack([along[0][0], along[1][0], along[0][1], along[1][1]])

    def _write(self, fields: Mapping[str, int], values: Sequence[Array] | Array, lanes: Array | None) -> None:
        register = self._machine.numbered(fields["dst_reg"], fields["dst_rel"])
        for component in range(COMPONENT_COUNT):
            selector = fields["dst_swizzle"] >> 3 * component & 7
            if selector >= UNDEFINED_COMPONENT:
                continue
            value = values[selector] if selector < ZERO else _FIXED[selector]
            self._machine.write_register(register, component, value, lanes)


def _whole(index: Array) -> Array:
    """The integer below, within what buffers can have; 0 of NaN."""
    limited = np.minimum(np.maximum(np.floor(index), np.float32(-FAR)), np.float32(FAR))
    return np.where(np.isnan(limited), np.float32(0), limited).astype(np.int64)


def level_bias(fields: Mapping[str, int]) -> float:
    """The level of detail that a texture fetch itself adds."""
    bias = fields["lod_bias"]
    return (bias - 128 if bias > 63 else bias) / _BIAS_STEPS
