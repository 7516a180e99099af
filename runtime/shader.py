"""Compiled shaders that can be run: an artifact, and one call for all engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

from glslc_multi.compiler.artifact import Artifact, Reflection, Stats
from glslc_multi.compiler.diagnostics import Diagnostic, DiagnosticSink
from glslc_multi.compiler.driver import compile_source, lower_source
from glslc_multi.compiler.frontend import Source
from glslc_multi.compiler.options import Request, resolve_options
from glslc_multi.compiler.programs import compile_program
from glslc_multi.compiler.records import dataclass, replace
from glslc_multi.runtime.extra import require_run_extra

if TYPE_CHECKING:
    from glslc_multi.compiler.ir.module import Module
    from glslc_multi.compiler.native.compile import HostProgram
    from glslc_multi.compiler.target import Target
    from glslc_multi.runtime.simulator import Simulated, Translations

Engine = Literal["simulator", "translated", "jit", "reference"]

#: Instructions a run may execute before it counts as endless.
DEFAULT_MAX_STEPS = 1_000_000


@dataclass(frozen=True)
class CompiledShader:
    """One compiled shader: machine code, how to bind it, what it costs; and it can be run."""

    artifact: Artifact
    source: Source
    target: Target
    request: Request

    def __repr__(self) -> str:
        return f"<{self.reflection.stage} shader for {self.target.name}, {self.stats.instructions} instructions>"

    @property
    def binary(self) -> bytes:
        return self.artifact.binary

    @property
    def assembly(self) -> str:
        return self.artifact.assembly

    @property
    def reflection(self) -> Reflection:
        return self.artifact.reflection

    @property
    def stats(self) -> Stats:
        return self.artifact.stats

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self.artifact.diagnostics

    @cached_property
    def module(self) -> Module:
        """The shader as it came from the front end: its variables, and what the `reference` engine runs."""
        return lower_source(self.source, self.request.front_end, DiagnosticSink())

    @cached_property
    def position(self) -> Artifact | None:
        """The program that leaves the vertices' positions, where the target has a separate one for that."""
        from glslc_multi.runtime.simulator import position_program

        return position_program(self.target, self.module, self.request)

    @cached_property
    def target_options(self) -> Mapping[str, Any]:
        """The target's options as this shader was compiled with them."""
        return resolve_options(self.target.options, self.request.target_options, DiagnosticSink())

    @cached_property
    def translations(self) -> Translations:
        """The machine code compiled for this computer: what the `translated` engine runs."""
        from glslc_multi.runtime.simulator import Translations

        return Translations(self.target, self.target_options)

    @cached_property
    def host_program(self) -> HostProgram:
        """The same compiled for this computer: what the `jit` engine runs."""
        require_run_extra()
        from glslc_multi.compiler.native.compile import compile_module

        return compile_module(self.module)

    def host_code(self, form: str | None = None, prefix: str = "shader") -> dict[str, bytes]:
        """Files by name for a program that draws with it (docs/host-code.md), in the usual form or another one;
        names in them begin with `prefix`."""
        return _host_code({self.reflection.stage: self.artifact}, None, self.target, form, prefix)

    def run(
        self,
        inputs: Mapping[str, Any],
        uniforms: Mapping[str, Any] | None = None,
        textures: Mapping[str, Any] | None = None,
        *,
        engine: Engine = "simulator",
        quads: bool = False,
        max_steps: int = DEFAULT_MAX_STEPS,
    ) -> dict[str, Any]:
        """Run on as many vertices or pixels as the inputs have; names and shapes are GLSL's.

        `simulator` runs the machine code, `translated` that code compiled for this computer, `reference` the meaning of
        the source, `jit` that meaning compiled for this computer.  With `quads`, lanes 4k to 4k + 3 are the pixels of
        one 2x2 block, which derivatives need.  Of a geometry shader the result is triangles: see `geometry.py`.
        """
        require_run_extra()
        make = _ENGINES.get(engine)
        if make is None:
            from glslc_multi.compiler.arithmetic.evaluation_error import fail
            from glslc_multi.compiler.diagnostics.catalogue.usage import UNKNOWN_ENGINE
            from glslc_multi.compiler.options import known_names_help

            fail(UNKNOWN_ENGINE, help=known_names_help(engine, _ENGINES), name=engine)
        return make(self)(inputs, uniforms or {}, textures, quads=quads, max_steps=max_steps)


