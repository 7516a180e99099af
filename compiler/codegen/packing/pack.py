"""Packing: two operations of one kind on few components become one on more, where that costs the same.

In: legalised IR of a vector machine.  Out: the same with fewer component-wise operations.

    a = fmax(dot(n, l), 0)   b = fmax(dot(n, h), 0)     c = fmax((dot(n, l), dot(n, h)), (0, 0)), a = c.x, b = c.y

Where operands come from one value, they are a swizzle of it; where all are literals, a literal.  Where they come from
different operations that compute them for this alone, these can write the components of one register.  Anything else
would take moves, which are no better than a second operation; likewise results that go to outputs, phis or vectors
of their own.

The joint operation stands where the first one was, even if that is before the branch that the second one is
in, or where the second one was, if all who use the first come later.  `vectorize` does not do this: it starts from
vectors that are put together, and here nothing is.

Of all pairs that can be joined, the one whose second operation comes first is.  A pair that cannot be joined is looked
at again only where a join has changed what its operations read, or who uses them; and in all, a number of pairs for
each instruction is looked at, so that the time is in proportion to the program.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import count

from glslc_multi.compiler.analysis.dominators import DominatorTree, dominators
from glslc_multi.compiler.codegen.packing.operands import (
    Joint,
    Operands,
    final_users,
    origin_of,
    readers_of,
    swizzles_of,
    vectors_of,
)
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.passes.base import CostModel, Pass, PassContext
from glslc_multi.compiler.passes.motion.legality import merged_flags
from glslc_multi.compiler.records import dataclass

_PACKED = frozenset(
    {
        ops.FADD,
        ops.FSUB,
        ops.FMUL,
        ops.FDIV,
        ops.FMAD,
        ops.FMIN,
        ops.FMAX,
        ops.FSATURATE,
        ops.FFLOOR,
        ops.FABS,
        ops.FTRUNC,
        ops.FFRACT,
        ops.FSTEP,
    }
)
#: How many operations further on a partner is looked for.
_WINDOW = 12
#: How many pairs are looked at, for each instruction of the program.
_PAIRS = 400


class Pack(Pass):
    """See the module's text."""

    name = "pack"
    description = "joins operations of one kind on few components"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        return _Packer(function, context.analyses(function).get(dominators), context.costs).run()


@dataclass(slots=True, eq=False)
class _Candidate:
    """An operation that may be joined with another one."""

    instruction: Instruction
    #: Its position in the function as it was; a joint operation has that of the one in whose place it stands.
    position: float
    width: int
    #: The vectors that its result becomes part of; None where the result has a register of its own.
    vectors: set[Instruction] | None
    #: Whether another candidate stands for the instruction, or the instruction is gone.
    is_stale: bool = False


