"""Structured control flow: nests of ifs and loops, for machines whose control flow is nested.

In: any function.  Out: one that `regions.structure` makes a tree of.  `lower-returns` makes returns and loops
plain first; what is left are jumps forwards that are no nest, as short-circuit conditions and `break`s of
unrolled loops leave them: the two arms of a branch share blocks before the point where all ways meet.

The arms of such a branch get a join of their own.  All ways that left them for shared blocks lead there, and
bring along which of these blocks they want, as bools.  Behind the join, an `if` asks for one after the
other; the first of them is now reached from one place, so that each step leaves less to do.

    a || b:  if (a) goto x; if (b) goto x; goto y;    becomes    c = a ? true : b; if (c) goto x; goto y;

A short block that ends in a jump is copied instead when the copies are smaller than the questions.

Some machines nest ifs only so deep.  What is deeper than `depth` is handled alike: the arms of the outermost `if`
end where it starts, and a question behind their join goes on with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from compiler.analysis.dominators import DominatorTree, dominators
from compiler.analysis.forward_graph import ForwardGraph, PlainLoop
from compiler.analysis.manager import AnalysisManager
from compiler.ir import ops
from compiler.ir.builder import Builder, bool_constant
from compiler.ir.module import Block, Constant, Function, Instruction, Value
from compiler.ir.types import Kind
from compiler.lowering.returns import LowerReturns
from compiler.passes.base import Pass, PassContext
from compiler.passes.blocks import replace_terminator, retarget, split_block
from compiler.passes.clone import clone_blocks

_ZERO: dict[Kind, bool | int | float] = {"bool": False, "int": 0, "float": 0.0}


@dataclass(frozen=True, slots=True)
class Structurize(Pass):
    """See the module's text."""

    name: ClassVar[str] = "structurize"
    description: ClassVar[str] = "makes control flow a nest of ifs and plain loops"

    #: Instructions that copies of a block may add.
    copies: int = 3
    #: How many ifs may stand in each other, at least 3; 0 for any number.  One around each of several loops stays.
    depth: int = 0

    def run(self, function: Function, context: PassContext) -> bool:
        progress = LowerReturns().run(function, context)
        if len(function.blocks) == 1:
            return progress
        while _part_arms(function, self.copies) or (self.depth and _cut_deep_nest(function, self.depth)):
            progress = True
        return progress


def _forward(function: Function) -> ForwardGraph[Block]:
    return ForwardGraph(function.entry, lambda block: block.successors)


# ---------------------------------------------------------------------------------- arms that share blocks
def _part_arms(function: Function, copies: int) -> bool:
    """Make the first of the shared blocks of some branches one that has only one predecessor; False for a nest."""
    graph = _forward(function)
    crossings = graph.crossings()
    for branch in _apart(crossings, graph):
        join = _Join(branch, _arms(branch, graph), graph)
        if not _copy_first_target(join, copies):
            join.make()
    return bool(crossings)


def _apart(crossings: list[Block], graph: ForwardGraph[Block]) -> list[Block]:
    """Those of the branches that no other one dominates: the graph below the others stays as it is for now."""
    candidates = set(crossings)
    chosen: list[Block] = []
    taken: set[Block | None] = set()
    for block in graph.order:
        if graph.dominator[block] in taken:
            taken.add(block)
        elif block in candidates:
            chosen.append(block)
            taken.add(block)
    return chosen


def _arms(branch: Block, graph: ForwardGraph[Block]) -> set[Block]:
    """A branch and what only one of its arms reaches, before all ways meet."""
    inside = {branch}
    for arm in graph.successors[branch]:
        if graph.predecessors[arm] == [branch]:
            inside |= graph.dominated(arm, graph.post_dominator[branch])
    return inside


# --------------------------------------------------------------------------------------------- deep nests
def _cut_deep_nest(function: Function, depth: int) -> bool:
    """Let an `if` that is too deep start behind the outermost one around it; False where there is none."""
    place = _too_deep(_forward(function), depth)
    if place is None:
        return False
    outer, inner = place
    start = inner if inner in _forward(function).loops else _split_behind_phis(inner)
    graph = _forward(function)
    behind = _reachable(start, graph, graph.post_dominator[outer])
    join = _Join(outer, _arms(outer, graph) - behind, graph)
    join.make()
    tree = AnalysisManager(function).get(dominators)
    for block in graph.order:
        for value in block if block in join.inside else ():
            join.carry(value, block, tree)
    return True


def _too_deep(graph: ForwardGraph[Block], depth: int) -> tuple[Block, Block] | None:
    """An `if` around what is too deep, and what should move behind it: another `if`, or a loop (its header)."""
    around = _enclosing(graph)
    for block in graph.order:
        if len(graph.successors[block]) == 2 and len(around[block]) >= depth:
            place = _place_to_cut(block, around[block], graph)
            if place is not None:
                return place
    return None


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
        branches = [branch for branch in around if _loop_of(branch, graph) is loop]
        if len(branches) > 1:
            return branches[0], block
        if loop is not None:
            block = loop.header
    return None


def _loop_of(block: Block, graph: ForwardGraph[Block]) -> PlainLoop[Block] | None:
    """The innermost loop around a block."""
    return next((loop for loop in graph.loops.values() if block in loop.blocks), None)


def _split_behind_phis(block: Block) -> Block:
    """Move what follows the phis of a block to a new one."""
    first = block.first_non_phi
    assert first is not None
    rest = split_block(first, block.name)
    builder = Builder(block)
    builder.span = first.span
    builder.br(rest)
    return rest


