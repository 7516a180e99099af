"""The machine as rules see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from glslc_multi.backends.pica200.codegen.abi import Interface
from glslc_multi.backends.pica200.codegen.machine_ops import END, JUMP, OPS
from glslc_multi.backends.pica200.codegen.register_files import INPUTS, LOOP_COUNTER, VALUES
from glslc_multi.backends.pica200.codegen.rewrites.loops import CountedLoop, ranges_of
from glslc_multi.backends.pica200.codegen.rewrites.strips import Choice, Emission
from glslc_multi.compiler.codegen.machine import AnyRegister, Uniform
from glslc_multi.compiler.codegen.operands import Modifiers
from glslc_multi.compiler.codegen.selection.emitter import Emitter, Indexed, SelectionTarget
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Value


class Machine(SelectionTarget):
    """See `SelectionTarget`."""

    operations: ClassVar = {**OPS, "JUMP": JUMP, "END": END}
    move = OPS["MOV"]
    modifiers = Modifiers(negate=True)
    values = VALUES

    def __init__(
        self,
        rules: RuleSet[Any],
        interface: Interface,
        counted: Sequence[CountedLoop],
        vertices: Mapping[Instruction, Emission | Choice],
    ) -> None:
        self.rules = rules
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
        register = self.interface.inputs.get((variable, address.offset, address.column))
        if register is not None:
            return INPUTS[register]
        if variable.storage != "uniform":
            return None
        uniform = Uniform(variable, address.offset, address.column)
        return Indexed(uniform, _index(load.operands[0])) if address.is_dynamic else uniform


PicaEmitter = Emitter[Machine]


def _index(index: Value) -> Value:
    """The number that an address register truncates."""
    while isinstance(index, Instruction) and index.op in (ops.FTOI, ops.FTRUNC):
        index = index.operands[0]
    return index
