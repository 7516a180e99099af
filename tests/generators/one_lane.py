"""A second meaning of the IR: one lane, plain Python, the way the text reads.

It walks blocks and calls like a processor does, so it shares nothing with the evaluator's lanes, masks
and block order.  Opcodes mean what the opcode table says in `PYTHON` arithmetic (which
`test_opcode_witness.py` checks).  It knows no textures and no neighbours.
"""

from __future__ import annotations

from typing import Any

from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Module, Value
from glslc_multi.compiler.ir.variables import Variable

Components = list[Any]
_ZERO: dict[str, Any] = {"bool": False, "int": 0, "float": 0.0}


class Lane:
    """One run of a module; `values` are nested lists in the evaluator's layout, without the lane axis.

    A subclass that wants to watch overrides `enter` and `made`.
    """

    def __init__(self, module: Module, values: dict[str, Any]) -> None:
        self.module = module
        self.discarded = False
        self.cells: dict[Variable, list[Components]] = {}
        private = [v for function in module.functions.values() for v in function.variables.values()]
        for variable in (*module.variables.values(), *private):
            self.cells[variable] = _cells(variable, values.get(variable.name))
        self.call(module.main)

    def enter(self, block: Block, came_from: Block | None) -> None:
        """`block` begins to run."""

    def made(self, instruction: Instruction, value: Components) -> None:
        """`instruction` yielded `value`."""

    def output(self, variable: Variable) -> list[Any]:
        """Every number of an output, in order."""
        return [number for cell in self.cells[variable] for number in cell]

    def call(self, function: Function) -> None:
        values: dict[Instruction, Components] = {}
        came_from: Block | None = None
        block: Block | None = function.entry
        while block is not None:
            self.enter(block, came_from)
            phis = list(block.phis())
            new = [self.read(next(v for v, b in phi.incoming() if b is came_from), values) for phi in phis]
            for phi, value in zip(phis, new, strict=True):
                values[phi] = value
                self.made(phi, value)
            came_from, block = block, self.run_block(block, values)

    def run_block(self, block: Block, values: dict[Instruction, Components]) -> Block | None:
        """Execute all but phis; the block to go on with, None after `ret`."""
        for instruction in block:
            if instruction.op is ops.PHI:
                continue
            operands = [self.read(operand, values) for operand in instruction.operands]
            if instruction.is_terminator:
                targets = instruction.targets
                return None if not targets else targets[0] if not operands or operands[0][0] else targets[1]
            values[instruction] = self.execute(instruction, operands)
            self.made(instruction, values[instruction])
        raise AssertionError("a block without a terminator")

    def execute(self, instruction: Instruction, operands: list[Components]) -> Components:
        op = instruction.op
        if op is ops.LOAD:
            return self.cells[instruction.address.variable][_place(instruction, operands)]
        if op is ops.STORE:
            self.cells[instruction.address.variable][_place(instruction, operands)] = operands[-1]
        elif op is ops.KILL:
            self.discarded |= operands[0][0]
        elif op is ops.CALL:
            self.call(instruction.attribute)
        else:
            return ops.evaluate(op, PYTHON, instruction.attribute, operands)
        return []

    def read(self, value: Value, values: dict[Instruction, Components]) -> Components:
        if isinstance(value, Constant):
            return [_ZERO[value.type.kind] if c is None else c for c in value.components]
        assert isinstance(value, Instruction)
        return values[value]


def _cells(variable: Variable, value: Any) -> list[Components]:
    width, count = variable.type.width, variable.length * variable.columns
    kind = type(_ZERO[variable.type.kind]) if variable.type.kind in _ZERO else float
    if value is None:
        return [[kind()] * width for _ in range(count)]
    flat = [kind(number) for number in _numbers(value)]
    cells = [flat[cell * width : (cell + 1) * width] for cell in range(count)]
    if variable.layout == "rows":
        matrices = [cells[first : first + width] for first in range(0, count, width)]
        return [list(row) for matrix in matrices for row in zip(*matrix, strict=True)]
    return cells


def _numbers(value: Any) -> list[Any]:
    return [number for part in value for number in _numbers(part)] if isinstance(value, list) else [value]


def _place(instruction: Instruction, operands: list[Components]) -> int:
    address = instruction.address
    dynamic = [operand[0] for operand in operands]
    index = address.offset + (dynamic.pop(0) if address.dynamic_index else 0)
    column = dynamic.pop(0) if address.dynamic_column else address.column
    index = sorted((0, index, address.variable.length - 1))[1]
    column = sorted((0, column, address.variable.columns - 1))[1]
    return index * address.variable.columns + column
