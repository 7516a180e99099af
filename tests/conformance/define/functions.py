"""Built-in functions: a row says what a function computes, and becomes a case for each of its overloads.

A row gives the parameter types with the specification's generic types written out by letters: G float and vectors,
V float vectors, M square matrices, MX all matrices; I, U, B vectors of int, uint, bool, GI, GU, GB these and the
scalar.  Letters advance together.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.conformance.define import domains as d
from tests.conformance.define.types import ALL_MATRICES, MATRICES, generic, type_named, vectors
from tests.conformance.define.value_case import FLOATS, ValueCase, value

_FAMILIES = {
    "G": generic("float"),
    "V": vectors("float"),
    "I": vectors("int"),
    "U": vectors("uint"),
    "B": vectors("bool"),
    "GI": generic("int"),
    "GU": generic("uint"),
    "GB": generic("bool"),
    "M": MATRICES,
    "MX": ALL_MATRICES,
}
#: Functions whose numpy formula names no parameters of its own.
_POSITIONAL = ("x", "y", "z")
#: Relations are tried on few values, so that equal ones meet.
_FEW = {"float": d.Domain(-1, 1, 1), "int": d.Domain(-1, 1, 1), "uint": d.Domain(0, 2, 1)}


@dataclass(frozen=True, slots=True)
class Row:
    """A function: its overloads (`parameters -> result`, the result of the first letter's type unless given)."""

    section: str
    name: str
    overloads: tuple[str, ...]
    formula: Callable[..., Any]
    domains: Mapping[str, d.Domain] = field(default_factory=dict)
    tolerance: Mapping[str, float] = field(default_factory=lambda: FLOATS)
    #: Whether arguments are to be few values.
    is_relation: bool = False
    #: The call, where it is more than the name and the arguments.
    call: str = ""


def overloads(row: Row) -> Iterator[tuple[tuple[str, ...], str]]:
    """The parameter types and the result type of each overload."""
    for overload in row.overloads:
        left, _, result = overload.partition(" -> ")
        words = [*left.split(", "), result or left.split(", ")[0]]
        count = max(len(_FAMILIES.get(word, ("",))) for word in words)
        for index in range(count):
            *types, last = (_FAMILIES[word][index] if word in _FAMILIES else word for word in words)
            yield tuple(types), last


def function_cases(row: Row, *, section: str = "", **more: Any) -> Iterator[ValueCase]:
    """A case for each overload; `section` is that of another edition of the specification."""
    for types, result in overloads(row):
        names = _parameter_names(row.formula, len(types))
        yield from value(
            f"{section or row.section}/{row.name}_{'_'.join(types)}",
            result,
            row.call or f"{row.name}({', '.join(names)})",
            row.formula,
            ", ".join(f"{type_} {name}" for type_, name in zip(types, names, strict=True)),
            arguments=names,
            domains=_domains(row, types, names),
            tolerance=row.tolerance,
            tags=("builtin", f"overload:{row.name}({', '.join(types)})"),
            **more,
        )


def _domains(row: Row, types: tuple[str, ...], names: tuple[str, ...]) -> dict[str, d.Domain]:
    """A bool takes only 0 and 1, whatever the row says."""
    scalars = {name: type_named(type_).scalar for name, type_ in zip(names, types, strict=True)}
    given = {name: _FEW[scalar] for name, scalar in scalars.items() if row.is_relation and scalar in _FEW}
    return given | {name: row.domains[name] for name in names if name in row.domains and scalars[name] != "bool"}


def _parameter_names(formula: Callable[..., Any], count: int) -> tuple[str, ...]:
    """The names that a definition's formula gives its parameters; numpy's own functions have none to show."""
    if "sections" not in formula.__module__:
        return _POSITIONAL[:count]
    return tuple(inspect.signature(formula).parameters)
