"""Temporaries for the values of a program: the machine as the shared scheduler and allocator see it.

The scheduler changes the order of instructions where that of the source needs too many
(`compiler/codegen/schedule.py`).
"""

from __future__ import annotations

from glslc_multi.backends.agal.codegen.machine_ops import MOV
from glslc_multi.backends.agal.codegen.register_files import RegisterFiles
from glslc_multi.backends.agal.isa.registers import TEMPORARY
from glslc_multi.compiler.codegen.copies import drop_held_copies
from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use, VirtualRegister
from glslc_multi.compiler.codegen.regalloc.allocate import allocate
from glslc_multi.compiler.codegen.regalloc.model import RegisterModel
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.schedule import ScheduleModel, schedule
from glslc_multi.compiler.diagnostics import DiagnosticSink

#: What messages call them.
RESOURCE = "temporary registers"
#: Components that an order should leave free once one has failed: full registers are hard to assign.
_SLACK = 8


def reorder(function: MachineFunction, files: RegisterFiles, tries: int) -> None:
    """Change the blocks that need more temporaries than there are; compute cheap values again where no order helps."""
    pressure = Pressure(files, tries)
    as_written = [block.instructions for block in function.blocks]
    if schedule(function, pressure) > 4 * files[TEMPORARY].count and tries:
        from glslc_multi.backends.agal.codegen.recompute import recompute

        for block, instructions in zip(function.blocks, as_written, strict=True):
            block.instructions = instructions
        recompute(function)
        schedule(function, pressure)


def assign_temporaries(function: MachineFunction, files: RegisterFiles, sink: DiagnosticSink, *, splits: bool) -> None:
    """Put the function on physical registers; where they do not suffice, that is reported and raised."""
    allocate(function, Temporaries(files, splits), sink)
    drop_held_copies(function)


class Pressure(ScheduleModel):
    """Only temporaries run short."""

    def __init__(self, files: RegisterFiles, tries: int) -> None:
        super().__init__(4 * files[TEMPORARY].count - _SLACK * bool(tries), tries)
        self.files = files

    def weight(self, register: VirtualRegister | Register) -> int:
        return 0 if isinstance(register, Register) and self.files.type_of(register) != TEMPORARY else 1


class Temporaries(RegisterModel):
    """The machine as the allocator sees it."""

    resource = RESOURCE

    def __init__(self, files: RegisterFiles, splits: bool) -> None:
        self.splits = splits
        self.target = f"agal {files.version}"

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return MachineInstruction(MOV, [target], [source])
