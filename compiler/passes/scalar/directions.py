"""Directions: what only the direction of a vector matters to needs no vector of length 1.

    normalize(m * normalize(v)) -> normalize(m * v)     textureCube(s, normalize(v)) -> textureCube(s, v)

In: any function.  Out: the same without each `normalize` by which nothing but directions are scaled: all that is
computed of it is as many times as long as it is, and is in the end normalised, or looked up in a cube map.

Not handled: phis and selects, and directions whose length enters a product twice.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import PRECISE, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext

#: Operations whose results are scaled as all of their operands are.
_ALIKE = frozenset({ops.FADD, ops.FSUB, ops.FNEG, ops.SWIZZLE, ops.CONSTRUCT, ops.INSERT})
#: Those whose results are scaled as one operand is and as the other one is.
_PRODUCTS = frozenset({ops.FMUL, ops.DOT, ops.CROSS})
_MATRIX_PRODUCTS = frozenset({ops.MAT_VEC, ops.VEC_MAT})
_SCALED = _ALIKE | _PRODUCTS | _MATRIX_PRODUCTS
#: Modes of lookups whose level is not told by gradients, which are of the coordinate with its length.
_MODES = frozenset({"auto", "bias", "lod"})


class Directions(Pass):
    """See the module's text."""

    name = "directions"
    description = "removes normalize where only directions matter"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        if context.precise:
            return False
        progress = False
        for unit in [each for each in function.instructions() if each.op is ops.NORMALIZE]:
            if not unit.flags & PRECISE and _scales_directions_alone(unit):
                unit.replace_all_uses_with(unit.operands[0])
                unit.erase()
                progress = True
        return progress


def _scales_directions_alone(unit: Instruction) -> bool:
    """Whether everything computed of a vector is scaled as it is, and ends where only the direction matters."""
    #: How often the length of the vector is a factor; None where it is none.
    powers: dict[Value, int | None] = {unit: 1}
    pending = [unit]
    is_read = False
    while pending:
        value = pending.pop()
        for user in value.users:
            if user.flags & PRECISE:
                return False
            if _direction_of(user) is value:
                is_read = True
            elif user.op not in _SCALED:
                return False
            elif powers.get(user, 0) != (power := _power(user, powers)):
                powers[user] = power
                pending.append(user)
    return is_read and set(powers.values()) == {1}


def _direction_of(taker: Instruction) -> Value | None:
    """The operand of which an instruction takes nothing but the direction."""
    if taker.op is ops.NORMALIZE:
        return taker.operands[0]
    if taker.op is not ops.TEXTURE or not taker.attribute.is_cube or taker.attribute.mode not in _MODES:
        return None
    direction = taker.operands[len(taker.operands) - len(taker.attribute.operand_types)]
    is_alone = not taker.attribute.kind.is_arrayed and taker.operands.count(direction) == 1
    return direction if is_alone else None


def _power(value: Instruction, powers: Mapping[Value, int | None]) -> int | None:
    """Count how often the length is a factor of a value."""
    counts = [powers.get(operand, 0) for operand in value.operands]
    if value.op in _MATRIX_PRODUCTS:
        vector = counts.pop(-1 if value.op is ops.MAT_VEC else 0)
        counts = [vector, counts[0] if len({*counts}) == 1 else None]
    elif value.op in _ALIKE:
        counts = [counts[0] if len({*counts}) == 1 else None]
    told = [count for count in counts if count is not None]
    return sum(told) if len(told) == len(counts) else None
