"""Regions: control flow as nested ifs and loops, for machines that have no jumps, or no free ones.

In: the blocks of a function, of the IR or of machine code, that `structurize` (or luck) left nested.  Out: a tree.

* `Basic`: the instructions of a block; control goes on after them.
* `If`: the instructions of a block, then one of two sequences, as the branch at its end says.
* `BreakIf`: the instructions of a block, which its branch may make the last of a loop.  Only directly in the
  body of that loop, never in an `If`.
* `Loop`: its body again and again.
* `Seq`: one part after the other.

Every block stands in the tree once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from glslc_multi.compiler.analysis.forward_graph import ForwardGraph, PlainLoop
from glslc_multi.compiler.analysis.loops import loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir.block_edits import rename_incoming, retarget
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Function
from glslc_multi.compiler.records import dataclass, field

B = TypeVar("B", bound=Hashable)


@dataclass(slots=True)
class Basic(Generic[B]):
    """A block with one successor."""

    block: B


@dataclass(slots=True)
class Seq(Generic[B]):
    """Regions in order."""

    parts: list[Region[B]] = field(default_factory=list)


@dataclass(slots=True)
class If(Generic[B]):
    """A block that branches: `then` runs if its condition holds (if it does not, where `inverted`)."""

    block: B
    then: Seq[B]
    orelse: Seq[B] | None = None
    inverted: bool = False


@dataclass(slots=True)
class BreakIf(Generic[B]):
    """A block of a loop that leaves it if its condition holds (if it does not, where `inverted`)."""

    block: B
    inverted: bool = False


@dataclass(slots=True)
class Loop(Generic[B]):
    """Runs the body until a `BreakIf` in it leaves."""

    body: Seq[B]


Region = Basic[B] | Seq[B] | If[B] | BreakIf[B] | Loop[B]


class NotNested(Exception):
    """Control flow that is no nest: `structurize` should have run.  An error of the compiler."""


def structure(entry: B, successors: Callable[[B], Iterable[B]]) -> Seq[B]:
    """The tree of the blocks that are reachable from `entry`; successors come in the order "true, false"."""
    graph = ForwardGraph(entry, successors)
    crossings = graph.crossings()
    if crossings:
        raise NotNested(f"the arms of {crossings[0]} share blocks")
    return _Structure(graph, successors).build()


def structure_function(function: Function) -> Seq[Block]:
    """The tree of a function of the IR."""
    return structure(function.entry, lambda block: block.successors)


def blocks_of(region: Region[B]) -> Iterator[B]:
    """The blocks of a region in the order of their code."""
    pending: list[Region[B]] = [region]
    while pending:
        part = pending.pop()
        if isinstance(part, Seq):
            pending.extend(reversed(part.parts))
        elif isinstance(part, Loop):
            pending.append(part.body)
        else:
            yield part.block
            if isinstance(part, If):
                pending.extend(arm for arm in (part.orelse, part.then) if arm is not None)


@dataclass(slots=True)
class _OpenSequence(Generic[B]):
    """A sequence still to be filled: the blocks from one on, until control comes to another."""

    start: B | None
    stop: B | None
    out: Seq[B]
    loop: PlainLoop[B] | None


class _Structure(Generic[B]):
    """The making of one tree; without recursion, since unrolled loops nest deeply."""

    def __init__(self, graph: ForwardGraph[B], successors: Callable[[B], Iterable[B]]) -> None:
        self.graph = graph
        self.branches = successors
        self.opened: set[B] = set()
        self.pending: list[_OpenSequence[B]] = []

    def build(self) -> Seq[B]:
        tree: Seq[B] = Seq()
        self.pending.append(_OpenSequence(self.graph.entry, None, tree, None))
        while self.pending:
            sequence = self.pending.pop()
            block = sequence.start
            while block is not None and block is not sequence.stop:
                if block in self.graph.loops and block not in self.opened:
                    # Append a loop; where control goes on after it.
                    loop = self.graph.loops[block]
                    self.opened.add(loop.header)
                    block = next(iter(self.graph.successors[loop.latch]), None)
                    body: Seq[B] = Seq()
                    sequence.out.parts.append(Loop(body))
                    self.pending.append(_OpenSequence(loop.header, block, body, loop))
                else:
                    block = self._block(block, sequence)
        return tree

    def _block(self, block: B, sequence: _OpenSequence[B]) -> B | None:
        """Append a block with what it branches to; where control goes on."""
        following = self.graph.successors[block]
        if len(following) == 2:
            if_true, if_false = self.graph.successors[block]
            join = self.graph.post_dominator[block]
            inverted = if_true is join
            region: If[B] = If(block, Seq(), inverted=inverted)
            sequence.out.parts.append(region)
            self.pending.append(_OpenSequence(if_false if inverted else if_true, join, region.then, sequence.loop))
            if not inverted and if_false is not join:
                region.orelse = Seq()
                self.pending.append(_OpenSequence(if_false, join, region.orelse, sequence.loop))
            return join
        if sequence.loop is not None and block in sequence.loop.leaving:
            is_inverted = next(iter(self.branches(block))) is not sequence.loop.target
            sequence.out.parts.append(BreakIf(block, is_inverted))
        else:
            sequence.out.parts.append(Basic(block))
        return following[0] if following else None


def split_critical_edges(
    function: Function, analyses: AnalysisManager | None = None, *, back_edges: bool = True
) -> None:
    """Give every edge from a branch to a join a block of its own, where copies for phis find room.

    Of a loop that several edges leave to one block, these edges stay: with blocks of their own they would no
    longer lead to one place.  So do, without `back_edges`, those back to the heads of loops, where a machine has no
    room.  There the copies run before the branch, whether it leaves or not, which is right because phis take their
    values from registers that nobody else reads (see `select.py`).
    """
    if len(function.blocks) == 1:
        return
    predecessors = function.predecessors()
    loops = (analyses or AnalysisManager(function)).get(loop_nest).all_loops()
    # The edges that leave a loop where another one leaves it to the same block.
    kept: set[tuple[Block, Block]] = set()
    for loop in loops:
        targets = [target for _, target in loop.exits]
        kept.update(edge for edge in loop.exits if targets.count(edge[1]) > 1)
    if not back_edges:
        kept.update((latch, loop.header) for loop in loops for latch in loop.latches)
    edges = [
        (block, target)
        for block in function.blocks
        if len(set(block.successors)) > 1
        for target in dict.fromkeys(block.successors)
        if len(predecessors[target]) > 1 and (block, target) not in kept
    ]
    for block, target in edges:
        _split_edge(block, target)


def _split_edge(block: Block, target: Block) -> None:
    between = block.function.add_block("edge", after=block)
    retarget(block, target, between)
    rename_incoming(target, block, between)
    builder = Builder(between)
    builder.span = None if block.terminator is None else block.terminator.span
    builder.br(target)
