"""Tables that are looked up by trees of operations."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.codegen.selection.trees import IsNumber, TreeTable, has_number
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import float_constant
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.types import vector
from glslc_multi.compiler.passes.rules.pattern import PatternError
from tests.compiler.codegen.selection.machine import Bench


def table(*patterns: str, is_number: IsNumber = has_number) -> TreeTable[str]:
    """A table whose answers are its patterns."""
    made: TreeTable[str] = TreeTable(is_number)
    for pattern in patterns:
        made.add(pattern, lambda _, pattern=pattern: pattern)  # type: ignore[misc]
    return made


def answer(table: TreeTable[str], root: Value) -> str | None:
    found = table.find(root)
    return None if found is None else found[0]


@pytest.mark.parametrize("patterns", [("fadd(x, y)", "fadd(fmul(x, y), z)"), ("fadd(fmul(x, y), z)", "fadd(x, y)")])
def test_the_largest_tree_wins_whatever_comes_first(patterns: tuple[str, ...]) -> None:
    bench = Bench()
    x, y = bench.value("x"), bench.value("y")
    product = bench.builder.op(ops.FMUL, x, y)
    trees = table(*patterns)
    assert answer(trees, bench.builder.op(ops.FADD, x, y)) == "fadd(x, y)"
    assert answer(trees, bench.builder.op(ops.FADD, product, x)) == "fadd(fmul(x, y), z)"


def test_values_come_in_the_order_of_the_pattern_whatever_side_they_are_found_on() -> None:
    bench = Bench()
    x, y, z = (bench.value(name) for name in "xyz")
    found = table("fadd(fmul(x, y), z)").find(bench.builder.op(ops.FADD, z, bench.builder.op(ops.FMUL, x, y)))
    assert found is not None
    assert list(found[1]) == [x, y, z]


def test_constants_may_be_on_either_side_of_what_commutes() -> None:
    bench = Bench()
    x, one = bench.value("x"), float_constant(1.0)
    trees = table("fadd(x, 1.0)", "fsub(x, 1.0)")
    assert answer(trees, bench.builder.op(ops.FADD, one, x)) == "fadd(x, 1.0)"
    assert answer(trees, bench.builder.op(ops.FADD, x, one)) == "fadd(x, 1.0)"
    assert answer(trees, bench.builder.op(ops.FSUB, one, x)) is None


def test_once_is_for_what_one_operand_reads() -> None:
    bench = Bench()
    x = bench.value("x")
    product = bench.builder.op(ops.FMUL, x, x)
    total = bench.builder.op(ops.FADD, product, x)
    trees = table("fadd(x, y)", "fadd(once(fmul(x, y)), z)")
    assert answer(trees, total) == "fadd(once(fmul(x, y)), z)"
    bench.builder.op(ops.FNEG, product)
    assert answer(trees, total) == "fadd(x, y)"


def test_once_counts_operands_and_not_instructions() -> None:
    bench = Bench()
    x = bench.value("x")
    product = bench.builder.op(ops.FMUL, x, x)
    assert answer(table("fadd(once(fmul(x, y)), z)"), bench.builder.op(ops.FADD, product, product)) is None


def test_widths() -> None:
    bench = Bench()
    trees = table("dot(x:2, y)", "dot(x:3, y)")
    for width, expected in ((2, "dot(x:2, y)"), (3, "dot(x:3, y)"), (4, None)):
        value = bench.value(f"v{width}", width)
        assert answer(trees, bench.builder.op(ops.DOT, value, value)) == expected


def test_the_same_name_is_the_same_value() -> None:
    bench = Bench()
    x, y = bench.value("x"), bench.value("y")
    trees = table("fmul(x, x)", "fmul(x, y)")
    assert answer(trees, bench.builder.op(ops.FMUL, x, x)) == "fmul(x, x)"
    assert answer(trees, bench.builder.op(ops.FMUL, x, y)) == "fmul(x, y)"


@pytest.mark.parametrize(
    ("components", "expected"),
    [((0.0, 0.0), True), ((-0.0, 0.0), True), ((None, 0.0), True), ((None, None), True), ((0.0, 1.0), False)],
)
def test_a_number_is_that_of_all_components_that_matter(components: tuple[float | None, ...], expected: bool) -> None:
    bench = Bench()
    constant = Constant(vector("float", 2), components)
    root = bench.builder.op(ops.FADD, bench.value("x", 2), constant)
    assert (answer(table("fadd(x, 0.0)"), root) is not None) is expected


def test_a_machine_may_know_fewer_numbers() -> None:
    bench = Bench()
    root = bench.builder.op(ops.FADD, bench.value("x"), float_constant(1.001))
    rounded = table("fadd(x, 1.0)", is_number=lambda constant, literal: round(constant.components[0] or 0) == 1)
    assert answer(table("fadd(x, 1.0)"), root) is None
    assert answer(rounded, root) == "fadd(x, 1.0)"


def test_where_asks_the_rest_and_goes_first() -> None:
    bench = Bench()
    trees = table("fneg(x)")

    def is_wide(root: Instruction) -> bool:
        return root.type.width > 1

    trees.add("fneg(x)", lambda _: "wide", is_wide)
    assert answer(trees, bench.builder.op(ops.FNEG, bench.value("x"))) == "fneg(x)"
    assert answer(trees, bench.builder.op(ops.FNEG, bench.value("v", 2))) == "wide"


def test_an_opcode_alone_is_every_instruction_of_it() -> None:
    bench = Bench()
    parts = bench.value("x"), bench.value("y"), bench.value("z")
    found = table("construct").find(bench.builder.construct(*parts))
    assert found is not None
    assert list(found[1]) == []


def test_what_is_no_instruction_is_not_found() -> None:
    assert answer(table("fadd(x, y)"), float_constant(1.0)) is None


def test_two_trees_of_one_size_are_a_conflict() -> None:
    bench = Bench()
    x = bench.value("x")
    one, zero = float_constant(1.0), float_constant(0.0)
    trees = table("fadd(x, 1.0)", "fadd(0.0, x)", "fadd(x, y)")
    assert trees.conflicts(bench.builder.op(ops.FADD, one, zero))
    assert not trees.conflicts(bench.builder.op(ops.FADD, x, one))
    assert not trees.conflicts(bench.builder.op(ops.FNEG, x))


def test_patterns_must_be_in_the_language() -> None:
    with pytest.raises(PatternError, match="'fplus'"):
        table("fplus(x, y)")
    with pytest.raises(PatternError, match="'fplus'"):
        list(table("fadd(fplus(x, y), z)").trees())
