"""Operands seen through shuffles and signs: what an instruction can read without another one.

A source with a swizzle, a negation and an absolute value swallows the `swizzle`, `fneg` and `fabs` that made
it, and reads the part of a `construct` or `insert` that its lanes come from.  What a target's sources can do
beside the swizzle is a `Modifiers`.  A vector is put together of its components' operands, those of one origin at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from glslc_multi.compiler.codegen.machine import Lanes
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Modifiers:
    """What a source operand can do to the value that it reads."""

    negate: bool = False
    absolute: bool = False


NO_MODIFIERS = Modifiers()


@dataclass(frozen=True, slots=True)
class Operand:
    """Lanes of a value that no shuffle made, with signs."""

    base: Value
    lanes: Lanes
    negate: bool = False
    absolute: bool = False

    @property
    def is_undefined(self) -> bool:
        """Whether any numbers will do."""
        return isinstance(self.base, Constant) and all(number is None for number in self.numbers())

    def numbers(self) -> list[float | int | None]:
        """What the lanes of a constant are; None where any number will do."""
        assert isinstance(self.base, Constant)
        components = self.base.components
        numbers = [None if lane is None else components[lane] for lane in self.lanes]
        if self.absolute:
            numbers = [None if number is None else abs(number) for number in numbers]
        return [None if number is None else -number for number in numbers] if self.negate else numbers


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


def by_origin(parts: Sequence[Operand]) -> list[tuple[tuple[int, ...], Operand]]:
    """Components of a vector by where they come from, those of constants together; undefined ones are left out."""
    groups: dict[tuple[object, ...], list[tuple[int, Operand]]] = {}
    for component, part in enumerate(parts):
        if not part.is_undefined:
            key = () if isinstance(part.base, Constant) else (part.base, part.negate, part.absolute)
            groups.setdefault(key, []).append((component, part))
    return [
        (tuple([component for component, _ in group]), _joined([part for _, part in group]))
        for group in groups.values()
    ]


def _joined(parts: Sequence[Operand]) -> Operand:
    """One operand for scalar ones of one origin, or for several constants."""
    first = parts[0]
    if isinstance(first.base, Constant):
        numbers = tuple([part.numbers()[0] for part in parts])
        return Operand(Constant(first.base.type.with_width(len(parts)), numbers), tuple(range(len(parts))))
    return Operand(first.base, tuple([part.lanes[0] for part in parts]), first.negate, first.absolute)


def is_all(value: Value, number: float) -> bool:
    """Whether a value is a constant with this number in all components that matter."""
    return isinstance(value, Constant) and all(part is None or part == number for part in value.components)


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
