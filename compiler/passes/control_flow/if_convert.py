"""If-conversion: both sides of a small branch are run, and `select` takes what counts.

In: any function.  Out: fewer branches.  A branch goes where running its arms for all lanes, with a select
for each phi at the join, costs no more than a branch of the target (`CostModel`); where a target has none, that
cost is infinite and every branch goes that can.  What both arms compute counts once (`work.py`).

The idea: an *arm* is a chain of blocks without branches.  Blocks are looked at from the last to the first,
so that inner branches are gone when the outer one is looked at.  No instruction moves: the arms are strung
up one after the other, `X -> then -> else -> join`, and all chains become single blocks in the end.

    X: condbr c, T, F     T: br J     F: br J       diamond
    X: condbr c, T, J     T: br J                   triangle, also the reverse
    X: condbr c, T, R     T: kill true; br exit     discard: X -> T -> R, with `kill c`

What an arm does besides computing is made conditional: `kill k` becomes `kill c and k`, and a store to a
local stores what was there before where the arm is not taken.  The last form lets lanes run on that are
discarded already, as helper lanes do anyway: their outputs mean nothing.  They must find an end, though, so
no loop and no call may follow.

A texture lookup in an arm is run for all lanes then, which makes its level of detail defined where it was
not (GLSL ES 1.00 section 8.7: undefined within non-uniform control flow).

Other branches, such as one in an arm to the other arm, go where all blocks up to the point where their ways meet,
one after the other, cost no more than the branches (see `predication.py`).  Not handled: calls and emitted vertices,
and where those or loops keep a branch alive.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.loops import loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import merge_chains, rename_incoming, replace_terminator, retarget
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import CostModel, Pass, PassContext
from glslc_multi.compiler.passes.control_flow.conditional import (
    can_be_conditional,
    is_always_killing,
    is_bool_uniform,
    is_undefined,
    make_conditional,
)
from glslc_multi.compiler.passes.control_flow.predication import Region, find_regions, predicate, whole_function
from glslc_multi.compiler.passes.control_flow.work import Work, number_values
from glslc_multi.compiler.passes.memory.local_variables import stored_value
from glslc_multi.compiler.records import dataclass


class IfConvert(Pass):
    """See the module's text."""

    name = "if-convert"
    description = "turns small branches into selects"

    def run(self, function: Function, context: PassContext) -> bool:
        if not any(block.last is not None and block.last.op is ops.CONDBR for block in function.blocks):
            return False
        progress = _Conversion(function, context).run()
        if progress:
            merge_chains(function)
            context.analyses(function).invalidate()
        if len(function.blocks) > 1 and _predicate_rest(context.analyses(function), context.costs):
            merge_chains(function)
            progress = True
        return progress


def _predicate_rest(analyses: AnalysisManager, costs: CostModel) -> bool:
    """Give up branches that are no nest of ifs: all of them where a target has none."""
    if costs.branch == inf:
        everything = whole_function(analyses)
        regions = [] if everything is None else [everything]
    else:
        numbers = number_values(analyses.get(control_flow).order)
        regions = find_regions(analyses, lambda region: _price_of_region(region, costs, numbers) <= 0)
    for region in regions:
        predicate(region, analyses)
    return bool(regions)


def _price_of_region(region: Region, costs: CostModel, numbers: Mapping[Value, int]) -> float:
    """What a region as a chain of blocks costs more than with its branches."""
    work = Work()
    for block in region.blocks[1:]:
        for instruction in block:
            work.compute(numbers[instruction], _cost(instruction, costs))
    branches = [block.terminator for block in region.blocks if len(block.successors) > 1]
    saved = sum(_limit(branch.operands[0], costs) for branch in branches if branch is not None)
    # The selects for phis.
    inside = set(region.blocks)
    price = 0.0
    for block in (*region.blocks[1:], region.join):
        for phi in block.phis():
            values = {value for value, source in phi.incoming() if source in inside and not is_undefined(value)}
            price += max(len(values) - 1, 0) * costs.cost(ops.SELECT, phi.type.width)
    return costs.arms * work.cost + price - saved


def _cost(instruction: Instruction, costs: CostModel) -> float:
    """What it takes to run an instruction, conditionally where that matters."""
    op = instruction.op
    if op is ops.PHI or op.is_terminator:
        return 0.0
    cost = costs.cost(op, instruction.type.width)
    if op is ops.STORE:
        width = stored_value(instruction).type.width
        cost += costs.cost(ops.LOAD, width) + costs.cost(ops.SELECT, width)
    return cost


