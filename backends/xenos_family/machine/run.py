"""The code of a shader run on the simulator, with the values that the host and the chip would give.

In: an artifact and values by the locations of the reflection.  Out: the exports, and which pixels were killed.  The
vertex index, the buffers of attributes and the registers of built-in inputs are made here from plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import numpy as np

from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.backends.xenos_family.isa.registers import (
    COMPONENT_COUNT,
    CONSTANT_SPACE,
    EXPORT_SPACE,
    FETCH_SPACE,
    LOOP_SPACE,
    LOWER_LEFT,
    REGISTER_SPACE,
    WINDOW_ORIGIN,
)
from glslc_multi.backends.xenos_family.machine.packing import pack_vertices
from glslc_multi.backends.xenos_family.machine.simulate import Inputs, Result, interpreter, maker, simulate
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact, Reflection
from glslc_multi.compiler.execution.program import Engine
from glslc_multi.compiler.ir.variables import WINDOW_HEIGHT_NAME
from glslc_multi.compiler.isa.spaces import FACING_SPACE, POINT_SPACE, WINDOW_SPACE
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.target import MachineInputs, MachineOutputs


def translate(program: Program, artifact: Artifact) -> Callable[[MachineInputs], MachineOutputs]:
    """`run` for an artifact, translated for this computer."""
    from glslc_multi.compiler.native.programs import TranslatedCode

    engine = TranslatedCode(maker(program))
    return lambda inputs: _run(program, artifact, inputs, engine)


def run(program: Program, artifact: Artifact, inputs: MachineInputs) -> MachineOutputs:
    """Run the program of `artifact` on all lanes."""
    return _run(program, artifact, inputs, interpreter(program))


def _run(program: Program, artifact: Artifact, inputs: MachineInputs, engine: Engine) -> MachineOutputs:
    reflection = artifact.reflection
    is_vertex = reflection.stage == "vertex"
    if is_turned := (reflection.host_state or {}).get(WINDOW_ORIGIN) == LOWER_LEFT:
        inputs = _turned(inputs, reflection)
    result = simulate(
        program,
        Inputs(
            constants=inputs.constants.get(CONSTANT_SPACE, {}),
            registers=_vertex_index(inputs) if is_vertex else _pixel_registers(program, reflection, inputs),
            loops=_loop_constants(reflection),
            buffers=pack_vertices(
                cast("Iterable[Mapping[str, Any]]", artifact.map_keys.get("fetches", ())),
                inputs.inputs.get(FETCH_SPACE, {}),
                inputs.lanes,
            ),
            textures=inputs.textures,
            quads=inputs.quads,
        ),
        inputs.lanes,
        inputs.max_steps,
        engine,
    )
    exports, killed = _exports(result, inputs.lanes), result.killed
    if is_turned and inputs.quads:
        order = _rows_swapped(inputs.lanes)
        exports, killed = {number: values[order] for number, values in exports.items()}, killed[order]
    return MachineOutputs({EXPORT_SPACE: exports}, None if is_vertex else killed)


def _loop_constants(reflection: Reflection) -> dict[int, int]:
    literals = [literal for literal in reflection.literals if literal.location.space == LOOP_SPACE]
    return {literal.location.index: literal.words[0] for literal in literals}


def _exports(result: Result, lanes: int) -> Mapping[int, Array]:
    exports = {number: values.T for number, values in result.outputs.items()}
    nothing = np.zeros((lanes, COMPONENT_COUNT), np.float32)
    return {number: exports.get(number, nothing) for number in range(64)}


# ------------------------------------------------------------------------------------------------------- window
def _turned(inputs: MachineInputs, reflection: Reflection) -> MachineInputs:
    """Rows from the top, as the chip has them, of rows from below; and so in blocks of pixels."""
    spaces = {space: dict(registers) for space, registers in inputs.inputs.items()}
    if WINDOW_SPACE in spaces:
        x, y, *others = spaces[WINDOW_SPACE][0].T
        # What the host says of the height of the window; 0 where the program does not ask.
        location = next((b.locations[0] for b in reflection.uniforms if b.name == WINDOW_HEIGHT_NAME), None)
        given = None if location is None else inputs.constants.get(CONSTANT_SPACE, {}).get(location.index)
        spaces[WINDOW_SPACE][0] = np.stack([x, (0.0 if given is None else float(given[0])) - y, *others], axis=1)
    if inputs.quads:
        order = _rows_swapped(inputs.lanes)
        spaces = {space: {n: values[order] for n, values in rows.items()} for space, rows in spaces.items()}
    return replace(inputs, inputs=spaces)


def _rows_swapped(lanes: int) -> Array:
    """The lanes with the rows of each block of 2x2 pixels exchanged."""
    return np.arange(lanes) ^ 2


# ------------------------------------------------------------------------------------------------------- inputs
def _vertex_index(inputs: MachineInputs) -> dict[int, Array]:
    register = np.zeros((COMPONENT_COUNT, inputs.lanes), np.float32)
    register[0] = np.arange(inputs.lanes)
    return {0: register}


def _pixel_registers(program: Program, reflection: Reflection, inputs: MachineInputs) -> dict[int, Array]:
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
        column, row = window[:2] - program.isa.to_pixel_centre
        parameter[0], parameter[1] = np.copysign(column, facing), row
        parameter[2:] = given(POINT_SPACE)[:2]
        registers[int(state["parameter_register"])] = parameter
    return registers
