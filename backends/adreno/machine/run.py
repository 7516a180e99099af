"""The code of a shader run on the simulator, with the values that the host and the chip would give.

In: an artifact and values by the locations of the reflection.  Out: the exports, and which pixels were killed.  The
vertex index, the buffers of attributes and the registers of built-in inputs are made here from plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, cast

import numpy as np

from backends.adreno.isa.container import unpack
from backends.adreno.isa.registers import (
    COMPONENT_COUNT,
    CONSTANT_SPACE,
    EXPORT_SPACE,
    FACING_SPACE,
    FETCH_SPACE,
    LOOP_SPACE,
    POINT_SPACE,
    REGISTER_SPACE,
    WINDOW_SPACE,
)
from backends.adreno.machine.simulate import Execute, Inputs, Result, simulate
from backends.adreno.machine.vertex_data import pack_vertices
from compiler.arithmetic import sampling
from compiler.arithmetic.lanes import Array
from compiler.artifact import Artifact, Reflection
from compiler.records import dataclass
from compiler.target import MachineInputs, MachineOutputs

#: Axis of s, t and the outward direction of each cube face, and their signs (OpenGL ES 2.0 table 3.21).
_FACE_AXES = ((2, 1, 0), (2, 1, 0), (0, 2, 1), (0, 2, 1), (0, 1, 2), (0, 1, 2))
_FACE_SIGNS = ((-1, -1, 1), (1, -1, -1), (1, 1, 1), (1, -1, -1), (1, -1, 1), (-1, -1, -1))


def translate(artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
    """`run` for an artifact, translated for this computer."""
    from backends.adreno.machine.translate import TranslatedProgram

    program = TranslatedProgram(unpack(artifact.binary))
    return lambda inputs: run(artifact, inputs, options, program)


def run(
    artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any], execute: Execute | None = None
) -> MachineOutputs:
    """Run the bytes of `artifact` on all lanes."""
    reflection = artifact.reflection
    is_vertex = reflection.stage == "vertex"
    result = simulate(
        _program(artifact.binary),
        Inputs(
            constants=inputs.constants.get(CONSTANT_SPACE, {}),
            registers=_vertex_index(inputs) if is_vertex else _pixel_registers(reflection, inputs),
            loops=_loop_constants(reflection),
            buffers=pack_vertices(_fetches(artifact), inputs.inputs.get(FETCH_SPACE, {}), inputs.lanes),
            textures={unit: _Sampler(texture, inputs.quads) for unit, texture in inputs.textures.items()},
            quads=inputs.quads,
        ),
        inputs.lanes,
        inputs.max_steps,
        execute,
    )
    return MachineOutputs({EXPORT_SPACE: _exports(result, inputs.lanes)}, None if is_vertex else result.killed)


#: Programs are kept for a while: the same one runs many times.
_program = lru_cache(maxsize=64)(unpack)


def _fetches(artifact: Artifact) -> Iterable[Mapping[str, Any]]:
    return cast("Iterable[Mapping[str, Any]]", artifact.map_keys.get("fetches", ()))


def _loop_constants(reflection: Reflection) -> dict[int, int]:
    literals = [literal for literal in reflection.literals if literal.location.space == LOOP_SPACE]
    return {literal.location.index: literal.words[0] for literal in literals}


def _exports(result: Result, lanes: int) -> Mapping[int, Array]:
    exports = {number: values.T for number, values in result.outputs().items()}
    nothing = np.zeros((lanes, COMPONENT_COUNT), np.float32)
    return {number: exports.get(number, nothing) for number in range(64)}


# ------------------------------------------------------------------------------------------------------- inputs
def _vertex_index(inputs: MachineInputs) -> dict[int, Array]:
    register = np.zeros((COMPONENT_COUNT, inputs.lanes), np.float32)
    register[0] = np.arange(inputs.lanes)
    return {0: register}


def _pixel_registers(reflection: Reflection, inputs: MachineInputs) -> dict[int, Array]:
    """Varyings, and the registers of built-in inputs as the chip fills them."""
    registers = {index: values.T for index, values in inputs.inputs.get(REGISTER_SPACE, {}).items()}
    state, lanes = reflection.host_state or {}, inputs.lanes

    def given(space: str) -> Array:
        values: Array = inputs.inputs.get(space, {}).get(0, np.zeros((lanes, COMPONENT_COUNT)))
        return values.T

    window = given(WINDOW_SPACE)
    if "depth_register" in state:
        depth = np.zeros((COMPONENT_COUNT, lanes), np.float32)
        depth[0] = window[2]
        depth[1] = np.divide(1.0, window[3], out=np.full(lanes, np.inf), where=window[3] != 0)
        registers[int(state["depth_register"])] = depth
    if "parameter_register" in state:
        facing = np.where(given(FACING_SPACE)[0] != 0, 1.0, -1.0)
        parameter = np.zeros((COMPONENT_COUNT, lanes), np.float32)
        parameter[0], parameter[1] = np.copysign(window[0], facing), window[1]
        parameter[2:] = given(POINT_SPACE)[:2]
        registers[int(state["parameter_register"])] = parameter
    return registers


# ----------------------------------------------------------------------------------------------------- textures
@dataclass(frozen=True, slots=True)
class _Sampler:
    """A texture as a fetch sees it."""

    texture: sampling.Texture
    quads: bool

    def __call__(self, coordinates: Array, lod: Array, fields: Mapping[str, int]) -> Array:
        texture = self.texture
        coordinate = _direction(coordinates) if texture.is_cube else coordinates[:2].astype(np.float64)
        level = np.asarray(lod, np.float64)
        if fields["comp_lod"] and self.quads and texture.needs_level:
            level = level + texture.level_of_detail(coordinate, _step(coordinate, 2), _step(coordinate, 1))
        return texture.sample(coordinate, level).astype(np.float32)


def _direction(coordinates: Array) -> Array:
    """The direction to a point on a cube's face; s and t come as 1 to 2."""
    face = np.clip(np.nan_to_num(coordinates[2]), 0, 5).astype(np.intp)
    s, t = (2.0 * (coordinates[axis].astype(np.float64) - 1.0) - 1.0 for axis in (0, 1))
    axes, signs = np.array(_FACE_AXES)[face].T, np.array(_FACE_SIGNS)[face].T
    direction = np.zeros((3, len(face)))
    for axis, sign, value in zip(axes, signs, (s, t, np.ones_like(s)), strict=True):
        np.put_along_axis(direction, axis[None], (sign * value)[None], axis=0)
    return direction


def _step(coordinate: Array, axis: int) -> Array:
    """Differences to the neighbour in each 2x2 block, the same for both."""
    width, lanes = coordinate.shape
    blocks = coordinate.reshape(width, lanes // 4, 2, 2)
    first, second = (np.take(blocks, [number, number], axis=axis + 1) for number in (0, 1))
    difference: Array = (second - first).reshape(width, lanes)
    return difference
