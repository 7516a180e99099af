"""The target: options, prices, and what the driver asks of it.  `generate.py` has the stages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from backends.agal.codegen.generate import generate_version
from backends.agal.codegen.legalize import costs
from backends.agal.isa.container import pack
from backends.agal.isa.registers import VERSIONS
from compiler.artifact import Artifact, Stats
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.options import Option, TargetOptions
from compiler.records import replace
from compiler.target import MachineInputs, MachineOutputs, Precision, Target

if TYPE_CHECKING:
    from compiler.ir.module import Module
    from compiler.isa.listing import CodeWord
    from compiler.passes.base import CostModel


class AgalTarget(Target):
    """AGAL byte code, versions 1 to 3."""

    name = "agal"
    description = "AGAL byte code of Stage3D (Flash Player, AIR), versions 1 to 3"
    stages = ("vertex", "fragment")
    program_stages = ("vertex", "fragment")
    suffix = ".agalbin"
    needs_map = True
    precision = Precision(1e-5, 1e-5)
    located_spaces: ClassVar[Mapping[str, str]] = {"va": "attribute", "vc": "uniform", "fc": "uniform", "fs": "sampler"}
    driver_forms: ClassVar[Mapping[str, str]] = {"agal_vectors": "backends.agal.driver_forms"}
    #: Roles of inputs that few targets have (`compiler/codegen/inputs.py`).
    rare_inputs = frozenset({"instance_id"})
    options = (
        Option("agal_version", 1, "version of the byte code", choices=VERSIONS),
        Option("agal_loop_limit", 0, "most rounds of loops that nothing bounds, behind which they end; 0 refuses them"),
        Option("agal_clip_z", False, "bring the depth of positions from OpenGL's -w...w to Stage3D's 0...w"),
        Option("agal_pack_literals", False, "let literals use components that uniforms leave free"),
        Option("agal_samplers", "", "how samplers read their textures: 'u_map: nearest, clamp; u_sky: miplinear'"),
        Option(
            "agal_host_samplers", False, "take filter, mip and wrap from Context3D.setSamplerStateAt (versions 2, 3)"
        ),
    )

    def costs(self, options: TargetOptions) -> CostModel:
        return costs(_version(options))

    def generate(self, module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
        from compiler.passes.control_flow.clone import clone_module

        version = _version(options)
        spare = clone_module(module) if version < VERSIONS[-1] else None
        attempt = sink.renewed()
        try:
            artifact = generate_version(module, version, options, attempt)
        except CompileError as error:
            later = None if spare is None else _first_that_fits(spare, version, options, sink)
            _pass_on(error, later, sink)
            raise CompileError(sink.diagnostics) from None
        sink.absorb(attempt)
        return artifact

    def preload(self) -> None:
        import backends.agal.codegen.generate  # noqa: F401

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from backends.agal.isa.asm import assemble
        from backends.agal.isa.validate import report, validate

        program = assemble(text, filename, sink)
        data = pack(program)
        report(validate(data), sink, program.spans)
        return data

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        from backends.agal.isa.disasm import disassemble

        return disassemble(data, filename, sink)

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        from backends.agal.isa.listing import list_words

        return list_words(data)

    def instruction_set(self) -> str:
        from backends.agal.isa.document import page

        return page()

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        from backends.agal.machine.run import run

        return run(artifact, inputs)

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        from backends.agal.machine.run import translate

        return translate(artifact)

    def size(self, stats: Stats) -> int:
        return stats.instructions


TARGET = AgalTarget()


def _version(options: TargetOptions) -> int:
    return int(options.values.get("agal_version", 1))


def _first_that_fits(module: Module, version: int, options: TargetOptions, sink: DiagnosticSink) -> int | None:
    """The first later version that compiles the module."""
    from compiler.passes.control_flow.clone import clone_module

    for later in range(version + 1, VERSIONS[-1] + 1):
        try:
            generate_version(clone_module(module), later, options, sink.renewed())
        except CompileError:
            continue
        return later
    return None


def _pass_on(error: CompileError, later: int | None, sink: DiagnosticSink) -> None:
    """Add the diagnostics, with the version that would do in place of other help."""
    for diagnostic in error.diagnostics:
        advice = f"--agal-version {later} would do"
        if later is not None and diagnostic.severity == "error" and "--agal-version" not in (diagnostic.help or ""):
            diagnostic = replace(diagnostic, help=f"{diagnostic.help}; {advice}" if diagnostic.help else advice)
        sink.diagnostics.append(diagnostic)
        sink.error_count += diagnostic.severity == "error"
