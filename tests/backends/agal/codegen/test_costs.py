"""What the optimiser reckons with is what operations take in tokens."""

from __future__ import annotations

from math import inf

import pytest

from glslc_multi.backends.agal.codegen.costs import costs_of, version_of
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.options import TargetOptions
from tests.backends.agal.compiled import compiled

_HEAD = "attribute vec4 a, b, c;"


def tokens(expression: str) -> int:
    return compiled(f"{_HEAD} void main() {{ gl_Position = {expression}; }}", "vertex").stats.instructions


@pytest.mark.parametrize(
    ("opcode", "expression"),
    [
        (ops.FADD, "a + b"),
        (ops.FFLOOR, "floor(a)"),
        (ops.FCEIL, "ceil(a)"),
        (ops.FTRUNC, "vec4(ivec4(a))"),
        (ops.FSIGN, "sign(a)"),
        (ops.FMIX, "mix(a, b, c)"),
        (ops.FCLAMP, "clamp(a, b, c)"),
        (ops.LENGTH, "vec4(length(a))"),
        (ops.FTAN, "tan(a)"),
        (ops.FEXP, "exp(a)"),
        (ops.FLOG, "log(a)"),
        (ops.FSMOOTHSTEP, "smoothstep(a, b, c)"),
    ],
    ids=lambda value: value.name if isinstance(value, Opcode) else value,
)
def test_costs_are_tokens(opcode: Opcode, expression: str) -> None:
    assert costs_of(1).cost(opcode, 4) == tokens(expression)


@pytest.mark.parametrize(
    ("opcode", "cheapest", "dearest"),
    [
        (ops.FMOD, "mod(a, 2.0)", "mod(a, b)"),
        (ops.SELECT, "a.x < 0.0 ? b : vec4(0.0)", "a.x < 0.0 ? b : c"),
    ],
    ids=lambda value: value.name if isinstance(value, Opcode) else value,
)
def test_costs_of_what_has_several_forms_are_between_them(opcode: Opcode, cheapest: str, dearest: str) -> None:
    assert tokens(cheapest) <= costs_of(2).cost(opcode, 4) < tokens(dearest)


def test_what_an_operand_says_costs_nothing() -> None:
    for opcode in (ops.SWIZZLE, ops.LOAD):
        assert costs_of(1).cost(opcode, 4) == 0
    assert tokens("a.wzyx + b.yzwx") == tokens("a + b")


def test_there_is_no_multiply_add() -> None:
    assert costs_of(3).cost(ops.FMAD, 4) == inf


@pytest.mark.parametrize(("version", "budget"), [(1, 1600), (2, 8192), (3, 16384)])
def test_only_later_versions_branch_and_long_programs_are_not_unrolled(version: int, budget: int) -> None:
    costs = costs_of(version)
    assert (costs.branch < inf) == (version > 1)
    # As much code as eight programs: the optimiser makes it shorter.
    assert costs.unroll_budget == budget


def test_the_first_version_is_the_default() -> None:
    assert version_of(TargetOptions("vertex")) == 1
    assert version_of(TargetOptions("vertex", values={"agal_version": 3})) == 3
