"""The stack machine as a target: one folder, and an entry point that the test provides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.machine import INVALID_ASSEMBLY
from glslc_multi.compiler.execution.machine_code import MachineCode
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_files import HostFile, HostProgram
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.isa.listing import CodeWord
from glslc_multi.compiler.options import Option, TargetOptions
from glslc_multi.compiler.passes.base import CostModel
from glslc_multi.compiler.target import MachineInputs, MachineOutputs, Precision, Target
from tests.plugins.stack.generate import StackGenerator


class StackMachine(Target):
    """Twelve instructions, no branches."""

    name = "stack"
    description = "a stack machine of 12 instructions"
    stages = ("vertex", "fragment")
    program_stages = ("vertex", "fragment")
    suffix = ".stk"
    needs_map = True
    precision = Precision(1e-6, 1e-6)
    host_forms: ClassVar[Mapping[str, str]] = {"list": "a list of the stages", "numbers": "their sizes alone"}
    options = (Option("depth", 16, "how many numbers the stack holds"),)

    def costs(self, options: TargetOptions) -> CostModel:
        return CostModel({ops.FMAD: float("inf")}, branch=float("inf"), vector=False)

    def code_generator(self, stage: str) -> type[StackGenerator]:
        return StackGenerator

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        from tests.plugins.stack.instructions import BadText, assemble

        try:
            return assemble(text)
        except BadText as mistake:
            sink.report(INVALID_ASSEMBLY, expected="an instruction", found=f"'{mistake}'")
            sink.raise_if_errors()
            raise

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        from tests.plugins.stack.instructions import disassemble

        return disassemble(data)

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        from tests.plugins.stack.instructions import list_words

        return list(list_words(data))

    def instruction_sets(self) -> Mapping[str, str]:
        from tests.plugins.stack.instructions import NAMES

        return {self.name: "# Stack machine\n\n" + "".join(f"- `{name}`\n" for name in NAMES)}

    def host_code(self, program: HostProgram, form: str, sink: DiagnosticSink) -> Sequence[HostFile]:
        sizes = {stage: len(artifact.binary) for stage, artifact in program.stages.items()}
        if form == "numbers":
            return [HostFile(f"{program.prefix}.numbers", bytes(sizes.values()))]
        lines = [f"{stage}: {size} bytes" for stage, size in sizes.items()]
        text = fill(Path(__file__).parent / "host" / "lister.txt", {"PREFIX": program.prefix, "STAGES": lines})
        code = [HostFile(f"{program.prefix}_{stage}.stk", made.binary) for stage, made in program.stages.items()]
        return [HostFile(f"{program.prefix}.list", text), *code]

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        from tests.plugins.stack.machine import simulate

        return simulate(artifact, inputs)

    def machine_code(self, artifact: Artifact, options: Mapping[str, Any]) -> MachineCode:
        from tests.plugins.stack.machine import machine_code

        return machine_code(artifact)

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        from tests.plugins.stack.machine import simulate

        return partial(simulate, artifact)


TARGET = StackMachine()
