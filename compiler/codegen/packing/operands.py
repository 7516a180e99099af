"""Operands and results of operations that `pack.py` joins: what they are read from, and who uses them.

An operand of a joint operation can be had for nothing where both parts are read from one value or are literals.  One
operand may come from two values that nothing else needs in a place of their own: these are computed into one register.
"""

from __future__ import annotations

from collections.abc import Hashable

from glslc_multi.compiler.codegen.operands import Modifiers, Operand, lanes_of, see_through
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.fold import SHUFFLES
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.passes.motion.legality import commutes
from glslc_multi.compiler.records import dataclass

_SIGNS = Modifiers(negate=True)
#: What makes a vector, and what needs a value in a place of its own.
_PUT_TOGETHER = frozenset({ops.CONSTRUCT, ops.INSERT})
_PLACED = frozenset({ops.STORE, ops.PHI})


@dataclass(frozen=True, slots=True)
class Joint:
    """An operand of the joint operation: where each of its lanes comes from."""

    parts: tuple[Operand, ...]

    @property
    def lanes(self) -> list[tuple[Operand, int | None]]:
        return [(part, lane) for part in self.parts for lane in part.lanes]


# --------------------------------------------------------------------------------------------- results
def vectors_of(value: Instruction) -> set[Instruction] | None:
    """The vector that a result becomes part of, if any; None where it has to be in a register of its own."""
    users = final_users(value)
    vectors = {user for user in users if user.op in _PUT_TOGETHER}
    return None if len(vectors) > 1 or any(user.op in _PLACED for user in users) else vectors


def final_users(value: Instruction) -> list[Instruction]:
    """Who uses a value, by itself or swizzled."""
    users: list[Instruction] = []
    for user in value.users:
        users += final_users(user) if user.op is ops.SWIZZLE else [user]
    return users


def swizzles_of(value: Instruction) -> list[Instruction]:
    """The swizzles of a value in its own block, and theirs, in an order in which operands come first."""
    swizzles: list[Instruction] = []
    for user in value.users:
        if user.op is ops.SWIZZLE and user.block is value.block:
            swizzles += [user, *swizzles_of(user)]
    return swizzles


def readers_of(value: Instruction) -> list[Instruction]:
    """Who reads a value, be it put together with others, swizzled or negated."""
    readers: dict[Instruction, None] = {}
    waiting = [value]
    while waiting:
        for user in waiting.pop().users:
            if user not in readers:
                readers[user] = None
                if user.op in SHUFFLES or user.op is ops.FNEG:
                    waiting.append(user)
    return list(readers)


# -------------------------------------------------------------------------------------------- operands
class Operands:
    """The operands of operations, each looked at once: most operations are compared with many others."""

    def __init__(self) -> None:
        #: Operands, and what they are read from: equal for those that one operand can read.
        self.known: dict[Instruction, list[tuple[Operand, Hashable]]] = {}
        self.origins: dict[Instruction, frozenset[Hashable]] = {}
        self.shareable: dict[Value, bool] = {}

    def joint(self, first: Instruction, second: Instruction) -> list[Joint] | None:
        """The operands of both together; None where some cannot be had for nothing."""
        ours, theirs = self._of(first), self._of(second)
        if len(ours) > 1 and self.origins[first].isdisjoint(self.origins[second]):
            return None
        if not self._can_be_had(ours, theirs):
            if not (second.op is ops.FMAD or commutes(second)):
                return None
            theirs = [theirs[1], theirs[0], *theirs[2:]]
            if not self._can_be_had(ours, theirs):
                return None
        return [Joint((a, b)) for (a, _), (b, _) in zip(ours, theirs, strict=True)]

    def is_changed(self, value: Instruction) -> bool:
        """Whether a value that was found to share a register, or not to, is no longer so."""
        was = self.shareable.pop(value, None)
        return was is not None and was != self._can_share(value)

    def _of(self, instruction: Instruction) -> list[tuple[Operand, Hashable]]:
        if instruction not in self.known:
            width = instruction.type.width
            operands = [see_through(value, lanes_of(value, width), _SIGNS) for value in instruction.operands]
            self.known[instruction] = [(operand, origin_of(operand)) for operand in operands]
            self.origins[instruction] = frozenset([origin for _, origin in self.known[instruction]])
        return self.known[instruction]

    def _can_be_had(self, ours: list[tuple[Operand, Hashable]], theirs: list[tuple[Operand, Hashable]]) -> bool:
        """Whether operands are of one value or literals, but for one of values that could share a register."""
        apart: tuple[Operand, Operand] | None = None
        for (a, origin), (b, other) in zip(ours, theirs, strict=True):
            if origin != other:
                if apart is not None:
                    return False
                apart = a, b
            if a.negate != b.negate and origin != _LITERAL:
                return False
        return apart is None or all(self._can_share(part.base) for part in apart)

    def _can_share(self, value: Value) -> bool:
        if value not in self.shareable:
            self.shareable[value] = isinstance(value, Instruction) and _can_share(value)
        return self.shareable[value]


#: Where literals come from.
_LITERAL = "literal"


def origin_of(operand: Operand) -> Hashable:
    """What an operand is read from."""
    return _LITERAL if isinstance(operand.base, Constant) else operand.base


def _can_share(value: Instruction) -> bool:
    """Whether a value can be computed right where a joint operand needs it: nothing else depends on where it is."""
    if value.op in _SOURCES:
        return False
    return not any(user.op in _PUT_TOGETHER | _PLACED for user in _final_users_through_signs(value))


#: Values that are where they are.
_SOURCES = SHUFFLES | {ops.LOAD, ops.PHI}


def _final_users_through_signs(value: Instruction) -> list[Instruction]:
    users: list[Instruction] = []
    for user in value.users:
        is_seen_through = user.op in (ops.SWIZZLE, ops.FNEG)
        users += _final_users_through_signs(user) if is_seen_through else [user]
    return users
