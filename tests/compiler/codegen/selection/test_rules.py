"""Rows and functions: what they emit."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.codegen.selection.emitter import AnyEmitter
from glslc_multi.compiler.codegen.selection.rules import NoRule, RuleSet, joined
from glslc_multi.compiler.codegen.selection.templates import TemplateError, parse_template
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import bool_constant, float_constant
from glslc_multi.compiler.ir.module import Instruction, Value
from tests.compiler.codegen.selection.machine import Bench


def test_a_row_is_one_instruction_with_signs_and_numbers() -> None:
    bench = Bench("fsub(x, y) -> ADD(x, -y)", "fabs(x) -> MAX(x, -x)", "fneg(x) -> MUL(x, -1.0)")
    x, y = bench.value("x", 2), bench.value("y", 2)
    assert bench.selected(bench.builder.op(ops.FSUB, x, y)) == ["%0.xy = ADD %1.xy, -%2.xy"]
    assert bench.selected(bench.builder.op(ops.FABS, x)) == ["%3.xy = MAX %1.xy, -%1.xy"]
    assert bench.selected(bench.builder.op(ops.FNEG, x)) == ["%4.xy = MUL %1.xy, (-1.0, -1.0).xy"]


def test_a_sign_of_the_row_and_one_that_the_operand_swallowed_cancel() -> None:
    bench = Bench("fsub(x, y) -> ADD(x, -y)")
    x, y = bench.value("x"), bench.value("y")
    root = bench.builder.op(ops.FSUB, x, bench.builder.op(ops.FNEG, y))
    assert bench.selected(root) == ["%0.x = ADD %1.x, %2.x"]


def test_equal_parts_are_made_once_and_share_no_operand() -> None:
    bench = Bench("fabs(x) -> MUL(ADD(x, x), MAX(ADD(x, x), 0.5))")
    assert bench.selected(bench.builder.op(ops.FABS, bench.value("x"))) == [
        "%2.x = ADD %1.x, %1.x",
        "%3.x = MAX %2.x, (0.5).x",
        "%0.x = MUL %2.x, %3.x",
    ]
    first, second = (made.uses[0] for made in bench.emitter.made[1:])
    assert first is not second


def test_one_number_serves_all_equal_components() -> None:
    bench = Bench("frcp(x) -> RCP(x)")
    x, y = bench.value("x"), bench.value("y")
    root = bench.builder.op(ops.FRCP, bench.builder.construct(x, y, x))
    assert bench.selected(root) == ["%0.xz = RCP %1.x", "%0.y = RCP %2.x"]


def test_what_has_no_result_writes_nothing() -> None:
    bench = Bench("kill(flt(x, y)) -> KIL(ADD(x, -y))")
    root = bench.builder.kill(bench.builder.op(ops.FLT, bench.value("x"), bench.value("y")))
    assert bench.selected(root) == ["%2.x = ADD %0.x, -%1.x", "KIL %2.x"]


def test_a_function_gets_the_leaves_in_the_order_of_its_pattern() -> None:
    bench = Bench("fadd(x, y) -> ADD(x, y)")
    seen: list[Value] = []

    @bench.rules.rule("fadd(once(fmul(a, b)), c)")
    def rule(e: AnyEmitter, instruction: Instruction, a: Value, b: Value, c: Value) -> None:
        seen.extend((a, b, c))

    a, b, c = (bench.value(name) for name in "abc")
    assert bench.selected(bench.builder.op(ops.FADD, c, bench.builder.op(ops.FMUL, a, b))) == []
    assert seen == [a, b, c]


def test_rules_of_several_files_are_joined() -> None:
    rules: RuleSet[AnyEmitter] = joined(RuleSet("fadd(x, y) -> ADD(x, y)"), RuleSet("fadd(x, 0.0) -> MOV(x)"))
    bench = Bench()
    root = bench.builder.op(ops.FADD, bench.value("x"), float_constant(0.0))
    rules.select(bench.emitter, root)
    assert [made.op.name for made in bench.emitter.made] == ["MOV"]


def test_what_no_rule_fits_is_said() -> None:
    bench = Bench("fadd(x, y) -> ADD(x, y)")
    with pytest.raises(NoRule, match="kill"):
        bench.selected(bench.builder.kill(bool_constant(True)))


@pytest.mark.parametrize("text", ["ADD(x", "ADD(x, y", "x", "1.0", "ADD(x) y", "ADD(x; y)", "-ADD(x)", "ADD(-)"])
def test_templates_must_be_in_the_language(text: str) -> None:
    with pytest.raises(TemplateError):
        parse_template(text, ["x", "y"])
