"""What register allocation must know of a machine beside its opcodes and register classes.

A target derives a class from `RegisterModel` and gives it to `allocate`.  Only `copy` has no default.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable

from glslc_multi.compiler.codegen.machine import Def, Literal32, MachineInstruction, Uniform, Use, VirtualRegister
from glslc_multi.compiler.codegen.registers import Register


class RegisterModel(ABC):
    """The machine as the allocator sees it."""

    #: Name of the target, for limit messages.
    target: str = ""
    #: What runs out, as a limit message says it after a number.
    resource: str = "temporary registers"
    #: Registers that no value may be put into, although their class has them.
    reserve: frozenset[Register] = frozenset()
    #: How many orders of assignment are tried before the program is changed; a search for few registers has more.
    attempts: int = 12
    #: Whether live ranges may be split, which takes copies.
    splits: bool = True

    @abstractmethod
    def copy(self, target: Def, source: Use) -> MachineInstruction:
        """A plain move of `source` to `target`."""

    def bank(self, register: Register) -> Hashable:
        """The bank of a register for `MachineOp.separate`; None where reading it hinders no other read."""
        return None

    def is_copy(self, instruction: MachineInstruction) -> bool:
        """Whether an instruction leaves the very values that it reads.  A move that changes them (saturates,
        say) has an opcode without `copy`, or is distinguished here."""
        return instruction.op.copy and is_plain(instruction.uses[0])

    def component_cost(self, register: VirtualRegister, lane: int, component: int) -> int:
        """What it costs to assign `component` of a register to a lane of a value, beside the
        swizzles that its readers and writers then need (which the allocator counts itself)."""
        return 0


def is_plain(use: Use) -> bool:
    """Whether an operand is the contents of a register, unchanged."""
    return not (
        use.negate
        or use.absolute
        or use.relative is not None
        or use.extra is not None
        or isinstance(use.register, Uniform | Literal32)
    )
