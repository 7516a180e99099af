"""Copies, before allocation and after it.

* `copy_for`, `read_copy`: what an instruction cannot read where it is, a move brings to another register first.
* `drop_held_copies`: a move goes whose target holds the same already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import RegisterClass
from glslc_multi.compiler.codegen.step import step
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


#: A component of a register.
_Component = tuple[AnyRegister, int | None]


@step("drop copies")
def drop_held_copies(function: MachineFunction) -> None:
    """Remove the moves of allocated code whose targets hold the same since an earlier move in the block."""
    # An output may lose what it holds, as in each vertex that is emitted.
    readable = {use.register for instruction in function.instructions() for use in instruction.all_uses()}
    for block in function.blocks:
        if sum(instruction.op.copy for instruction in block.instructions) < 2:
            continue
        #: Of what component each component is a copy.
        held: dict[_Component, _Component] = {}
        kept = []
        for instruction in block.instructions:
            pairs = _pairs(instruction)
            if pairs and all(held.get(to) == source for to, source in pairs):
                continue
            if not pairs and not held:
                kept.append(instruction)
                continue
            written = {(each.register, lane) for each in instruction.defs for lane in each.lanes}
            lost = instruction.op.clobbers
            held = {
                to: source
                for to, source in held.items()
                if written.isdisjoint((to, source)) and to[0] not in lost and source[0] not in lost
            }
            held.update((to, source) for to, source in pairs if to[0] in readable and source not in written)
            kept.append(instruction)
        block.instructions = kept


def _pairs(instruction: MachineInstruction) -> list[tuple[_Component, _Component]]:
    """Return target and source of each component of a plain move between registers; nothing for all else."""
    if not instruction.op.copy or instruction.attributes or instruction.conditional:
        return []
    (target,), (source,) = instruction.defs, instruction.uses
    if source.negate or source.absolute or source.relative is not None or source.extra is not None:
        return []
    return [
        ((target.register, to), (source.register, lane)) for to, lane in zip(target.lanes, source.lanes, strict=True)
    ]
