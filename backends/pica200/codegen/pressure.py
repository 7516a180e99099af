"""Another order of instructions, which needs fewer r registers; imported where that of the source needs too many.

Full registers are hard to assign, so that it aims lower than what there is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from glslc_multi.backends.pica200.codegen.machine_ops import EMIT
from glslc_multi.backends.pica200.codegen.register_files import OUTPUTS, TEMPORARIES
from glslc_multi.compiler.codegen.machine import MachineFunction, MachineInstruction, VirtualRegister
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.schedule import ScheduleModel, schedule

#: Components that may live at a time, and random orders that are looked at.
_ROOM, _TRIES = 4 * (TEMPORARIES.count - 4), 8


def reorder(function: MachineFunction) -> None:
    """Change the blocks in which too much lives at a time."""
    schedule(function, _Pressure(function))


class _Pressure(ScheduleModel):
    """The r registers, as the scheduler sees them."""

    def __init__(self, function: MachineFunction) -> None:
        super().__init__(_ROOM, _TRIES)
        self.emits = any(instruction.op is EMIT for instruction in function.instructions())

    def weight(self, register: VirtualRegister | Register) -> int:
        return int(isinstance(register, VirtualRegister) or register.file is TEMPORARIES)

    def order_classes(self, instruction: MachineInstruction) -> Iterable[Hashable]:
        # EMIT takes what is in the outputs.
        writes_output = any(isinstance(d.register, Register) and d.register.file is OUTPUTS for d in instruction.defs)
        return ("effect",) if instruction.op.effect or (self.emits and writes_output) else ()
