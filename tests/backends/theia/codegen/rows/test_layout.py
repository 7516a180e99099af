"""The layout of variables in rows, as the target's page has it."""

from __future__ import annotations

import pytest

from glslc_multi.backends.theia.codegen.rows.layout import (
    Position,
    RowLayout,
    element_rows,
    position_in_element,
    row_count,
)
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import Variable


def variable(width: int, columns: int = 1, length: int = 0) -> Variable:
    dims = (length,) if length else ()
    return Variable("v", "varying", FLOAT.with_width(width), columns=columns, dims=dims)


#: Width and columns -> the rows: digits are column and component, `.` is any number.
LAYOUTS = {
    (1, 1): ["00 00 00"],
    (2, 1): ["00 01 ."],
    (3, 1): ["00 01 02"],
    (4, 1): ["00 01 02", "03 03 03"],
    (2, 2): ["00 01 .", "10 11 ."],
    (3, 3): ["00 01 02", "10 11 12", "20 21 22"],
    (4, 2): ["00 01 02", "10 11 12", "03 13 ."],
    (4, 4): ["00 01 02", "10 11 12", "20 21 22", "30 31 32", "03 13 23", "33 33 33"],
}


def rows_of(text: list[str]) -> list[RowLayout]:
    rows = [[None if part == "." else (int(part[0]), int(part[1])) for part in row.split()] for row in text]
    return [(row[0], row[1], row[2]) for row in rows]


@pytest.mark.parametrize("shape", LAYOUTS)
def test_rows_of_an_element(shape: tuple[int, int]) -> None:
    assert element_rows(variable(*shape)) == rows_of(LAYOUTS[shape])


@pytest.mark.parametrize("shape", LAYOUTS)
def test_every_component_is_where_its_row_says(shape: tuple[int, int]) -> None:
    width, columns = shape
    rows = [row.split() for row in LAYOUTS[shape]]
    for column in range(columns):
        for component in range(width):
            found = position_in_element(variable(*shape), column, component)
            label = f"{column}{component}"
            number = next(number for number, row in enumerate(rows) if label in row)
            is_splat = set(rows[number]) == {label}
            assert found == Position(number, None if is_splat else rows[number].index(label))


@pytest.mark.parametrize(("column", "component"), [(0, 2), (1, 0)])
def test_what_is_not_there(column: int, component: int) -> None:
    with pytest.raises(IndexError):
        position_in_element(variable(2), column, component)


def test_arrays_have_the_rows_of_their_elements() -> None:
    assert row_count(variable(4)) == 2
    assert row_count(variable(4, length=5)) == 10
    assert row_count(variable(4, 4, 2)) == 12
