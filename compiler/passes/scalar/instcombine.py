"""Instruction combining: algebraic simplification by the rules of `glslc_multi.compiler.passes.rules`.

In: any function.  Out: the same with constants folded, also into addresses and to the right of commutative operations,
instructions rewritten by the rule table, shuffles and products simplified, phis of one value gone, 0 for operands that
are undefined, and what nothing uses any more removed.

Instructions are visited once, operands before users where blocks are in order; a rewrite visits again what
it may have opened a door for: the new instructions, the users of the result, and the operands that lost a
user.  What saw a change after its visit is visited again in the end, so that a run right after another finds nothing,
and a later one looks only at what has changed since, and at what the rules of which look at something that has.  That
buys 3 to 6 % of a warm compile, and 13 % for large shaders (`benchmarks.speed`, table Warm).
Every rewrite lowers the weight of the function or brings an operand nearer to its inputs (see
`rules/rule.py`), so visits end, and in practice each instruction has but a few.

Rules that are not exact in IEEE arithmetic are left out where the context or an instruction says `precise`.
Not handled: what needs to know the path control took (`sccp`, `gvn`), and longer chains in another order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from glslc_multi.compiler.analysis.cfg import control_flow
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.fold import fold
from glslc_multi.compiler.ir.module import PRECISE, Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.passes.base import CostModel, Pass, PassContext
from glslc_multi.compiler.passes.memory.local_variables import fold_constant_indices
from glslc_multi.compiler.passes.rules import chains
from glslc_multi.compiler.passes.rules.matcher import Sight
from glslc_multi.compiler.passes.rules.matching import same_value
from glslc_multi.compiler.passes.rules.pattern import SWAPPING
from glslc_multi.compiler.passes.rules.products import PRODUCT_ROOTS, SIGHT, simplify_product
from glslc_multi.compiler.passes.rules.shuffles import LOOKING_THROUGH, simplify_shuffle
from glslc_multi.compiler.passes.rules.table import rule_book

_REMOVABLE = frozenset({"pure", "read", "cross-lane"})
#: Operations of which the first two operands change places when the first is a constant.
_TURNED = frozenset({*SWAPPING, *ops.NEARLY_COMMUTATIVE})
#: Operations whose operands stay undefined: they hand on components or choose among them, and any will do.
_PASSING = frozenset({*LOOKING_THROUGH, ops.PHI, ops.STORE} - chains.CHAIN_ROOTS)
_ACCESSES = frozenset(op for op in ops.OPCODES.values() if op.attribute in ("address", "texture"))


class InstCombine(Pass):
    """See the module's text."""

    name = "instcombine"
    description = "folds constants and simplifies by algebraic rules"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        key = (self.name, context.precise, context.costs.hoists)
        since = function.seen.get(key, 0)
        if since == function.changes:
            return False
        order = context.analyses(function).get(control_flow).order
        combiner = _Combiner(context.precise, context.costs)
        progress = False
        while combiner.run(_affected(order, since, combiner.visits)):
            progress = True
        function.seen[key] = function.changes
        return progress


def _affected(order: Sequence[Block], since: int, visits: Mapping[Instruction, int]) -> list[Instruction]:
    """The instructions that were changed, or see a change, since there were `since` changes or since their visit."""
    if not since and not visits:
        return [instruction for block in order for instruction in block]
    affected: list[Instruction] = []
    #: What looks through shuffles -> last of the changes that it has seen, where any is new.
    newest: dict[Value, int] = {}
    for block in order:
        for instruction in block:
            op, change = instruction.op, instruction.changed
            if newest and op in LOOKING_THROUGH:
                change = max([change, *[newest[operand] for operand in instruction.operands if operand in newest]])
            if change > since and op in LOOKING_THROUGH:
                newest[instruction] = change
            last = visits.get(instruction, since)
            if change > last or ((sight := _sight(op)) and _sees_change(instruction, sight, last)):
                affected.append(instruction)
    return affected


def _sees_change(instruction: Instruction, sight: Sight, since: int) -> bool:
    """Whether one of the operations in sight has changed, or has lost a user."""
    for operand in instruction.operands:
        if not isinstance(operand, Instruction) or operand.op not in sight:
            continue
        if operand.changed > since or _sees_change(operand, sight[operand.op], since):
            return True
    return False


@cache
def _sight(op: Opcode) -> Sight:
    """What decides about an instruction of this opcode beside its operands, but for chains of shuffles."""
    return _joined(_joined(rule_book().sight(op), SIGHT.get(op, {})), chains.SIGHT.get(op, {}))


