"""The variables of a running shader: values given from outside, results, and memory private to lanes.

Inside, a value is an array (components, lanes) and a variable is a list of such cells, one for each
column of each element.  What is the same in all lanes (constants, uniforms) has a lane axis of length
1 and broadcasts, so work on it is done once.  Arrays are never changed in place: a store puts a new
array into the cell, so a load needs no copy.

Outside, a variable's value has the shape ([lanes,] [elements,] [columns,] [components]): only the axes
that it has (see `value_shape`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from glslc_multi.compiler.arithmetic.evaluation_error import fail
from glslc_multi.compiler.arithmetic.lanes import Array, LaneArithmetic
from glslc_multi.compiler.diagnostics.catalogue.evaluation import MISSING_VALUE, WRONG_VALUE_SHAPE
from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.ir.variables import Variable

#: Lanes that take part, as an array of bools; None for all of them.
Mask = Array | None


def value_shape(variable: Variable) -> tuple[int, ...]:
    """The shape of one lane's value: elements of an array, columns of a matrix, components of a vector."""
    shape = []
    if variable.is_array:
        shape.append(variable.length)
    if variable.is_matrix:
        shape.append(variable.columns)
    if not variable.type.is_scalar:
        shape.append(variable.type.width)
    return tuple(shape)


class Memory:
    """One variable; `cells` is empty while a variable that is given from outside has no value."""

    __slots__ = ("arithmetic", "cells", "stacked", "variable")

    def __init__(self, variable: Variable, arithmetic: LaneArithmetic) -> None:
        self.variable = variable
        self.arithmetic = arithmetic
        self.cells: list[Array] = []
        #: The cells as one array, kept until the next store.
        self.stacked: Array | None = None

    def clear(self) -> None:
        """Every component 0, which is how undefined values read here."""
        variable = self.variable
        zero = self.arithmetic.encode(variable.type.kind, np.zeros((variable.type.width, 1)))
        self.cells = [zero] * (variable.length * variable.columns)

    def assign(self, value: Any, lanes: int | None) -> None:
        """Take a value from outside: one for each lane, or (None) one for all."""
        variable = self.variable
        given = np.asarray(value)
        shape = value_shape(variable) if lanes is None else (lanes, *value_shape(variable))
        if given.shape != shape:
            kind = variable.storage
            fail(WRONG_VALUE_SHAPE, variable.span, kind=kind, name=variable.name, expected=shape, found=given.shape)
        count = variable.length * variable.columns
        flat = given.reshape(1 if lanes is None else lanes, count, variable.type.width)
        if variable.layout == "rows":
            flat = given.swapaxes(-1, -2).reshape(flat.shape)
        if variable.source_kind is not None:
            flat = self.arithmetic.decode(variable.source_kind, self.arithmetic.encode(variable.source_kind, flat))
        encoded = self.arithmetic.encode(variable.type.kind, flat)
        self.cells = [np.ascontiguousarray(encoded[:, cell].T) for cell in range(count)]

    def export(self, lanes: int) -> Array:
        """The value of every lane in the outside shape."""
        variable = self.variable
        cells = [np.broadcast_to(cell, (variable.type.width, lanes)) for cell in self.cells]
        flat = np.stack(cells).transpose(2, 0, 1)
        outside = self.arithmetic.decode(variable.type.kind, flat.reshape(lanes, *value_shape(variable)))
        return outside.astype(np.uint32) if variable.source_kind == "uint" else outside

    # places ----------------------------------------------------------------------------------
    def place(self, index: Array | int, column: Array | int) -> Array | int:
        """The cell of an element and column, clamped to the variable; per lane where either is an array."""
        index = _clamp(index, self.variable.length)
        column = _clamp(column, self.variable.columns)
        return index * self.variable.columns + column

    def load(self, place: Array | int, span: Span | None) -> Array:
        """The value (components, lanes) at a cell, or at each lane's cell."""
        if not self.cells:
            fail(MISSING_VALUE, span, kind=self.variable.storage, name=self.variable.name)
        if isinstance(place, int):
            return self.cells[place]
        if place.size == 1:
            return self.cells[int(place[0])]
        if self.stacked is None:
            self.stacked = np.stack(np.broadcast_arrays(*self.cells))
        if self.stacked.shape[2] == 1:
            return self.stacked[place, :, 0].T
        return self.stacked[place, :, np.arange(place.size)].T

    def store(self, place: Array | int, value: Array, mask: Mask) -> None:
        """Write `value` in the lanes of `mask` to a cell, or to each lane's cell."""
        self.stacked = None
        if isinstance(place, int):
            self._write(place, value, mask)
            return
        for cell in np.unique(place).tolist():
            here = place == cell
            self._write(cell, value, here if mask is None else mask & here)

    def _write(self, cell: int, value: Array, mask: Mask) -> None:
        self.cells[cell] = value if mask is None else self.arithmetic.select(mask, value, self.cells[cell])


def _clamp(index: Array | int, count: int) -> Array | int:
    if isinstance(index, int):
        return max(0, min(index, count - 1))
    return np.clip(index, 0, count - 1)
