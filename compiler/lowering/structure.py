"""Structured control flow: nests of ifs and loops, for machines whose control flow is nested.

In: any function.  Out: one that `regions.structure` makes a tree of.  `lower-returns` makes returns and loops
plain first; what is left are jumps forwards that are no nest, as short-circuit conditions and `break`s of
unrolled loops leave them: the two arms of a branch share blocks before the point where all paths meet.

The arms of such a branch get a join of their own.  All edges that left them for shared blocks lead there, and
bring along which of these blocks they want, as bools.  After the join, an `if` asks for one after the
other; the first of them is now reached from one place, so that each step leaves less to do.

    a || b:  if (a) goto x; if (b) goto x; goto y;    becomes    c = a ? true : b; if (c) goto x; goto y;

A short block that ends in a jump is copied instead when the copies are smaller than the questions.

Some machines nest ifs only so deep.  What is deeper than `depth` is handled alike: the arms of the outermost `if`
end where it starts, and a question after their join goes on with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from glslc_multi.compiler.analysis.dominators import DominatorTree, Node
from glslc_multi.compiler.analysis.forward_graph import ForwardGraph, PlainLoop
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.block_edits import retarget, split_block
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Function, Instruction
from glslc_multi.compiler.lowering.joins import Join
from glslc_multi.compiler.lowering.returns import LowerReturns
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.control_flow.clone import clone_blocks
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Structurize(Pass):
    """See the module's text."""

    name = "structurize"
    description = "makes control flow a nest of ifs and plain loops"

    #: Instructions that copies of a block may add.
    copies: int = 3
    #: How many ifs may stand in each other; 0 for any number, and less than 3 counts as 3.  One around each of
    #: several loops stays.
    depth: int = 0

    def run(self, function: Function, context: PassContext) -> bool:
        progress = LowerReturns().run(function, context)
        depth = max(self.depth, 3) if self.depth else 0
        while True:
            graph = ForwardGraph(function.entry, lambda block: block.successors)
            if not (_part_arms(graph, self.copies) or (depth and _cut_deep_nests(graph, depth))):
                return progress
            progress = True


# ---------------------------------------------------------------------------------- arms that share blocks
def _part_arms(graph: ForwardGraph[Block], copies: int) -> bool:
    """Make the first of the shared blocks of some branches one that has only one predecessor; False for a nest."""
    crossings = graph.crossings()
    # Those of the branches that no other one dominates: the graph below the others stays as it is for now.
    candidates = set(crossings)
    chosen: list[Block] = []
    taken: set[Block | None] = set()
    for block in graph.order:
        if graph.dominator[block] in taken:
            taken.add(block)
        elif block in candidates:
            chosen.append(block)
            taken.add(block)
    for branch in chosen:
        join = _join(branch, _arms(branch, graph), graph)
        if not _copy_first_target(join, graph, copies):
            join.make("join")
    return bool(crossings)


def _arms(branch: Block, graph: ForwardGraph[Block]) -> set[Block]:
    """A branch and what only one of its arms reaches, before all paths meet."""
    inside = {branch}
    for arm in graph.successors[branch]:
        if graph.predecessors[arm] == [branch]:
            inside |= graph.dominated(arm, graph.post_dominator[branch])
    return inside


def _join(branch: Block, inside: set[Block], graph: ForwardGraph[Block]) -> Join:
    """A join for all paths out of the arms; the blocks that they lead to are asked for in the graph's order."""
    edges = [
        (block, target)
        for block in graph.order
        if block in inside
        for target in dict.fromkeys(block.successors)
        if target not in inside
    ]
    targets = sorted({target for _, target in edges}, key=graph.index.__getitem__)
    made_in_arms = inside - {branch}
    return Join(edges, targets, lambda value: not isinstance(value, Instruction) or value.block not in made_in_arms)


# --------------------------------------------------------------------------------------------- deep nests
def _cut_deep_nests(graph: ForwardGraph[Block], depth: int) -> bool:
    """Let `if`s and loops that are too deep start after the outermost `if` around them; False for none."""
    places = [(outer, _start(block, graph)) for outer, block in _places_to_cut(graph, depth)]
    if places:
        # Every round of a plain loop passes the blocks that leave it: what is made before them is made before the
        # latch, from which the graph leads on.
        parent: dict[Node, Node] = {block: above for block, above in graph.dominator.items() if above is not None}
        tree = DominatorTree(graph.entry, parent, {})
        for outer, start in places:
            # Let what begins at `start` follow the `if` that ends `outer`.
            inside = _before(start, outer, graph)
            join = _join(outer, inside, graph)
            join.carry((block for block in graph.order if block in inside), inside, tree)
            join.make("join")
    return bool(places)


def _start(block: Block, graph: ForwardGraph[Block]) -> Block:
    """Where what moves begins: at the header of a loop, or after the phis before an `if`."""
    return block if block in graph.loops else _split_after_phis(block, graph)


