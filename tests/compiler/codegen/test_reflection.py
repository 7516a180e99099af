"""Rows of a register map, against a layout written out by hand."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.codegen.constants import place_uniforms
from glslc_multi.compiler.codegen.reflection import binding, bindings, built_ins, in_registers, literals
from glslc_multi.compiler.codegen.registers import RegisterFile
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.types import BOOL, FLOAT, SAMPLER_2D, VEC2, VEC3
from glslc_multi.compiler.ir.variables import Variable

FILE = RegisterFile("c", 32, 4)


def test_a_matrix_in_columns_has_a_register_for_each() -> None:
    matrices = Variable("m", "uniform", VEC2, columns=3, dims=(2,))
    table = place_uniforms([Variable("a", "uniform", FLOAT), matrices], FILE)
    found = binding(matrices, in_registers("c", matrices, table.registers_of(matrices)))
    assert (found.name, found.type, found.length) == ("m", "mat3x2", 2)
    assert [(x.index, x.components, x.transform, x.element, x.column) for x in found.locations] == [
        (1, "xy", "identity", 0, 0),
        (2, "xy", "identity", 0, 1),
        (3, "xy", "identity", 0, 2),
        (4, "xy", "identity", 1, 0),
        (5, "xy", "identity", 1, 1),
        (6, "xy", "identity", 1, 2),
    ]


def test_a_matrix_in_rows_has_a_register_for_each() -> None:
    matrices = Variable("m", "uniform", VEC2, columns=3, dims=(2,), layout="rows")
    table = place_uniforms([matrices], FILE)
    found = [
        (x.index, x.components, x.transform, x.element, x.column)
        for x in in_registers("c", matrices, table.registers_of(matrices))
    ]
    assert found == [
        (0, "xyz", "transpose", 0, 0),
        (1, "xyz", "transpose", 0, 1),
        (2, "xyz", "transpose", 1, 0),
        (3, "xyz", "transpose", 1, 1),
    ]


def test_ints_and_bools_become_floats() -> None:
    for kind, transform in (("int", "int-to-float"), ("uint", "int-to-float"), ("bool", "bool-to-float")):
        uniform = Variable("u", "uniform", FLOAT, source_kind=kind)  # type: ignore[arg-type]
        (location,) = in_registers("c", uniform, [0])
        assert location.transform == transform


def test_columns_of_elements_are_where_they_are_said_to_be() -> None:
    varying = Variable("v", "varying", VEC3, columns=2, dims=(2,))
    numbers = {(varying, 0, 0): 0, (varying, 0, 1): 1, (varying, 1, 0): 10, (varying, 1, 1): 11}
    (found,) = bindings("o", numbers)
    places = [(x.index, x.components, x.element, x.column) for x in found.locations]
    assert places == [(0, "xyz", 0, 0), (1, "xyz", 0, 1), (10, "xyz", 1, 0), (11, "xyz", 1, 1)]


def test_components_are_where_they_are_said_to_be() -> None:
    one, other = Variable("v", "varying", VEC3, columns=2, dims=(2,)), Variable("w", "varying", FLOAT)
    found = bindings("row", {(one, 1, 0, 2): 7, (other, 0, 0, 0): 5, (one, 1, 1, 1): 9})
    places = [(x.name, [(y.index, y.components, y.element, y.column, y.first) for y in x.locations]) for x in found]
    assert places == [("v", [(7, "x", 1, 0, 2), (9, "x", 1, 1, 1)]), ("w", [(5, "x", 0, 0, 0)])]


def test_samplers_take_a_unit_for_each_element() -> None:
    one, several = Variable("s", "sampler", SAMPLER_2D), Variable("t", "sampler", SAMPLER_2D, dims=(2,))
    found = bindings("unit", {(one, 0, 0): 4, (several, 0, 0): 1, (several, 1, 0): 2})
    assert [(x.name, x.length, [(y.index, y.components, y.element) for y in x.locations]) for x in found] == [
        ("s", None, [(4, "", 0)]),
        ("t", 2, [(1, "", 0), (2, "", 1)]),
    ]


@pytest.mark.parametrize(("has_integers", "transform"), [(False, "bool-to-float"), (True, "identity")])
def test_a_built_in_input_has_the_space_of_its_role(has_integers: bool, transform: str) -> None:
    module = Module("fragment")
    module.add_variable(Variable("gl_FrontFacing", "input", BOOL, role="front_facing"))
    module.add_variable(Variable("gl_PointCoord", "input", VEC2, role="point_coord"))
    found = built_ins(module, has_integers=has_integers)
    assert [(x.name, *((y.space, y.components, y.transform) for y in x.locations)) for x in found] == [
        ("gl_FrontFacing", ("facing", "x", transform)),
        ("gl_PointCoord", ("point", "xy", "identity")),
    ]


def test_literals_have_the_components_that_hold_numbers() -> None:
    found = [
        (x.location.index, x.location.components, x.words)
        for x in literals("c", {7: [None, 1.5, None, -0.0], 3: [None] * 4, 2: [0.25, None, None, None]})
    ]
    # Sign, exponent and mantissa of IEEE 754 single precision.
    assert found == [(2, "x", (0x3E800000,)), (7, "yw", (0x3FC00000, 0x80000000))]
