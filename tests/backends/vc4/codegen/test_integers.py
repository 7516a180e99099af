"""Operations on ints of 32 bits, as the machine computes them, against the evaluator's meanings."""

from __future__ import annotations

import numpy as np
import pytest

from glslc_multi.backends.vc4.codegen.integers import LowerIntegers
from glslc_multi.backends.vc4.target import TARGET
from glslc_multi.compiler.arithmetic.lanes import LANES, Array, LaneArithmetic
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module
from glslc_multi.compiler.ir.evaluate import evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.options import Request
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.control_flow.clone import clone_module
from glslc_multi.runtime.reference import run_module
from glslc_multi.runtime.simulator import Simulated, position_program, run_artifact
from tests.compiler.ir.numbers_for_tests import INTS as NUMBERS
from tests.compiler.ir.numbers_for_tests import random_ints
from tests.edges import INTS, edges, pairs

_PROGRAM = """shader vertex
attribute @a: ivec2
attribute @b: ivec2
output @gl_Position: vec4 role(position)
varying @v: ivec2
func @main {{
^entry:
  %0:ivec2 = load @a
  %1:ivec2 = load @b
  %2:ivec2 = {operation}
  store @v, %2
  store @gl_Position, vec4(1.0)
  ret
}}
"""
_DIVISIONS = ("idiv", "irem", "udiv", "urem")
_OTHERS = ("iadd", "isub", "imul", "iand", "ior", "ixor", "ishl", "ishr", "ushr")
_CONSTANTS = (1, -1, 2, 3, 7, 10, -10, 255, 65536, 2**24 + 1, 2**30, 2**31 - 1, -(2**31), -(2**31) + 1)


def module_of(operation: str) -> Module:
    module = parse_module(_PROGRAM.format(operation=operation), "test.sir", DiagnosticSink())
    assert module is not None
    return module


def operands() -> tuple[Array, Array]:
    """Edges with each other and multiples of them, then random numbers of all sizes."""
    listed = [*pairs([*NUMBERS, *edges(_CONSTANTS, [(-(2**17), 2**17)], INTS)[::3]], INTS)]
    rows = [np.concatenate([row, random_ints(seed, 2000)]) for seed, row in enumerate(np.array(listed, np.int64).T)]
    rows = [row[: len(row) // 2 * 2] for row in rows]
    return rows[0].reshape(-1, 2), rows[1].reshape(-1, 2)


def on_the_machine(module: Module, level: int, a: Array, b: Array) -> Array:
    sink = DiagnosticSink()
    request = Request(level, target_options=dict(TARGET.exact_outputs), verify_each=True)
    settled = checked_options(TARGET, "vertex", request, sink)
    artifact = compile_module(clone_module(module), TARGET, settled, request, sink)
    shader = Simulated(TARGET, artifact, module, settled.values, position_program(TARGET, module, request))
    return run_artifact(shader, {"a": a, "b": b}, {})["v"]


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("name", [*_DIVISIONS, *_OTHERS])
def test_all_bits_are_right(name: str, level: int) -> None:
    module, (a, b) = module_of(f"{name} %0, %1"), operands()
    wanted = run_module(module, {"a": a, "b": b}, {})["v"]
    np.testing.assert_array_equal(on_the_machine(module, level, a, b), wanted)


@pytest.mark.parametrize("name", _DIVISIONS)
@pytest.mark.parametrize("divisor", _CONSTANTS)
def test_division_by_a_number(name: str, divisor: int) -> None:
    module, (a, b) = module_of(f"{name} %0, ivec2({divisor})"), operands()
    wanted = run_module(module, {"a": a, "b": b}, {})["v"]
    np.testing.assert_array_equal(on_the_machine(module, 2, a, b), wanted)


class Rough(LaneArithmetic):
    """Reciprocals that are off by so much, and conversions and products that are cut off."""

    def __init__(self, error: float) -> None:
        self.error = error

    def fdiv(self, x: Array, y: Array) -> Array:
        return (np.divide(x, y, dtype=np.float64) * (1 + self.error)).astype(np.float32)

    def itof(self, x: Array) -> Array:
        return self._cut(x.astype(np.float64))

    def fmul(self, x: Array, y: Array) -> Array:
        return self._cut(np.multiply(x, y, dtype=np.float64))

    def _cut(self, x: Array) -> Array:
        near = x.astype(np.float32)
        return np.where(np.abs(near) > np.abs(x), np.nextafter(near, np.float32(0)), near)


@pytest.mark.parametrize("error", [-(2.0**-21), 0.0, 2.0**-21])
@pytest.mark.parametrize("name", _DIVISIONS)
def test_quotients_bear_the_errors_of_the_unit(name: str, error: float) -> None:
    """The chip's reciprocals are known to some 21 bits after a step of Newton's."""
    module, (a, b) = module_of(f"{name} %0, %1"), operands()
    inputs = {"a": a, "b": b}
    wanted = evaluate(module, inputs, {}, lanes=len(a), arithmetic=LANES).outputs["v"]
    assert LowerIntegers().run(module.main, PassContext())
    found = evaluate(module, inputs, {}, lanes=len(a), arithmetic=Rough(error)).outputs["v"]
    np.testing.assert_array_equal(found, wanted)
