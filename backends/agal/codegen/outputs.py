"""Outputs: which instructions write them themselves, and those that a program must write although its source does not.

The latter are the position, and the colours up to the last one; what they hold is undefined then (GLSL ES 1.00
sections 7.1 and 7.2), here 0.
"""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.backends.agal.codegen.machine_ops import MOV
from glslc_multi.backends.agal.codegen.register_files import RegisterFiles
from glslc_multi.backends.agal.isa.instructions import BY_NAME
from glslc_multi.backends.agal.isa.registers import DEPTH, OUTPUT, VARYING
from glslc_multi.compiler.codegen.forward import forward_outputs
from glslc_multi.compiler.codegen.machine import Def, Literal32, MachineBlock, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.step import step


@step("write outputs directly")
def write_outputs_directly(function: MachineFunction, files: RegisterFiles, *, whole_products: bool) -> None:
    """Let instructions write outputs directly where they may (those with matrices of four rows all components, if so
    wanted), and write the outputs that are missing."""
    may_write = _MayWrite(files, function, whole_products=whole_products)
    forward_outputs(function, lambda register: _is_output(files, register), may_write)
    _complete(function, files)


def _is_output(files: RegisterFiles, register: Register) -> bool:
    type = files.type_of(register)
    return type in (OUTPUT, DEPTH) or (type == VARYING and files.stage == "vertex")


class _MayWrite:
    """Which instructions may write an output themselves: none in a branch, and a colour is written as a whole."""

    def __init__(self, files: RegisterFiles, function: MachineFunction, *, whole_products: bool) -> None:
        self.files = files
        self.whole_products = whole_products
        self.unconditional = {
            instruction for block in _unconditional_blocks(function) for instruction in block.instructions
        }

    def __call__(self, instruction: MachineInstruction, definition: Def) -> bool:
        if instruction not in self.unconditional:
            return False
        register = definition.register
        assert isinstance(register, Register)
        if self.files.stage == "fragment" and self.files.type_of(register) == OUTPUT:
            return len(definition.lanes) == 4
        if self.whole_products and BY_NAME[instruction.op.name].rows == 4:
            return len(definition.lanes) == 4
        return not BY_NAME[instruction.op.name].only_xyz or definition.lanes == (0, 1, 2)


def _unconditional_blocks(function: MachineFunction) -> Iterable[MachineBlock]:
    if len(function.blocks) == 1:
        return function.blocks
    from glslc_multi.backends.agal.codegen.layout import unconditional_blocks

    return unconditional_blocks(function)


def _complete(function: MachineFunction, files: RegisterFiles) -> None:
    """Write 0 to the missing outputs."""
    written = {
        definition.register.index
        for instruction in function.instructions()
        for definition in instruction.defs
        if isinstance(definition.register, Register) and files.type_of(definition.register) == OUTPUT
    }
    last = next(block.instructions for block in function.blocks if not block.successors)
    for index in range(max(written, default=0) + 1):
        if index not in written:
            zero = Use(Literal32((0.0,)), (0, 0, 0, 0))
            last.insert(len(last) - 1, MachineInstruction(MOV, [Def(files[OUTPUT][index], (0, 1, 2, 3))], [zero]))
