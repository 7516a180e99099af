"""Vectors put together of components from several places."""

from __future__ import annotations

from glslc_multi.compiler.codegen.machine import Literal32, VirtualRegister
from glslc_multi.compiler.codegen.operands import Modifiers, Operand, by_origin, components_of, is_all
from glslc_multi.compiler.codegen.selection.emitter import literal
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import float_constant
from glslc_multi.compiler.ir.module import Constant, Value
from glslc_multi.compiler.ir.types import FLOAT, vector
from tests.compiler.codegen.selection.machine import Bench


def copies(bench: Bench, value: Value) -> list[tuple[tuple[int, ...], object, tuple[int | None, ...], bool]]:
    """Components that each copy writes, from what lanes of what, and whether negated."""
    target = bench.emitter.new(value.type.width).register
    assert isinstance(target, VirtualRegister)
    bench.emitter.made = []
    bench.emitter.gather(value, target)
    return [(m.defs[0].lanes, m.uses[0].register, m.uses[0].lanes, m.uses[0].negate) for m in bench.emitter.made]


def test_components_of_one_origin_are_one_copy() -> None:
    bench = Bench()
    x, v = bench.value("x"), bench.value("v", 3)
    whole = bench.builder.construct(bench.builder.extract(v, 2), x, bench.builder.extract(v, 0))
    found = copies(bench, whole)
    registers = bench.emitter.register(v), bench.emitter.register(x)
    assert found == [((0, 2), registers[0], (2, 0), False), ((1,), registers[1], (0,), False)]


def test_a_sign_is_part_of_the_origin() -> None:
    bench = Bench()
    v = bench.value("v", 2)
    negative = bench.builder.op(ops.FNEG, v)
    whole = bench.builder.construct(bench.builder.extract(v, 0), bench.builder.extract(negative, 1))
    register = bench.emitter.register(v)
    assert copies(bench, whole) == [((0,), register, (0,), False), ((1,), register, (1,), True)]


def test_constants_are_one_copy_and_undefined_components_none() -> None:
    bench = Bench()
    undefined = Constant.undef(FLOAT)
    negative = bench.builder.op(ops.FNEG, float_constant(2.0))
    whole = bench.builder.construct(float_constant(1.0), undefined, bench.value("x"), negative)
    (numbers, *_) = copies(bench, whole)
    assert numbers == ((0, 3), Literal32((1.0, -2.0)), (0, 1), False)


def test_what_is_undefined_is_left_out() -> None:
    parts = components_of(Constant(vector("float", 3), (None, 1.0, None)), Modifiers())
    assert [part.is_undefined for part in parts] == [True, False, True]
    assert [components for components, _ in by_origin(parts)] == [(1,)]


def test_a_source_that_is_wholly_undefined_is_some_number() -> None:
    """It is read all the same: without a number there would be nothing that could be brought to a register."""
    bench = Bench()
    assert bench.emitter.use(Constant.undef(vector("float", 2))) == literal(0, 0)
    partly = Constant(vector("float", 2), (None, 1.0))
    assert bench.emitter.use(partly) == literal(None, 1.0)
    assert bench.emitter.use(partly, (0, None)) == literal(0, 0)


def test_numbers_of_constants_have_the_signs_of_the_operand() -> None:
    constant = Constant(vector("float", 3), (-1.0, None, 2.0))
    assert Operand(constant, (0, 1, 2)).numbers() == [-1.0, None, 2.0]
    assert Operand(constant, (2, 0), negate=True, absolute=True).numbers() == [-2.0, -1.0]
    assert Operand(constant, (None, 0), absolute=True).numbers() == [None, 1.0]


def test_all_components_that_matter() -> None:
    assert is_all(Constant(vector("float", 2), (None, 1.0)), 1.0)
    assert not is_all(float_constant(1.0, 2.0), 1.0)
    assert not is_all(Bench().value("x"), 1.0)
