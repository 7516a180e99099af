"""Compiled shaders that can be run: an artifact, and one call for all engines."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from compiler.artifact import Artifact, Reflection, Stats
from compiler.diagnostics import Diagnostic, DiagnosticSink
from compiler.driver import Request, Source, compile_geometry, compile_pair, compile_source, find_target, lower_source
from compiler.options import resolve_options
from compiler.records import dataclass

if TYPE_CHECKING:
    from compiler.ir.module import Module
    from compiler.native.compile import HostProgram
    from runtime.simulator import Translations

Engine = Literal["simulator", "translated", "jit", "reference"]

#: Instructions a run may execute before it counts as endless.
DEFAULT_MAX_STEPS = 1_000_000


@dataclass(frozen=True)
class CompiledShader:
    """One compiled shader: machine code, how to bind it, what it costs; and it can be run."""

    artifact: Artifact
    source: Source
    request: Request

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
        """The program that leaves the vertices' positions, where the target has one of its own for that."""
        from runtime.simulator import position_program

        return position_program(find_target(self.request.target, DiagnosticSink()), self.module, self.request)

    @cached_property
    def target_options(self) -> Mapping[str, Any]:
        """The target's options as this shader was compiled with them."""
        target = find_target(self.request.target, DiagnosticSink())
        return resolve_options(target.options, self.request.target_options, DiagnosticSink())

    @cached_property
    def translations(self) -> Translations:
        """The machine code compiled for this computer: what the `translated` engine runs."""
        from runtime.simulator import Translations

        return Translations(find_target(self.request.target, DiagnosticSink()), self.target_options)

    @cached_property
    def host_program(self) -> HostProgram:
        """The same compiled for this computer: what the `jit` engine runs."""
        from compiler.native.compile import compile_module

        return compile_module(self.module)

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
        from runtime.execute import execute

        return execute(self, engine, inputs, uniforms or {}, textures, quads=quads, max_steps=max_steps)


@dataclass(frozen=True)
class CompiledProgram:
    """Stages that were compiled as one, by name."""

    stages: Mapping[str, CompiledShader]
    diagnostics: tuple[Diagnostic, ...] = ()
    #: All stages in one file, of a vertex and a geometry shader.
    binary: bytes | None = None


def compile_shader(source: Source, request: Request) -> CompiledShader:
    """Compile one shader."""
    return CompiledShader(compile_source(source, request, DiagnosticSink()), source, request)


def link_shaders(vertex: Source, fragment: Source, request: Request) -> CompiledProgram:
    """Compile a vertex and a fragment shader, or a vertex and a geometry shader, that belong together."""
    link = compile_geometry if fragment.stage == "geometry" else compile_pair
    program = link(vertex, fragment, request, DiagnosticSink())
    stages = {
        stage: CompiledShader(artifact, fragment if stage == fragment.stage else vertex, request)
        for stage, artifact in program.stages.items()
    }
    return CompiledProgram(stages, program.diagnostics, program.binary)
