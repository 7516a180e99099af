"""Loop unrolling: a loop whose number of iterations has a known bound becomes that many copies of its body.

In: any function.  Out: no loop is left whose trips `glslc_multi.compiler.analysis.trips` counts and whose copies stay
within the budget: `max`, else the target's `unroll_budget` (`array_unroll_budget` where indices of local arrays become
known); a target without loops takes what it can get.
Inner loops come first, so an outer one counts what has become of them.  Several back edges to the head, as
`continue` makes them, are joined beforehand.

The idea, for a test that says "stay" n times: the loop and n copies of it are chained, each one's latch
going to the next one's head.  In all but the last the test is a jump that stays, in the last one a jump
that leaves (nothing of the last copy is needed after it).  Other exits stay in every copy, and so does a
test that is only known to leave after n times at the latest.  Head phis of a copy are the values of the
copy before; what they decide is folded at once, so that the bounds of inner loops become known.

After a loop that only its last copy leaves, values are those of this copy.  Otherwise a value of the loop that is
used after it has many definitions then.  It goes through a local variable, which `mem2reg`'s promotion turns into
values and phis again: in that form copying is all there is to do.

Loops without a known bound stay; a target that has no loops refuses them when it checks what is left, or asks
for `limit`, which bounds all but those that are known to count further.  Not handled: partial unrolling.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from glslc_multi.compiler.analysis.budget import COPY, LIMIT, spend
from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.dominators import dominators
from glslc_multi.compiler.analysis.loops import Loop, loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.trips import TripCount, exit_tests, is_counted, trip_counts
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import replace_terminator, retarget
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.fold import fold
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.passes.base import CostModel, Pass, PassContext
from glslc_multi.compiler.passes.control_flow.clone import Copies, clone_blocks
from glslc_multi.compiler.passes.control_flow.loop_blocks import insert_latch
from glslc_multi.compiler.passes.memory.mem2reg import promote
from glslc_multi.compiler.records import dataclass

#: Instructions that a loop may grow to in any case, those that fold included.
_LARGEST = 16_384
#: Instructions that all loops may leave behind on a target without loops.
MOST_UNROLLED = LIMIT // COPY


@dataclass(frozen=True, slots=True)
class LoopUnroll(Pass):
    """See the module's text."""

    name = "loop-unroll"
    description = "copies the bodies of loops whose number of iterations has a known bound"

    #: What a loop may cost when it is unrolled; 0 is the target's budget.
    max: int = 0
    #: How often loops without a known bound run at most, which changes what those compute that run more often;
    #: 0 leaves such loops.
    limit: int = 0

    def run(self, function: Function, context: PassContext) -> bool:
        analyses = context.analyses(function)
        # Loops that go back from several places, by a `continue`, one latch.
        several = [loop for loop in analyses.get(loop_nest).all_loops() if len(loop.latches) > 1]
        for loop in several:
            insert_latch(loop)
        if several:
            analyses.invalidate()
        progress = bool(several)
        while _unroll_innermost(function, analyses, context.costs, self._budget(context.costs), self.limit):
            progress = True
            analyses.invalidate()
        return progress

    def _budget(self, costs: CostModel) -> int:
        if self.max:
            return self.max
        return costs.unroll_budget if costs.loops else _LARGEST


def _unroll_innermost(function: Function, analyses: AnalysisManager, costs: CostModel, budget: int, limit: int) -> bool:
    """Unroll the loops that hold no other one to unroll."""
    if len(function.blocks) == 1:
        return False
    flow = analyses.get(control_flow)
    chosen = _choose(analyses, flow, costs, budget, limit)
    if not chosen:
        return False
    variables = [
        variable
        for loop, count in chosen
        if not _leaves_once(loop, count)
        for variable in _route_values_through_memory(loop, flow, function)
    ]
    copied: set[Block] = set()
    tree = analyses.get(dominators)
    for loop, count in chosen:
        blocks = _ordered(loop, flow)
        last = [block for block in blocks if not tree.strictly_dominates(count.exiting, block)]
        copied |= _unroll(loop, count, blocks, last, function)
    analyses.invalidate()
    promote(variables, function, analyses)
    flow = analyses.get(control_flow)
    function.blocks = [*flow.order, *flow.unreachable]
    _fold([loop for loop, _ in chosen], [block for block in flow.order if block in copied])
    return True


# ------------------------------------------------------------------------------------------ choice
def _choose(
    analyses: AnalysisManager, flow: ControlFlow, costs: CostModel, budget: int, limit: int
) -> list[tuple[Loop, TripCount]]:
    """Loops that fit the budget and hold no other such loop."""
    counts = analyses.get(trip_counts)
    if not costs.loops and unrolled_size(analyses) > MOST_UNROLLED:
        return []
    chosen: list[tuple[Loop, TripCount]] = []
    holds_chosen: set[Loop] = set()
    sizes: dict[Loop, int] = {}
    for loop in reversed(analyses.get(loop_nest).all_loops()):
        count = counts.get(loop) or _assumed(loop, limit, analyses)
        if loop not in holds_chosen and count is not None and _fits(loop, count, flow, costs, budget, sizes):
            chosen.append((loop, count))
            holds_chosen.add(loop)
        if loop in holds_chosen and loop.parent is not None:
            holds_chosen.add(loop.parent)
    return chosen


