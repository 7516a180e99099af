"""The meaning of the source: a snapshot, run on one lane over the numbers of a proof.

The same as `compiler/ir/evaluate.py`, for one lane and without numpy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.execution.machine_code import Lookup
from glslc_multi.compiler.execution.program import RIGHT, STEPS, UP
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.variables import Address, Variable
from glslc_multi.compiler.proof.draw import Draw, Part
from glslc_multi.compiler.proof.lookups import Lookups
from glslc_multi.compiler.proof.numbers import (
    BEYOND,
    NO_MEANING,
    Number,
    Redraw,
    Undefined,
    Unsupported,
    Work,
    defined,
    number_of,
)
from glslc_multi.compiler.proof.operations import ProofOperations
from glslc_multi.compiler.proof.snapshot import Cell, Components, Snapshot, Step, Straight, undefined

Memory = dict[Cell, Components]
#: Corners of a triangle.
_SLOTS = 3
#: The operands from which a result follows; all, but where others are only moved.
_ALL, _NONE, _FIRST, _LAST = slice(None), slice(0), slice(1), slice(-1, None)
_DECIDING = {
    **dict.fromkeys((ops.SWIZZLE, ops.INSERT, ops.CONSTRUCT), _NONE),
    ops.SELECT: _FIRST,
    **dict.fromkeys((ops.EXTRACT_DYNAMIC, ops.INSERT_DYNAMIC), _LAST),
}
_DIRECTIONS = {ops.DDX: RIGHT, ops.DDY: UP}


class Corner(NamedTuple):
    """A corner of a triangle that a geometry shader issues."""

    triangle: int
    slot: int


class Reference:
    """One run of a snapshot."""

    def __init__(
        self,
        source: Snapshot,
        draw: Draw,
        operations: ProofOperations,
        work: Work,
        lookup: Lookup | None = None,
        largest: Mapping[str, float] | None = None,
    ) -> None:
        self._entries = source.entries
        self._named = source.module.variables
        #: Components by the number of a value; operands are never changed in place.
        self._values = list(source.values)
        self.draw = draw
        self.a = operations
        self._lookups = Lookups(operations, draw, lookup)
        self._work = work
        #: Kind -> the largest number that the machine has; beyond it a draw says nothing.
        self._largest = dict(largest or {})
        if source.module.exact_integers:
            self._largest.pop("int", None)
        self.memory: Memory = {}
        #: Whether ints or bools may be undefined.
        self._has_undefined = source.has_undefined
        self.discarded = False
        #: The tests on the way, and how they ended.
        self.path: list[tuple[Span, bool]] = []
        #: The triangles of a geometry shader's strips: whether each is turned, and what its corners have in memory.
        self.triangles: list[tuple[bool, list[Memory]]] = []
        self._strip: list[Memory] = []
        self.written = frozenset(source.module.outputs())

    def run(self, name: str = "main") -> None:
        """Run a function."""
        running = [self._execute(self._entries[name])]
        while running:
            callee = next(running[-1], None)
            if callee is None:
                running.pop()
            else:
                running.append(self._execute(callee))

    def output(self, variable: Variable, element: int, column: int, corner: Corner | None = None) -> Components:
        """A column of what the run has left, or has given a corner of a triangle."""
        memory = self.memory if corner is None else self.triangles[corner.triangle][1][corner.slot]
        return memory.get((variable, element, column)) or undefined(variable.type)

    def variable(self, name: str) -> Variable | None:
        """The variable of that name."""
        return self._named.get(name)

    def _execute(self, entry: Straight) -> Iterator[Straight]:
        """One function; yields where each function begins that it calls, for the caller to run."""
        values, block = self._values, entry
        came_from: Straight | None = None
        while True:
            moves = block.moves.get(came_from, ())
            # All phis change at once.
            for (phi, _), value in zip(moves, [values[number] for _, number in moves], strict=True):
                values[phi] = value
            self._work.take(1 + len(block.steps))
            for step in block.steps:
                op, number, operands, attribute, _ = step
                if op is ops.CALL:
                    yield attribute
                else:
                    found = self._result(step, [values[operand] for operand in operands])
                    if found is not None:
                        values[number] = found
            if not block.targets:
                return
            taken = block.condition is None or defined(values[block.condition][0])
            if block.condition is not None and block.span is not None:
                self.path.append((block.span, taken))
            came_from, block = block, block.targets[0 if taken else 1]

    def _result(self, step: Step, operands: Sequence[Components]) -> Components | None:
        op = step.op
        if op is ops.LOAD:
            return self._load(*self._cell(step.attribute, operands))
        if op is ops.STORE:
            self.memory[self._cell(step.attribute, operands)] = operands[-1]
            return None
        if op.component is not None or op.whole is not None:
            if self._has_undefined and any(isinstance(x, Undefined) for x in chain(*operands[_DECIDING.get(op, _ALL)])):
                return undefined(step.type)
            result = list(ops.evaluate(op, self.a, step.attribute, operands))
            most = self._largest.get(step.type.kind)
            if most is not None and any(_is_beyond(x, most) for x in result):
                raise Redraw(BEYOND)
            return result
        if op is ops.EMIT_VERTEX:
            self._emit()
            return None
        if op is ops.END_PRIMITIVE:
            self._strip = []
            return None
        if op is ops.KILL:
            self.discarded = self.discarded or defined(operands[0][0])
            return None
        if op in (ops.TEXTURE, ops.TEXTURE_SIZE):
            for x in chain(*operands):
                defined(x)
        if op is ops.TEXTURE:
            variable, element, _ = self._cell(step.attribute.address, operands)
            given = operands[step.attribute.address.index_count :]
            return self._lookups.texel(step.attribute, (variable.name, element), given)
        if op is ops.TEXTURE_SIZE:
            variable, element, _ = self._cell(step.attribute.address, operands)
            return list(self._lookups.size(step.attribute, (variable.name, element), operands[-1][0]))
        if op in _DIRECTIONS:
            return self._steps(step, operands[0])
        raise Unsupported(op.name)

    def _steps(self, step: Step, x: Components) -> Components:
        """A derivative; where a neighbour does not come there, or has been discarded, GLSL leaves it undefined."""
        a = self.a
        a.lane.place = (step.number, self.discarded)
        start, end = STEPS[_DIRECTIONS[step.op]]
        return [a.fsub(a.permuted(component, end), a.permuted(component, start)) for component in x]

    def _emit(self) -> None:
        """Vertex number k of a strip is in slot k modulo 3 of its triangles, of which every other one is turned."""
        self._strip.append(dict(self.memory))
        count = len(self._strip)
        if count >= _SLOTS:
            last = sorted(range(count - _SLOTS, count), key=lambda number: number % _SLOTS)
            self.triangles.append((count % 2 == 0, [self._strip[number] for number in last]))

    # --- Memory -------------------------------------------------------------------------------------------------------

    def _cell(self, place: Cell | Address, operands: Sequence[Components]) -> Cell:
        """What is meant; indices out of range are what GLSL leaves undefined."""
        if not isinstance(place, Address):
            return place
        indices = iter(operands)
        variable = place.variable
        element = place.offset + (defined(next(indices)[0]) if place.dynamic_index else 0)
        column = defined(next(indices)[0]) if place.dynamic_column else place.column
        if not (0 <= element < variable.length and 0 <= column < variable.columns):
            raise Redraw(NO_MEANING)
        return variable, element, column

    def _load(self, variable: Variable, element: int, column: int) -> Components:
        found = self.memory.get((variable, element, column))
        if found is not None:
            return found
        if variable.storage == "local" or variable in self.written:
            self._has_undefined |= variable.type.kind != "float"
            return undefined(variable.type)
        return [self._given(variable, element, column, component) for component in range(variable.type.width)]

    def _given(self, variable: Variable, element: int, column: int, component: int) -> Any:
        if variable.layout == "rows":
            column, component = component, column
        part = Part(variable.name, element, column, component)
        if variable.outer_kind == "float":
            return self.draw.number(part)
        whole = self.draw.whole(part, variable.outer_kind)
        match variable.type.kind:
            case "bool":
                return bool(whole)
            case "float":
                return number_of(float(whole))
            case _:
                return whole


def _is_beyond(x: Number | int, most: float) -> bool:
    size = abs(x.value if isinstance(x, Number) else x)
    return most < size < math.inf
