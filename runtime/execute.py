"""One call for all engines: where a compiled shader's `run` goes.

`reference` evaluates the IR of the source, `jit` compiles that IR for this computer, `simulator` runs the target's
machine code on its simulator.  All take and give values in the same form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.usage import UNKNOWN_ENGINE
from compiler.driver import find_target
from compiler.ir.evaluation_error import fail
from compiler.options import known_names_help, resolve_options
from runtime.jit import run_program
from runtime.reference import lane_count, run_module
from runtime.simulator import Simulated, run_artifact

if TYPE_CHECKING:
    from runtime.shader import CompiledShader

Values = Mapping[str, Any]


def execute(
    shader: CompiledShader,
    engine: str,
    inputs: Values,
    uniforms: Values,
    textures: Values | None,
    *,
    quads: bool = False,
    max_steps: int,
) -> dict[str, Any]:
    """Run `shader` on an engine."""
    run = _ENGINES.get(engine)
    if run is None:
        fail(UNKNOWN_ENGINE, help=known_names_help(engine, _ENGINES), name=engine)
    return run(shader, inputs, uniforms, textures, quads=quads, max_steps=max_steps)


def _reference(
    shader: CompiledShader, inputs: Values, uniforms: Values, textures: Values | None, *, quads: bool, max_steps: int
) -> dict[str, Any]:
    return run_module(shader.module, inputs, uniforms, textures, quads=quads, max_steps=max_steps)


def _jit(
    shader: CompiledShader, inputs: Values, uniforms: Values, textures: Values | None, *, quads: bool, max_steps: int
) -> dict[str, Any]:
    return run_program(shader.host_program, inputs, uniforms, textures, quads=quads, max_steps=max_steps)


def _simulator(
    shader: CompiledShader, inputs: Values, uniforms: Values, textures: Values | None, *, quads: bool, max_steps: int
) -> dict[str, Any]:
    target = find_target(shader.request.target, DiagnosticSink())
    options = resolve_options(target.options, shader.request.target_options, DiagnosticSink())
    # A coordinate shader is asked for by itself: it leaves the position anyway.
    position = shader.position if shader.reflection.stage == "vertex" else None
    simulated = Simulated(target, shader.artifact, shader.module, options, position)
    lanes = lane_count(inputs)
    return run_artifact(simulated, inputs, uniforms, textures, lanes=lanes, quads=quads, max_steps=max_steps)


_ENGINES: dict[str, Callable[..., dict[str, Any]]] = {
    "simulator": _simulator,
    "jit": _jit,
    "reference": _reference,
}