@dataclass(slots=True)
class _Chain:
    """Blocks that run one after the other."""

    first: Block
    last: Block
    #: What it takes to run all of it, conditional effects included.
    work: Work
    #: Kills and stores, which must be made conditional.
    effects: list[Instruction]
    #: Whether nothing forbids running it needlessly.
    is_convertible: bool
    #: Whether every lane that comes here is discarded.
    discards: bool

    @property
    def exit(self) -> Block | None:
        """Where control goes after the chain, where that is one block."""
        terminator = self.last.terminator
        return terminator.targets[0] if terminator is not None and terminator.op is ops.BR else None

    def absorb(self, following: _Chain) -> None:
        self.last = following.last
        self.work.absorb(following.work)
        # The other one is no longer asked for its effects; the shorter list is copied.
        shorter, longer = sorted((self.effects, following.effects), key=len)
        longer.extend(shorter)
        self.effects = longer
        self.is_convertible &= following.is_convertible
        self.discards |= following.discards


@dataclass(slots=True)
class _Branch:
    """A branch that can go: its arms (None where control goes to `join` at once)."""

    block: Block
    condition: Value
    if_true: _Chain | None
    if_false: _Chain | None
    join: Block

    @property
    def arms(self) -> list[_Chain]:
        return [arm for arm in (self.if_true, self.if_false) if arm is not None]

    def sources(self) -> tuple[Block, Block]:
        """The blocks from which control comes to the join where the condition holds, and where not."""
        return (
            self.block if self.if_true is None else self.if_true.last,
            self.block if self.if_false is None else self.if_false.last,
        )


