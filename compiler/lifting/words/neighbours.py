"""Derivatives: differences to what the neighbours in a quad have, found again in rotations over the lanes.

A lane with an even number takes its own value from that of the next lane, an odd one that of the lane before from its
own: the step to the right.  With lanes two apart it is the step upwards.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.lifting.operations import Origins

#: By the distance of lanes.
_STEPS: dict[int, Opcode] = {1: ops.DDX, 2: ops.DDY}


def join_differences(function: Function, origins: Origins) -> None:
    """Make derivatives of choices between differences."""
    for choice in list(function.instructions()):
        if choice.op is not ops.SELECT:
            continue
        condition, x, y = choice.operands
        distance, is_odd = _parity(condition, origins)
        if distance:
            value = _stepped(x, y, distance, origins) if is_odd else _stepped(y, x, distance, origins)
            if value is not None:
                choice.replace_all_uses_with(Builder.before(choice).op(_STEPS[distance], value))


def _stepped(odd: Value, even: Value, distance: int, origins: Origins) -> Value | None:
    """Return the value whose difference to the lane before, and to the next one, two lanes compute."""
    match odd, even:
        case (
            Instruction(op=ops.FSUB, operands=[value, before]),
            Instruction(op=ops.FSUB, operands=[after, Value() as other]),
        ) if source(other, 0) == source(value, 0):
            moves = [(origins.moved.get(moved), moved) for moved in (before, after)]
            is_step = [move for move, _ in moves] == [distance, -distance]
            return value if is_step and all(_is_moved(moved, value) for _, moved in moves) else None
    return None


def _is_moved(moved: Value, value: Value) -> bool:
    """Tell whether it is this value that a lane has of another one."""
    return isinstance(moved, Instruction) and source(moved.operands[0], 0) == source(value, 0)


def _parity(condition: Value, origins: Origins) -> tuple[int, bool]:
    """Return which bit of the lane's number a condition tests, and whether it holds where that is set; 0 of others."""
    is_odd = False
    while isinstance(condition, Instruction) and condition.op is ops.NOT:
        condition, is_odd = condition.operands[0], not is_odd
    match condition:
        case Instruction(
            op=ops.IEQ, operands=[Instruction(op=ops.IAND, operands=[lane, Constant(components=(bit,))]), zero]
        ) if lane in origins.lane_numbers and isinstance(zero, Constant) and zero.components == (0,):
            return (int(bit or 0), is_odd) if bit in _STEPS else (0, False)
    return 0, False
