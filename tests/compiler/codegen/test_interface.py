"""Numbers of variables, against lists written out by hand."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.codegen.interface import (
    all_columns,
    check_limit,
    column_numbers,
    columns_of,
    components_of,
    first_numbers,
    in_order,
    linked_components,
)
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.ir.types import FLOAT, VEC2, VEC4
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import LinkedInterface, LinkedVarying

PINNED = Variable("pinned", "varying", VEC4, location=1)
MATRIX = Variable("matrix", "varying", VEC2, columns=2)
ARRAY = Variable("array", "varying", FLOAT, dims=(3,))
PLAIN = Variable("plain", "varying", FLOAT)


def test_parts_come_by_element_and_column() -> None:
    both = Variable("both", "varying", VEC2, columns=3, dims=(2,))
    columns = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert [column[1:] for column in columns_of(both)] == columns
    assert [part[1:] for part in components_of(both)] == [(*column, n) for column in columns for n in (0, 1)]


def test_what_is_pinned_stays_and_others_come_where_all_of_them_fits() -> None:
    assert first_numbers([PLAIN, PINNED, MATRIX, ARRAY]) == {PLAIN: 0, PINNED: 1, MATRIX: 2, ARRAY: 4}
    # Two registers do not fit below the one that is pinned.
    assert first_numbers([MATRIX, PINNED, PLAIN]) == {MATRIX: 2, PINNED: 1, PLAIN: 4}
    assert first_numbers([PLAIN, MATRIX]) == {PLAIN: 0, MATRIX: 1}


def test_numbers_come_in_the_order_given() -> None:
    assert [*first_numbers([MATRIX, PINNED, PLAIN])] == [MATRIX, PINNED, PLAIN]
    assert [column[0] for column in column_numbers([PLAIN, PINNED])] == [PLAIN, PINNED]


def test_columns_each_for_itself_fill_gaps() -> None:
    wide = Variable("wide", "varying", VEC2, columns=2, location=4)
    assert column_numbers([MATRIX, PINNED, wide, ARRAY]) == {
        (MATRIX, 0, 0): 0,
        (MATRIX, 0, 1): 2,
        (PINNED, 0, 0): 1,
        (wide, 0, 0): 4,
        (wide, 0, 1): 5,
        (ARRAY, 0, 0): 3,
        (ARRAY, 1, 0): 6,
        (ARRAY, 2, 0): 7,
    }


def test_all_columns_follow_the_first() -> None:
    expected = {(MATRIX, 0, 0): 7, (MATRIX, 0, 1): 8, (ARRAY, 0, 0): 3, (ARRAY, 1, 0): 4, (ARRAY, 2, 0): 5}
    assert all_columns({MATRIX: 7, ARRAY: 3}) == expected


def test_parts_are_numbered_once() -> None:
    first, second = (MATRIX, 0, 1), (PLAIN, 0, 0)
    assert in_order([first, second, first]) == {first: 0, second: 1}


def test_what_a_pair_reads_is_this_stages_own_where_it_has_it() -> None:
    rows = (LinkedVarying("gone", 0, 0, 2), LinkedVarying("matrix", 0, 1, 0), LinkedVarying("gone", 0, 0, 3))
    gone, own, again = linked_components(LinkedInterface(rows), [PLAIN, MATRIX])
    assert own == (MATRIX, 0, 1, 0)
    assert gone[0] is again[0] and gone[0].name == "gone" and (gone[1:], again[1:]) == ((0, 0, 2), (0, 0, 3))


# --- Limits ---

PLACES = [Span(SourceFile("a.frag", ""), line, 1, line, 2) for line in (1, 2, 3)]
ONE, TWO, THREE = (
    Variable("one", "varying", FLOAT, span=PLACES[0]),
    Variable("two", "varying", VEC2, columns=2, span=PLACES[1]),
    Variable("three", "varying", FLOAT, span=PLACES[2]),
)
NUMBERS = {(ONE, 0, 0): 0, (TWO, 0, 0): 1, (TWO, 0, 1): 2, (THREE, 0, 0): 3}


def _messages(most: int, others: int = 0) -> list[tuple[str, str | None, Span | None]]:
    sink = DiagnosticSink()
    check_limit(Limit("it", "rows", most, "use fewer"), NUMBERS, sink, others=others)
    return [(found.message, found.help, found.span) for found in sink.diagnostics]


def test_what_fits_is_no_error() -> None:
    assert _messages(4) == []
    assert _messages(6, others=2) == []


@pytest.mark.parametrize(("most", "place"), [(3, PLACES[2]), (2, PLACES[1]), (1, PLACES[1]), (0, PLACES[0])])
def test_all_that_is_needed_is_said_where_the_space_ends(most: int, place: Span) -> None:
    assert _messages(most) == [(f"needs 4 rows, it has {most}", "use fewer", place)]


def test_others_take_room() -> None:
    assert _messages(5, others=2) == [("needs 6 rows, it has 5", "use fewer", PLACES[2])]