class _Conversion:
    """The conversion of one function."""

    def __init__(self, function: Function, context: PassContext) -> None:
        self.costs: CostModel = context.costs
        analyses = context.analyses(function)
        self.flow: ControlFlow = analyses.get(control_flow)
        self.numbers = number_values(self.flow.order)
        self.predecessors = {block: len(before) for block, before in function.predecessors().items()}
        #: The chain that begins with a block, for those that no other chain goes on with.
        self.chains: dict[Block, _Chain] = {}
        in_loops = [block for loop in analyses.get(loop_nest).top for block in loop.blocks]
        self.last_loop_or_call = _last_loop_or_call(function, self.flow, in_loops)

    def run(self) -> bool:
        progress = False
        for block in reversed(self.flow.order):
            progress |= self._convert(block)
            # Note the chain from `block` on, which takes in those after it.
            chain = _Chain(block, block, Work(), [], True, False)
            for instruction in block:
                if instruction.is_terminator:
                    continue
                chain.work.compute(self.numbers[instruction], _cost(instruction, self.costs))
                chain.is_convertible &= can_be_conditional(instruction)
                chain.discards |= is_always_killing(instruction)
                if instruction.op in (ops.KILL, ops.STORE):
                    chain.effects.append(instruction)
            following = chain.exit
            while following in self.chains and self.predecessors[following] == 1:
                chain.absorb(self.chains.pop(following))
                following = chain.exit
            self.chains[block] = chain
        return progress

    # chains --------------------------------------------------------------------------------
    def _arm(self, target: Block) -> _Chain | None:
        """The chain from `target` on, when only the branch leads to it and it may be run needlessly."""
        chain = self.chains.get(target)
        if chain is None or self.predecessors[target] != 1 or not chain.is_convertible or chain.exit is None:
            return None
        return chain

    # branches ------------------------------------------------------------------------------
    def _convert(self, block: Block) -> bool:
        terminator = block.terminator
        if terminator is None or terminator.op is not ops.CONDBR:
            return False
        if_true, if_false = terminator.targets
        if if_true is if_false:
            return False
        if self._convert_discard(block, terminator.operands[0], if_true, if_false):
            return True
        branch = self._joining(block, terminator.operands[0], if_true, if_false)
        if branch is None or self._price(branch) > _limit(branch.condition, self.costs):
            return False
        self._join(branch)
        return True

    def _joining(self, block: Block, condition: Value, if_true: Block, if_false: Block) -> _Branch | None:
        """The branch as a diamond or triangle."""
        one, other = self._arm(if_true), self._arm(if_false)
        if one is not None and other is not None and one.exit is other.exit:
            assert one.exit is not None
            return _Branch(block, condition, one, other, one.exit)
        if one is not None and one.exit is if_false:
            return _Branch(block, condition, one, None, if_false)
        if other is not None and other.exit is if_true:
            return _Branch(block, condition, None, other, if_true)
        return None

    def _price(self, branch: _Branch) -> float:
        shared = branch.if_true.work.shared(branch.if_false.work) if branch.if_true and branch.if_false else 0.0
        cost = sum(arm.work.cost for arm in branch.arms) - shared
        return self.costs.arms * cost + self._cost_of_selects(branch)

    def _cost_of_selects(self, branch: _Branch) -> float:
        sources = branch.sources()
        selects = (phi for phi in branch.join.phis() if _agreed(*_values(phi, sources)) is None)
        return sum(self.costs.cost(ops.SELECT, phi.type.width) for phi in selects)

    def _join(self, branch: _Branch) -> None:
        """Run the arms one after the other, and select what the phis merged."""
        sources = branch.sources()
        branch.arms[-1].work.cost += self._cost_of_selects(branch)
        self._make_conditional(branch)
        last = self._string_up(branch.block, branch.arms)
        self.predecessors[branch.join] -= 1
        terminator = last.terminator
        assert terminator is not None
        for phi in list(branch.join.phis()):
            values = _values(phi, sources)
            chosen = _agreed(*values)
            if chosen is None:
                builder = Builder.before(terminator)
                builder.span, builder.flags = phi.span or terminator.span, phi.flags
                chosen = builder.op(ops.SELECT, branch.condition, *values)
            for source in sources:
                phi.remove_incoming(source)
            phi.add_incoming(chosen, last)
        self._drop_phis_of_one(branch.join)

    def _string_up(self, block: Block, arms: list[_Chain]) -> Block:
        """Let control go from `block` through all arms; the last of their blocks, whose jump stays."""
        last = block
        for arm in arms:
            if last is block:
                replace_terminator(block, arm.first)
            else:
                following = last.successors[0]
                retarget(last, following, arm.first)
                rename_incoming(arm.first, block, last)
            last = arm.last
        return last

    def _drop_phis_of_one(self, block: Block) -> None:
        for phi in list(block.phis()) if self.predecessors[block] == 1 else ():
            phi.replace_all_uses_with(phi.operands[0])
            phi.erase()

    # effects -------------------------------------------------------------------------------
    def _make_conditional(self, branch: _Branch) -> None:
        for arm, holds in ((branch.if_true, True), (branch.if_false, False)):
            for effect in arm.effects if arm is not None else ():
                make_conditional(effect, branch.condition, holds)
        for arm in branch.arms:
            arm.discards = False

    # discard -------------------------------------------------------------------------------
    def _convert_discard(self, block: Block, condition: Value, if_true: Block, if_false: Block) -> bool:
        """Let discarded lanes go on with the others."""
        if self.flow.index[block] <= self.last_loop_or_call:
            return False
        one, other = self._arm(if_true), self._arm(if_false)
        if one is not None and self._is_cheap_discard(one):
            self._pass_through(_Branch(block, condition, one, None, if_false))
        elif other is not None and self._is_cheap_discard(other):
            self._pass_through(_Branch(block, condition, None, other, if_true))
        else:
            return False
        return True

    def _is_cheap_discard(self, arm: _Chain) -> bool:
        return arm.discards and arm.work.cost <= self.costs.branch

    def _pass_through(self, branch: _Branch) -> None:
        """Go on with `branch.join` after the discarding arm instead of leaving."""
        (arm,) = branch.arms
        self._make_conditional(branch)
        exit = arm.exit
        assert exit is not None
        for phi in exit.phis():
            phi.remove_incoming(arm.last)
        self.predecessors[exit] -= 1
        self._drop_phis_of_one(exit)
        replace_terminator(branch.block, arm.first)
        retarget(arm.last, exit, branch.join)
        rename_incoming(branch.join, branch.block, arm.last)


def _limit(condition: Value, costs: CostModel) -> float:
    """What going without the branch may cost."""
    return min(costs.branch, costs.uniform_branch) if is_bool_uniform(condition) else costs.branch


def _last_loop_or_call(function: Function, flow: ControlFlow, in_loops: list[Block]) -> int:
    """The position of the last block after which neither loop nor call comes; all, where a caller goes on."""
    if function is not function.module.main:
        return len(flow.order)
    calling = [block for block in flow.order if any(instruction.op is ops.CALL for instruction in block)]
    return max((flow.index[block] for block in in_loops + calling), default=-1)


def _values(phi: Instruction, sources: tuple[Block, Block]) -> tuple[Value, Value]:
    """What a phi takes from two blocks."""
    # Where many arms lead to one join, most of what its phis take is of others.
    one, other = (phi.operands[phi.attribute.index(source)] for source in sources)
    return one, other


def _agreed(one: Value, other: Value) -> Value | None:
    """The value of a phi that needs no select: both are the same, or one may be anything."""
    if one is other or is_undefined(other):
        return one
    if is_undefined(one):
        return other
    is_same = isinstance(one, Constant) and isinstance(other, Constant) and one.same_as(other)
    return one if is_same else None
