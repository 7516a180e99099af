"""The reference engine: a shader's IR run by the evaluator, with values under GLSL names.

In: a module (any stage of optimisation) and values as users write them (see `names.py`).
Out: one array for each output, lanes first, and `discarded` for fragment shaders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compiler.ir.evaluate import DEFAULT_MAX_STEPS, Result, evaluate
from compiler.ir.lanes import LANES, Array, LaneArithmetic
from compiler.ir.module import Module
from compiler.ir.sampling import Texture
from runtime.names import Names, bind, bind_textures, name_results


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
    count = lane_count(inputs) if lanes is None else lanes
    values = bind_values(module, inputs, uniforms, textures, lanes=count, fill=fill)
    result = evaluate(module, *values, lanes=count, quads=quads, max_steps=max_steps, arithmetic=arithmetic)
    return show_result(module, result)


def bind_values(
    module: Module,
    inputs: Mapping[str, Any],
    uniforms: Mapping[str, Any],
    textures: Mapping[str, Any] | None,
    *,
    lanes: int,
    fill: bool,
) -> tuple[dict[str, Array], dict[str, Array], dict[str, list[Texture]]]:
    """Inputs, uniforms and textures as the evaluator takes them."""
    inputs_read = ("attribute", "input", "varying") if module.stage == "fragment" else ("attribute", "input")
    return (
        bind(_names("input", module, inputs_read), inputs, lanes=lanes, fill=fill),
        bind(_names("uniform", module, ("uniform",)), uniforms, lanes=None, fill=fill),
        bind_textures(_names("sampler", module, ("sampler",)), textures or {}, fill=fill),
    )


def show_result(module: Module, result: Result) -> dict[str, Array]:
    """A result of the evaluator as users see it."""
    outputs = name_results(module.outputs(), result.outputs)
    return outputs | {"discarded": result.discarded} if module.stage == "fragment" else outputs


def _names(kind: str, module: Module, storages: Sequence[str]) -> Names:
    variables = [variable for variable in module.variables.values() if variable.storage in storages]
    # The source declares samplers as uniforms.
    declared_as = ("uniform",) if kind == "sampler" else storages
    return Names(kind, variables, [d for d in module.declarations if d.storage in declared_as])


def lane_count(inputs: Mapping[str, Any]) -> int:
    """The length of the first input's leading axis; one lane without inputs."""
    first = next(iter(inputs.values()), (None,))
    return len(first) if hasattr(first, "__len__") else 1
