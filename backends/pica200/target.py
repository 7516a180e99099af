"""The target: facts, options, and what the driver calls; the rooms `codegen/`, `isa/` and `machine/` do the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from compiler.options import Option, TargetOptions

if TYPE_CHECKING:
    from compiler.artifact import Artifact
    from compiler.diagnostics import DiagnosticSink
    from compiler.ir.module import Module
    from compiler.isa.listing import CodeWord
    from compiler.passes.base import CostModel
    from compiler.target import MachineInputs, MachineOutputs


class Pica200:
    """See `compiler/target.py`."""

    name = "pica200"
    description = "vertex and geometry shaders of a handheld console: vec4, 24-bit floats, .shbin"
    stages = ("vertex", "geometry")
    program_stages = ("vertex",)
    suffix = ".shbin"
    needs_map = False
    options = (
        Option("f32", False, "simulate with 32-bit floats, as emulators do"),
        Option("outputs", "", "what the rasteriser takes varyings for: NAME=PROPERTY,..."),
    )

    def costs(self, options: TargetOptions) -> CostModel:
        from backends.pica200.codegen.costs import COSTS

        return COSTS

    def generate(self, module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
        from backends.pica200.codegen.generate import generate

        return generate(module, self.costs(options), options, sink)

    def join(self, artifacts: Sequence[Artifact], sink: DiagnosticSink) -> bytes:
        """One file whose shaders share code memory and descriptors."""
        from backends.pica200.codegen.executable import join

        return join(artifacts, sink)

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from backends.pica200.isa.asm import assemble
        from backends.pica200.isa.container import write

        return write(assemble(text, filename, sink))

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        from backends.pica200.isa.disasm import disassemble

        return disassemble(data, filename, sink)

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        from backends.pica200.isa.listing import list_words

        return list_words(data)

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        from backends.pica200.machine.run import run

        return run(artifact, inputs, options)

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        from backends.pica200.machine.run import translate

        return translate(artifact, options)


TARGET = Pica200()
