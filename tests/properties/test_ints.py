"""Programs on ints of 32 bits: every engine that has them computes the same bits, at every level of optimisation."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from glslc_multi.backends.vc4.target import TARGET
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.ops import OPCODES
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.compiler.passes.pipeline import level
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.runtime.simulator import Simulated, position_program, run_artifact
from tests.compiler.native.run_host import evaluate_on_host
from tests.generators.ints import LANES, IntProgram, generate

SEEDS = range(60)


def evaluated(program: IntProgram, module: Module) -> Array:
    return evaluate(module, program.inputs, program.uniforms, lanes=LANES).outputs["v"]


def on_vc4(program: IntProgram, number: int) -> Array:
    sink = DiagnosticSink()
    request = Request(number, target_options=dict(TARGET.exact_outputs), verify_each=True)
    checked = checked_options(TARGET, "vertex", request, sink)
    module = clone_module(program.module)
    if number:
        run_pipeline(module, level(number), PassContext())
    artifact = compile_module(module, TARGET, checked, request, sink)
    shader = Simulated(
        TARGET, artifact, program.module, checked.values, position_program(TARGET, program.module, request)
    )
    return run_artifact(shader, program.inputs, program.uniforms)["v"]


@pytest.mark.parametrize("seed", SEEDS)
def test_engines_agree(seed: int) -> None:
    program = generate(Random(seed))
    assert verify_module(program.module) == []
    wanted = evaluated(program, program.module)
    assert wanted.dtype == np.uint32
    for number in (1, 2):
        optimised = clone_module(program.module)
        run_pipeline(optimised, level(number), PassContext())
        np.testing.assert_array_equal(evaluated(program, optimised), wanted, f"-O{number}")
    by_host = evaluate_on_host(program.module, program.inputs, program.uniforms, lanes=LANES)
    np.testing.assert_array_equal(by_host.outputs["v"], wanted, "jit")
    for number in (0, 2):
        np.testing.assert_array_equal(on_vc4(program, number), wanted, f"vc4 -O{number}")


def test_programs_use_all_operations_on_ints() -> None:
    seen = {i.op.name for seed in SEEDS for i in generate(Random(seed)).module.main.instructions()}
    assert {row.name for row in OPCODES.values() if row.signature in ("I, I -> I", "I -> I", "I, I -> B")} <= seen
    assert {"utof", "itof", "ftou", "ftoi", "bitcast_ftoi", "bitcast_itof", "fisnan", "phi"} <= seen
