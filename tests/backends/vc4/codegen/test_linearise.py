"""Control flow of any shape, on lanes that take different ways through it: selects, skipped arms and loops."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from backends.vc4.codegen.costs import cost_model
from backends.vc4.codegen.generate import generate
from backends.vc4.target import TARGET
from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.driver import settle_options
from compiler.ir.block_edits import remove_unreachable_blocks
from compiler.ir.evaluate import EvaluationError, evaluate
from compiler.options import Request
from compiler.passes.control_flow.clone import clone_module
from compiler.records import replace
from runtime.simulator import Simulated, run_artifact
from tests.generators.cfg_program import tangled

_LANES = 32
#: Programs in which loops, and arms with several ends, stand in arms that can be skipped.
_PROGRAMS = (4, 5, 22, 39, 41, 55)
_SEEDS = np.array([(5 * lane) % 37 - 9 for lane in range(_LANES)], np.float32)


def _judge(seed: int, branch: float) -> bool:
    """Whether a random program was compared with the evaluator; some have no end, and a few do not fit."""
    module = tangled(Random(seed), budget=4 + seed % 7, jumps=seed % 4)
    remove_unreachable_blocks(module.main)
    uniforms = {"u_choice": np.array(False)}
    try:
        expected = evaluate(clone_module(module), {"seed": _SEEDS}, uniforms, lanes=_LANES, max_steps=2000)
        options = settle_options(TARGET, "coordinate", Request(), DiagnosticSink())
        costs = replace(cost_model(), branch=branch)
        artifact = generate(clone_module(module), costs, options, DiagnosticSink())
    except (EvaluationError, CompileError):
        return False
    shader = Simulated(TARGET, artifact, module, options.values)
    found = run_artifact(shader, {"seed": _SEEDS}, uniforms, lanes=_LANES)["gl_Position"]
    assert np.array_equal(found, expected.outputs["gl_Position"]), f"seed {seed}"
    return True


@pytest.mark.parametrize("branch", [5.0, 60.0])
def test_every_lane_takes_its_own_way(branch: float) -> None:
    assert sum(_judge(seed, branch) for seed in _PROGRAMS) >= 5
