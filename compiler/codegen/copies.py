"""Operands that read copies: what an instruction cannot read where it is, a move brings to another register first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glslc_multi.compiler.codegen.machine import (
    Def,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import RegisterClass
from glslc_multi.compiler.diagnostics import Span


def lanes_read(uses: Iterable[Use]) -> tuple[int, ...]:
    """Return the components that operands read, in order."""
    return tuple(sorted({lane for use in uses for lane in use.lanes if lane is not None}))


def copy_for(
    uses: Sequence[Use],
    function: MachineFunction,
    move: MachineOp,
    register_class: RegisterClass,
    span: Span | None = None,
) -> MachineInstruction:
    """Let operands of one register read a copy of what they read of it; return the move that makes it."""
    lanes = lanes_read(uses) or (0,)
    copy = function.new_register(len(lanes), register_class, span=span)
    source = Use(uses[0].register, lanes, relative=uses[0].relative)
    for use in uses:
        read_copy(use, copy, lanes)
    return MachineInstruction(move, [Def(copy, tuple(range(len(lanes))))], [source], span=span)


def read_copy(use: Use, copy: VirtualRegister, lanes: Sequence[int | None]) -> None:
    """Let an operand read the register that has these components of the one that it reads."""
    use.register, use.relative = copy, None
    use.lanes = tuple([None if lane is None else lanes.index(lane) for lane in use.lanes])
