"""Registers and copies as the allocator sees them."""

from __future__ import annotations

from glslc_multi.backends.vc4.codegen.abi import TARGET_NAME
from glslc_multi.backends.vc4.codegen.machine_ops import IMM, IN_B, PORT, A, B, copy
from glslc_multi.compiler.codegen.machine import Def, MachineInstruction, Use
from glslc_multi.compiler.codegen.regalloc import RegisterModel
from glslc_multi.compiler.codegen.registers import Register

_ONLY_IN_A = (38, 41, 42)


class Registers(RegisterModel):
    """The files and accumulators as the allocator sees them."""

    target = TARGET_NAME
    resource = "registers"

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return copy(target, source)

    def bank(self, register: Register) -> str | None:
        """The port that reads a register; None for those that need none of their own."""
        if register.file is A:
            return "A"
        if register.file is B or register.file is IMM:
            return "B"
        if register.file is PORT and (register.index >= IN_B or register.index in _ONLY_IN_A):
            return "B" if register.index >= IN_B else "A"
        return None
