"""Generated modules and shaders compute the same on the host as on the evaluator.

`GLSLC_MULTI_ORACLE_COUNT` multiplies the number of samples.
"""

from __future__ import annotations

import os

import pytest

from glslc_multi.compiler.native.compile import compile_module
from tests.compiler.passes.oracle import difference
from tests.compiler.passes.trials import Trial, glsl_trials, ir_trials

COUNT = int(os.environ.get("GLSLC_MULTI_ORACLE_COUNT", "1"))


@pytest.mark.parametrize("seed", range(40 * COUNT))
def test_generated_modules(seed: int) -> None:
    assert complaint_about(next(ir_trials(seed))) == ""


@pytest.mark.parametrize("seed", range(10 * COUNT))
def test_generated_shaders(seed: int) -> None:
    assert complaint_about(next(glsl_trials(seed))) == ""


def complaint_about(trial: Trial) -> str:
    """What is different; "" when all is well."""
    module = trial.build()
    program = compile_module(module)
    found = program.run(trial.inputs, trial.uniforms, trial.textures, lanes=trial.lanes, quads=trial.quads)
    return difference(trial, trial.run(module), found)
