"""Exact dual issue: the problems forbid nothing that the scheduler does, and what is shortened stays right."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.backends.xenos_family.codegen.schedule import exact
from glslc_multi.backends.xenos_family.codegen.schedule.dual_issue import make_slots
from glslc_multi.compiler.codegen.constants import ConstantTable
from glslc_multi.compiler.codegen.exact.problem import Solution
from glslc_multi.compiler.codegen.machine import MachineInstruction, Slot
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from tests.compiler.codegen.exact.meaning import violations
from tests.generated.trial import Trials
from tests.generators.glsl import Stage, generate

pytest.importorskip("ortools", reason="the extra 'prove' is not installed")

_SEEDS = range(60)


#: Alpha is exported as the previous result of the scalar unit, in the slot of the other three components.
_CARRIED = """
precision mediump float;
uniform vec4 u, w;
varying vec4 v;
void main() { vec3 sum = v.xyz + w.xyz; gl_FragColor = vec4(sum * v.xyz + v.xyz, 1.0); }
"""


def _solution(instructions: Sequence[MachineInstruction], slots: Sequence[Slot]) -> Solution:
    """Slots as a solution; an operation that runs on the other unit keeps its results."""
    words = [
        next(word for word, slot in enumerate(slots) if any(_does(made, instruction) for made in slot))
        for instruction in instructions
    ]
    return Solution(len(slots), tuple(words))


def _does(made: MachineInstruction, instruction: MachineInstruction) -> bool:
    return made is instruction or any(each is own for each in made.defs for own in instruction.defs)


@pytest.mark.thorough
def test_the_problems_forbid_nothing_that_the_scheduler_does(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[tuple[list[MachineInstruction], ConstantTable]] = []

    def note(solver: exact.ExactSlots, instructions: list[MachineInstruction]) -> list[Slot]:
        runs.append((instructions, solver.constants))
        return make_slots(instructions, solver.constants)

    monkeypatch.setattr(exact.ExactSlots, "__call__", note)
    for seed in _SEEDS:
        _compile(seed)
    source = make_source(_CARRIED, "a.frag", "fragment")
    compile_source(source, load_target("adreno"), Request(2, target_options={"prove": True}), DiagnosticSink())
    assert exact.Operations(*runs[-1]).has_carried_exports
    assert len(runs) > len(_SEEDS)
    for instructions, constants in runs:
        slots = make_slots(instructions, constants)
        asked = exact.Operations(instructions, constants)
        solution = _solution(instructions, slots)
        assert not list(violations(asked.relaxed(), solution))
        if not asked.has_carried_exports:
            assert not list(violations(asked.problem(), solution))


def _compile(seed: int) -> None:
    random = Random(seed)
    stages: list[Stage] = ["vertex", "fragment"]
    program = generate(random, random.choice(stages), random.randint(2, 6))
    source = make_source(program.source, "generated", program.stage)
    try:
        compile_source(source, load_target("adreno"), Request(2, target_options={"prove": True}), DiagnosticSink())
    except CompileError as error:
        assert all(each.code.startswith("E07") for each in error.diagnostics)


@pytest.mark.thorough
def test_shortened_code_computes_what_the_shader_means() -> None:
    trials = Trials("adreno", {"prove": "true"}, levels=("0",), statements=3)
    outcomes = [trials.run(seed)[0] for seed in range(12)]
    assert [outcome.reason for outcome in outcomes if outcome.status == "failed"] == []
    assert sum(outcome.status == "passed" for outcome in outcomes) > len(outcomes) // 2
