"""Exact scheduling on VC4: the problem forbids nothing that the scheduler does, and what is shortened stays right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from glslc_multi.backends.registry import load_target
from glslc_multi.backends.vc4.codegen.exact import shorten
from glslc_multi.backends.vc4.codegen.exact.problem import BANKS, problem_of, resources_with_switches
from glslc_multi.backends.vc4.codegen.schedule.integrated import Schedule
from glslc_multi.backends.vc4.codegen.schedule.machine_model import QpuModel
from glslc_multi.backends.vc4.codegen.schedule.ports import location_of_register
from glslc_multi.backends.vc4.codegen.schedule.straight_line import StraightLineCode
from glslc_multi.compiler.artifact import BlockProof
from glslc_multi.compiler.codegen.exact.budget import Budget
from glslc_multi.compiler.codegen.exact.problem import Bank, Problem, Solution, least_words
from glslc_multi.compiler.codegen.exact.shorten import Found
from glslc_multi.compiler.codegen.exact.shorten import shorten as find_shorter
from glslc_multi.compiler.codegen.machine import (
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Slot,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.driver import compile_source
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from tests.compiler.codegen.exact.meaning import violations
from tests.generated.trial import Trials
from tests.generators.glsl import Stage, generate

pytest.importorskip("ortools", reason="the extra 'prove' is not installed")

_NOTHING = Budget(instructions=0, bounded=0, work=0.0)
_SEEDS = range(40)
#: A number, and where it is in a word.
_Placed = tuple[int, Slot]


class Witness:
    """Looks at scheduled code before the solver would get it."""

    def __init__(self) -> None:
        #: Of the latest block.
        self.instructions = 0
        self.found: list[tuple[Problem, Solution]] = []

    def program(self, block: MachineBlock, model: QpuModel, known: Schedule, budget: Budget) -> Schedule:
        code = StraightLineCode(block.instructions, model)
        if model.threads > 1:
            code.split_at_switches()
        assert known.bundles is not None
        numbers = {id(made): number for number, made in enumerate(code.instructions)}
        switches = [id(needed) for needed in resources_with_switches(code)[len(code.resources) :]]
        seen = 0
        members: list[list[int]] = []
        for bundle in known.bundles:
            members.append([])
            for member in bundle.members:
                if id(member) in switches:
                    members[-1].append(len(code.resources) + seen)
                    seen += 1
                else:
                    members[-1].append(numbers.get(id(member.instruction), -1))
        self._note(code, known.slots(model), members, is_entry=True)
        return known

    def blocks(
        self,
        function: MachineFunction,
        instructions: Mapping[MachineBlock, list[MachineInstruction]],
        model: QpuModel,
        live_across: Mapping[VirtualRegister | Register, int],
        budget: Budget,
    ) -> Schedule:
        for block, made in instructions.items():
            code = StraightLineCode(made, model, live_across)
            known = {id(slot[0]): numbers for slot, numbers in model.scheduled[block]}
            members = [list(known.get(id(slot[0]), ())) for slot in block.words]
            for number, instruction in enumerate(made):
                if instruction.op.terminator:
                    next(into for into, slot in zip(members, block.words, strict=True) if instruction in slot).append(
                        number
                    )
            for into, slot in zip(members, block.words, strict=True):
                # Moves have no number; empty words have nothing but a reason.
                into += [-1] * (sum("nop" not in each.attributes for each in slot) - len(into))
            self._note(code, block.words, members, is_entry=block is function.entry)
        return shorten.shorten_blocks(function, instructions, model, live_across, _NOTHING)

    def _note(
        self, code: StraightLineCode, slots: Sequence[Slot], members: Sequence[Sequence[int]], *, is_entry: bool
    ) -> None:
        """Keep what has no copies, which the problem does not know."""
        self.instructions = len(code.instructions)
        words = [-1] * len(resources_with_switches(code))
        banks = [_bank_of(location) for location in code.locations]
        for word, (slot, numbers) in enumerate(zip(slots, members, strict=True)):
            if -1 in numbers:
                return
            for number, made in zip(numbers, slot, strict=False):
                words[number] = word
                result = code.results[number] if number < len(code.results) else None
                if result is not None:
                    register = made.defs[0].register
                    assert isinstance(register, Register)
                    banks[result] = _bank_of(location_of_register(register))
        self.found.append((problem_of(code, is_entry=is_entry), Solution(len(slots), tuple(words), tuple(banks))))


def _bank_of(location: int) -> Bank:
    return next((bank for bank, registers in BANKS.items() if location >= 0 and registers >> location & 1), 2)


#: The switch of threads between a request and its result is an instruction more.
_TWO_THREADS = """
precision mediump float;
uniform sampler2D image;
uniform vec4 u;
varying vec2 v;
void main() { gl_FragColor = texture2D(image, v) * u + texture2D(image, v.yx); }
"""


@pytest.mark.thorough
def test_the_problem_forbids_nothing_that_the_scheduler_does(monkeypatch: pytest.MonkeyPatch) -> None:
    witness = Witness()
    original = shorten.shorten_blocks
    monkeypatch.setattr(shorten, "shorten_program", witness.program)

    def blocks(*arguments: object) -> Schedule:
        monkeypatch.setattr(shorten, "shorten_blocks", original)
        made = witness.blocks(*arguments)  # type: ignore[arg-type]
        monkeypatch.setattr(shorten, "shorten_blocks", blocks)
        return made

    monkeypatch.setattr(shorten, "shorten_blocks", blocks)
    for seed in _SEEDS:
        _compile(seed)
    source, request = (
        make_source(_TWO_THREADS, "a.frag", "fragment"),
        Request(2, target_options={"threaded": True, "prove": True}),
    )
    compile_source(source, load_target("vc4"), request, DiagnosticSink())
    assert witness.found[-1][0].count > witness.instructions
    # A schedule with moves is no solution of the problem without.
    assert len(witness.found) > len(_SEEDS) // 3
    assert any(len(problem.edges) > len(problem.relaxed.edges) for problem, _ in witness.found)
    for problem, solution in witness.found:
        assert not list(violations(problem, solution))
        assert least_words(problem) <= solution.length


def _compile(seed: int) -> None:
    random = Random(seed)
    stages: list[Stage] = ["vertex", "fragment"]
    program = generate(random, random.choice(stages), random.randint(2, 6))
    source = make_source(program.source, "generated", program.stage)
    try:
        compile_source(source, load_target("vc4"), Request(2, target_options={"prove": True}), DiagnosticSink())
    except CompileError as error:
        assert all(each.code.startswith("E07") for each in error.diagnostics)


# --- what is shortened stays right ------------------------------------------------------------------------------------


@pytest.mark.thorough
def test_shortened_code_computes_what_the_shader_means(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "glslc_multi.compiler.codegen.exact.budget._BUDGET", Budget(instructions=30, bounded=30, work=0.2)
    )
    proofs: list[BlockProof] = []

    def note(*arguments: Any) -> Found:
        found = find_shorter(*arguments)
        proofs.append(found.proof)
        return found

    monkeypatch.setattr(shorten, "shorten", note)
    trials = Trials("vc4", {"prove": "true"}, levels=("0",), statements=2)
    outcomes = [trials.run(seed)[0] for seed in range(8)]
    assert [outcome.reason for outcome in outcomes if outcome.status == "failed"] == []
    assert sum(outcome.status == "passed" for outcome in outcomes) > len(outcomes) // 2
    assert any(proof.words < proof.known for proof in proofs)


_BRANCHING = """
precision highp float;
uniform float u, w;
varying float v;
void main() {
    float x = v;
    if (v > u) { x = sin(x) * u + w; }
    gl_FragColor = vec4(x, x * w, u, w);
}
"""


@pytest.mark.parametrize("text", [_BRANCHING, _BRANCHING.replace("if (v > u)", "")], ids=["blocks", "straight"])
def test_what_is_known_of_blocks_is_told(text: str) -> None:
    source, target = make_source(text, "a.frag", "fragment"), load_target("vc4")
    made = compile_source(source, target, Request(0, target_options={"prove": True}), DiagnosticSink())
    plain = compile_source(source, target, Request(0), DiagnosticSink())
    proofs = made.stats.proofs
    assert plain.stats.proofs == ()
    assert sum(proof.known for proof in proofs) == plain.stats.code_words
    assert sum(proof.words for proof in proofs) == made.stats.code_words
    assert all(proof.at_least <= proof.words <= proof.known for proof in proofs)
