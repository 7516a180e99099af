"""Built-in inputs that hosts and vertex programs stand in for: what they would do before a run (`isa/window.py`).

The constant of gl_FrontFacing is one for a draw call, so that lanes of both sides run twice.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from glslc_multi.backends.agal.isa.window import WINDOW, WINDOW_LANES
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Reflection
from glslc_multi.compiler.isa.spaces import WINDOW_SPACE
from glslc_multi.compiler.records import replace
from glslc_multi.compiler.target import MachineInputs, MachineOutputs

_CONSTANTS, _VARYINGS = "fc", "v"


def with_window(reflection: Reflection, inputs: MachineInputs) -> MachineInputs:
    """The inputs with the varying that a vertex program would leave for these values of gl_FragCoord."""
    if WINDOW_SPACE not in inputs.inputs:
        return inputs
    coordinates = np.asarray(inputs.inputs[WINDOW_SPACE][0], np.float64)
    # Nothing that is drawn has a w of 0; lanes that got no coordinate do.
    reciprocal = np.where(coordinates[:, 3] == 0.0, 1.0, coordinates[:, 3])
    passed = np.column_stack([coordinates[:, :3], np.ones(inputs.lanes)]) / reciprocal[:, None]
    varyings = {number: np.array(values) for number, values in inputs.inputs.get(_VARYINGS, {}).items()}
    for place in (
        location for binding in reflection.varyings if binding.name == WINDOW for location in binding.locations
    ):
        register = varyings.setdefault(place.index, np.zeros((inputs.lanes, 4)))
        for letter, lane in zip(place.components, range(place.first, 4), strict=False):
            register[:, "xyzw".index(letter)] = passed[:, WINDOW_LANES.index(lane)]
    others = {space: file for space, file in inputs.inputs.items() if space != WINDOW_SPACE}
    return replace(inputs, inputs={**others, _VARYINGS: varyings})


def by_side(inputs: MachineInputs, run: Callable[[MachineInputs], MachineOutputs]) -> MachineOutputs:
    """What `run` leaves where each lane finds its own side in the constant."""
    sides = inputs.inputs.get(_CONSTANTS)
    if not sides:
        return run(inputs)
    ((number, values),) = sides.items()
    others = {space: file for space, file in inputs.inputs.items() if space != _CONSTANTS}
    is_front = np.asarray(values)[:, 0] != 0
    constants = inputs.constants.get(_CONSTANTS, {})
    found = []
    for side in (1.0, 0.0):
        register = [side, *list(constants.get(number, [0.0] * 4))[1:]]
        given = {**inputs.constants, _CONSTANTS: {**constants, number: register}}
        found.append(run(replace(inputs, inputs=others, constants=given)))
    return _merged(is_front, *found)


def _merged(is_front: Array, front: MachineOutputs, back: MachineOutputs) -> MachineOutputs:
    outputs = {
        space: {
            number: np.where(is_front[:, None], values, back.outputs[space][number]) for number, values in file.items()
        }
        for space, file in front.outputs.items()
    }
    discarded = None if front.discarded is None else np.where(is_front, front.discarded, back.discarded)
    return MachineOutputs(outputs, discarded)
