"""The meaning of the source: a module of the front end, run on one lane over the numbers of a proof.

The same as `compiler/ir/evaluate.py`, for one lane and without numpy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from compiler.diagnostics import Span
from compiler.execution.machine_code import Lookup
from compiler.execution.program import RIGHT, STEPS, UP
from compiler.ir import ops
from compiler.ir.module import Block, Constant, Function, Instruction, Module, Value
from compiler.ir.types import Type
from compiler.ir.variables import Address, Variable
from compiler.proof.draw import Draw, Part
from compiler.proof.lookups import Lookups
from compiler.proof.numbers import UNDEFINED, Number, Redraw, Unsupported, number_of
from compiler.proof.operations import ProofOperations

Components = list[Any]
#: Variable, element and column -> components.
Memory = dict[tuple[Variable, int, int], Components]
#: Corners of a triangle.
_SLOTS = 3
_DIRECTIONS = {ops.DDX: RIGHT, ops.DDY: UP}
#: What is undefined; ints and bools read as 0, as the evaluator reads them.
_UNDEFINED: dict[str, Any] = {"bool": False, "int": 0, "float": UNDEFINED}


class Corner(NamedTuple):
    """A corner of a triangle that a geometry shader issues."""

    triangle: int
    slot: int


class Reference:
    """One run of a module."""

    def __init__(
        self,
        module: Module,
        draw: Draw,
        operations: ProofOperations,
        limit: int,
        lookup: Lookup | None = None,
        largest: Mapping[str, float] | None = None,
    ) -> None:
        self._module = module
        self._draw = draw
        self.a = operations
        self._lookups = Lookups(operations, draw, lookup)
        #: Instructions that may still be executed.
        self._left = limit
        #: Kind -> the largest number that the machine has; beyond it a draw says nothing.
        self._largest = dict(largest or {})
        if module.exact_integers:
            self._largest.pop("int", None)
        self.memory: Memory = {}
        self.discarded = False
        #: The tests on the way, and how they ended.
        self.path: list[tuple[Span, bool]] = []
        #: The triangles of a geometry shader's strips: whether each is turned, and what its corners have in memory.
        self.triangles: list[tuple[bool, list[Memory]]] = []
        self._strip: list[Memory] = []
        self._written = frozenset(module.outputs())
        #: Components of constants, which live as long as the module, by identity.
        self._constants: dict[int, Components] = {}

    def run(self, name: str = "main") -> None:
        """Run a function."""
        running = [self._execute(self._module.functions[name])]
        while running:
            callee = next(running[-1], None)
            if callee is None:
                running.pop()
            else:
                running.append(self._execute(callee))

    def output(self, variable: Variable, element: int, column: int, corner: Corner | None = None) -> Components:
        """A column of what the run has left, or has given a corner of a triangle."""
        memory = self.memory if corner is None else self.triangles[corner.triangle][1][corner.slot]
        return memory.get((variable, element, column)) or _undefined(variable.type)

    def _execute(self, function: Function) -> Iterator[Function]:
        """One function; yields each function that it calls, for the caller to run."""
        values: dict[Instruction, Components] = {}
        block: Block | None = function.entry
        came_from: Block | None = None
        while block is not None:
            phis = [(phi, _incoming(phi, came_from)) for phi in block.phis()]
            values.update([(phi, self._operand(value, values)) for phi, value in phis])
            following: Block | None = None
            for instruction in block:
                self._left -= 1
                if self._left < 0:
                    raise Unsupported("a path that is too long")
                if instruction.op is ops.PHI:
                    continue
                operands = [self._operand(value, values) for value in instruction.operands]
                op = instruction.op
                if op is ops.CALL:
                    yield instruction.attribute
                elif op is ops.BR:
                    following = instruction.attribute[0]
                elif op is ops.CONDBR:
                    taken = operands[0][0]
                    following = instruction.attribute[0 if taken else 1]
                    if instruction.span is not None:
                        self.path.append((instruction.span, taken))
                elif op is not ops.RET:
                    found = self._result(instruction, operands)
                    if found is not None:
                        values[instruction] = found
            came_from, block = block, following

    def _operand(self, value: Value, values: dict[Instruction, Components]) -> Components:
        if isinstance(value, Instruction):
            return values[value]
        found = self._constants.get(id(value))
        if found is None:
            assert isinstance(value, Constant)
            found = [self._scalar(value.type.kind, component) for component in value.components]
            self._constants[id(value)] = found
        return found

    def _scalar(self, kind: str, component: float | int | bool | None) -> Any:
        if component is None:
            return _UNDEFINED[kind]
        return self.a.fconst(component) if kind == "float" else component

    def _result(self, instruction: Instruction, operands: Sequence[Components]) -> Components | None:
        op = instruction.op
        if op.component is not None or op.whole is not None:
            found = list(ops.evaluate(op, self.a, instruction.attribute, operands))
            most = self._largest.get(instruction.type.kind)
            if most is not None and any(_is_beyond(x, most) for x in found):
                raise Redraw
            return found
        if op is ops.LOAD:
            return self._load(*self._cell(instruction.address, operands))
        if op is ops.STORE:
            self.memory[self._cell(instruction.address, operands)] = operands[-1]
            return None
        if op is ops.EMIT_VERTEX:
            self._emit()
            return None
        if op is ops.END_PRIMITIVE:
            self._strip = []
            return None
        if op is ops.KILL:
            self.discarded = self.discarded or operands[0][0]
            return None
        if op is ops.TEXTURE:
            variable, element, _ = self._cell(instruction.address, operands)
            given = operands[instruction.address.index_count :]
            return self._lookups.texel(instruction.attribute, (variable.name, element), given)
        if op is ops.TEXTURE_SIZE:
            variable, element, _ = self._cell(instruction.address, operands)
            return list(self._lookups.size(instruction.attribute, (variable.name, element), operands[-1][0]))
        if op in _DIRECTIONS:
            return self._steps(instruction, operands[0])
        raise Unsupported(op.name)

    def _steps(self, instruction: Instruction, x: Components) -> Components:
        """A derivative; where a neighbour does not come there, or has been discarded, GLSL leaves it undefined."""
        a = self.a
        a.lane.place = (instruction, self.discarded)
        start, end = STEPS[_DIRECTIONS[instruction.op]]
        return [a.fsub(a.permuted(component, end), a.permuted(component, start)) for component in x]

    def _emit(self) -> None:
        """Vertex number k of a strip is in slot k modulo 3 of its triangles, of which every other one is turned."""
        self._strip.append(dict(self.memory))
        count = len(self._strip)
        if count >= _SLOTS:
            last = sorted(range(count - _SLOTS, count), key=lambda number: number % _SLOTS)
            self.triangles.append((count % 2 == 0, [self._strip[number] for number in last]))

    # --- Memory -------------------------------------------------------------------------------------------------------

    def _cell(self, address: Address, operands: Sequence[Components]) -> tuple[Variable, int, int]:
        """Variable, element and column; indices out of range are what GLSL leaves undefined."""
        if not address.is_dynamic:
            return address.variable, min(address.offset, address.variable.length - 1), address.column
        indices = iter(operands)
        element = address.offset + (next(indices)[0] if address.dynamic_index else 0)
        column = next(indices)[0] if address.dynamic_column else address.column
        variable = address.variable
        if not (0 <= element < variable.length and 0 <= column < variable.columns):
            raise Redraw
        return variable, element, column

    def _load(self, variable: Variable, element: int, column: int) -> Components:
        found = self.memory.get((variable, element, column))
        if found is not None:
            return found
        if variable.storage == "local" or variable in self._written:
            return _undefined(variable.type)
        return [self._given(variable, element, column, component) for component in range(variable.type.width)]

    def _given(self, variable: Variable, element: int, column: int, component: int) -> Any:
        if variable.layout == "rows":
            column, component = component, column
        part = Part(variable.name, element, column, component)
        if variable.outer_kind == "float":
            return self._draw.number(part)
        whole = self._draw.whole(part, variable.outer_kind)
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


def _incoming(phi: Instruction, came_from: Block | None) -> Value:
    return next(value for value, block in phi.incoming() if block is came_from)


def _undefined(type: Type) -> Components:
    return [_UNDEFINED[type.kind]] * type.width
