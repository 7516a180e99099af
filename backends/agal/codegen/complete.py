"""Outputs that a program must write although its source does not: the position, and the colours up to the last one.

What they hold is undefined then (GLSL ES 1.00 sections 7.1 and 7.2), here 0.
"""

from __future__ import annotations

from backends.agal.codegen.machine_ops import MOV, Machine
from backends.agal.isa.registers import OUTPUT
from compiler.codegen.machine import Def, Literal32, MachineFunction, MachineInstruction, Use
from compiler.codegen.registers import Register


def complete_outputs(function: MachineFunction, machine: Machine) -> None:
    """Write 0 to the outputs of that kind."""
    written = {
        definition.register.index
        for made in function.instructions()
        for definition in made.defs
        if isinstance(definition.register, Register) and machine.type_of(definition.register) == OUTPUT
    }
    last = next(block.instructions for block in function.blocks if not block.successors)
    for index in range(max(written, default=0) + 1):
        if index not in written:
            zero = Use(Literal32((0.0,)), (0, 0, 0, 0))
            last.insert(
                len(last) - 1, MachineInstruction(MOV, [Def(machine.files[OUTPUT][index], (0, 1, 2, 3))], [zero])
            )
