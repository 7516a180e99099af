"""The reference engine: a shader's IR run by the evaluator, with values under GLSL names.

In: a module (any stage of optimisation) and values as users write them (see `names.py`).
Out: one array for each output, lanes first, and `discarded` for fragment shaders.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from compiler.ir.evaluate import DEFAULT_MAX_STEPS, evaluate, value_shape
from compiler.ir.lanes import LANES, Array, LaneArithmetic
from compiler.ir.module import Module
from compiler.ir.variables import Variable
from runtime.names import bind, bind_textures, name_results


def run_module(
    module: Module,
    inputs: Mapping[str, Any],
    uniforms: Mapping[str, Any],
    textures: Mapping[str, Any] | None = None,
    *,
    lanes: int | None = None,
    quads: bool = False,
    fill: bool = False,
    max_steps: int = DEFAULT_MAX_STEPS,
    arithmetic: LaneArithmetic = LANES,
) -> dict[str, Array]:
    """Run `module` on as many lanes as the inputs have.

    Values that are read but not given are an error, or 0 with `fill`.
    """
    interface = list(module.interface())
    read = [
        v for v in interface if v.storage in ("attribute", "varying", "input") and not v.is_written_by(module.stage)
    ]
    shared = [v for v in interface if v.storage == "uniform"]
    samplers = [v for v in interface if v.storage == "sampler"]
    count = _lane_count(inputs) if lanes is None else lanes
    bound_inputs = bind(read, inputs, kind="input", lanes=count, fill=fill)
    bound_uniforms = bind(shared, uniforms, kind="uniform", lanes=None, fill=fill)
    if fill:
        bound_inputs = _zeros(read, (count,)) | bound_inputs
        bound_uniforms = _zeros(shared, ()) | bound_uniforms
    result = evaluate(
        module,
        bound_inputs,
        bound_uniforms,
        bind_textures(samplers, textures or {}),
        lanes=count,
        quads=quads,
        max_steps=max_steps,
        arithmetic=arithmetic,
    )
    outputs = name_results(module.outputs(), result.outputs)
    return outputs | {"discarded": result.discarded} if module.stage == "fragment" else outputs


def _lane_count(inputs: Mapping[str, Any]) -> int:
    """The length of the first input's leading axis; one lane without inputs."""
    first = next(iter(inputs.values()), (None,))
    return len(first) if hasattr(first, "__len__") else 1


def _zeros(variables: Iterable[Variable], lanes: tuple[int, ...]) -> dict[str, Array]:
    return {variable.name: np.zeros((*lanes, *value_shape(variable))) for variable in variables}
