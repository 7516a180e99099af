"""A second interpreter of the IR: one lane at a time, in plain Python, recording every value.

It shares nothing with the numpy evaluator but the opcode table, so each checks the other; and what it
records (`Event`) shows analyses' claims to be true or false.  Derivatives and textures need neighbours
and are left to the evaluator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from compiler.analysis.loops import Loop, loop_nest
from compiler.analysis.manager import AnalysisManager
from compiler.ir import ops
from compiler.ir.arithmetic import PYTHON
from compiler.ir.module import Block, Constant, Function, Instruction, Value
from compiler.ir.variables import Variable
from tests.generators.ir import Program

Components = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """`instruction` of `main` yielded `value`; `iterations` numbers the rounds of the loops around it."""

    instruction: Instruction
    value: Components
    iterations: tuple[int, ...]


@dataclass(slots=True)
class LaneRun:
    """What one lane did."""

    events: list[Event] = field(default_factory=list)
    #: Blocks of `main` in the order they ran.
    path: list[Block] = field(default_factory=list)
    killed: bool = False
    outputs: dict[str, list[Components]] = field(default_factory=dict)


def run_lane(program: Program, lane: int) -> LaneRun:
    """Run `main` on lane number `lane`."""
    return _Lane(program, lane).run()


class _Lane:
    def __init__(self, program: Program, lane: int) -> None:
        self.program = program
        self.result = LaneRun()
        self.memory: dict[Variable, list[Components]] = {}
        module = program.module
        private = [v for f in module.functions.values() for v in f.variables.values()]
        for variable in (*module.variables.values(), *private):
            self.memory[variable] = self._initial(variable, lane)

    def run(self) -> LaneRun:
        self._call(self.program.module.main, trace=True)
        self.result.outputs = {v.name: self.memory[v] for v in self.program.module.outputs()}
        return self.result

    def _initial(self, variable: Variable, lane: int) -> list[Components]:
        """The cells of a variable, columns of an element side by side; 0 where nothing is given."""
        given = self.program.uniforms.get(variable.name)
        if variable.name in self.program.inputs:
            given = self.program.inputs[variable.name][lane]
        count, width = variable.length * variable.columns, variable.type.width
        if given is None:
            zero = {"float": 0.0, "int": 0, "bool": False}.get(variable.type.kind, 0)
            return [(zero,) * width] * count
        flat = list(_flatten(given))
        cells = [tuple(flat[i : i + width]) for i in range(0, count * width, width)]
        if variable.layout == "rows":
            return [row for i in range(0, count, width) for row in zip(*cells[i : i + width], strict=True)]
        return cells

    def _call(self, function: Function, trace: bool) -> None:
        values: dict[Instruction, Components] = {}
        nest = AnalysisManager(function).get(loop_nest) if trace else None
        rounds: dict[Loop, int] = {}
        before: Block | None = None
        block: Block | None = function.entry
        while block is not None:
            iterations: tuple[int, ...] = ()
            if nest is not None:
                self.result.path.append(block)
                iterations = _count_rounds(nest.loop_of(block), block, before, rounds)
            phis = {phi: self._value(_incoming(phi, before), values) for phi in block.phis()}
            following: Block | None = None
            for instruction in block:
                if instruction.op is ops.PHI:
                    values[instruction] = phis[instruction]
                elif instruction.is_terminator:
                    following = self._next(instruction, values)
                else:
                    self._execute(instruction, values)
                if trace and instruction in values:
                    self.result.events.append(Event(instruction, values[instruction], iterations))
            before, block = block, following

    def _next(self, terminator: Instruction, values: dict[Instruction, Components]) -> Block | None:
        if terminator.op is ops.RET:
            return None
        if terminator.op is ops.BR:
            return terminator.targets[0]
        (condition,) = self._value(terminator.operands[0], values)
        return terminator.targets[0 if condition else 1]

    def _value(self, value: Value, values: dict[Instruction, Components]) -> Components:
        if isinstance(value, Constant):
            zero = {"float": 0.0, "int": 0, "bool": False}[value.type.kind]
            return tuple(zero if c is None else c for c in value.components)
        assert isinstance(value, Instruction)
        return values[value]

    def _execute(self, instruction: Instruction, values: dict[Instruction, Components]) -> None:
        op = instruction.op
        operands = [self._value(operand, values) for operand in instruction.operands]
        if op.has_semantics:
            parts = [list(operand) for operand in operands]
            values[instruction] = tuple(ops.evaluate(op, PYTHON, instruction.attribute, parts))
        elif op is ops.LOAD:
            values[instruction] = self.memory[instruction.address.variable][self._cell(instruction, operands)]
        elif op is ops.STORE:
            cells = list(self.memory[instruction.address.variable])
            cells[self._cell(instruction, operands)] = operands[-1]
            self.memory[instruction.address.variable] = cells
        elif op is ops.CALL:
            self._call(instruction.attribute, trace=False)
        elif op is ops.KILL:
            self.result.killed |= bool(operands[0][0])
        else:
            raise ValueError(f"one lane alone cannot run {op.name}")

    def _cell(self, instruction: Instruction, operands: list[Components]) -> int:
        address = instruction.address
        indices = [operand[0] for operand in operands[: address.index_count]]
        element = address.offset + (indices.pop(0) if address.dynamic_index else 0)
        column = indices.pop(0) if address.dynamic_column else address.column
        variable = address.variable
        element = max(0, min(element, variable.length - 1))
        return element * variable.columns + max(0, min(column, variable.columns - 1))


def _incoming(phi: Instruction, before: Block | None) -> Value:
    return next(value for value, block in phi.incoming() if block is before)


def _count_rounds(loop: Loop | None, block: Block, before: Block | None, rounds: dict[Loop, int]) -> tuple[int, ...]:
    """Rounds of the loops around `block`, outermost first, after entering it from `before`."""
    if loop is not None and block is loop.header:
        rounds[loop] = rounds[loop] + 1 if before in loop.blocks else 0
    chain = []
    while loop is not None:
        chain.append(rounds[loop])
        loop = loop.parent
    return tuple(reversed(chain))


def _flatten(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for part in value:
            yield from _flatten(part)
    else:
        yield value
