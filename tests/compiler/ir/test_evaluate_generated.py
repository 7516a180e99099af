"""Generated programs: all lanes together give what each lane gives alone in a plain interpreter."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.text import print_module
from tests.compiler.ir.numbers_for_tests import bits_of
from tests.generators.ir import Program, generate
from tests.generators.one_lane import Lane


def alone(program: Program, lane: int) -> Lane:
    return Lane(program.module, {n: v[lane] for n, v in program.inputs.items()} | program.uniforms)


@pytest.mark.parametrize("seed", range(150))
def test_lanes_together_and_alone(seed: int) -> None:
    program = generate(Random(seed), statements=8 + seed % 30, lanes=1 + seed % 9)
    result = evaluate(program.module, program.inputs, program.uniforms, lanes=program.lanes)
    for lane in range(program.lanes):
        expected = alone(program, lane)
        assert bool(result.discarded[lane]) == expected.discarded
        for variable in program.module.outputs():
            found = result.outputs[variable.name][lane].reshape(-1).tolist()
            wanted = expected.output(variable)
            assert list(map(bits_of, found)) == list(map(bits_of, wanted)), (
                f"lane {lane} of {variable}: {found}, alone {wanted}\n{print_module(program.module)}"
            )


def test_the_programs_diverge() -> None:
    """Otherwise the test above would test little: lanes of one program take different numbers of steps."""
    programs = [generate(Random(seed), statements=20, lanes=4) for seed in range(40)]
    outcomes = [[[alone(p, lane).output(v) for v in p.module.outputs()] for lane in range(4)] for p in programs]
    assert sum(any(lanes[0] != other for other in lanes) for lanes in outcomes) > 20
