"""Packing: two operations of one kind on few components become one on more, since a word costs the same.

In: legalised IR.  Out: the same with fewer component-wise operations.

    a = fmax(dot(n, l), 0)   b = fmax(dot(n, h), 0)     c = fmax((dot(n, l), dot(n, h)), (0, 0)), a = c.x, b = c.y

Where operands come from one value, they are a swizzle of it; where all are literals, a literal.  Where they come from
different operations that compute them for this alone, these can write the components of one register.  Anything else
would take moves, which are no better than a second operation; likewise results that go to outputs, phis or vectors
of their own.

The joint operation stands where the first one was, even if that is before the branch that the second one is
in, or where the second one was, if all who use the first come later.  `vectorize` does not do this: it starts from
vectors that are put together, and here nothing is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from operator import itemgetter
from typing import ClassVar

from compiler.analysis.dominators import DominatorTree, dominators
from compiler.codegen.operands import Modifiers, Operand, lanes_of, see_through
from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.fold import SHUFFLES
from compiler.ir.module import Constant, Function, Instruction, Value
from compiler.passes.base import Pass, PassContext
from compiler.passes.motion.legality import merged_flags
from compiler.records import dataclass

_AT_FIRST = Form(__name__, "at the first operation")
_AT_SECOND = Form(__name__, "at the second operation")
_EXCHANGED = Form(__name__, "operands of the second exchanged")
_WITH_MOVES = Form(__name__, "several words, with moves")
_LITERALS = Form(__name__, "operands are literals")
_ONE_SOURCE = Form(__name__, "operands are swizzles of one value")
_TOGETHER = Form(__name__, "operands are computed into one register")
_NEGATED = Form(__name__, "operands are negated")

_SIGNS = Modifiers(negate=True)
_PACKED = frozenset({ops.FADD, ops.FSUB, ops.FMUL, ops.FMAD, ops.FMIN, ops.FMAX, ops.FFLOOR, ops.FABS, ops.FTRUNC})
#: Operations of several words.
_EXPENSIVE = frozenset({ops.FTRUNC})
#: Operations whose first two operands commute.
_COMMUTATIVE = frozenset({ops.FADD, ops.FMUL, ops.FMAD, ops.FMIN, ops.FMAX})
#: The orders of two operands.
_ORDERS = ((0, 1), (1, 0))
#: What makes a vector, and what needs a value in a place of its own.
_PUT_TOGETHER = frozenset({ops.CONSTRUCT, ops.INSERT})
_PLACED = frozenset({ops.STORE, ops.PHI})
#: How many operations further on a partner is looked for.
_WINDOW = 48


@dataclass(frozen=True, slots=True)
class Pack(Pass):
    """See the module's text."""

    name: ClassVar[str] = "pica-pack"
    description: ClassVar[str] = "joins operations of one kind on few components"
    preserves_control_flow: ClassVar[bool] = True

    def run(self, function: Function, context: PassContext) -> bool:
        tree = context.analyses(function).get(dominators)
        progress = False
        while _Round(function, tree).run():
            progress = True
        return progress


@dataclass(slots=True, eq=False)
class _Candidate:
    """An operation that may be joined with another one."""

    instruction: Instruction
    #: Its position in the function.
    position: int
    width: int
    #: The vectors that its result becomes part of; None where the result has a register of its own.
    vectors: set[Instruction] | None

    def may_share(self, other: _Candidate) -> bool:
        """Whether one register has room for this result and a later one, and nobody would need a move for that."""
        return self.width + other.width <= 4 and self.vectors == other.vectors


