"""Machine code whose results are bytes: how near they must be, and for which lanes it was promised anything.

A fragment shader of the PICA200 says by how many steps of 1/255 it may differ (`error_steps` of its statistics).  It
relies on promises: colours that are interpolated, and uniforms, lie in 0 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.ir.variables import PREAMBLE
from glslc_multi.runtime.names import flatten, split_name

STEPS = 255
#: Colours and texels become bytes before they are computed with, which a bound does not count.
_ROUNDED_INPUTS = 2.0
#: The space of interpolated colours.
_COLOUR = "color"

Values = Mapping[str, Any]


def steps_of(artifact: Artifact) -> float | None:
    """By how many steps results may differ; None where they are no bytes."""
    steps = artifact.stats.error_steps
    return None if steps is None else steps + _ROUNDED_INPUTS


def beyond_promises(artifact: Artifact, inputs: Values, uniforms: Values, lanes: int) -> NDArray[np.bool_]:
    """The lanes that read numbers outside of what was promised."""
    preamble = artifact.preamble
    read = () if preamble is None else (v.name for v in preamble.variables.values() if v.role != PREAMBLE)
    names = {split_name(name)[0] for name in read}
    numbers = [np.ravel(value) for name, value in flatten(uniforms) if split_name(name)[0] in names]
    found = np.full(lanes, any(_is_outside(number).any() for number in numbers))
    for binding in artifact.reflection.varyings:
        if binding.name in inputs and any(place.space == _COLOUR for place in binding.locations):
            found |= _is_outside(np.asarray(inputs[binding.name], np.float64).reshape(lanes, -1)).any(axis=1)
    return found


def _is_outside(numbers: NDArray[Any]) -> NDArray[np.bool_]:
    # NaN is in no range.
    return ~((np.asarray(numbers, np.float64) >= 0) & (np.asarray(numbers, np.float64) <= 1))