def _reachable(start: Block, graph: ForwardGraph[Block], stop: Block | None) -> set[Block]:
    """The blocks that control can come to from `start` on before `stop`."""
    found = {start}
    for block in graph.order[graph.index[start] :]:
        if block in found:
            found.update(after for after in graph.successors[block] if after is not stop)
    return found


# --------------------------------------------------------------------------------------------------- joins
class _Join:
    """A new block to which all ways lead that leave the arms of a branch."""

    def __init__(self, branch: Block, inside: set[Block], graph: ForwardGraph[Block]) -> None:
        self.branch = branch
        self.inside = inside
        self.graph = graph
        self.function = branch.function
        self.sources = [block for block in graph.order if block in inside and self._outside(block)]
        targets = {target for source in self.sources for target in self._outside(source)}
        #: The blocks that the arms lead to, each after those that lead to it.
        self.targets = sorted(targets, key=graph.index.__getitem__)

    def _outside(self, block: Block) -> list[Block]:
        return [target for target in dict.fromkeys(block.successors) if target not in self.inside]

    def make(self) -> None:
        self.join = self.function.add_block("join", after=self.sources[-1])
        wanted = {target: [self._wants(source, target) for source in self.sources] for target in self.targets[:-1]}
        brought = {target: self._brought(target) for target in self.targets}
        for source in self.sources:
            self._lead_to_join(source)
        leaving = self._ask(wanted)
        for target in self.targets:
            self._hand_on(brought[target], leaving[target])

    def _wants(self, source: Block, target: Block) -> Value:
        """Whether control goes from `source` to `target`, once it leaves the arms."""
        outside = self._outside(source)
        if len(outside) == 1 or target not in outside:
            return bool_constant(target in outside)
        terminator = source.terminator
        assert terminator is not None
        condition = terminator.operands[0]
        if terminator.targets[0] is target:
            return condition
        if isinstance(condition, Constant):
            return bool_constant(not condition.components[0])
        return Builder.in_front_of(terminator).op(ops.NOT, condition)

    def _lead_to_join(self, source: Block) -> None:
        """Let the ways out of `source` lead to the join."""
        outside = self._outside(source)
        if len(outside) == len(set(source.successors)):
            replace_terminator(source, self.join)
        else:
            retarget(source, outside[0], self.join)

    def _ask(self, wanted: dict[Block, list[Value]]) -> dict[Block, Block]:
        """End the join: one question after the other.  For each target the block that now leads to it."""
        builder = self._builder()
        leaving: dict[Block, Block] = {}
        for target, following in pairwise(self.targets):
            asking = builder.block
            is_last = following is self.targets[-1]
            other = following if is_last else self.function.add_block("else", after=asking)
            answer = self._merge(wanted[target])
            builder.condbr(answer, target, other)
            leaving[target] = leaving[following] = asking
            builder.at_end_of(other)
        return leaving

    # values --------------------------------------------------------------------------------
    def _brought(self, target: Block) -> dict[Instruction, list[Value | None]]:
        """What the sources bring to the phis of a target; None from those that do not lead there."""
        result: dict[Instruction, list[Value | None]] = {}
        for phi in target.phis():
            values = {block: value for value, block in phi.incoming()}
            result[phi] = [values.get(source) for source in self.sources]
        return result

    def _hand_on(self, brought: dict[Instruction, list[Value | None]], leaving: Block) -> None:
        """Let the phis of a target take from `leaving` what they took from the sources."""
        for phi, values in brought.items():
            merged = self._joined(values)
            for source in self.sources:
                phi.remove_incoming(source)
            phi.add_incoming(merged, leaving)
            if len(phi.operands) == 1:
                phi.replace_all_uses_with(merged)
                phi.erase()

    def carry(self, value: Instruction, block: Block, tree: DominatorTree) -> None:
        """Let what is used behind the join, but not made on all ways to it, pass through it too."""
        users = [user for user in value.users if user.block not in self.inside and user.block is not self.join]
        if not users or tree.dominates(block, self.join):
            return
        merged = self._joined([value if tree.dominates(block, source) else None for source in self.sources])
        for user in users:
            for position, operand in enumerate(user.operands):
                if operand is value:
                    user.set_operand(position, merged)

    def _joined(self, values: list[Value | None]) -> Value:
        """What the sources bring, as one value; where they bring nothing, anything will do."""
        brought = [value for value in values if value is not None]
        known = next((value for value in brought if self._is_known(value)), None)
        if known is not None and all(value is known for value in brought):
            return known
        type = brought[0].type
        nothing = Constant.splat(type, _ZERO[type.kind]) if known is None else known
        return self._merge([nothing if value is None else value for value in values])

    def _is_known(self, value: Value) -> bool:
        """Whether a value is there on all ways."""
        return isinstance(value, Constant) or (
            isinstance(value, Instruction) and value.block not in self.inside - {self.branch}
        )

    def _merge(self, values: list[Value]) -> Instruction:
        return self._builder().phi(values[0].type, list(zip(values, self.sources, strict=True)))

    def _builder(self) -> Builder:
        builder = Builder(self.join)
        first = self.sources[0].terminator
        builder.span = None if first is None else first.span
        return builder


# ---------------------------------------------------------------------------------------------- copies
def _size(block: Block) -> int:
    """Instructions that a copy of the block adds."""
    return sum(instruction.op is not ops.PHI and not instruction.is_terminator for instruction in block)


def _copy_first_target(join: _Join, copies: int) -> bool:
    """Give each way to the first of the shared blocks a copy of it, where that is small."""
    first = join.targets[0]
    sources = [source for source in join.sources if first in source.successors]
    if _size(first) * (len(sources) - 1) > copies or not _can_be_copied(first, sources, join.graph):
        return False
    for source in sources[1:]:
        _copy_for(first, source)
    return True


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
