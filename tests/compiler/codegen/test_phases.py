"""The phases of code generation: their order, what is made again, and what a judge may say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pytest

from glslc_multi.compiler.artifact import Artifact, Reflection, Stats
from glslc_multi.compiler.codegen.fit import Exceeded
from glslc_multi.compiler.codegen.phases import CodeGenerator, InvalidCode
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import RESOURCE_EXCEEDED, UNFED_INPUT
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.options import TargetOptions
from glslc_multi.compiler.passes.base import GENERIC_COSTS


class Machine(CodeGenerator[str, list[str], str]):
    """Has `limit` registers; its code needs 3, or 2 where it was told to do with few."""

    target = "m"
    limit = 3
    faults: Sequence[str] = ()
    need = 3

    def __init__(self) -> None:
        super().__init__(Module("vertex"), GENERIC_COSTS, TargetOptions("vertex", 2, {}))
        self.phases: list[str] = []

    def prepare(self, sink: DiagnosticSink) -> None:
        self.phases.append("prepare")

    def legalize(self, sink: DiagnosticSink) -> None:
        self.phases.append("legalize")

    def tighten(self, exceeded: Exceeded, sink: DiagnosticSink) -> None:
        self.phases.append(f"tighten {', '.join(exceeded)}")
        self.need = 2

    def plan(self, sink: DiagnosticSink) -> str:
        self.phases.append("plan")
        return f"plan {self.phases.count('plan')}"

    def select(self, sink: DiagnosticSink) -> list[str]:
        self.phases.append(f"select by {self.interface}")
        return ["selected"]

    def fix_up(self, machine: list[str], sink: DiagnosticSink) -> None:
        machine.append("fixed up")

    def allocate(self, machine: list[str], sink: DiagnosticSink) -> None:
        machine.append("allocated")
        sink.report(UNFED_INPUT, target="m", name=f"x{self.need}", register="r0")
        if self.need > self.limit:
            sink.report(RESOURCE_EXCEEDED, target="m", need=self.need, what="registers", limit=self.limit)
        sink.raise_if_errors()

    def finalize(self, machine: list[str], sink: DiagnosticSink) -> str:
        return ", ".join(machine)

    def judge(self, code: str) -> Iterable[object]:
        self.phases.append("judge")
        return self.faults

    def describe(self, code: str) -> Artifact:
        self.phases.append("describe")
        return Artifact(code.encode(), str, Reflection("m", "vertex"), Stats(1, 1, self.need, 0))


FIRST = ["prepare", "legalize", "plan", "select by plan 1"]
AGAIN = ["tighten registers", "plan", "select by plan 2"]
LAST = ["judge", "describe"]


def generated(**facts: object) -> tuple[Machine, Callable[[], Artifact], DiagnosticSink]:
    machine, sink = Machine(), DiagnosticSink()
    for name, value in facts.items():
        setattr(machine, name, value)
    return machine, lambda: machine.generate(sink), sink


def test_phases_follow_each_other() -> None:
    machine, generate, _ = generated()
    artifact = generate()
    assert artifact.binary == b"selected, fixed up, allocated"
    assert artifact.stats.exceeded == ()
    assert machine.phases == [*FIRST, *LAST]


def test_code_that_does_not_fit_is_made_again_from_the_plan_on() -> None:
    machine, generate, sink = generated(limit=2)
    artifact = generate()
    assert machine.phases == [*FIRST, *AGAIN, *LAST]
    assert artifact.stats.registers == 2
    assert [error.message for error in artifact.stats.exceeded] == ["needs 3 registers, m has 2"]
    # Nothing is told of the code that was given up.
    assert [each.message for each in sink.diagnostics] == ["nothing on m writes 'x2'; it is read from register r0"]


@pytest.mark.parametrize(("facts", "need"), [({"limit": 1}, 2), ({"limit": 2, "curable": ("words",)}, 3)])
def test_code_that_cannot_fit_is_an_error(facts: dict[str, object], need: int) -> None:
    machine, generate, _ = generated(**facts)
    with pytest.raises(CompileError, match=f"needs {need} registers"):
        generate()
    assert machine.phases == (FIRST if need == 3 else [*FIRST, *AGAIN])


def test_code_that_breaks_a_rule_leaves_nobody() -> None:
    machine, generate, _ = generated(faults=["a register is read too soon"])
    with pytest.raises(InvalidCode, match="m: the code generated breaks a rule: a register is read too soon"):
        generate()
    assert machine.phases == [*FIRST, "judge"]
