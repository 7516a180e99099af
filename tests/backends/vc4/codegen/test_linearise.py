"""Control flow of any shape, on lanes that take different ways through it: selects, skipped arms and loops."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from glslc_multi.backends.vc4.codegen.costs import cost_model
from glslc_multi.backends.vc4.codegen.generate import Vc4Generator
from glslc_multi.backends.vc4.target import TARGET
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import checked_options
from glslc_multi.compiler.ir.block_edits import remove_unreachable_blocks
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.records import replace
from glslc_multi.runtime.simulator import Simulated, run_artifact
from tests.generators.cfg_program import tangled

_LANES = 32
#: Random programs, and what a branch costs: in them arms with loops and with several ends can be skipped.
_PROGRAMS = ((22, 5.0), (39, 5.0), (55, 5.0), (4, 60.0), (11, 60.0))
_SEEDS = np.array([(5 * lane) % 37 - 9 for lane in range(_LANES)], np.float32)


@pytest.mark.parametrize(("seed", "branch"), _PROGRAMS)
def test_every_lane_takes_its_own_way(seed: int, branch: float) -> None:
    module = tangled(Random(seed), budget=4 + seed % 7, jumps=seed % 4)
    remove_unreachable_blocks(module.main)
    uniforms = {"u_choice": np.array(False)}
    expected = evaluate(clone_module(module), {"seed": _SEEDS}, uniforms, lanes=_LANES, max_steps=2000)
    options = checked_options(TARGET, "coordinate", Request(optimisation=0), DiagnosticSink())
    costs = replace(cost_model(), branch=branch)
    artifact = Vc4Generator(clone_module(module), costs, options).generate(DiagnosticSink())
    shader = Simulated(TARGET, artifact, module, options.values)
    found = run_artifact(shader, {"seed": _SEEDS}, uniforms, lanes=_LANES)["gl_Position"]
    assert np.array_equal(found, expected.outputs["gl_Position"])
