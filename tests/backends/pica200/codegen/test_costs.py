"""What the optimiser reckons with, against the words that operations take."""

from __future__ import annotations

import pytest

from glslc_multi.backends.pica200.codegen.costs import COSTS
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.ops import Opcode
from tests.backends.pica200.compiled import compiled, mnemonics


def words_of(expression: str) -> int:
    """The words that bring an expression of an attribute to an output."""
    *computing, end = mnemonics(f"attribute vec4 a; void main() {{ gl_Position = vec4({expression}); }}")
    assert end == "end"
    return len(computing)


@pytest.mark.parametrize(
    ("op", "expression", "others"),
    [
        # Two of the words are those of the operands, which are not known to be finite.
        (ops.SELECT, "a.x < a.y ? 1.0 / a.z : exp2(a.w)", 2),
        (ops.FEQ, "float(a.x == a.y)", 0),
        (ops.FNE, "float(a.x != a.y)", 0),
        (ops.FPOW, "pow(a.x, a.y)", 0),
        (ops.FDIV, "a.x / a.y", 0),
        (ops.LENGTH, "length(a.xyz)", 0),
        # The fourth component is a move.
        (ops.NORMALIZE, "normalize(a.xyz), 1.0", 1),
        (ops.FTRUNC, "float(int(a.x))", 0),
    ],
)
def test_what_takes_several_words_costs_as_many(op: Opcode, expression: str, others: int) -> None:
    assert COSTS.cost(op, 1) == words_of(expression) - others


@pytest.mark.parametrize(("op", "expression"), [(ops.FSIN, "sin(a.x)"), (ops.FCOS, "cos(a.x)")])
def test_what_shares_its_words_with_others_costs_at_least_half(op: Opcode, expression: str) -> None:
    """The words serve four components at once, and literals and multiples are shared."""
    assert words_of(expression) / 2 <= COSTS.cost(op, 1) <= words_of(expression)


def test_vectors_that_are_put_together_cost_less_than_a_word() -> None:
    assert 0 < COSTS.cost(ops.CONSTRUCT, 1) == COSTS.cost(ops.INSERT, 1) < 1


def test_branches() -> None:
    source = """
    attribute vec4 a; uniform bool t; varying vec4 v;
    void main() {
        vec4 p = a;
        if (TEST) { p = a * a.x; p = max(p, a.wzyx) * p.y; p = p * p.yxwz - a; v = p * p.x; }
        gl_Position = p;
    }
    """

    def tests_in(test: str) -> int:
        # -O1 keeps branches.
        text = compiled(source.replace("TEST", test), 1).assembly.split()
        return sum(text.count(name) for name in ("cmp", "ifc", "ifu"))

    assert COSTS.branch == tests_in("a.x < a.y")
    assert COSTS.uniform_branch == tests_in("t")