def unrolled_size(analyses: AnalysisManager) -> int:
    """The instructions of the loops and of all copies of them that are counted, without those that fold then."""
    counts, nest = analyses.get(trip_counts), analyses.get(loop_nest)
    constants: set[Value] = {phi for count in counts.values() for phi in count.phi_ranges}
    sizes = dict.fromkeys(nest.all_loops(), 0)
    for block in analyses.get(control_flow).order:
        loop = nest.loop_of(block)
        if loop is None:
            continue
        for instruction in block:
            if _is_known(instruction, constants):
                constants.add(instruction)
            elif instruction.op is not ops.PHI and not instruction.targets:
                sizes[loop] += 1
    for loop in reversed(sizes):
        sizes[loop] *= _copies(loop, counts[loop]) if loop in counts else 1
        if loop.parent is not None:
            sizes[loop.parent] += sizes[loop]
    return sum(sizes[loop] for loop in nest.top)


def _copies(loop: Loop, count: TripCount) -> int:
    """How often the body of a loop is there when it is unrolled."""
    return count.stays if count.exiting is loop.header else count.stays + 1


def _assumed(loop: Loop, limit: int, analyses: AnalysisManager) -> TripCount | None:
    """The bound that a loop without one is given."""
    tests = exit_tests(loop, analyses) if limit else []
    if not tests or any(is_counted(loop, block) for block in tests):
        return None
    return TripCount(limit, tests[0], decided=False, exact=False, phi_ranges={})


def _fits(
    loop: Loop, count: TripCount, flow: ControlFlow, costs: CostModel, budget: int, sizes: dict[Loop, int]
) -> bool:
    """Whether the copies stay within the budget; what costs nothing or folds does not count.

    `sizes` are the instructions of loops as far as they have been counted, inner ones first: where those of the inner
    ones are too many already, the loop is not looked through, so that a deep nest is looked through once.
    """
    copies = _copies(loop, count)
    sizes[loop] = sum(sizes.get(inner, 0) for inner in loop.children)
    # A loop that is left at the first test is a matter of constant conditions.
    if count.stays == 0 or sizes[loop] * copies > _LARGEST:
        return False
    sizes[loop], cost = _size(loop, count, flow, costs)
    if cost * copies > budget and _indexes_arrays(loop, count, flow):
        budget = max(budget, costs.array_unroll_budget)
    return cost * copies <= budget and sizes[loop] * copies <= _LARGEST and spend(COPY * sizes[loop] * copies)


def _size(loop: Loop, count: TripCount, flow: ControlFlow, costs: CostModel) -> tuple[int, float]:
    """The instructions of a loop, and what those cost that remain in a copy."""
    constants: set[Value] = set(count.phi_ranges)
    everything, cost = 0, 0.0
    for block in _ordered(loop, flow):
        for instruction in block:
            everything += 1
            if instruction.op is ops.PHI or instruction.op is ops.BR or instruction is count.exiting.terminator:
                continue
            if _is_known(instruction, constants):
                constants.add(instruction)
            else:
                cost += costs.cost(instruction.op, instruction.type.width)
    return everything, cost


def _indexes_arrays(loop: Loop, count: TripCount, flow: ControlFlow) -> bool:
    """Whether the loop reads or writes a local array at an index that is constant in a copy."""
    constants: set[Value] = set(count.phi_ranges)
    indexes_arrays = False
    for block in _ordered(loop, flow):
        for instruction in block:
            if _is_known(instruction, constants):
                constants.add(instruction)
            elif instruction.op in (ops.LOAD, ops.STORE) and instruction.address.variable.storage == "local":
                indices = instruction.operands[: instruction.address.index_count]
                indexes_arrays |= any(index in constants for index in indices)
    return indexes_arrays


def _is_known(instruction: Instruction, known: set[Value]) -> bool:
    """Whether the instruction folds once the values `known` are constants."""
    if not instruction.op.has_semantics:
        return False
    return all(isinstance(operand, Constant) or operand in known for operand in instruction.operands)


def _ordered(loop: Loop, flow: ControlFlow) -> list[Block]:
    return sorted(loop.blocks, key=flow.index.__getitem__)


# ------------------------------------------------------------------------- values after the loop
def _route_values_through_memory(loop: Loop, flow: ControlFlow, function: Function) -> list[Variable]:
    """Let uses after the loop load a variable that the definition stores to; the variables."""
    uses: dict[Instruction, list[tuple[Instruction, int]]] = {}
    for value, user, index in _uses_after(loop, _ordered(loop, flow)):
        uses.setdefault(value, []).append((user, index))
    return [_route(value, places, function) for value, places in uses.items()]


