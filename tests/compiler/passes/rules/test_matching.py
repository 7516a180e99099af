"""Rules fire on the IR they describe, and only there; the whole pass comes to an end on each of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Instruction, Module, Scalar, Value
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.ir.types import Type, vector
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.ir.verify import verify_module
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.rules.matcher import RuleBook
from glslc_multi.compiler.passes.rules.pattern import AnyConstant, Literal, Operation, Pattern, leaves, orders
from glslc_multi.compiler.passes.rules.rule import Rule, weight_of
from glslc_multi.compiler.passes.rules.table import RULES
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.passes.scalar.instcombine import InstCombine
from tests.compiler.passes.rules.meaning import Meaning, widths_to_try
from tests.compiler.passes.rules.proofs import rule_from

#: Numbers that constants of rules are tried with, until the rule's condition holds.
_CONSTANTS: dict[str, tuple[Scalar, ...]] = {"float": (0.5, 3.0, -2.0), "int": (3, -5, 8), "bool": (True,)}


class Workbench:
    """A module in which patterns are built, operands being loads of uniforms."""

    def __init__(self, rule: Rule, width: int) -> None:
        self.rule = rule
        self.module = Module("vertex")
        self.builder = Builder(self.module.add_function("main").add_block("entry"))
        meaning = Meaning(rule, width, PYTHON)
        self.types = meaning.leaf_types()
        self.width, self.root_width = width, meaning.root_width

    @property
    def main(self) -> Function:
        return self.module.main

    def operands(self) -> Iterator[dict[str, Value]]:
        """Loads for the leaves that are any value, each choice of numbers for the constants."""
        constants = {leaf.name for leaf in leaves(self.rule.pattern) if isinstance(leaf, AnyConstant)}
        loads = {name: self.load(name, type) for name, type in self.types.items() if name not in constants}
        choices = [_CONSTANTS[self.types[name].kind] for name in sorted(constants)]
        for numbers in product(*choices):
            chosen = zip(sorted(constants), numbers, strict=True)
            yield {**loads, **{name: Constant.splat(self.types[name], number) for name, number in chosen}}

    def load(self, name: str, type: Type) -> Value:
        return self.builder.load(self.module.add_variable(Variable(name, "uniform", type)))

    def build(self, pattern: Pattern, values: dict[str, Value], width: int) -> Value:
        if isinstance(pattern, Literal):
            return Constant.splat(vector(pattern.kind, width), pattern.value)
        if not isinstance(pattern, Operation):
            return values[pattern.name]
        inner = width
        if pattern.op is None:
            inner = 1
        elif pattern.op.whole is not None:
            inner = self.width
        operands = [self.build(operand, values, inner) for operand in pattern.operands]
        return self.builder.splat(operands[0], width) if pattern.op is None else self.builder.op(pattern.op, *operands)

    def root(self, pattern: Pattern, values: dict[str, Value], flags: int = 0) -> Instruction:
        """The pattern as instructions, used by a store."""
        self.builder.flags = flags
        root = self.build(pattern, values, self.root_width)
        self.builder.flags = 0
        assert isinstance(root, Instruction)
        local = self.module.add_variable(Variable(f"result{self.main.id_bound}", "local", root.type))
        self.builder.store(local, root)
        return root


def cases(rule: Rule) -> Iterator[tuple[Workbench, Pattern]]:
    for width in widths_to_try(rule):
        for order in orders(rule.pattern):
            yield Workbench(rule, width), order


EVERY_RULE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


@EVERY_RULE
def test_rule_fires_in_every_order(rule: Rule) -> None:
    book = RuleBook([rule])
    for bench, order in cases(rule):
        assert any(_fires(bench, book, order, values) for values in bench.operands()), str(order)


def _fires(bench: Workbench, book: RuleBook, order: Pattern, values: dict[str, Value]) -> bool:
    """Whether the rule rewrites the pattern; what it makes is sound and weighs what the rule says."""
    root = bench.root(order, values)
    before = root.prev
    value = book.rewrite(root, precise=False)
    if value is None:
        return False
    assert value.type is root.type
    assert sum(weight_of(instruction.op) for instruction in between(before, root)) == bench.rule.cost
    root.replace_all_uses_with(value)
    root.erase()
    bench.builder.ret()
    assert not verify_module(bench.module), print_module(bench.module)
    bench.main.entry.last.erase()  # type: ignore[union-attr]
    return True


def made_by_rewriting(root: Instruction, book: RuleBook) -> list[Instruction]:
    before = root.prev
    book.rewrite(root, precise=False)
    return list(between(before, root))


def between(before: Instruction | None, root: Instruction) -> Iterator[Instruction]:
    """The instructions after `before` and before `root`."""
    instruction = root.prev
    while instruction is not None and instruction is not before:
        yield instruction
        instruction = instruction.prev


@EVERY_RULE
def test_only_exact_rules_fire_where_results_must_be_exact(rule: Rule) -> None:
    book = RuleBook([rule])
    for bench, order in cases(rule):
        for values in bench.operands():
            root = bench.root(order, values, PRECISE)
            made = made_by_rewriting(root, book)
            assert rule.is_exact or not made
            assert all(instruction.flags & PRECISE for instruction in made)
            assert rule.is_exact or book.rewrite(bench.root(order, values), precise=True) is None


@EVERY_RULE
def test_the_pass_ends_with_less_weight(rule: Rule) -> None:
    for bench, order in cases(rule):
        for values in bench.operands():
            bench.root(order, values)
        bench.builder.ret()
        before = total_weight(bench.main)
        assert InstCombine().run(bench.main, PassContext())
        assert total_weight(bench.main) <= before
        assert not verify_module(bench.module)
        assert not InstCombine().run(bench.main, PassContext()), "a second run finds nothing"


def total_weight(function: Function) -> int:
    return sum(weight_of(instruction.op) for instruction in function.instructions() if instruction.op.has_semantics)


# --------------------------------------------------------------------------------------- where rules stop
def bench_of(text: str, width: int = 1) -> tuple[Workbench, RuleBook, dict[str, Value]]:
    rule = rule_from(text)
    bench = Workbench(rule, width)
    return bench, RuleBook([rule]), next(bench.operands())


def test_the_same_name_is_the_same_value() -> None:
    bench, book, values = bench_of("isub(x, x) -> 0")
    other = bench.load("other", values["x"].type)
    assert book.rewrite(bench.builder.op(ops.ISUB, values["x"], other), precise=False) is None
    assert book.rewrite(bench.builder.op(ops.ISUB, values["x"], values["x"]), precise=False) is not None


def test_equal_constants_are_the_same_value() -> None:
    bench, book, values = bench_of("select(c, x, x) -> x")
    one, same, other = (Constant.splat(values["x"].type, number) for number in (0.0, 0.0, -0.0))
    assert book.rewrite(bench.builder.op(ops.SELECT, values["c"], one, same), precise=False) is one
    assert book.rewrite(bench.builder.op(ops.SELECT, values["c"], one, other), precise=False) is None


def test_numbers_match_bit_for_bit() -> None:
    bench, book, values = bench_of("fadd(x, -0.0) -> x")
    for number, fires in ((-0.0, True), (0.0, False), (1.0, False)):
        root = bench.builder.op(ops.FADD, values["x"], Constant.splat(values["x"].type, number))
        assert (book.rewrite(root, precise=False) is not None) == fires


def test_undefined_components_are_no_numbers() -> None:
    bench, book, values = bench_of("fsub(x, #c) -> fadd(x, fneg(#c))")
    root = bench.builder.op(ops.FSUB, values["x"], Constant.undef(values["x"].type))
    assert book.rewrite(root, precise=False) is None


def test_what_others_use_is_not_paid_for_twice() -> None:
    bench, book, values = bench_of("fmul(fsqrt(x), fsqrt(x)) -> fmul(frcp(x), frcp(x))")
    root = bench.builder.op(ops.FSQRT, values["x"])
    square = bench.builder.op(ops.FMUL, root, root)
    bench.builder.op(ops.FNEG, root)
    assert book.rewrite(square, precise=False) is None


def test_dead_code_is_progress_once() -> None:
    bench, _, values = bench_of("fneg(x) -> x")
    bench.builder.swizzle(bench.builder.op(ops.FNEG, values["x"]), (0, 0))
    bench.builder.ret()
    pipeline = parse_pipeline("repeat{rounds=9}(instcombine)", DiagnosticSink())
    assert run_pipeline(bench.module, pipeline)
    assert not run_pipeline(bench.module, pipeline)
    assert [instruction.op for instruction in bench.main.instructions()] == [ops.RET]
