"""Operands seen through shuffles and signs: what an instruction can read without another one.

A source with a swizzle, a negation and an absolute value swallows the `swizzle`, `fneg` and `fabs` that made
it, and reads the part of a `construct` or `insert` that its lanes come from.  What a target's sources can do
beside the swizzle is a `Modifiers`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compiler.codegen.machine import Lanes
from compiler.ir import ops
from compiler.ir.module import Instruction, Value
from compiler.ir.ops import Opcode
from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Modifiers:
    """What a source operand can do to the value that it reads."""

    negate: bool = False
    absolute: bool = False


@dataclass(frozen=True, slots=True)
class Operand:
    """Lanes of a value that no shuffle made, with signs."""

    base: Value
    lanes: Lanes
    negate: bool = False
    absolute: bool = False


def lanes_of(value: Value, width: int) -> Lanes:
    """All lanes of a value as an operand of a `width`-wide operation; scalars serve every lane."""
    return (0,) * width if value.type.width == 1 else tuple(range(width))


def see_through(value: Value, lanes: Lanes, modifiers: Modifiers) -> Operand:
    """The operand that reads `lanes` of `value`, as near to the origin as one operand allows."""
    negate = absolute = False
    while isinstance(value, Instruction):
        op = value.op
        if op in _UNSHUFFLE:
            shuffled = _UNSHUFFLE[op](value, lanes)
            if shuffled is None:
                break
            value, lanes = shuffled
        elif op is ops.FNEG and modifiers.negate:
            negate ^= not absolute
            value = value.operands[0]
        elif op is ops.FABS and modifiers.absolute:
            absolute = True
            value = value.operands[0]
        else:
            break
    return Operand(value, lanes, negate, absolute)


def components_of(value: Value, modifiers: Modifiers) -> list[Operand]:
    """The origin of every component of `value` alone."""
    return [see_through(value, (component,), modifiers) for component in range(value.type.width)]


def _from_swizzle(value: Instruction, lanes: Lanes) -> tuple[Value, Lanes]:
    return value.operands[0], tuple([None if lane is None else value.attribute[lane] for lane in lanes])


def _from_insert(value: Instruction, lanes: Lanes) -> tuple[Value, Lanes] | None:
    vector, scalar = value.operands
    inserted = [lane == value.attribute for lane in lanes if lane is not None]
    if not any(inserted):
        return vector, lanes
    if all(inserted):
        return scalar, tuple(None if lane is None else 0 for lane in lanes)
    return None


def _from_construct(value: Instruction, lanes: Lanes) -> tuple[Value, Lanes] | None:
    wanted = {lane for lane in lanes if lane is not None}
    first = 0
    for part in value.operands:
        members = range(first, first + part.type.width)
        if wanted <= set(members):
            return part, tuple(None if lane is None else lane - first for lane in lanes)
        first += part.type.width
    return None


#: The operand of a shuffle that all lanes come from, and its lanes; None where there is no such one.
_UNSHUFFLE: Mapping[Opcode, Callable[[Instruction, Lanes], tuple[Value, Lanes] | None]] = {
    ops.SWIZZLE: _from_swizzle,
    ops.INSERT: _from_insert,
    ops.CONSTRUCT: _from_construct,
}
