"""Adreno A2xx as a target of the compiler: its facts, its options and calls into its rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from backends.adreno.isa.textures import TEXTURES
from backends.adreno.isa.whole_numbers import WHOLE_NUMBERS
from compiler.options import Option, TargetOptions
from compiler.target import MachineInputs, MachineOutputs, Precision, Target

if TYPE_CHECKING:
    from compiler.artifact import Artifact, Stats
    from compiler.diagnostics import DiagnosticSink
    from compiler.ir.module import Module
    from compiler.isa.listing import CodeWord
    from compiler.passes.base import CostModel


_OPTIONS = (
    Option(
        "attributes",
        "separate",
        "the layout of vertices; separate: a buffer for each attribute; interleaved: one for all",
        ("separate", "interleaved"),
    ),
    Option("attribute_formats", "", "formats of attributes that are not floats: NAME=FORMAT,NAME=FORMAT"),
)


class Adreno(Target):
    """Adreno A200, A205 and A220."""

    name = "adreno"
    description = "Adreno A2xx (A200, A205, A220), vertex and fragment programs"
    stages = ("vertex", "fragment")
    program_stages = ("vertex", "fragment")
    suffix = ".a2xx"
    needs_map = True
    precision = Precision(1e-5, 1e-5)
    whole_numbers = WHOLE_NUMBERS
    located_spaces: ClassVar[Mapping[str, str]] = {"fetch": "attribute", "C": "uniform"}
    narrow_spaces = frozenset({"loop"})
    options = _OPTIONS
    textures = TEXTURES

    def costs(self, options: TargetOptions) -> CostModel:
        from backends.adreno.codegen.costs import FAST, SMALL

        return SMALL if options.small else FAST

    def generate(self, module: Module, options: TargetOptions, sink: DiagnosticSink) -> Artifact:
        from backends.adreno.codegen.generate import generate

        return generate(module, self.costs(options), options, sink)

    def preload(self) -> None:
        import backends.adreno.codegen.generate  # noqa: F401

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from backends.adreno.isa.asm import assemble
        from backends.adreno.isa.container import pack

        return pack(assemble(text, filename, sink))

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        from backends.adreno.isa.disasm import disassemble

        return disassemble(data, filename, sink)

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        from backends.adreno.isa.listing import list_words

        return list_words(data)

    def instruction_set(self) -> str:
        from backends.adreno.isa.document import page

        return page()

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        from backends.adreno.machine.run import run

        return run(artifact, inputs, options)

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        from backends.adreno.machine.run import translate

        return translate(artifact, options)

    def size(self, stats: Stats) -> int:
        return (stats.extra or {})["slots96"]


TARGET = Adreno()
