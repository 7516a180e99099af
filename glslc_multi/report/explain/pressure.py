"""How many registers hold something that is still needed, instruction by instruction.

In: machine code after allocation.  Out: a row for each instruction, in the order of the code.
"""

from __future__ import annotations

from glslc_multi.compiler.codegen.machine import MachineFunction, MachineInstruction
from glslc_multi.compiler.codegen.regalloc.liveness import Liveness, Numbering
from glslc_multi.compiler.codegen.registers import Register, RegisterFile
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    """One instruction, and what is live around it."""

    instruction: MachineInstruction
    registers: int
    components: int


@dataclass(frozen=True, slots=True)
class Pressure:
    """All moments, in order."""

    moments: tuple[Moment, ...]

    @property
    def peak(self) -> Moment | None:
        """The first moment with the most live components."""
        return max(self.moments, key=lambda moment: moment.components, default=None)

    @property
    def most(self) -> int:
        """The components at the peak."""
        return 0 if self.peak is None else self.peak.components


def pressure_of(function: MachineFunction) -> Pressure:
    """The pressure on the registers that keep values."""
    numbering = Numbering(function, [register for file in _files(function) for register in file.registers()])
    ranges = Liveness(function, numbering).ranges
    registers = [ranges[first : first + register.components] for register, first in numbering.first_physical.items()]
    moments = []
    for number, instruction in enumerate(function.instructions()):
        around = 0b11 << 2 * number
        live = [sum(1 for unit in register if unit & around) for register in registers]
        moments.append(Moment(instruction, sum(map(bool, live)), sum(live)))
    return Pressure(tuple(moments))


def _files(function: MachineFunction) -> list[RegisterFile]:
    """The files of registers that are both written and read."""
    written = {target.register for instruction in function.instructions() for target in instruction.defs}
    read = {use.register for made in function.instructions() for use in made.all_uses()}
    kept = {register.file for register in written & read if isinstance(register, Register)}
    return sorted(kept, key=lambda file: file.name)
