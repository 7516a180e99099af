"""Fetches on the machine: vertex data, and textures through functions that the host gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from backends.adreno import isa
from backends.adreno.machine import COMPONENT_COUNT, Machine, SimulationFault
from backends.adreno.numbers import flush
from backends.adreno.vertices import LAYOUTS, read_elements, to_number
from compiler.ir.lanes import Array

ZERO, ONE, KEEP = 4, 5, 7
SELECTORS = 3
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
        """Run one fetch on all lanes whose predicate is as it wants."""
        row, fields = isa.decode_fetch(word)
        lanes = self._machine.active(fields)
        source = flush(self._machine.read_register(fields["src_reg"], bool(fields["src_rel"])))
        if row is None or row.name not in SIMULATED:
            raise SimulationFault(f"{row.name if row else 'an undefined fetch'} is not simulated")
        if row.name == "VERTEX":
            self._write(fields, self._vertex(source[fields["src_chan"]], fields), lanes)
            return
        coordinates = np.stack([source[fields["src_swizzle"] >> 2 * slot & 3] for slot in range(3)])
        if row.name == "SET_TEX_LOD":
            self._level = np.where(lanes, coordinates[0], self._level)
        elif row.name == "GET_GRADIENTS":
            self._write(fields, self._gradients(coordinates), lanes)
        else:
            self._write(fields, self._sample(coordinates, fields), lanes)

    def _vertex(self, index: Array, fields: Mapping[str, int]) -> Array:
        """An element; components that it lacks are 0, 0, 0, 1."""
        layout = LAYOUTS.get(fields["format"])
        if layout is None:
            raise SimulationFault(f"vertex format {fields['format']} is not simulated")
        slot = fields["const_index"] * SELECTORS + fields["const_index_sel"]
        if slot not in self._buffers:
            raise SimulationFault(f"there is no vertex buffer {slot}")
        whole = np.clip(np.nan_to_num(np.floor(index.astype(np.float64))), -FAR, FAR).astype(np.int64)
        addresses = whole * fields["stride"] + fields["offset"]
        values = np.zeros((COMPONENT_COUNT, self._machine.lanes), np.float32)
        values[-1] = 1.0
        for component, bits in enumerate(read_elements(self._buffers[slot], addresses, layout)):
            number = to_number(bits, layout.widths[component], layout, fields)
            values[component] = np.ldexp(number, fields["exp_adjust"])
        return values

    def _sample(self, coordinates: Array, fields: Mapping[str, int]) -> Array:
        texture = self._textures.get(fields["const_index"])
        if texture is None:
            raise SimulationFault(f"there is no texture {fields['const_index']}")
        lod = np.full(self._machine.lanes, level_bias(fields), np.float32)
        if fields["reg_lod"]:
            lod = lod + self._level
        return texture(coordinates, lod, fields)

    def _gradients(self, values: Array) -> Array:
        """Differences of the first two coordinates in each 2x2 block: x and z to the right, y and w upwards."""
        if not self._quads:
            raise SimulationFault("gradients need pixels in blocks of 2x2")
        blocks = values[:2].reshape(2, -1, 2, 2)
        along = [np.diff(blocks, axis=axis).repeat(2, axis=axis).reshape(2, -1) for axis in (3, 2)]
        return np.stack([along[0][0], along[1][0], along[0][1], along[1][1]])

    def _write(self, fields: Mapping[str, int], values: Array, lanes: Array) -> None:
        zero, one = np.zeros(self._machine.lanes, np.float32), np.ones(self._machine.lanes, np.float32)
        for component in range(COMPONENT_COUNT):
            selector = fields["dst_swizzle"] >> 3 * component & 7
            if selector >= KEEP - 1:
                continue
            found = {ZERO: zero, ONE: one}.get(selector)
            value = values[selector] if found is None else found
            self._machine.write_register(fields["dst_reg"], bool(fields["dst_rel"]), component, value, lanes)


def level_bias(fields: Mapping[str, int]) -> float:
    """The level of detail that a texture fetch itself adds."""
    bias = fields["lod_bias"]
    return (bias - 128 if bias > 63 else bias) / _BIAS_STEPS