class _Round:
    """One round over the pairs of a function, until one is joined."""

    def __init__(self, function: Function, tree: DominatorTree) -> None:
        self.tree = tree
        self.order = {instruction: number for number, instruction in enumerate(function.instructions())}
        self.operands = _Operands()
        self.by_kind: dict[object, list[_Candidate]] = {}
        for instruction, position in self.order.items():
            if instruction.op in _PACKED and instruction.type.width < 4 and instruction.users:
                width, vectors = instruction.type.width, _vectors(instruction)
                candidate = _Candidate(instruction, position, width, vectors)
                self.by_kind.setdefault(instruction.op, []).append(candidate)

    def run(self) -> bool:
        return any(self._join(first, second) for first, second in self._pairs())

    def _pairs(self) -> Iterator[tuple[Instruction, Instruction]]:
        """Pairs that may be joined, those that come first at the start."""
        pairs = [
            (second.position, first.position, first.instruction, second.instruction)
            for members in self.by_kind.values()
            for number, first in enumerate(members)
            if first.vectors is not None
            for second in members[number + 1 : number + _WINDOW]
            if first.may_share(second)
        ]
        for _, _, first, second in sorted(pairs, key=itemgetter(0, 1)):
            yield first, second

    def _join(self, first: Instruction, second: Instruction) -> bool:
        operands = self.operands.joint(first, second)
        if operands is None:
            return False
        anchor = self._anchor(first, second, operands)
        if anchor is None:
            return False
        _make(first, second, operands, anchor)
        return True

    # where ---------------------------------------------------------------------------------
    def _anchor(self, first: Instruction, second: Instruction, operands: list[_Joint]) -> Instruction | None:
        """The one of two operations that the joint one can stand for."""
        assert first.block is not None and second.block is not None
        if not self.tree.dominates(first.block, second.block):
            return None
        bases = [operand.base for joint in operands for operand in joint.parts]
        if all(self._is_before(base, first) for base in bases):
            _AT_FIRST.fires()
            return first
        is_below = first.block is second.block and all(self._is_after(user, second) for user in _final_users(first))
        if not is_below:
            return None
        _AT_SECOND.fires()
        return second

    def _is_before(self, value: Value, anchor: Instruction) -> bool:
        if not isinstance(value, Instruction):
            return True
        assert value.block is not None and anchor.block is not None
        if value.block is anchor.block:
            return self.order[value] < self.order[anchor]
        return self.tree.dominates(value.block, anchor.block)

    def _is_after(self, user: Instruction, anchor: Instruction) -> bool:
        return user.block is not anchor.block or user.op is ops.PHI or self.order[user] > self.order[anchor]


@dataclass(frozen=True, slots=True)
class _Joint:
    """An operand of the joint operation: where each of its lanes comes from."""

    parts: tuple[Operand, ...]

    @property
    def lanes(self) -> list[tuple[Operand, int | None]]:
        return [(part, lane) for part in self.parts for lane in part.lanes]


# --------------------------------------------------------------------------------------------- results
def _vectors(value: Instruction) -> set[Instruction] | None:
    """The vector that a result becomes part of, if any; None where it has to be in a register of its own."""
    if value.op in _EXPENSIVE:
        return set()  # Moves are the smaller evil.
    users = _final_users(value)
    vectors = {user for user in users if user.op in _PUT_TOGETHER}
    return None if len(vectors) > 1 or any(user.op in _PLACED for user in users) else vectors


def _final_users(value: Instruction) -> list[Instruction]:
    """Who uses a value, by itself or swizzled."""
    found: list[Instruction] = []
    for user in value.users:
        found += _final_users(user) if user.op is ops.SWIZZLE else [user]
    return found


def _swizzles(value: Instruction) -> list[Instruction]:
    """The swizzles of a value in its own block, and theirs, in an order in which operands come first."""
    found: list[Instruction] = []
    for user in value.users:
        if user.op is ops.SWIZZLE and user.block is value.block:
            found += [user, *_swizzles(user)]
    return found