def _joined(one: Sight, other: Sight) -> Sight:
    return {op: _joined(one.get(op, {}), other.get(op, {})) for op in {**one, **other}}


class _Combiner:
    """The worklist and what happens to one instruction of it."""

    __slots__ = ("_costs", "_pending", "_precise", "_waiting", "visits")

    def __init__(self, precise: bool, costs: CostModel) -> None:
        self._precise = precise
        self._costs = costs
        #: A stack, the first instruction on top; dead ones are left in it and skipped.
        self._pending: list[Instruction] = []
        self._waiting: set[Instruction] = set()
        #: Instruction -> number of changes in the function when it was last looked at.
        self.visits: dict[Instruction, int] = {}

    def run(self, instructions: Sequence[Instruction]) -> bool:
        """Visit them and what that calls for; True when anything changed."""
        self._pending += reversed(instructions)
        self._waiting.update(instructions)
        progress = False
        while self._pending:
            instruction = self._pending.pop()
            self._waiting.discard(instruction)
            block = instruction.block
            if block is not None:
                progress |= self._visit(instruction)
                self.visits[instruction] = block.function.changes
        return progress

    def _visit(self, instruction: Instruction) -> bool:
        op = instruction.op
        if not instruction.users and op.effect in _REMOVABLE:
            self._erase(instruction)
            return True
        progress = op not in _PASSING and _define_operands(instruction)
        progress |= op in _TURNED and self._put_constant_right(instruction)
        progress |= op in _ACCESSES and fold_constant_indices(instruction)
        before = instruction.prev
        value = self._simpler(instruction)
        if value is None or value is instruction:
            # Only in code that control cannot reach may an instruction be computed from itself.
            return progress
        # Visit the instructions between `before` and `root`, the first of them next.
        new = instruction.prev
        while new is not before and new is not None:
            self._push(new)
            new = new.prev
        self._push_all(instruction.users)
        instruction.replace_all_uses_with(value)
        self._erase(instruction)
        return True

    def _put_constant_right(self, instruction: Instruction) -> bool:
        """Let a constant change places with the other operand of a commutative operation."""
        is_exact = self._precise or instruction.flags & PRECISE
        if is_exact and instruction.op in ops.NEARLY_COMMUTATIVE:
            return False
        left, right = instruction.operands[:2]
        if not isinstance(left, Constant) or isinstance(right, Constant):
            return False
        instruction.set_operand(0, right)
        instruction.set_operand(1, left)
        return True

    def _simpler(self, instruction: Instruction) -> Value | None:
        """The value that stands for the instruction; new instructions are put before it."""
        op = instruction.op
        if op is ops.PHI:
            # The value of a phi that has but one; one of nothing but itself is never computed and stays.
            values = [operand for operand in instruction.operands if operand is not instruction]
            return values[0] if values and all(same_value(value, values[0]) for value in values) else None
        if not op.has_semantics:
            return None
        return (
            fold(instruction)
            or (simplify_shuffle(instruction) if op in LOOKING_THROUGH else None)
            or rule_book().rewrite(instruction, precise=self._precise)
            or (
                simplify_product(instruction, precise=self._precise, costs=self._costs) if op in PRODUCT_ROOTS else None
            )
            or (
                chains.simplify_chain(instruction, precise=self._precise, costs=self._costs)
                if op in chains.CHAIN_ROOTS
                else None
            )
        )

    def _erase(self, instruction: Instruction) -> None:
        """Remove an instruction that has no users; its operands may be unused now, or used but once."""
        operands = [operand for operand in instruction.operands if isinstance(operand, Instruction)]
        instruction.erase()
        for operand in operands:
            self._push(operand)
            if len(operand.users) == 1:
                self._push_all(operand.users)

    def _push_all(self, instructions: Iterable[Instruction]) -> None:
        for instruction in instructions:
            self._push(instruction)

    def _push(self, instruction: Instruction) -> None:
        if instruction not in self._waiting:
            self._waiting.add(instruction)
            self._pending.append(instruction)


def _define_operands(instruction: Instruction) -> bool:
    """Let operands that are undefined be 0, as the evaluator reads them; components of constants, where all are.

    Code generators then hardly meet an undefined operand, for which many a machine has no form.
    """
    constants = [(n, operand) for n, operand in enumerate(instruction.operands) if isinstance(operand, Constant)]
    is_constant = len(constants) == len(instruction.operands)
    unsettled = [
        (number, constant)
        for number, constant in constants
        if constant.is_undef or (is_constant and None in constant.components)
    ]
    for number, constant in unsettled:
        instruction.set_operand(number, constant.defined())
    return bool(unsettled)
