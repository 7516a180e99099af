"""What the optimiser reckons with, against the words that operations add to a program."""

from __future__ import annotations

import pytest

from glslc_multi.backends.theia.codegen.costs import COSTS
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from tests.backends.theia.compiled import compiled


def words(colour: str) -> int:
    declared = "varying vec3 a, b; uniform mat3 m; uniform sampler2D s;"
    text = f"precision highp float; {declared} void main() {{ gl_FragColor = vec4({colour}, 1.0); }}"
    return compiled(text).stats.instructions


def test_a_matrix_costs_its_three_products() -> None:
    """At least one instruction each, and the sums between them."""
    assert COSTS.cost(ops.MAT_VEC, 3) >= 5


@pytest.mark.parametrize(
    ("op", "expression", "least", "most"),
    [
        (ops.FADD, "a + b", 1, 1),
        # A choice between what is there takes a test and a jump; one more where it is computed.
        (ops.SELECT, "a.x < b.x ? a : b", 2, 3),
        (ops.TEXTURE, "texture2D(s, a.xy).xyz", 10, 14),
    ],
    ids=lambda value: value.name if isinstance(value, Opcode) else str(value),
)
def test_costs_are_about_what_an_operation_adds(op: Opcode, expression: str, least: int, most: int) -> None:
    assert least <= COSTS.cost(op, 3) <= most
    assert least <= words(expression) - words("a") <= most
