"""Which instructions may be moved, merged or run needlessly: what the passes that move code agree on.

Nothing in the IR traps, so a pure operation may run where the source did not ask for it.  What looks at
neighbouring lanes may not move into or out of control flow that lanes take differently, and a load may
not pass a store.
"""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Instruction
from glslc_multi.compiler.ir.variables import Variable

#: Modes of a texture lookup whose level of detail comes from differences between lanes.
_IMPLICIT_LEVEL = frozenset({"auto", "bias"})


def is_read_only(variable: Variable, instruction: Instruction) -> bool:
    """Whether the shader of `instruction` cannot change `variable`."""
    assert instruction.block is not None
    stage = instruction.block.function.module.stage
    return variable.storage != "local" and not variable.is_written_by(stage)


def is_cross_lane(instruction: Instruction) -> bool:
    """Whether the result depends on which neighbouring lanes run; a vertex shader has no neighbours."""
    if instruction.op is ops.TEXTURE:
        assert instruction.block is not None
        is_fragment = instruction.block.function.module.stage == "fragment"
        return is_fragment and instruction.attribute.mode in _IMPLICIT_LEVEL
    return instruction.op.effect == "cross-lane"


def is_movable(instruction: Instruction) -> bool:
    """Whether the result depends on the operands only, wherever the instruction stands; phis stay put."""
    if instruction.op is ops.LOAD:
        return is_read_only(instruction.address.variable, instruction)
    if instruction.op is ops.PHI:
        return False
    return instruction.op.is_pure or (instruction.op.effect == "cross-lane" and not is_cross_lane(instruction))


def is_operand_of_users(instruction: Instruction) -> bool:
    """Whether selection usually makes it part of its users: a swizzle, or an input at a known place."""
    if instruction.op is ops.SWIZZLE:
        return True
    if instruction.op is not ops.LOAD or instruction.address.is_dynamic:
        return False
    return is_read_only(instruction.address.variable, instruction)


def commutes(instruction: Instruction, *, precise: bool = False) -> bool:
    """Whether its first two operands may be exchanged: bits that count must not change."""
    op = instruction.op
    return op.commutative and not (op in ops.NEARLY_COMMUTATIVE and (precise or instruction.flags & PRECISE))


def merged_flags(*instructions: Instruction) -> int:
    """The flags of what stands for all of `instructions`: precise as one is, relaxed only as all are."""
    precise = any(instruction.flags & PRECISE for instruction in instructions)
    relaxed = all(instruction.flags & RELAXED for instruction in instructions)
    return (PRECISE if precise else 0) | (RELAXED if relaxed else 0)