class _Packer:
    """Candidates, and the pairs of them that are to be looked at."""

    def __init__(self, function: Function, tree: DominatorTree, costs: CostModel) -> None:
        self.tree = tree
        #: What is packed, and of that what takes several instructions.
        self.packed = {op for op in _PACKED if costs.cost(op, 1)}
        self.expensive = {op for op in _PACKED if costs.cost(op, 1) > 1}
        #: Where instructions stand; what a joint operation is made of stands just before it.
        self.order: dict[Instruction, float] = {each: index for index, each in enumerate(function.instructions())}
        self.operands = Operands()
        self.candidates: dict[Instruction, _Candidate] = {}
        #: By kind, in order.
        self.by_kind: dict[Opcode, list[_Candidate]] = {op: [] for op in self.packed}
        #: The pairs that may be joined, with the operands of both: those whose second operation comes first come first.
        self.waiting: list[tuple[float, float, int, _Candidate, _Candidate, list[Joint]]] = []
        self.numbers = count()
        for instruction, position in self.order.items():
            if self._is_packed(instruction):
                self.by_kind[instruction.op].append(self._candidate(instruction, position))
        for members in self.by_kind.values():
            for number, second in enumerate(members):
                self._push((first, second) for first in members[max(0, number - _WINDOW + 1) : number])

    def run(self) -> bool:
        """Whether anything was joined."""
        progress = False
        for _ in range(_PAIRS * len(self.order)):
            if not self.waiting:
                break
            *_, first, second, operands = heappop(self.waiting)
            if not (first.is_stale or second.is_stale):
                progress |= self._join(first, second, operands)
        return progress

    # candidates ----------------------------------------------------------------------------
    def _is_packed(self, instruction: Instruction) -> bool:
        return instruction.op in self.packed and instruction.type.width < 4 and bool(instruction.users)

    def _candidate(self, instruction: Instruction, position: float) -> _Candidate:
        # Of what is expensive, moves of the results are the smaller evil.
        vectors = set() if instruction.op in self.expensive else vectors_of(instruction)
        candidate = _Candidate(instruction, position, instruction.type.width, vectors)
        self.candidates[instruction] = candidate
        return candidate

    def _push(self, pairs: Iterable[tuple[_Candidate, _Candidate]]) -> None:
        for first, second in pairs:
            # One register must have room for both results, and nobody need a move for that.
            has_room = first.vectors is not None and first.width + second.width <= 4
            if has_room and first.vectors == second.vectors:
                operands = self.operands.joint(first.instruction, second.instruction)
                if operands is not None:
                    key = second.position, first.position, next(self.numbers)
                    heappush(self.waiting, (*key, first, second, operands))

    def _remove(self, candidate: _Candidate) -> None:
        members = self.by_kind[candidate.instruction.op]
        del members[_place(members, candidate.position)]
        del self.candidates[candidate.instruction]
        candidate.is_stale = True

    def _bring_closer(self, members: list[_Candidate], start: float, end: float) -> None:
        """Two candidates were taken out between two positions: let pairs wait that are near enough to each other."""
        firsts = range(max(0, _place(members, start) - _WINDOW), _place(members, end))
        distances = (_WINDOW - 2, _WINDOW - 1)
        pairs = ((first, first + distance) for first in firsts for distance in distances)
        self._push((members[first], members[second]) for first, second in pairs if second < len(members))

    def _renew(self, instruction: Instruction) -> None:
        """Let all pairs of an instruction wait again."""
        candidate_before = self.candidates.get(instruction)
        if candidate_before is None:
            return
        candidate_before.is_stale = True
        members = self.by_kind[instruction.op]
        index = _place(members, candidate_before.position)
        members[index] = candidate = self._candidate(instruction, candidate_before.position)
        self._push((first, candidate) for first in members[max(0, index - _WINDOW + 1) : index])
        self._push((candidate, second) for second in members[index + 1 : index + _WINDOW])

    # pairs ---------------------------------------------------------------------------------
    def _join(self, first: _Candidate, second: _Candidate, operands: list[Joint]) -> bool:
        anchor = self._anchor(first.instruction, second.instruction, operands)
        if anchor is None:
            return False
        position = first.position if anchor is first.instruction else second.position
        self._remove(first)
        self._remove(second)
        joint = _make(first.instruction, second.instruction, operands, anchor)
        self.order[joint] = position
        new = joint.prev
        while new is not None and new not in self.order:
            self.order[new] = position - 0.5
            new = new.prev
        members = self.by_kind[joint.op]
        if self._is_packed(joint):
            members.insert(_place(members, position), self._candidate(joint, position))
        self._bring_closer(members, first.position, second.position)
        # What a join has changed: the operation itself, what reads it, and what it reads.
        bases = dict.fromkeys(part.base for operand in operands for part in operand.parts)
        changed: dict[Instruction, None] = {joint: None, **dict.fromkeys(readers_of(joint))}
        for base in bases:
            if isinstance(base, Instruction):
                changed[base] = None
                changed |= dict.fromkeys(readers_of(base) if self.operands.is_changed(base) else ())
        for instruction in changed:
            self.operands.known.pop(instruction, None)
            self._renew(instruction)
        return True

    # where ---------------------------------------------------------------------------------
    def _anchor(self, first: Instruction, second: Instruction, operands: list[Joint]) -> Instruction | None:
        """The one of two operations that the joint one can stand for."""
        assert first.block is not None and second.block is not None
        if not self.tree.dominates(first.block, second.block):
            return None
        bases = [operand.base for joint in operands for operand in joint.parts]
        if all(self._is_before(base, first) for base in bases):
            return first
        is_below = first.block is second.block and all(self._is_after(user, second) for user in final_users(first))
        return second if is_below else None

    def _is_before(self, value: Value, anchor: Instruction) -> bool:
        if not isinstance(value, Instruction):
            return True
        assert value.block is not None and anchor.block is not None
        if value.block is anchor.block:
            return self.order[value] < self.order[anchor]
        return self.tree.dominates(value.block, anchor.block)

    def _is_after(self, user: Instruction, anchor: Instruction) -> bool:
        return user.block is not anchor.block or user.op is ops.PHI or self.order[user] > self.order[anchor]


def _place(members: Sequence[_Candidate], position: float) -> int:
    """Where a position is, or belongs, among candidates in order."""
    return bisect_left(members, position, key=lambda member: member.position)


# --------------------------------------------------------------------------------------------- joining
def _make(first: Instruction, second: Instruction, operands: Sequence[Joint], anchor: Instruction) -> Instruction:
    """The joint operation, in the place of `anchor`."""
    builder = Builder.before(anchor)
    builder.flags = merged_flags(first, second)
    between = swizzles_of(first) if anchor is second else []
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
    return joint


def _value(builder: Builder, joint: Joint) -> Value:
    """One value with all lanes of a joint operand."""
    a, b = joint.parts
    if isinstance(a.base, Constant) and isinstance(b.base, Constant):
        numbers = tuple(number for part in joint.parts for number in part.numbers())
        return Constant(a.base.type.with_width(len(numbers)), numbers)
    if origin_of(a) == origin_of(b):
        value: Value = builder.swizzle(a.base, tuple(lane or 0 for _, lane in joint.lanes))
    else:
        value = builder.construct(
            *(builder.swizzle(part.base, tuple(lane or 0 for lane in part.lanes)) for part in (a, b))
        )
    if not a.negate:
        return value
    return builder.op(ops.FNEG, value)
