"""A target for tests of the driver and the command line: its "machine code" names what it was compiled for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import pytest

from glslc_multi.backends.registry import TARGETS
from glslc_multi.compiler.artifact import Artifact, Reflection, Stats
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.isa.fields import Field, Format
from glslc_multi.compiler.isa.listing import CodeWord, Part
from glslc_multi.compiler.options import Option, TargetOptions
from glslc_multi.compiler.passes.base import GENERIC_COSTS, CostModel
from glslc_multi.compiler.target import MachineInputs, MachineOutputs, Precision, Target


class FakeGenerator:
    def __init__(self, module: Module, costs: CostModel, options: TargetOptions) -> None:
        self.module, self.options = module, options

    def generate(self, sink: DiagnosticSink) -> Artifact:
        options = self.options
        settings = ",".join(f"{name}={value}" for name, value in options.values.items())
        text = f"{self.module.stage} as {options.stage} O{options.optimisation} {settings}\n"
        return Artifact(
            text.encode(), lambda: f"; {text}", Reflection("fake", options.stage), Stats(1, 1, 0, 0), origins=((),)
        )


class FakeTarget(Target):
    name = "fake"
    description = "a machine that only exists in tests"
    stages = ("vertex", "coordinate")
    program_stages = ("vertex", "coordinate")
    suffix = ".fake"
    needs_map = False
    precision = Precision(0.0, 0.0)
    options = (
        Option("f32", False, "round to float32"),
        Option("copies", 1, "how many"),
        Option("variant", "old", "which one", choices=("old", "new")),
    )

    def costs(self, options: TargetOptions) -> CostModel:
        return GENERIC_COSTS

    def code_generator(self, stage: str) -> type[FakeGenerator]:
        return FakeGenerator

    def instruction_sets(self) -> dict[str, str]:
        return {}

    def assemble(self, text: str, filename: str, sink: DiagnosticSink) -> bytes:
        return text.encode()

    def disassemble(self, data: bytes, filename: str, sink: DiagnosticSink) -> str:
        return data.decode()

    def list_words(self, data: bytes, options: Mapping[str, Any]) -> list[CodeWord]:
        return [CodeWord("0", data.decode(), (Part(Format("byte", 8, (Field("first", 0, 8),)), data[0]),))]

    def simulate(self, artifact: Artifact, inputs: MachineInputs, options: Mapping[str, Any]) -> MachineOutputs:
        return MachineOutputs({})

    def translate(self, artifact: Artifact, options: Mapping[str, Any]) -> Callable[[MachineInputs], MachineOutputs]:
        return lambda inputs: MachineOutputs({})


@pytest.fixture
def fake_target(monkeypatch: pytest.MonkeyPatch) -> FakeTarget:
    """Makes it the only target for one test."""
    target = FakeTarget()
    module = ModuleType("fake_target_module")
    module.TARGET = target  # type: ignore[attr-defined]
    monkeypatch.setitem(__import__("sys").modules, "fake_target_module", module)
    monkeypatch.setattr(TARGETS, "own", {"fake": "fake_target_module:TARGET"})
    monkeypatch.setattr(TARGETS, "_loaded", {})
    return target
