"""Structured control flow: nests of ifs and loops, for machines whose control flow is nested.

In: any function.  Out: one that `regions.structure` makes a tree of.  `lower-returns` makes returns and loops
plain first; what is left are jumps forwards that are no nest, as short-circuit conditions and `break`s of
unrolled loops leave them: the two arms of a branch share blocks before the point where all ways meet.

The arms of such a branch get a join of their own.  All ways that left them for shared blocks lead there, and
bring along which of these blocks they want, as bools.  Behind the join, an `if` asks for one after the
other; the first of them is now reached from one place, so that each step leaves less to do.

    a || b:  if (a) goto x; if (b) goto x; goto y;    becomes    c = a ? true : b; if (c) goto x; goto y;

A short block that ends in a jump is copied instead when the copies are smaller than the questions.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from compiler.analysis.forward_graph import ForwardGraph
from compiler.ir import ops
from compiler.ir.builder import Builder, bool_constant
from compiler.ir.module import Block, Constant, Function, Instruction, Value
from compiler.ir.types import Kind
from compiler.lowering.returns import LowerReturns
from compiler.passes.base import Pass, PassContext
from compiler.passes.blocks import replace_terminator, retarget
from compiler.passes.clone import clone_blocks

_ZERO: dict[Kind, bool | int | float] = {"bool": False, "int": 0, "float": 0.0}


@dataclass(frozen=True, slots=True)
class Structurize(Pass):
    """See the module's text."""

    name: ClassVar[str] = "structurize"
    description: ClassVar[str] = "makes control flow a nest of ifs and plain loops"

    #: Instructions that copies of a block may add.
    copies: int = 3

    def run(self, function: Function, context: PassContext) -> bool:
        progress = LowerReturns().run(function, context)
        if len(function.blocks) == 1:
            return progress
        while True:
            graph = ForwardGraph(function.entry, lambda block: block.successors)
            crossings = graph.crossings()
            if not crossings:
                return progress
            for branch in _apart(crossings, graph):
                _Arms(branch, graph).part(self.copies)
            progress = True


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


class _Arms:
    """The arms of a branch that share blocks, and the ways out of them."""

    def __init__(self, branch: Block, graph: ForwardGraph[Block]) -> None:
        self.branch = branch
        self.graph = graph
        self.function = branch.function
        meeting = graph.post_dominator[branch]
        #: The branch and what only one of its arms reaches.
        self.inside = {branch}
        for arm in graph.successors[branch]:
            if graph.predecessors[arm] == [branch]:
                self.inside |= graph.dominated(arm, meeting)
        self.sources = [block for block in graph.order if block in self.inside and self._outside(block)]
        targets = {target for source in self.sources for target in self._outside(source)}
        #: The blocks that the arms lead to, each after those that lead to it.
        self.targets = sorted(targets, key=graph.index.__getitem__)

    def _outside(self, block: Block) -> list[Block]:
        return [target for target in dict.fromkeys(block.successors) if target not in self.inside]

    def part(self, copies: int) -> None:
        """Make the first of the shared blocks one that has only one predecessor."""
        first = self.targets[0]
        sources = [source for source in self.sources if first in source.successors]
        if _size(first) * (len(sources) - 1) <= copies and self._can_be_copied(first, sources):
            for source in sources[1:]:
                _copy_for(first, source)
        else:
            self._join()

    def _can_be_copied(self, block: Block, sources: list[Block]) -> bool:
        """Whether a block leads to one other, where phis alone read what it makes, and is no end of a loop."""
        following = block.successors
        if len(following) != 1 or block in self.graph.loops or self.graph.successors[block] != following:
            return False
        if not all(block in self.graph.successors[source] for source in sources):
            return False
        phis = set(following[0].phis())
        return all(user.block is block or user in phis for value in block for user in value.users)

    # the join ------------------------------------------------------------------------------
    def _join(self) -> None:
        join = self.function.add_block("join", after=self.sources[-1])
        wanted = {target: [self._wants(source, target) for source in self.sources] for target in self.targets[:-1]}
        brought = {target: self._brought(target) for target in self.targets}
        for source in self.sources:
            self._lead_to(join, source)
        leaving = self._ask(join, wanted)
        for target in self.targets:
            self._hand_on(target, brought[target], join, leaving[target])

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

    def _lead_to(self, join: Block, source: Block) -> None:
        """Let the ways out of `source` lead to the join."""
        outside = self._outside(source)
        if len(outside) == len(set(source.successors)):
            replace_terminator(source, join)
        else:
            retarget(source, outside[0], join)

    def _ask(self, join: Block, wanted: dict[Block, list[Value]]) -> dict[Block, Block]:
        """End the join: one question after the other.  For each target the block that now leads to it."""
        builder = Builder(join)
        builder.span = None if self.sources[0].terminator is None else self.sources[0].terminator.span
        leaving: dict[Block, Block] = {}
        for target, following in pairwise(self.targets):
            asking = builder.block
            is_last = following is self.targets[-1]
            other = following if is_last else self.function.add_block("else", after=asking)
            answer = self._merge(wanted[target], join)
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

    def _hand_on(
        self, target: Block, brought: dict[Instruction, list[Value | None]], join: Block, leaving: Block
    ) -> None:
        """Let the phis of a target take from `leaving` what they took from the sources."""
        for phi, values in brought.items():
            nothing = Constant.splat(phi.type, _ZERO[phi.type.kind])
            merged = self._known(values) or self._merge([nothing if value is None else value for value in values], join)
            for source in self.sources:
                phi.remove_incoming(source)
            phi.add_incoming(merged, leaving)
            if len(phi.operands) == 1:
                phi.replace_all_uses_with(merged)
                phi.erase()

    def _known(self, values: list[Value | None]) -> Value | None:
        """The one value that all sources bring, if the join can read it."""
        different = {id(value): value for value in values if value is not None}
        value = next(iter(different.values()))
        if len(different) > 1:
            return None
        is_of_an_arm = isinstance(value, Instruction) and value.block in self.inside - {self.branch}
        return None if is_of_an_arm else value

    def _merge(self, values: list[Value], join: Block) -> Instruction:
        builder = Builder(join)
        builder.span = None if self.sources[0].terminator is None else self.sources[0].terminator.span
        return builder.phi(values[0].type, list(zip(values, self.sources, strict=True)))


# ---------------------------------------------------------------------------------------------- copies
def _size(block: Block) -> int:
    """Instructions that a copy of the block adds."""
    return sum(instruction.op is not ops.PHI and not instruction.is_terminator for instruction in block)


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
