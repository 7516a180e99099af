"""Predication: the blocks of a region run one after the other, whatever ways lead through them.

In: a *region*: blocks without loops from a head, which alone leads into them, to a join, to which all ways lead.
Out: one chain of blocks.  It is for control flow that is no nest of ifs, which `if-convert` leaves: a `return` from the
middle, or a `break` with code of its own from an unrolled loop.  A target without branches has all of a function
predicated, others have regions that are no dearer than their branches.

The idea (Allen, Kennedy, Porterfield, Warren, "Conversion of control dependence to data dependence", 1983):
every block has a *predicate*, which is true where a lane would run it: "or" of the predicates of the edges
to it, each of which is the block it comes from "and" its condition.  A block that always runs when its
immediate dominator does has the same predicate as that.  A phi becomes a tree of selects: by the condition of a
branch whose sides bring a part of the values each, else by one of its edges, since one of them is true wherever its
value counts.  Kills and stores become conditional.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.dominators import DominatorTree, Node, dominators, post_dominators
from glslc_multi.compiler.analysis.loops import LoopNest, loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import replace_terminator
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Constant, Instruction, Value
from glslc_multi.compiler.passes.control_flow.conditional import can_be_conditional, is_undefined, make_conditional
from glslc_multi.compiler.records import dataclass

#: Blocks of a region at most, so that looking for regions in regions takes no longer than linear time.
_LARGEST_REGION = 32

#: Values and the blocks that they come from.
_Ways = list[tuple[Value, Block]]
#: None is "always".
_Predicate = Value | None


@dataclass(frozen=True, slots=True)
class Region:
    """Blocks that all ways from the first of them pass on to `join`, in the order of the control-flow graph."""

    blocks: list[Block]
    join: Block

    @property
    def head(self) -> Block:
        return self.blocks[0]


def whole_function(analyses: AnalysisManager) -> Region | None:
    """The region of all blocks; None where there are loops, blocks never reached, or effects that always happen."""
    flow = analyses.get(control_flow)
    if analyses.get(loop_nest).top or flow.unreachable or len(flow.exits) != 1:
        return None
    (join,) = flow.exits
    after = analyses.get(post_dominators)
    if not all(after.dominates(block, flow.entry) or _can_be_conditional(block) for block in flow.order):
        return None
    return Region([block for block in flow.order if block is not join], join)


def find_regions(analyses: AnalysisManager, is_worth_it: Callable[[Region], bool]) -> list[Region]:
    """Regions that begin with a branch and are worth it, none in another, outer ones first."""
    flow = analyses.get(control_flow)
    regions: list[Region] = []
    taken: set[Block] = set()
    for block in flow.order:
        if block in taken or len(flow.successors[block]) == 1:
            continue
        region = _region_of(block, analyses)
        if region is not None and is_worth_it(region):
            regions.append(region)
            taken.update(region.blocks)
    return regions


def _region_of(head: Block, analyses: AnalysisManager) -> Region | None:
    """The region from a branch to where all its ways meet."""
    flow = analyses.get(control_flow)
    tree: DominatorTree = analyses.get(dominators)
    nest: LoopNest = analyses.get(loop_nest)
    join = analyses.get(post_dominators).parent[head]
    loop = nest.loop_of(head)
    if join is None or flow.index[join] <= flow.index[head] or nest.loop_of(join) is not loop:
        return None
    inside: dict[Block, None] = {}
    pending = [head]
    while pending:
        block = pending.pop()
        if block is join or block in inside:
            continue
        if not tree.dominates(head, block) or nest.loop_of(block) is not loop or len(inside) == _LARGEST_REGION:
            return None
        if block is not head and not _can_be_conditional(block):
            return None
        if any(flow.index[after] <= flow.index[block] for after in flow.successors[block]):
            # The region would be all of a loop whose header it begins with.
            return None
        inside[block] = None
        pending += flow.successors[block]
    return Region(sorted(inside, key=flow.index.__getitem__), join)


def _can_be_conditional(block: Block) -> bool:
    return all(can_be_conditional(instruction) for instruction in block)


def predicate(region: Region, analyses: AnalysisManager) -> None:
    """Make the region one chain of blocks."""
    _Predication(region, analyses).run()


class _Predication:
    """The predicates of one region."""

    def __init__(self, region: Region, analyses: AnalysisManager) -> None:
        self.region = region
        self.flow: ControlFlow = analyses.get(control_flow)
        self.tree: DominatorTree = analyses.get(dominators)
        self.after: DominatorTree = analyses.get(post_dominators)
        self.predicates: dict[Block, _Predicate] = {region.head: None}
        #: (from, to) -> the predicate of the edge.
        self.edges: dict[tuple[Block, Block], _Predicate] = {}

    def run(self) -> None:
        blocks, join = self.region.blocks, self.region.join
        for block in blocks:
            if block is not self.region.head:
                self._enter(block)
            # The predicates of the edges from `block`.
            terminator = block.terminator
            assert terminator is not None
            here = self.predicates[block]
            targets = list(dict.fromkeys(terminator.targets))
            if len(targets) < 2:
                self.edges.update({(block, target): here for target in targets})
                continue
            condition = terminator.operands[0]
            builder = Builder.before(terminator)
            self.edges[block, targets[0]] = _both(here, condition, builder)
            self.edges[block, targets[1]] = _both(here, _negation(condition, builder), builder)
        self._merge_at_join()
        for block, following in pairwise([*blocks, join]):
            replace_terminator(block, following)

    def _enter(self, block: Block) -> None:
        """What a block computes for all lanes: its predicate, and the values of its phis."""
        builder = Builder(block, block.first_non_phi)
        self.predicates[block] = self._predicate(block, builder)
        for phi in list(block.phis()):
            phi.replace_all_uses_with(self._chosen(phi, list(phi.incoming()), builder))
            phi.erase()
        condition = self.predicates[block]
        for instruction in block if condition is not None else ():
            if instruction.op is ops.KILL or instruction.op is ops.STORE:
                assert condition is not None
                make_conditional(instruction, condition)

    def _predicate(self, block: Block, builder: Builder) -> _Predicate:
        above = self.tree.parent[block]
        assert above is not None
        if self.after.dominates(block, above):
            return self.predicates[above]
        first, *others = [self.edges[before, block] for before in self.flow.predecessors[block]]
        # An edge without a predicate would come from a block that always runs, and lead to one that does.
        for other in others:
            assert first is not None and other is not None
            first = builder.op(ops.OR, first, other)
        return first

    def _chosen(self, phi: Instruction, incoming: _Ways, builder: Builder) -> Value:
        """The value of a phi, of those that come from some blocks."""
        assert phi.block is not None
        defined = [(value, source) for value, source in incoming if not is_undefined(value)]
        builder.span, builder.flags = phi.span, phi.flags
        return self._choose(defined, phi.block, builder) if defined else incoming[0][0]

    def _choose(self, ways: _Ways, block: Block, builder: Builder) -> Value:
        """One of the values that come to a block by some ways, each of which excludes the others."""
        first = ways[0][0]
        if all(value is first for value, _ in ways):
            return first
        parted = self._part(ways, block)
        if parted is None:
            # The last one needs no question.
            condition, sides = self.edges[ways[0][1], block], (ways[:1], ways[1:])
            assert condition is not None
        else:
            condition, sides = parted
        one, other = (self._choose(side, block, builder) for side in sides)
        return one if one is other else builder.op(ops.SELECT, condition, one, other)

    def _part(self, ways: _Ways, block: Block) -> tuple[Value, tuple[_Ways, _Ways]] | None:
        """The branch whose sides lead to one part of some ways each, by its condition; None where ways cross."""
        head: Node = ways[0][1]
        for _, source in ways[1:]:
            head = self.tree.nearest_common(head, source)
        assert head is not None
        targets = self.flow.successors[head]
        if len(targets) != 2:
            return None
        one, other = ([way for way in ways if self._leads(head, target, way[1], block)] for target in targets)
        if len(one) + len(other) < len(ways):
            return None
        assert head.terminator is not None
        return head.terminator.operands[0], (one, other)

    def _leads(self, head: Block, target: Block, source: Block, block: Block) -> bool:
        """Whether the way from `source` to `block` is one by this target of a branch, and by no other one."""
        if target is block:
            return source is head
        return len(self.flow.predecessors[target]) == 1 and self.tree.dominates(target, source)

    def _merge_at_join(self) -> None:
        """Let the phis of the join take from the last block what they took from all of the region."""
        join, inside, last = self.region.join, set(self.region.blocks), self.region.blocks[-1]
        is_only_way = inside.issuperset(self.flow.predecessors[join])
        assert last.terminator is not None
        builder = Builder.before(last.terminator)
        for phi in list(join.phis()):
            chosen = self._chosen(phi, [each for each in phi.incoming() if each[1] in inside], builder)
            if is_only_way:
                phi.replace_all_uses_with(chosen)
                phi.erase()
                continue
            for block in inside:
                phi.remove_incoming(block)
            phi.add_incoming(chosen, last)


def _negation(condition: Value, builder: Builder) -> Value:
    if isinstance(condition, Constant):
        return Constant(condition.type, (not condition.components[0],))
    if isinstance(condition, Instruction) and condition.op is ops.NOT:
        return condition.operands[0]
    return builder.op(ops.NOT, condition)


def _both(here: _Predicate, condition: Value, builder: Builder) -> Value:
    if here is None:
        return condition
    return builder.op(ops.AND, here, condition)
