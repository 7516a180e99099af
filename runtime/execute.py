"""One call for all engines: where a compiled shader's `run` goes.

`reference` evaluates the IR of the source, `jit` compiles that IR for this computer; `simulator` runs the target's
machine code on its simulator, `translated` compiles that machine code for this computer.  All take and give values in
the same form.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from compiler.arithmetic.evaluation_error import fail
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.usage import UNKNOWN_ENGINE
from compiler.driver import find_target
from compiler.options import known_names_help
from compiler.records import replace
from runtime.jit import run_program
from runtime.reference import Values, run_module
from runtime.simulator import Simulated, run_artifact

if TYPE_CHECKING:
    from runtime.shader import CompiledShader

#: What runs a shader on values.
Run = Callable[..., dict[str, Any]]


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
    make = _ENGINES.get(engine)
    if make is None:
        fail(UNKNOWN_ENGINE, help=known_names_help(engine, _ENGINES), name=engine)
    return make(shader)(inputs, uniforms, textures, quads=quads, max_steps=max_steps)


def _reference(shader: CompiledShader) -> Run:
    return partial(run_module, shader.module)


def _jit(shader: CompiledShader) -> Run:
    return partial(run_program, shader.host_program)


def _simulator(shader: CompiledShader) -> Run:
    return partial(run_artifact, _simulated(shader))


def _translated(shader: CompiledShader) -> Run:
    return partial(run_artifact, replace(_simulated(shader), execute=shader.translations))


def _simulated(shader: CompiledShader) -> Simulated:
    target = find_target(shader.request.target, DiagnosticSink())
    # A coordinate shader is asked for by itself: it leaves the position anyway.
    position = shader.position if shader.reflection.stage == "vertex" else None
    return Simulated(target, shader.artifact, shader.module, shader.target_options, position)


_ENGINES: dict[str, Callable[[CompiledShader], Run]] = {
    "simulator": _simulator,
    "translated": _translated,
    "jit": _jit,
    "reference": _reference,
}
