"""The preamble of a shader (`-fpreamble`) evaluated here: uniforms in, the uniforms that it computes out.

Numbers are plain Python ones: a preamble is a handful of operations, done once whenever uniforms change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.arithmetic.protocol import PYTHON, round_to_float32
from glslc_multi.compiler.diagnostics.catalogue.evaluation import MISSING_VALUE
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable
from glslc_multi.compiler.preamble import walk_preamble

_FROM_OUTSIDE: dict[str, Callable[[Any], Any]] = {
    "float": lambda number: round_to_float32(float(number)),
    "int": lambda number: PYTHON.ftoi(float(number)),
    "uint": lambda number: PYTHON.iconst(int(number)),
    "bool": lambda number: bool(number != 0),
}


def run_preamble(preamble: Module, uniforms: Mapping[str, Array]) -> dict[str, Array]:
    """Compute the uniforms of `preamble`, by name; values as `glslc_multi.runtime.names.bind` makes them."""
    places = _Uniforms(uniforms)
    walk_preamble(preamble, PYTHON, places)
    return {
        variable.name: np.array(value[0] if variable.type.is_scalar and not variable.is_array else value)
        for variable, value in places.computed.items()
    }


def uniforms_read(preamble: Module) -> list[Variable]:
    """The uniforms that a preamble depends on."""
    return [variable for variable in preamble.variables.values() if variable.role != PREAMBLE]


class _Uniforms:
    """See `glslc_multi.compiler.preamble.Places`."""

    def __init__(self, given: Mapping[str, Array]) -> None:
        self.given = given
        self.computed: dict[Variable, list[Any]] = {}

    def load(self, variable: Variable, element: int, column: int) -> list[Any]:
        if variable in self.computed:
            return self.computed[variable]
        if variable.name not in self.given:
            fail(MISSING_VALUE, variable.span, kind="uniform", name=variable.name)
        cells = np.reshape(self.given[variable.name], (variable.length, variable.columns, variable.type.width))
        return [_FROM_OUTSIDE[variable.outer_kind](number) for number in cells[element, column].tolist()]

    def store(self, variable: Variable, value: list[Any]) -> None:
        self.computed[variable] = value

    def fill(self, table: Variable, entry: Callable[[int], Any]) -> None:
        self.computed[table] = [entry(index) for index in range(table.length)]