# -------------------------------------------------------------------------------------------- operands
class _Operands:
    """The operands of operations, each looked at once: most operations are compared with many others."""

    def __init__(self) -> None:
        #: Operands, and what they are read from: equal for those that one operand can read.
        self.known: dict[Instruction, list[tuple[Operand, Hashable]]] = {}
        self.shareable: dict[Value, bool] = {}

    def joint(self, first: Instruction, second: Instruction) -> list[_Joint] | None:
        """The operands of both together; None where some cannot be had for nothing."""
        ours, theirs = self._of(first), self._of(second)
        for order in _ORDERS if first.op in _COMMUTATIVE else _ORDERS[:1]:
            arranged = [*(theirs[n] for n in order), *theirs[2:]] if len(theirs) > 1 else theirs
            if self._can_be_had(ours, arranged):
                if order != _ORDERS[0]:
                    _EXCHANGED.fires()
                return [_Joint((a, b)) for (a, _), (b, _) in zip(ours, arranged, strict=True)]
        return None

    def _of(self, instruction: Instruction) -> list[tuple[Operand, Hashable]]:
        if instruction not in self.known:
            width = instruction.type.width
            operands = [see_through(value, lanes_of(value, width), _SIGNS) for value in instruction.operands]
            self.known[instruction] = [(operand, _origin(operand)) for operand in operands]
        return self.known[instruction]

    def _can_be_had(self, ours: list[tuple[Operand, Hashable]], theirs: list[tuple[Operand, Hashable]]) -> bool:
        """Whether operands are of one value or literals, but for one of values that could share a register."""
        apart = [(a, b) for (a, ours_of), (b, theirs_of) in zip(ours, theirs, strict=True) if ours_of != theirs_of]
        if len(apart) > 1 or not all(self._can_share(part.base) for pair in apart for part in pair):
            return False
        return all(a.negate == b.negate for (a, origin), (b, _) in zip(ours, theirs, strict=True) if origin != _LITERAL)

    def _can_share(self, value: Value) -> bool:
        if value not in self.shareable:
            self.shareable[value] = isinstance(value, Instruction) and _can_share(value)
        return self.shareable[value]


#: Where literals come from.
_LITERAL = "literal"


def _origin(operand: Operand) -> Hashable:
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
    found: list[Instruction] = []
    for user in value.users:
        is_seen_through = user.op in (ops.SWIZZLE, ops.FNEG)
        found += _final_users_through_signs(user) if is_seen_through else [user]
    return found


# --------------------------------------------------------------------------------------------- joining
def _make(first: Instruction, second: Instruction, operands: Sequence[_Joint], anchor: Instruction) -> None:
    builder = Builder.before(anchor)
    builder.flags = merged_flags(first, second)
    if first.op in _EXPENSIVE:
        _WITH_MOVES.fires()
    between = _swizzles(first) if anchor is second else []
    joint = builder.op(first.op, *(_value(builder, operand) for operand in operands))
    width = first.type.width
    halves = [builder.swizzle(joint, tuple(lanes)) for lanes in (range(width), range(width, joint.type.width))]
    for swizzle in between:
        assert anchor.block is not None
        swizzle.unlink()
        anchor.block.insert_before(anchor, swizzle)
    for part, half in zip((first, second), halves, strict=True):
        part.replace_all_uses_with(half)
        part.erase()


def _value(builder: Builder, joint: _Joint) -> Value:
    """One value with all lanes of a joint operand."""
    a, b = joint.parts
    if isinstance(a.base, Constant) and isinstance(b.base, Constant):
        _LITERALS.fires()
        numbers = tuple(number for part in joint.parts for number in part.numbers())
        return Constant(a.base.type.with_width(len(numbers)), numbers)
    if _origin(a) == _origin(b):
        _ONE_SOURCE.fires()
        value: Value = builder.swizzle(a.base, tuple(lane or 0 for _, lane in joint.lanes))
    else:
        _TOGETHER.fires()
        value = builder.construct(
            *(builder.swizzle(part.base, tuple(lane or 0 for lane in part.lanes)) for part in (a, b))
        )
    if not a.negate:
        return value
    _NEGATED.fires()
    return builder.op(ops.FNEG, value)
