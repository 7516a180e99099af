"""The reference engine: a shader's IR run by the evaluator, with values under GLSL names.

In: a module (any stage of optimisation) and values as users write them (see `names.py`).
Out: one array for each output, lanes first, and `discarded` for fragment shaders; of geometry shaders, triangles (see
`geometry.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypedDict, Unpack

from glslc_multi.compiler.arithmetic.lanes import LANES, Array, LaneArithmetic
from glslc_multi.compiler.arithmetic.sampling import Texture
from glslc_multi.compiler.ir.evaluate import DEFAULT_MAX_STEPS, Result, evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.runtime.blocks import spread_buffers
from glslc_multi.runtime.geometry import CORNERS, as_triangles, emitted_values, strip_corners
from glslc_multi.runtime.names import Names, bind, bind_textures, name_results

#: What users give, by GLSL's names.
Values = Mapping[str, Any]


class RunOptions(TypedDict, total=False):
    """How to run: all engines that run a module take these."""

    #: As many as the inputs have, if it is None.
    lanes: int | None
    #: Whether lanes 4k to 4k + 3 are a 2x2 block of pixels.
    quads: bool
    #: Values that are read but not given are 0; otherwise they are an error.
    fill: bool
    max_steps: int


def run_module(
    module: Module,
    inputs: Values,
    uniforms: Values,
    textures: Values | None = None,
    *,
    arithmetic: LaneArithmetic = LANES,
    **options: Unpack[RunOptions],
) -> dict[str, Array]:
    """Run `module` on as many lanes as the inputs have."""
    run = partial(evaluate, module, arithmetic=arithmetic)
    return run_with(run, module, inputs, uniforms, textures, **options)


def run_with(
    run: Callable[..., Result],
    module: Module,
    inputs: Values,
    uniforms: Values,
    textures: Values | None = None,
    *,
    lanes: int | None = None,
    quads: bool = False,
    fill: bool = False,
    max_steps: int = DEFAULT_MAX_STEPS,
) -> dict[str, Array]:
    """Call a function that runs a module with the evaluator's arguments, with values under GLSL names."""
    count = lane_count(inputs) if lanes is None else lanes
    values = bind_values(module, inputs, uniforms, textures, lanes=count, fill=fill)
    return show_result(module, run(*values, lanes=count, quads=quads, max_steps=max_steps))


def bind_values(
    module: Module,
    inputs: Values,
    uniforms: Values,
    textures: Values | None,
    *,
    lanes: int,
    fill: bool,
) -> tuple[dict[str, Array], dict[str, Array], dict[str, list[Texture]]]:
    """Inputs, uniforms and textures as the evaluator takes them."""
    members = spread_buffers(module.blocks, uniforms)
    inputs_read = ("attribute", "input", "varying") if module.stage == "fragment" else ("attribute", "input")
    return (
        bind(_names("input", module, inputs_read), inputs, lanes=lanes, fill=fill),
        bind(_names("uniform", module, ("uniform",)), members, lanes=None, fill=fill),
        bind_textures(_names("sampler", module, ("sampler",)), textures or {}, fill=fill),
    )


def show_result(module: Module, result: Result) -> dict[str, Array]:
    """A result of the evaluator as users see it."""
    if module.stage == "geometry":
        corners = strip_corners(result.emitted)
        values = {name: emitted_values(result.emitted, corners, name, value) for name, value in result.outputs.items()}
        return as_triangles(name_results(module.outputs(), values), [corner.lane for corner in corners[::CORNERS]])
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
