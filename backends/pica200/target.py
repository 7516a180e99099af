"""The target's record: facts, options, prices; and what the driver calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from compiler.ir import ops
from compiler.options import Option, TargetOptions
from compiler.passes.base import CostModel
from compiler.target import MachineInputs, MachineOutputs

if TYPE_CHECKING:
    from compiler.artifact import Artifact
    from compiler.diagnostics import DiagnosticSink
    from compiler.ir.module import Module
    from compiler.isa.listing import CodeWord

#: Shuffles and signs belong to operands; what takes several words costs as many.
_PRICES = {
    ops.SWIZZLE: 0.0,
    ops.INSERT: 0.5,
    ops.CONSTRUCT: 0.5,
    ops.FNEG: 0.0,
    ops.LOAD: 0.0,
    ops.BTOF: 0.0,
    ops.SELECT: 4.0,
    ops.FEQ: 3.0,
    ops.FNE: 3.0,
    ops.FSIN: 8.0,
    ops.FCOS: 8.0,
    ops.FPOW: 3.0,
    ops.FDIV: 2.0,
    ops.NORMALIZE: 3.0,
    ops.LENGTH: 3.0,
    ops.FTRUNC: 4.0,
}


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
        # A loop costs a word and its body: copies of it never pay, unless it runs once.
        return CostModel(_PRICES, branch=2.0, uniform_branch=1.0, unroll_budget=4)

    def generate(self, module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
        from backends.pica200.codegen.generate import generate

        return generate(module, options, self.costs(options), sink)

    def join(self, artifacts: Sequence[Artifact], sink: DiagnosticSink) -> bytes:
        """One file whose shaders share code memory and descriptors."""
        from backends.pica200.codegen.generate import join

        return join(artifacts, sink)

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from backends.pica200.isa.asm import assemble

        return assemble(text, filename, sink).binary

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        from backends.pica200.isa.disasm import disassemble

        return disassemble(data, filename, sink)

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        from backends.pica200.isa.listing import list_words

        return list_words(data)

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        from backends.pica200.machine.run import run

        return run(artifact, inputs, f32=bool(options.get("f32", False)))

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        from backends.pica200.machine.run import translate

        return translate(artifact, f32=bool(options.get("f32", False)))


TARGET = Pica200()
