"""Moves that one word can make: what the allocator has put side by side is copied together.

In: allocated code.  Out: runs of moves with those joined that go from one register to one register.
"""

from __future__ import annotations

from glslc_multi.backends.pica200.codegen.machine_ops import OPS
from glslc_multi.compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.step import step


@step("join moves")
def join_moves(function: MachineFunction) -> None:
    """Change `function` in place."""
    for block in function.blocks:
        instructions: list[MachineInstruction] = []
        for instruction in block.instructions:
            partner = _partner(instruction, instructions)
            if partner is None:
                instructions.append(instruction)
            else:
                pairs = [*zip(partner.defs[0].lanes, partner.uses[0].lanes, strict=True)]
                pairs += zip(instruction.defs[0].lanes, instruction.uses[0].lanes, strict=True)
                source = partner.uses[0]
                partner.defs = [Def(partner.defs[0].register, tuple(target for target, _ in pairs))]
                partner.uses = [
                    Use(source.register, tuple(lane for _, lane in pairs), source.negate, relative=source.relative)
                ]
        block.instructions = instructions


def _partner(move: MachineInstruction, before: list[MachineInstruction]) -> MachineInstruction | None:
    """A move in the run directly before that can make this one as well."""
    if move.op is not OPS["MOV"]:
        return None
    for other in reversed(before):
        if other.op is not OPS["MOV"]:
            return None
        if _is_alike(other, move):
            return other
        if not _may_be_swapped(other, move):
            return None
    return None


def _is_alike(first: MachineInstruction, second: MachineInstruction) -> bool:
    """Whether both go from one register to one register, and neither needs what the other changes."""
    target, source = first.defs[0], first.uses[0]
    other_target, other = second.defs[0], second.uses[0]
    is_same_route = target.register == other_target.register and source.register == other.register
    if not is_same_route or source.negate != other.negate or source.relative != other.relative:
        return False
    is_apart = not set(target.lanes) & set(other_target.lanes)
    return is_apart and not (target.register == other.register and set(target.lanes) & set(other.lanes))


def _may_be_swapped(first: MachineInstruction, second: MachineInstruction) -> bool:
    """Whether two moves do the same in either order."""
    return not (_touches(first.defs[0], second) or _touches(second.defs[0], first))


def _touches(definition: Def, move: MachineInstruction) -> bool:
    """Whether a move reads or writes what `definition` writes."""
    operands: list[Def | Use] = [*move.defs, *move.all_uses()]
    return any(
        definition.register == operand.register and set(definition.lanes) & set(operand.lanes) for operand in operands
    )
