"""Numbers for the variables of a shader: which register, row or unit of a machine's holds each column of them.

`layout(location = n)` says where a variable is; what no location pins follows in the order given, where all of it is
free.  Varyings of a linked pair are those that the fragment stage reads, in its order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import LinkedInterface

#: An element of a variable and a column of it.
Column: TypeAlias = tuple[Variable, int, int]
#: One component of a column.
Component: TypeAlias = tuple[Variable, int, int, int]
Part = TypeVar("Part", Column, Component)
Item = TypeVar("Item")


def columns_of(variable: Variable) -> Iterator[Column]:
    """List the columns of all elements."""
    for element in range(variable.length):
        for column in range(variable.columns):
            yield variable, element, column


def components_of(variable: Variable) -> Iterator[Component]:
    """List the components of all columns."""
    for column in columns_of(variable):
        for component in range(variable.type.width):
            yield *column, component


def register_count(variable: Variable) -> int:
    """Count the registers that a uniform takes: one for each element, of a matrix one for each column (or row)."""
    return variable.length * rows_or_columns(variable)


def rows_or_columns(variable: Variable) -> int:
    """Count the registers that one element takes."""
    return variable.type.width if is_in_rows(variable) else variable.columns


def is_in_rows(variable: Variable) -> bool:
    return variable.is_matrix and variable.layout == "rows"


# --- Numbers ----------------------------------------------------------------------------------------------------------


def first_numbers(variables: Iterable[Variable]) -> dict[Variable, int]:
    """Number variables whose registers follow each other; nothing checks the end, where a `Limit` can be asked."""
    sizes = {variable: register_count(variable) for variable in variables}
    pinned = {variable: variable.location for variable in sizes if variable.location is not None}
    return placed(sizes, pinned)


def column_numbers(variables: Sequence[Variable]) -> dict[Column, int]:
    """Number columns each for itself: those of one variable need not follow each other."""
    pinned = {
        column: variable.location + number
        for variable in variables
        if variable.location is not None
        for number, column in enumerate(columns_of(variable))
    }
    return placed({column: 1 for variable in variables for column in columns_of(variable)}, pinned)


def in_order(parts: Iterable[Part]) -> dict[Part, int]:
    """Number parts as they come, each once."""
    return {part: number for number, part in enumerate(dict.fromkeys(parts))}


def all_columns(first: Mapping[Variable, int]) -> dict[Column, int]:
    """Number all columns of variables by the first number of each."""
    return {column: start + n for variable, start in first.items() for n, column in enumerate(columns_of(variable))}


def placed(
    sizes: Mapping[Item, int], pinned: Mapping[Item, int], others: Iterable[int] = (), first: int = 0
) -> dict[Item, int]:
    """Return the first number of each item, of which every one takes as many as its size, beside those of others."""
    taken = {*others} | {n for item, start in pinned.items() for n in range(start, start + sizes[item])}
    numbers: dict[Item, int] = {}
    following = first
    for item, size in sizes.items():
        if item in pinned:
            numbers[item] = pinned[item]
            continue
        while taken.intersection(range(following, following + size)):
            following += 1
        numbers[item] = following
        following += size
    return numbers


def check_limit(limit: Limit, numbers: Mapping[Part, int], sink: DiagnosticSink, *, others: int = 0) -> None:
    """Report numbers, and so many others, that go beyond the limit: at the first variable that does."""
    beyond = next((part[0] for part, number in numbers.items() if number + others >= limit.most), None)
    if beyond is not None:
        limit.report(1 + max(numbers.values()) + others, beyond.span, sink)


# --- Pairs ------------------------------------------------------------------------------------------------------------


def linked_components(linked: LinkedInterface, varyings: Iterable[Variable]) -> list[Component]:
    """List what the fragment stage of a pair reads; of a varying that this stage no longer has, nothing is written."""
    by_name = {variable.name: variable for variable in varyings}
    for row in linked.varyings:
        by_name.setdefault(row.name, Variable(row.name, "varying", FLOAT))
    return [(by_name[row.name], row.element, row.column, row.component) for row in linked.varyings]
