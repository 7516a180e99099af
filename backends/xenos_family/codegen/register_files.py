"""Register files of the machine as code generation and the allocator see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from glslc_multi.backends.xenos_family.codegen.machine_ops import CHANGE, MOVE
from glslc_multi.backends.xenos_family.isa import registers
from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.regalloc import RegisterModel
from glslc_multi.compiler.codegen.registers import Register, RegisterClass, RegisterFile

#: General registers.
R = RegisterFile("R", registers.REGISTERS)
#: Constants: uniforms and literals.
C = RegisterFile("C", registers.CONSTANTS, writable=False)
#: Exports: parameters from 0 on (colours in a fragment shader), the position, the point size.
EXPORT = RegisterFile("export", 64, readable=False)
#: a0, which indices of constants may be relative to.
A = RegisterFile("a", 1, components=1)

GENERAL = RegisterClass.of("general", R)
ADDRESS = RegisterClass.of("address", A)

POSITION, POINT_SIZE = EXPORT[registers.POSITION], EXPORT[registers.POINT_SIZE]
#: What a fetch has found, before its destination picks components of it.
FETCHED = RegisterFile("fetched", 1, writable=False)[0]


def move(target: Def, source: Use) -> MachineInstruction:
    """A move; one that changes the number is another operation."""
    return MachineInstruction(CHANGE if source.negate or source.absolute else MOVE, [target], [source])


class Registers(RegisterModel):
    """The general registers; those of masks come after all others."""

    resource = "registers"

    def __init__(self, target: str, masks: int) -> None:
        self.target = target
        self.reserve = frozenset(R.registers()[R.count - masks :])

    def copy(self, target: Def, source: Use) -> MachineInstruction:
        return move(target, source)


def definitions(function: MachineFunction) -> Iterator[Def]:
    for instruction in function.instructions():
        yield from instruction.defs


def live_in(function: MachineFunction) -> dict[Register, tuple[int, ...]]:
    """The registers that the code reads and nothing writes: inputs."""
    read: dict[Register, set[int]] = {}
    for instruction in function.instructions():
        for use in instruction.uses:
            if isinstance(use.register, Register) and use.register.file is R:
                read.setdefault(use.register, set()).update(lane for lane in use.lanes if lane is not None)
    return {register: tuple(sorted(lanes)) for register, lanes in read.items()}


def registers_used(function: MachineFunction, inputs: Iterable[int]) -> int:
    """One more than the highest register in use, `inputs` included."""
    operands: list[Def | Use] = [*definitions(function), *(use for i in function.instructions() for use in i.uses)]
    used = [o.register.index for o in operands if isinstance(o.register, Register) and o.register.file is R]
    return max([*inputs, *used], default=-1) + 1
