"""Angles of sines and cosines, and when the last bits of these matter."""

from __future__ import annotations

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction

#: Near a turn, in 8 bits, so that its multiples are exact: what is left of an angle after whole turns keeps its
#: precision if they are subtracted in two parts, multiples of this and of the small rest (Cody and Waite).
TURN_HIGH = 6.28125
#: What makes small errors of a sine matter.
_LARGE = 256.0


def is_magnified(instruction: Instruction) -> bool:
    """Whether someone multiplies the result by a large number, as random numbers made of a sine do."""
    return any(
        isinstance(operand, Constant) and any(abs(component or 0) >= _LARGE for component in operand.components)
        for user in instruction.users
        if user.op is ops.FMUL or user.op is ops.FMAD
        for operand in user.operands[:2]
    )
