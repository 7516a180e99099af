"""The generator of random IR modules keeps its promises: sound, terminating, exact, varied."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from glslc_multi.compiler.arithmetic.lanes import LANES, Array, LaneArithmetic
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.ops import OPCODES
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.ir.verify import verify_module
from tests.generators.ir import Program, generate, programs


class NarrowArithmetic(LaneArithmetic):
    """float32 that refuses what the narrowest target cannot hold: 17 bits, 13 of them above the point.

    (24-bit floats have 17 bits of mantissa, Q14.17 has 13 bits of magnitude above the point.)
    """

    __slots__ = ()

    def fadd(self, x: Array, y: Array) -> Array:
        return _narrow(super().fadd(x, y))

    def fsub(self, x: Array, y: Array) -> Array:
        return _narrow(super().fsub(x, y))

    def fmul(self, x: Array, y: Array) -> Array:
        return _narrow(super().fmul(x, y))

    def itof(self, x: Array) -> Array:
        return _narrow(super().itof(x))

    def imul(self, x: Array, y: Array) -> Array:
        product = super().imul(x, y)
        assert np.all(np.abs(product) < 2**13)
        return product


def _narrow(x: Array) -> Array:
    mantissa, exponent = np.frexp(np.asarray(x, dtype=np.float64))
    scaled = mantissa * 2**17
    assert np.all(scaled == np.floor(scaled)), "more than 17 bits"
    assert np.all(np.abs(x) < 2**13), "more than 13 bits above the point"
    assert np.all((x == 0) | (exponent - 17 >= -40))
    return x


def run(program: Program, arithmetic: LaneArithmetic = LANES) -> dict[str, Any]:
    result = evaluate(program.module, program.inputs, program.uniforms, lanes=program.lanes, arithmetic=arithmetic)
    return {name: value.tolist() for name, value in result.outputs.items()}


@pytest.mark.parametrize("seed", range(60))
def test_values_are_exact_in_narrow_formats(seed: int) -> None:
    program = generate(Random(seed), statements=20)
    assert verify_module(program.module, final=True) == []
    assert run(program, NarrowArithmetic()) == run(program)


def test_a_seed_names_a_program() -> None:
    one, other = generate(Random(4)), generate(Random(4))
    assert print_module(one.module) == print_module(other.module)
    assert (one.inputs, one.uniforms) == (other.inputs, other.uniforms)


def test_programs_use_all_exact_operations_and_all_constructs() -> None:
    seen = {
        instruction.op.name
        for seed in range(150)
        for function in generate(Random(seed), textures=True).module.functions.values()
        for instruction in function.instructions()
    }
    inexact = {name for name, op in OPCODES.items() if op.has_semantics} - seen
    # Bits of ints are those of 32 bits, which narrow formats do not have: tests/generators/ints.py.
    assert inexact == set(
        "fdiv fmod fsmoothstep frcp fsqrt frsqrt fexp2 flog2 fexp flog fpow fsin fcos ftan fasin facos fatan fatan2"
        " idiv length normalize froundeven fisnan irem udiv urem iand ior ixor inot ishl ishr ushr ult ule utof ftou"
        " bitcast_ftoi bitcast_itof".split()
    )
    assert set("load store texture phi call kill br condbr ret".split()) <= seen


def test_lanes_go_different_ways() -> None:
    """Outputs depend on the lane in most programs, else the generator tests little."""
    varied = sum(_differs(run(generate(Random(seed), statements=20))) for seed in range(60))
    assert varied >= 40


def _differs(outputs: dict[str, list[Any]]) -> bool:
    return any(lane != lanes[0] for lanes in outputs.values() for lane in lanes)


@settings(derandomize=True, max_examples=15, deadline=None)
@given(programs())
def test_the_strategy_makes_sound_programs(program: Program) -> None:
    assert verify_module(program.module, final=True) == []
    run(program)
