"""The layout of values in rows: the project's conventions for variables (section 13.1 of the machine's reference).

A scalar fills all lanes, a vec2 lanes x and y, a vec3 a row.  What is wider takes several: of a vec4, or each column
of a mat4, a row for x, y, z; the w components of three columns share one more, and one that is left over fills
a row of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass

#: What a lane holds: column and component; None where any number does.
Part = tuple[int, int] | None
RowLayout = tuple[Part, Part, Part]
_W = 3


@dataclass(frozen=True, slots=True)
class Position:
    """One component of an element: which of its rows, and the lane; None where it fills the row."""

    row: int
    lane: int | None


@dataclass(frozen=True, slots=True)
class Patch:
    """The component of a uniform that the host writes into an instruction's immediate value."""

    variable: Variable
    element: int
    column: int
    component: int


def element_rows(variable: Variable) -> list[RowLayout]:
    """The rows of one element."""
    width, columns = variable.type.width, variable.columns
    if width == 1:
        return [((0, 0),) * 3]
    rows = [_padded([(column, part) for part in range(min(width, 3))]) for column in range(columns)]
    if width > _W:
        rows += [_shared_row(range(columns)[first : first + 3]) for first in range(0, columns, 3)]
    return rows


def _shared_row(columns: Sequence[int]) -> RowLayout:
    parts: list[Part] = [(column, _W) for column in columns]
    return _padded(parts) if len(parts) > 1 else (parts[0],) * 3


def _padded(parts: list[Part]) -> RowLayout:
    x, y, z = [*parts, None, None][:3]
    return x, y, z


def position_in_element(variable: Variable, column: int, component: int) -> Position:
    """Where a component of a column is."""
    for row, parts in enumerate(element_rows(variable)):
        if parts[0] == parts[1] == parts[2] == (column, component):
            return Position(row, None)
        if (column, component) in parts:
            return Position(row, parts.index((column, component)))
    raise IndexError(f"{variable.name} has no component {component} in column {column}")


def row_count(variable: Variable) -> int:
    """Rows of the whole variable."""
    return variable.length * len(element_rows(variable))