# ---------------------------------------------------------------------------------------- engines
#: What runs a shader on values.
_Run = Callable[..., dict[str, Any]]


def _reference(shader: CompiledShader) -> _Run:
    from glslc_multi.runtime.reference import run_module

    return partial(run_module, shader.module)


def _jit(shader: CompiledShader) -> _Run:
    from glslc_multi.runtime.jit import run_program

    return partial(run_program, shader.host_program)


def _simulator(shader: CompiledShader) -> _Run:
    from glslc_multi.runtime.simulator import run_artifact

    return partial(run_artifact, _simulated(shader))


def _translated(shader: CompiledShader) -> _Run:
    from glslc_multi.runtime.simulator import run_artifact

    return partial(run_artifact, replace(_simulated(shader), execute=shader.translations))


def _simulated(shader: CompiledShader) -> Simulated:
    from glslc_multi.runtime.simulator import Simulated

    # A coordinate shader has no such program: it leaves the position itself.
    position = shader.position if shader.reflection.stage == "vertex" else None
    return Simulated(shader.target, shader.artifact, shader.module, shader.target_options, position)


_ENGINES: dict[str, Callable[[CompiledShader], _Run]] = {
    "simulator": _simulator,
    "translated": _translated,
    "jit": _jit,
    "reference": _reference,
}


# ---------------------------------------------------------------------------------------- compiling
@dataclass(frozen=True)
class CompiledProgram:
    """Stages that were compiled as one, by name."""

    stages: Mapping[str, CompiledShader]
    diagnostics: tuple[Diagnostic, ...] = ()
    #: All stages in one file, of a vertex and a geometry shader.
    binary: bytes | None = None

    def __repr__(self) -> str:
        (target,) = {shader.target.name for shader in self.stages.values()}
        return f"<{', '.join(self.stages)} shaders for {target}>"

    def host_code(self, form: str | None = None, prefix: str = "shader") -> dict[str, bytes]:
        """Files by name for a program that draws with all stages, as `CompiledShader.host_code` has them."""
        stages = {stage: shader.artifact for stage, shader in self.stages.items()}
        target = next(iter(self.stages.values())).target
        return _host_code(stages, self.binary, target, form, prefix)


def _host_code(
    stages: Mapping[str, Artifact], binary: bytes | None, target: Target, form: str | None, prefix: str
) -> dict[str, bytes]:
    from glslc_multi.compiler.host_code.c_names import c_name
    from glslc_multi.compiler.host_code.forms import make_host_files
    from glslc_multi.compiler.host_files import HostProgram as Stages

    program = Stages(stages, c_name(prefix), binary)
    return {file.name: file.data for file in make_host_files(program, target, form, DiagnosticSink())}


def compile_shader(source: Source, target: Target, request: Request) -> CompiledShader:
    """Compile one shader."""
    return CompiledShader(compile_source(source, target, request, DiagnosticSink()), source, target, request)


def link_shaders(vertex: Source, fragment: Source, target: Target, request: Request) -> CompiledProgram:
    """Compile a vertex and a fragment shader, or a vertex and a geometry shader, that belong together."""
    program = compile_program(vertex, fragment, target, request, DiagnosticSink())
    stages = {
        stage: CompiledShader(artifact, fragment if stage == fragment.stage else vertex, target, request)
        for stage, artifact in program.stages.items()
    }
    return CompiledProgram(stages, program.diagnostics, program.binary)
