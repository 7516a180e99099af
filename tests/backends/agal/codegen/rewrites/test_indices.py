"""Which indices may have a fraction: these are cut off before they are added to the number of a register."""

from __future__ import annotations

import pytest

from glslc_multi.backends.agal.codegen.rewrites.indices import LowerIndices
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Constant, Instruction, Module, Value
from glslc_multi.compiler.ir.types import BOOL, FLOAT, VEC2, VEC4
from glslc_multi.compiler.ir.variables import SourceKind, Variable
from glslc_multi.compiler.passes.base import PassContext


class _Shader:
    """A load of an element of an array by a float, which is made by hand."""

    def __init__(self) -> None:
        self.module = Module("vertex")
        self.builder = Builder(self.module.add_function("main").add_block("entry"))
        self.array = self.module.add_variable(Variable("u_a", "uniform", VEC4, dims=(8,)))

    def number(self, kind: SourceKind) -> Instruction:
        variable = Variable(f"u_{kind}", "uniform", FLOAT, source_kind=kind)
        return self.builder.load(self.module.add_variable(variable))

    def fraction(self) -> Instruction:
        return self.builder.load(self.module.add_variable(Variable("a_x", "attribute", FLOAT)))

    def is_cut_off(self, number: Value) -> bool:
        """Tell whether the index is now the floor of what is not below 0."""
        self.builder.load(self.array, self.builder.op(ops.FTOI, number))
        self.builder.ret()
        LowerIndices().run_on_module(self.module, PassContext())
        (load,) = (each for each in self.module.main.instructions() if each.op is ops.LOAD and each.operands)
        (index,) = load.operands
        assert isinstance(index, Instruction)
        assert index.op is ops.FTOI
        (found,) = index.operands
        if found is number:
            return False
        assert isinstance(found, Instruction)
        assert found.op is ops.FFLOOR
        (inside,) = found.operands
        assert isinstance(inside, Instruction)
        assert (inside.op, inside.operands[0]) == (ops.FMAX, number)
        return True


@pytest.mark.parametrize(("kind", "expected"), [("int", False), ("uint", False), ("bool", False), ("float", True)])
def test_what_the_host_gives(kind: SourceKind, expected: bool) -> None:
    shader = _Shader()
    assert shader.is_cut_off(shader.number(kind)) is expected


@pytest.mark.parametrize("op", [ops.FFLOOR, ops.FCEIL, ops.FTRUNC, ops.FSIGN], ids=str)
def test_what_has_no_fraction_whatever_its_operand_is(op: ops.Opcode) -> None:
    shader = _Shader()
    assert not shader.is_cut_off(shader.builder.op(op, shader.fraction()))


def test_truth_as_a_number_has_none() -> None:
    shader = _Shader()
    truth = shader.builder.op(ops.FLT, shader.fraction(), float_constant(0.5))
    assert not shader.is_cut_off(shader.builder.op(ops.BTOF, truth))
    shader = _Shader()
    assert not shader.is_cut_off(shader.builder.op(ops.FSTEP, float_constant(0.5), shader.fraction()))


_TWO = (ops.FADD, ops.FSUB, ops.FMUL, ops.FMIN, ops.FMAX)


@pytest.mark.parametrize("op", [*_TWO, ops.FNEG, ops.FABS, ops.FCLAMP], ids=str)
def test_what_has_none_where_its_operands_have_none(op: ops.Opcode) -> None:
    count = 2 if op in _TWO else 3 if op is ops.FCLAMP else 1
    shader = _Shader()
    whole = shader.number("int")
    assert not shader.is_cut_off(shader.builder.op(op, *[whole, *[float_constant(3.0)] * 2][:count]))
    for place in range(count):
        shader = _Shader()
        operands: list[Value] = [shader.number("int")] * count
        operands[place] = shader.fraction()
        assert shader.is_cut_off(shader.builder.op(op, *operands))
    shader = _Shader()
    if count > 1:
        operands = [shader.number("int"), *[float_constant(0.5)] * (count - 1)]
        assert shader.is_cut_off(shader.builder.op(op, *operands))


def test_quotients_have_one() -> None:
    shader = _Shader()
    assert shader.is_cut_off(shader.builder.op(ops.FDIV, shader.number("int"), float_constant(2.0)))


@pytest.mark.parametrize("place", [0, 1])
def test_a_choice_has_none_where_both_values_have_none(place: int) -> None:
    for is_whole in (True, False):
        shader = _Shader()
        condition = shader.builder.op(ops.FLT, shader.fraction(), float_constant(0.5))
        values: list[Value] = [shader.number("int"), float_constant(2.0)]
        if not is_whole:
            values[place] = float_constant(1.5)
        assert shader.is_cut_off(shader.builder.op(ops.SELECT, condition, *values)) is not is_whole


def test_shuffles_hand_on_what_they_take() -> None:
    for is_whole in (True, False):
        shader = _Shader()
        other = shader.number("int") if is_whole else shader.fraction()
        vector = shader.builder.construct(shader.number("bool"), other)
        assert vector.type is VEC2
        assert shader.is_cut_off(shader.builder.swizzle(vector, (0,))) is not is_whole


def test_a_truth_is_an_index_as_it_is() -> None:
    shader = _Shader()
    truth = shader.builder.load(shader.module.add_variable(Variable("u_b", "uniform", BOOL)))
    load = shader.builder.load(shader.array, shader.builder.op(ops.BTOI, truth))
    shader.builder.ret()
    LowerIndices().run_on_module(shader.module, PassContext())
    (index,) = load.operands
    assert isinstance(index, Instruction)
    (number,) = index.operands
    assert isinstance(number, Instruction)
    assert (index.op, number.op, number.operands[0]) == (ops.FTOI, ops.BTOF, truth)


def test_columns_of_matrices_are_elements() -> None:
    """Element i, column c of an array of 3 x 4 matrices from element 2 on: number 3 i + c + 6."""
    shader = _Shader()
    matrices = shader.module.add_variable(Variable("u_m", "uniform", VEC4, columns=3, dims=(5,)))
    load = shader.builder.load(matrices, shader.builder.op(ops.FTOI, shader.number("int")), 1)
    plain = shader.builder.load(matrices, 2, 1)
    shader.builder.ret()
    LowerIndices().run_on_module(shader.module, PassContext())
    assert (matrices.dims, matrices.columns) == ((5, 3), 1)
    assert (load.address.offset, load.address.column, plain.address.offset, plain.address.column) == (1, 0, 7, 0)
    index = load.operands[0]
    assert isinstance(index, Instruction)
    product = index.operands[0]
    assert isinstance(product, Instruction)
    assert product.op is ops.FMUL
    assert isinstance(product.operands[1], Constant)
    assert product.operands[1].components == (3,)