def _places_to_cut(graph: ForwardGraph[Block], depth: int) -> list[tuple[Block, Block]]:
    """`if`s around what is too deep, none in another, and what should move after each: an `if`, or a loop's header."""
    around = _enclosing(graph)
    levels: dict[Block, dict[Block, int]] = {}
    for block in graph.order:
        if len(graph.successors[block]) == 2 and len(around[block]) >= depth:
            place = _place_to_cut(block, around[block], graph)
            if place is not None:
                outer, start = place
                levels.setdefault(outer, {})[start] = len(around[start])
    outermost = [outer for outer in levels if levels.keys().isdisjoint(around[outer])]
    return [(outer, _place_in(outer, levels[outer], graph, depth)) for outer in outermost]


def _place_in(outer: Block, levels: Mapping[Block, int], graph: ForwardGraph[Block], depth: int) -> Block:
    """The middle of a nest, so that both halves are cut together the next time; the first block that is too deep where
    more ways than a piece of the nest has lead out of the upper half, since each takes a question."""
    least = min(levels.values())
    pieces = (max(levels.values()) - least) // (depth - 1)
    middle = next(block for block, level in levels.items() if level >= least + pieces // 2 * (depth - 1))
    inside = _before(middle, outer, graph)
    ways = {after for block in inside for after in graph.successors[block] if after not in inside}
    return middle if len(ways) <= depth else next(iter(levels))


def _before(start: Block, outer: Block, graph: ForwardGraph[Block]) -> set[Block]:
    """What of an `if` control comes to before `start`, or not after it."""
    # The blocks that control can come to from `start` on before `stop`.
    stop = graph.post_dominator[outer]
    reached = {start}
    for block in graph.order[graph.index[start] :]:
        if block in reached:
            reached.update(after for after in graph.successors[block] if after is not stop)
    return _arms(outer, graph) - reached


def _enclosing(graph: ForwardGraph[Block]) -> dict[Block, tuple[Block, ...]]:
    """For each block the branches in whose arms it stands, the outermost first."""
    around: dict[Block, tuple[Block, ...]] = {graph.entry: ()}
    for block in graph.order[1:]:
        above = graph.dominator[block]
        assert above is not None
        is_arm = len(graph.successors[above]) == 2 and graph.post_dominator[above] is not block
        around[block] = (*around[above], above) if is_arm else around[above]
    return around


def _place_to_cut(block: Block, around: tuple[Block, ...], graph: ForwardGraph[Block]) -> tuple[Block, Block] | None:
    """The outermost `if` of the same loop that stands not right around a block, or around a loop that holds it."""
    loops = [loop for loop in graph.loops.values() if block in loop.blocks]
    for loop in [*loops, None]:
        branches = list(islice((branch for branch in around if _loop_of(branch, graph) is loop), 2))
        if len(branches) > 1:
            return branches[0], block
        if loop is not None:
            block = loop.header
    return None


def _loop_of(block: Block, graph: ForwardGraph[Block]) -> PlainLoop[Block] | None:
    """The innermost loop around a block."""
    return next((loop for loop in graph.loops.values() if block in loop.blocks), None)


def _split_after_phis(block: Block, graph: ForwardGraph[Block]) -> Block:
    """Move what follows the phis of a block to a new one; the graph goes along."""
    first = block.first_non_phi
    assert first is not None
    rest = split_block(first, block.name)
    builder = Builder(block)
    builder.span = first.span
    builder.br(rest)
    graph.insert(block, rest)
    return rest


# -------------------------------------------------------------------------------------------------- copies
def _copy_first_target(join: Join, graph: ForwardGraph[Block], copies: int) -> bool:
    """Give each path to the first of the shared blocks a copy of it, where that is small; so it needs no phis."""
    first = join.targets[0]
    sources = [source for source in join.sources if first in join.edges[source]]
    if _size(first) * (len(sources) - 1) > copies or not _can_be_copied(first, sources, graph):
        return False
    for source in sources[1:]:
        _copy_for(first, source)
    for phi in list(first.phis()):
        phi.replace_all_uses_with(phi.operands[0])
        phi.erase()
    return True


def _size(block: Block) -> int:
    """Instructions that a copy of the block adds."""
    return sum(instruction.op is not ops.PHI and not instruction.is_terminator for instruction in block)


def _can_be_copied(block: Block, sources: list[Block], graph: ForwardGraph[Block]) -> bool:
    """Whether a block leads to one other, where phis alone read what it makes, and is no end of a loop."""
    following = block.successors
    if len(following) != 1 or block in graph.loops or graph.successors[block] != following:
        return False
    if not all(block in graph.successors[source] for source in sources):
        return False
    phis = set(following[0].phis())
    return all(user.block is block or user in phis for value in block for user in value.users)


def _copy_for(block: Block, source: Block) -> None:
    """Let `source` lead to a copy of `block`."""
    copies = clone_blocks([block], block.function)
    copy = copies.block(block)
    retarget(source, block, copy)
    following = block.successors[0]
    for phi in following.phis():
        value = next(value for value, before in phi.incoming() if before is block)
        phi.add_incoming(copies.value(value), copy)
    for phi in list(copy.phis()):
        value = next(value for value, before in phi.incoming() if before is source)
        phi.replace_all_uses_with(value)
        phi.erase()
    for phi in list(block.phis()):
        phi.remove_incoming(source)
