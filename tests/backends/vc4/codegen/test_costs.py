"""What the optimiser reckons with, against the words that operations add to a program."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.backends.vc4.codegen.costs import cost_model
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode

COSTS = cost_model()


def words(colour: str) -> int:
    text = f"precision highp float; varying vec4 a, b, c; void main() {{ gl_FragColor = {colour}; }}"
    return glslc_multi.compile(text, target="vc4", stage="fragment", options={"output": "raw"}).stats.instructions


#: Functions of one vector, of two and of three.
FUNCTIONS: list[dict[Opcode, str]] = [
    {
        ops.FRCP: "1.0 / a",
        ops.FSQRT: "sqrt(a)",
        ops.FRSQRT: "inversesqrt(a)",
        ops.FSIGN: "sign(a)",
        ops.FSIN: "sin(a)",
        ops.FCOS: "cos(a)",
        ops.FTAN: "tan(a)",
        ops.FASIN: "asin(a)",
        ops.FACOS: "acos(a)",
        ops.FATAN: "atan(a)",
        ops.FEXP: "exp(a)",
        ops.FLOG: "log(a)",
        ops.FEXP2: "exp2(a)",
        ops.FLOG2: "log2(a)",
        ops.FFLOOR: "floor(a)",
        ops.FCEIL: "ceil(a)",
        ops.FFRACT: "fract(a)",
    },
    {
        ops.FADD: "a + b",
        ops.FDIV: "a / b",
        ops.FMOD: "mod(a, b)",
        ops.FSTEP: "step(a, b)",
        ops.FATAN2: "atan(a, b)",
        ops.FPOW: "pow(a, b)",
    },
    {ops.FMIX: "mix(a, b, c)", ops.FCLAMP: "clamp(a, b, c)", ops.FSMOOTHSTEP: "smoothstep(b, c, a)"},
]


@pytest.mark.parametrize("others", [0, 1, 2])
def test_costs_are_about_what_a_component_adds(others: int) -> None:
    """Other operations fill the words in which one waits; without it, its operands are added up."""
    without = words(" + ".join("abc"[: others + 1])) - 4 * others
    for op, expression in FUNCTIONS[others].items():
        added = (words(expression) - without) / 4
        assert 0.55 * COSTS.cost(op, 1) < added < 1.4 * COSTS.cost(op, 1), op.name