def _uses_after(loop: Loop, blocks: Sequence[Block]) -> list[tuple[Instruction, Instruction, int]]:
    """Values of the loop, of which these are the blocks, with the operands that read them outside of it."""
    values = [value for block in blocks for value in block]
    return [(value, *use) for value in values for user in value.users for use in _outside_uses(value, user, loop)]


def _outside_uses(value: Instruction, user: Instruction, loop: Loop) -> list[tuple[Instruction, int]]:
    """The operands of `user` that read `value` outside of the loop; phis read where control comes from."""
    uses: list[tuple[Instruction, int]] = []
    for index, operand in enumerate(user.operands):
        user_block = user.attribute[index] if user.op is ops.PHI else user.block
        if operand is value and user_block not in loop.blocks:
            uses.append((user, index))
    return uses


def _route(value: Instruction, uses: Sequence[tuple[Instruction, int]], function: Function) -> Variable:
    # A name for a temporary variable.
    number = len(function.variables)
    while function.module.find_variable(f"{function.name}.unrolled.{number}") is not None:
        number += 1
    variable = function.add_variable(
        Variable(f"{function.name}.unrolled.{number}", "local", value.type, span=value.span)
    )
    assert value.block is not None
    after = value.block.first_non_phi if value.op is ops.PHI else value.next
    Builder(value.block, after).store(variable, value)
    for user, index in uses:
        before: Instruction = user.attribute[index].terminator if user.op is ops.PHI else user
        assert before.block is not None
        user.set_operand(index, Builder(before.block, before).load(variable))
    return variable


def _leaves_once(loop: Loop, count: TripCount) -> bool:
    """Whether only the last copy of the loop is left, so that values after it are that one's."""
    return count.decided and all(block is count.exiting for block, _ in loop.exits)


# ----------------------------------------------------------------------------------------- copies
def _unroll(loop: Loop, count: TripCount, blocks: list[Block], last: list[Block], function: Function) -> set[Block]:
    """Replace the loop by itself and copies of it, of `last` only in the end; all their blocks."""
    header, (latch,) = loop.header, loop.latches
    after = _uses_after(loop, blocks) if _leaves_once(loop, count) else []
    rounds = [Copies({block: block for block in blocks})]
    rounds += [clone_blocks(blocks, function) for _ in range(count.stays - 1)]
    rounds += [clone_blocks(last, function)]
    # In place of a copy's head phis, let it use the values of the copy before.
    following = {phi: next(value for value, block in phi.incoming() if block is latch) for phi in header.phis()}
    for before, copies in pairwise(rounds):
        for phi, value in following.items():
            copy = copies.values[phi]
            assert isinstance(copy, Instruction)
            copies.values[phi] = before.value(value)
            copy.replace_all_uses_with(copies.values[phi])
            copy.erase()
    for value, user, index in after:
        user.set_operand(index, rounds[-1].value(value))
    _keep_exits(loop, count, rounds)
    _chain_blocks(loop, count, rounds)
    for phi in header.phis():
        phi.remove_incoming(latch)
    return {block for copies in rounds for block in copies.blocks.values()}


def _keep_exits(loop: Loop, count: TripCount, rounds: Sequence[Copies]) -> None:
    """Let the phis after the loop take from every copy what they took from the original.

    By a test that is decided, only the last copy leaves.
    """
    for block, after in loop.exits:
        is_decided = block is count.exiting and count.decided
        for phi in after.phis():
            value = next(value for value, source in phi.incoming() if source is block)
            if is_decided:
                phi.remove_incoming(block)
            for copies in rounds[-1:] if is_decided else rounds[1:]:
                if block in copies.blocks:
                    phi.add_incoming(copies.value(value), copies.block(block))


def _chain_blocks(loop: Loop, count: TripCount, rounds: Sequence[Copies]) -> None:
    """Let every copy go on with the next one, and the last one leave."""
    header, (latch,), exiting = loop.header, loop.latches, count.exiting
    stay, leave = sorted(exiting.successors, key=lambda target: target not in loop.blocks)
    for copies, following in pairwise(rounds):
        if count.decided:
            replace_terminator(copies.block(exiting), copies.block(stay))
        retarget(copies.block(latch), copies.block(header), following.block(header))
    replace_terminator(rounds[-1].block(exiting), leave)


# ---------------------------------------------------------------------------------------- folding
def _fold(loops: Sequence[Loop], copied: Sequence[Block]) -> None:
    """Fold what the first values of the loops' phis decide, in program order."""
    for loop in loops:
        for phi in list(loop.header.phis()):
            if len(phi.operands) == 1:
                phi.replace_all_uses_with(phi.operands[0])
                phi.erase()
    for block in copied:
        for instruction in block:
            constant = fold(instruction)
            if constant is not None:
                instruction.replace_all_uses_with(constant)
                instruction.erase()
