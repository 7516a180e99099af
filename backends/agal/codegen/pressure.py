"""Another order of instructions, which needs fewer temporaries."""

from __future__ import annotations

from backends.agal.codegen.machine_ops import Machine
from backends.agal.isa.registers import TEMPORARY
from compiler.codegen.machine import MachineFunction, VirtualRegister
from compiler.codegen.registers import Register
from compiler.codegen.schedule import ScheduleModel, schedule

#: Components that an order should leave free once one has failed: full registers are hard to place.
_SLACK = 8


def reorder(function: MachineFunction, machine: Machine, tries: int) -> None:
    """Change the blocks that need more temporaries than there are."""
    schedule(function, _Pressure(machine, tries))


class _Pressure(ScheduleModel):
    """Only temporaries run short."""

    def __init__(self, machine: Machine, tries: int) -> None:
        super().__init__(4 * machine.files[TEMPORARY].count - _SLACK * bool(tries), tries)
        self.machine = machine

    def weight(self, register: VirtualRegister | Register) -> int:
        return 0 if isinstance(register, Register) and self.machine.type_of(register) != TEMPORARY else 1
