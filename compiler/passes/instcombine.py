"""Instruction combining: algebraic simplification by the rules of `compiler.passes.rules`.

In: any function.  Out: the same with constants folded, also into addresses and to the right of commutative operations,
instructions rewritten by the rule table, shuffles and products simplified, phis of one value gone, and what
nothing uses any more removed.

Instructions are visited once, operands before users where blocks are in order; a rewrite visits again what
it may have opened a door for: the new instructions, the users of the result, and the operands that lost a
user.  A later run looks only at what has changed since the last one began, and as far from there as rules reach.
Every rewrite lowers the weight of the function or brings an operand nearer to its inputs (see
`rules/rule.py`), so visits end, and in practice each instruction has but a few.

Rules that are not exact in IEEE arithmetic are left out where the context or an instruction says `precise`.
Not handled: what needs to know the way control came (`sccp`, `gvn`) or to reorder longer chains (`reassociate`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from compiler.analysis.cfg import control_flow
from compiler.ir import ops
from compiler.ir.fold import SHUFFLES, fold
from compiler.ir.module import PRECISE, Constant, Function, Instruction, Value
from compiler.ir.ops import Opcode
from compiler.passes.base import Pass, PassContext
from compiler.passes.memory import settle_address
from compiler.passes.rules.matcher import same_value
from compiler.passes.rules.pattern import swaps_operands
from compiler.passes.rules.products import SUMS_REACH, simplify_product
from compiler.passes.rules.shuffles import simplify_shuffle
from compiler.passes.rules.table import rule_book
from compiler.records import dataclass

_REMOVABLE = frozenset({"pure", "read", "cross-lane"})
#: No rule looks farther from its root than this, but for shuffles.
_FARTHEST = 3


@dataclass(frozen=True, slots=True)
class InstCombine(Pass):
    """See the module's text."""

    name: ClassVar[str] = "instcombine"
    description: ClassVar[str] = "folds constants and simplifies by algebraic rules"
    preserves_control_flow: ClassVar[bool] = True

    def run(self, function: Function, context: PassContext) -> bool:
        key = (self.name, context.precise)
        since, function.seen[key] = function.seen.get(key, 0), function.changes
        if since == function.changes:
            return False
        touched = _touched(function, since)
        order = context.analyses(function).get(control_flow).order
        return _Combiner([i for block in order for i in block if i in touched], context.precise).run()


def _touched(function: Function, since: int) -> set[Instruction]:
    """What has changed since there were `since` changes, and what rules may see in another way because of that."""
    changed = [instruction for instruction in function.instructions() if instruction.changed > since]
    frontier = [instruction for instruction in changed if instruction.op.has_semantics]
    touched = set(changed)
    # Whoever looks at a value looks through shuffles, however many: they join the frontier while it is walked along.
    for instruction in frontier:
        if instruction.op in SHUFFLES:
            frontier += [user for user in instruction.users if user not in touched]
            touched.update(instruction.users)
    passed = set(touched)
    for distance in range(1, _FARTHEST + 1):
        following: list[Instruction] = []
        for instruction in frontier:
            users = [user for user in instruction.users if user not in passed]
            passed.update(users)
            for user in users:
                (frontier if user.op in SHUFFLES else following).append(user)
        touched.update(user for user in following if _reach(user.op) >= distance)
        frontier = following
    return touched


def _reach(op: Opcode) -> int:
    """How far from an instruction of this opcode what decides about it may be, not counting shuffles."""
    return SUMS_REACH if op is ops.FADD else rule_book().reach(op)


class _Combiner:
    """The worklist and what happens to one instruction of it."""

    __slots__ = ("_pending", "_precise", "_waiting")

    def __init__(self, instructions: list[Instruction], precise: bool) -> None:
        self._precise = precise
        #: A stack, the first instruction on top; dead ones are left in it and skipped.
        self._pending: list[Instruction] = instructions[::-1]
        self._waiting: set[Instruction] = set(self._pending)

    def run(self) -> bool:
        progress = False
        while self._pending:
            instruction = self._pending.pop()
            self._waiting.discard(instruction)
            if instruction.block is not None:
                progress |= self._visit(instruction)
        return progress

    def _visit(self, instruction: Instruction) -> bool:
        if not instruction.users and instruction.op.effect in _REMOVABLE:
            self._erase(instruction)
            return True
        progress = self._put_constant_right(instruction) or settle_address(instruction)
        before = instruction.prev
        value = self._simpler(instruction)
        if value is None or value is instruction:
            # Only in code that control cannot reach may an instruction be computed from itself.
            return progress
        self._visit_new(instruction, before)
        self._replace(instruction, value)
        return True

    def _put_constant_right(self, instruction: Instruction) -> bool:
        """Let a constant change places with the other operand of a commutative operation."""
        is_exact = self._precise or instruction.flags & PRECISE
        if not swaps_operands(instruction.op) and (is_exact or instruction.op not in ops.NEARLY_COMMUTATIVE):
            return False
        left, right = instruction.operands[:2]
        if not isinstance(left, Constant) or isinstance(right, Constant):
            return False
        instruction.set_operand(0, right)
        instruction.set_operand(1, left)
        return True

    def _simpler(self, instruction: Instruction) -> Value | None:
        """The value that stands for the instruction; new instructions are put in front of it."""
        if instruction.op is ops.PHI:
            return _only_value(instruction)
        if not instruction.op.has_semantics:
            return None
        return (
            fold(instruction)
            or simplify_shuffle(instruction)
            or rule_book().rewrite(instruction, precise=self._precise)
            or simplify_product(instruction, precise=self._precise)
        )

    def _replace(self, old: Instruction, value: Value) -> None:
        self._push_all(old.users)
        old.replace_all_uses_with(value)
        self._erase(old)

    def _erase(self, instruction: Instruction) -> None:
        """Remove an instruction that has no users; its operands may be unused now, or used but once."""
        operands = [operand for operand in instruction.operands if isinstance(operand, Instruction)]
        instruction.erase()
        for operand in operands:
            self._push(operand)
            if len(operand.users) == 1:
                self._push_all(operand.users)

    def _visit_new(self, root: Instruction, before: Instruction | None) -> None:
        """Visit the instructions between `before` and `root`, the first of them next."""
        made = root.prev
        while made is not before and made is not None:
            self._push(made)
            made = made.prev

    def _push_all(self, instructions: Iterable[Instruction]) -> None:
        for instruction in instructions:
            self._push(instruction)

    def _push(self, instruction: Instruction) -> None:
        if instruction not in self._waiting:
            self._waiting.add(instruction)
            self._pending.append(instruction)


def _only_value(phi: Instruction) -> Value | None:
    """The value of a phi that has but one; one of nothing but itself is never computed and stays."""
    values = [operand for operand in phi.operands if operand is not phi]
    return values[0] if values and all(same_value(value, values[0]) for value in values) else None
