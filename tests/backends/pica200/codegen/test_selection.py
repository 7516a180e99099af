"""Selection of what the passes before it hardly leave: conditions that are known."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.backends.pica200.codegen.abi import Interface
from glslc_multi.backends.pica200.codegen.machine_ops import BRANCH, IF_X, OnBool, OnFlags
from glslc_multi.backends.pica200.codegen.select import select_code
from glslc_multi.backends.pica200.isa.meanings import RELATION_NAMES
from glslc_multi.compiler.codegen.machine import Literal32, Use
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Module
from glslc_multi.compiler.ir.types import BOOL


@pytest.mark.parametrize("value", [True, False])
def test_a_condition_that_is_known(value: bool) -> None:
    module = Module("vertex")
    main = module.add_function("main")
    entry, first, second = (main.add_block(name) for name in ("entry", "first", "second"))
    Builder(entry).condbr(Constant(BOOL, (value,)), first, second)
    Builder(first).ret()
    Builder(second).ret()
    function = select_code(main, Interface(), [], {})
    compare, branch = function.entry.instructions
    assert (branch.op, branch.attributes["condition"]) == (BRANCH, IF_X)
    relation, _ = (RELATION_NAMES[number] for number in compare.attributes["relations"])
    left, right = (number_of(use) for use in compare.uses)
    assert relation == "eq" and (left == right) is value


def number_of(use: Use) -> float | int | None:
    """What the first lane of an operand is."""
    lane = use.lanes[0]
    assert isinstance(use.register, Literal32) and lane is not None
    return use.register.values[lane]


@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("x", [0, 1])
@pytest.mark.parametrize("y", [0, 1])
def test_opposites_of_conditions(x: int, y: int, both: bool) -> None:
    """On all outcomes of a comparison: either flag, both, x alone, y alone (condop 0 to 3)."""
    for condop in range(4):
        for refx in (0, 1):
            for refy in (0, 1):
                condition = OnFlags(condop, refx, refy)
                assert holds(condition.inverted(), x, y) is not holds(condition, x, y)
                assert condition.inverted().condop in ((1, 0, 2, 3)[condop],)
    assert OnBool(3, both).inverted() == OnBool(3, not both)
    assert OnFlags(2, 0, 1).inverted() == OnFlags(2, 1, 1) and OnFlags(3, 1, 1).inverted() == OnFlags(3, 1, 0)


def holds(condition: OnFlags, x: int, y: int) -> bool:
    """As the instruction set has it: a flag passes where it is as the reference says."""
    is_x, is_y = x == condition.refx, y == condition.refy
    return (is_x or is_y, is_x and is_y, is_x, is_y)[condition.condop]


def test_a_choice_by_an_element_of_bools() -> None:
    """The number of the element stands in both multiply-adds, and is no operand that they share."""
    text = """uniform bool on[9]; uniform vec4 a[9]; uniform vec4 b[9]; attribute vec4 p;
    void main() {
        vec4 sum = p;
        for (int i = 0; i < 9; i++) sum += on[i] ? a[i] * p : b[i];
        gl_Position = sum;
    }"""
    shader = glslc_multi.compile(text, target="pica200", stage="vertex")
    values = {"on": [True, False, *[True] * 7], "a": [[n] * 4 for n in range(9)], "b": [[100] * 4] * 9}
    # The fourth number: itself, 0 times it, 100, and 2 to 8 times it.
    assert shader.run({"p": [[1, 2, 3, 4]]}, values)["gl_Position"][0, 3] == 4 + 0 + 100 + 35 * 4
