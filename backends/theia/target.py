"""THEIA as a target of the compiler: its facts, its options and calls into its rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from backends.theia.isa.conventions import TARGET_NAME
from backends.theia.isa.registers import VARIANTS
from compiler.options import Option, TargetOptions

if TYPE_CHECKING:
    from compiler.artifact import Artifact
    from compiler.diagnostics import DiagnosticSink
    from compiler.ir.module import Module
    from compiler.isa.listing import CodeWord
    from compiler.passes.base import CostModel
    from compiler.target import MachineInputs, MachineOutputs

_OPTIONS = (
    Option("variant", "trunk", "the hardware: the main line, the last 1.x branch, or the one of the manual", VARIANTS),
    Option(
        "output",
        "screen",
        "screen: channels are kept from falling below 0; raw: all four as they are",
        ("screen", "raw"),
    ),
    Option("wrap", "repeat", "what coordinates beyond a texture's edges do", ("repeat", "clamp")),
    Option("filter", "nearest", "how many texels a lookup mixes: one, or four", ("nearest", "linear")),
    Option("saturate", False, "keep values that may leave the machine's range at its ends, instead of a warning"),
    Option("pin", "", "uniforms that stay in constant registers of their own, such as u_tint=C1"),
    Option("range", "", "the range of inputs, such as u_height=0:100 (default: -32 to 32, lowp -2 to 2)"),
    Option("bind", "", "names bound to values of the scene, such as v_uv=TexCoord,v_normal=Normal"),
)


class Theia:
    """See `compiler/target.py`."""

    name = TARGET_NAME
    description = "ray tracing GPU of OpenCores (theia_gpu 1.x), pixel shaders in fixed point"
    stages = ("fragment",)
    program_stages = ("fragment",)
    suffix = ".mem"
    needs_map = True
    options = _OPTIONS

    def costs(self, options: TargetOptions) -> CostModel:
        from backends.theia.codegen.costs import COSTS

        return COSTS

    def generate(self, module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
        from backends.theia.codegen.generate import generate

        return generate(module, self.costs(options), options, sink)

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from backends.theia.isa.asm import assemble
        from backends.theia.isa.container import pack

        return pack(assemble(text, filename, sink))

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        from backends.theia.isa.disasm import disassemble

        return disassemble(data, filename, sink)

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        from backends.theia.isa.listing import list_words

        return list_words(data, options.get("variant", "trunk"))

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        from backends.theia.machine.run import run

        return run(artifact, inputs, options)

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        from backends.theia.machine.run import translate

        return translate(artifact, options)


TARGET = Theia()
