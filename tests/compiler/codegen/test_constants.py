"""Constants: registers of uniforms, and literals packed by component."""

from __future__ import annotations

import random

import pytest

from glslc_multi.compiler.codegen.constants import assign_constants, place_uniforms, report_constant_limit
from glslc_multi.compiler.codegen.machine import (
    Def,
    Literal32,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Uniform,
    Use,
)
from glslc_multi.compiler.codegen.registers import RegisterFile
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.types import FLOAT, VEC3, VEC4
from glslc_multi.compiler.ir.variables import Variable
from tests.work import count_calls

C = RegisterFile("c", 96)
R = RegisterFile("r", 16)
ADD = MachineOp("add", "each", ("each", "each"))


def _function(*uses: Use) -> MachineFunction:
    function = MachineFunction("main")
    block = function.add_block("entry")
    for use in uses:
        block.append(MachineInstruction(ADD, [Def(R[0], tuple(range(len(use.lanes))))], [use]))
    return function


def _literal(*values: float | None) -> Use:
    return Use(Literal32(values), tuple(range(len(values))))


def test_uniforms_take_registers_in_declared_order_around_the_pinned_ones() -> None:
    matrix = Variable("m", "uniform", VEC4, columns=4)
    rows = Variable("n", "uniform", VEC4, columns=3, layout="rows")
    pinned = Variable("p", "uniform", FLOAT, location=5)
    array = Variable("a", "uniform", VEC3, dims=(2, 3))
    table = place_uniforms([matrix, rows, pinned, array], C)
    places = [(variable.name, first) for variable, first in table.uniforms.items()]
    assert places == [("p", 5), ("m", 0), ("n", 6), ("a", 10)]
    assert table.bound == 16
    assert table.used == 4 + 4 + 1 + 6


@pytest.mark.parametrize(("limit", "elements"), [(13, 3), (12, 3), (11, 2), (9, 2), (8, 2), (7, 1), (4, 1)])
def test_the_refusal_says_how_many_elements_fit(limit: int, elements: int) -> None:
    """A matrix takes four registers, so that one register too many costs a whole element."""
    sink = DiagnosticSink()
    table = place_uniforms([Variable("m", "uniform", VEC4, columns=4, dims=(4,))], C)
    report_constant_limit(table, limit, "it", sink, MachineFunction("main"))
    (error,) = sink.diagnostics
    assert error.help == f"'m' may have {elements} elements at most"


def test_no_number_of_elements_is_promised_where_uniforms_are_pinned() -> None:
    """A smaller `a` would still leave `p` where it is."""
    sink = DiagnosticSink()
    table = place_uniforms([Variable("a", "uniform", VEC4, dims=(8,)), Variable("p", "uniform", VEC4, location=9)], C)
    report_constant_limit(table, 9, "it", sink, MachineFunction("main"))
    (error,) = sink.diagnostics
    assert error.help == "use smaller arrays of uniforms, or put several values into one vec4"


def test_literals_beyond_the_file_lie_beyond_the_uniforms() -> None:
    table = place_uniforms([Variable("u", "uniform", VEC4, dims=(C.count + 7,))], C)
    assign_constants(_function(_literal(0.3)), table)
    assert table.literals.keys() == {C.count + 7}


def test_a_uniform_operand_names_its_element_and_column() -> None:
    matrix = Variable("m", "uniform", VEC4, columns=4, dims=(3,))
    use = Use(Uniform(matrix, 2, 1), (3,))
    table = place_uniforms([Variable("before", "uniform", VEC4, dims=(2,)), matrix], C)
    assign_constants(_function(use), table)
    assert use.register == C[2 + 2 * 4 + 1]
    assert use.lanes == (3,)


def test_literals_share_registers_after_the_uniforms() -> None:
    uniform = Variable("u", "uniform", VEC4)
    uses = [_literal(1.0, 2.0), _literal(0.5), _literal(2.0, 2.0, None), _literal(3.0, 0.5)]
    table = place_uniforms([uniform], C)
    assign_constants(_function(*uses), table)
    assert table.literals == {1: [1.0, 2.0, 3.0, 0.5]}
    assert [use.lanes for use in uses] == [(0, 1), (3,), (1, 1, None), (2, 3)]


def test_a_number_serves_its_negative_where_sources_can_be_negated() -> None:
    uses = [_literal(1.0, 2.0), _literal(-2.0)]
    table = place_uniforms([], C)
    assign_constants(_function(*uses), table, negate=True)
    assert table.literals == {0: [1.0, 2.0, None, None]}
    assert (uses[1].lanes, uses[1].negate) == ((1,), True)


def test_zeros_of_different_sign_are_different_numbers() -> None:
    table = place_uniforms([], C)
    assign_constants(_function(_literal(0.0, -0.0)), table)
    assert repr(table.literals) == repr({0: [0.0, -0.0, None, None]})


def test_components_that_uniforms_leave_over_are_used_where_allowed() -> None:
    uniform = Variable("u", "uniform", VEC3)
    use = _literal(4.0)
    table = place_uniforms([uniform], C)
    assign_constants(_function(use), table, shared={0: (3,)})
    assert (use.register, use.lanes) == (C[0], (3,))


def test_every_use_reads_its_numbers() -> None:
    """Against the numbers that each use had before, over random programs."""
    rng = random.Random(5)
    numbers = [0.0, 1.0, -1.0, 0.5, 2.0, 3.25, -3.25, 7.0, 9.0, -0.5]
    for negate in (False, True):
        uses = [_literal(*rng.choices([*numbers, None], k=rng.randint(1, 4))) for _ in range(80)]
        wanted = [use.register.values for use in uses if isinstance(use.register, Literal32)]
        table = place_uniforms([], C)
        assign_constants(_function(*uses), table, negate=negate)
        for use, values in zip(uses, wanted, strict=True):
            for lane, value in zip(use.lanes, values, strict=True):
                if value is None:
                    assert lane is None
                    continue
                assert lane is not None
                found = table.literals[use.register.index][lane]  # type: ignore[union-attr]
                assert found is not None
                assert (-found if use.negate else found) == value


def test_the_work_grows_as_the_literals_do() -> None:
    """Thousands of numbers come to no file of registers, but are counted to say so."""

    def calls(count: int) -> int:
        table = place_uniforms([], C)
        function = _function(*(_literal(number + 0.5, -number - 0.25) for number in range(count)))
        return count_calls(lambda: assign_constants(function, table, negate=True))

    assert calls(1000) < 2.5 * calls(500)
