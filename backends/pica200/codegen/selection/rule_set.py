"""The rule set, the machine as rules see it, and the operands that several files of rules make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from backends.pica200.codegen.abi import Interface
from backends.pica200.codegen.machine_ops import OPS
from backends.pica200.codegen.register_files import INPUTS, LOOP_COUNTER, VALUES
from backends.pica200.codegen.rewrites.loops import CountedLoop, ranges_of
from backends.pica200.codegen.rewrites.strips import Choice, Emission
from compiler.codegen.machine import AnyRegister, Def, Literal32, MachineInstruction, Uniform, Use
from compiler.codegen.operands import Modifiers, Operand
from compiler.codegen.registers import RegisterClass
from compiler.codegen.select import Emitter, Indexed, RuleSet
from compiler.ir import ops
from compiler.ir.module import Constant, Instruction, Value

Emit = Callable[[Emitter], None]

RULES = RuleSet()


class Selection:
    """The machine as selection sees it."""

    rules = RULES
    modifiers = Modifiers(negate=True)

    def __init__(
        self, interface: Interface, counted: Sequence[CountedLoop], vertices: Mapping[Instruction, Emission | Choice]
    ) -> None:
        self.interface = interface
        self.vertices = vertices
        self.counters = {loop.counter for loop in counted}
        registers = ranges_of(counted)
        self.loops = {loop.goes_on: registers.index(loop.range) for loop in counted}

    def place(self, load: Instruction) -> AnyRegister | Indexed | None:
        address = load.address
        variable = address.variable
        if variable in self.counters:
            return LOOP_COUNTER
        if variable in self.interface.inputs:
            return INPUTS[self.interface.input_register(variable, address.offset, address.column)]
        if variable.storage != "uniform":
            return None
        uniform = Uniform(variable, address.offset, address.column)
        return Indexed(uniform, _index(load.operands[0])) if address.dynamic_index else uniform

    def register_class(self, value: Instruction) -> RegisterClass:
        return VALUES

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(OPS["MOV"], [target], [source])


def _index(index: Value) -> Value:
    """The number that an address register truncates."""
    while isinstance(index, Instruction) and index.op in (ops.FTOI, ops.FTRUNC):
        index = index.operands[0]
    return index


def negated(use: Use) -> Use:
    return Use(use.register, use.lanes, not use.negate, use.absolute, use.relative, use.extra)


def numbers(value: float, width: int) -> Use:
    return Use(Literal32((value,) * width), tuple(range(width)))


def constant_of(operand: Operand) -> float:
    """The number of a component that is constant; 0 where no one reads it."""
    assert isinstance(operand.base, Constant)
    lane = operand.lanes[0]
    number = None if lane is None else operand.base.components[lane]
    if number is None:
        return 0.0
    return -float(number) if operand.negate else float(number)
