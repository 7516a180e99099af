"""A control-flow graph without its backward jumps: what nested ifs and loops are found, and made, with.

In: any graph whose loops are *plain*, as `lower-returns` makes them: one block jumps back (the latch), all exits
lead to one block, and they start in blocks that every round passes.  Of the jumps of a loop none is left: not
the one back, not those out; instead its latch leads to the block after the loop.  So the graph has no
cycles, and a loop is one piece between its header and its latch.

Paths that never end, since they lead into a loop without an exit, do not count for post-dominators.
Blocks may be those of the IR or of machine code: a function tells their successors.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from glslc_multi.compiler.records import dataclass, replace

if TYPE_CHECKING:
    import networkx

B = TypeVar("B", bound=Hashable)


class NotPlain(Exception):
    """A loop that `lower-returns` has not seen: an error of the compiler, not of the shader."""


@dataclass(frozen=True, slots=True, eq=False)
class PlainLoop(Generic[B]):
    """A loop with one latch, whose exits lead to one block."""

    header: B
    latch: B
    blocks: frozenset[B]
    #: The blocks that leave it, and where to; None for a loop without exits.
    leaving: frozenset[B]
    target: B | None

    def with_split(self, block: B, rest: B) -> PlainLoop[B]:
        """The loop after `rest` became the end of one of its blocks."""
        if block not in self.blocks:
            return self
        leaving = frozenset(rest if each is block else each for each in self.leaving)
        latch = rest if self.latch is block else self.latch
        return replace(self, latch=latch, blocks=self.blocks | {rest}, leaving=leaving)


class ForwardGraph(Generic[B]):
    """The reachable blocks with their forward edges, loops, dominators and post-dominators."""

    def __init__(self, entry: B, successors: Callable[[B], Iterable[B]]) -> None:
        self.entry = entry
        order, all_successors = _search(entry, successors)
        number = {block: index for index, block in enumerate(order)}
        #: Header -> its loop, inner loops before outer ones.
        self.loops: dict[B, PlainLoop[B]] = _plain_loops(order, all_successors, number)
        #: Topological: every block comes after those that lead to it.
        self.order, self.successors = order, all_successors
        if self.loops:
            forward = {block: list(following) for block, following in all_successors.items()}
            for loop in self.loops.values():
                _cut(loop, forward)
            self.order, self.successors = _search(entry, forward.__getitem__)
        if len(self.order) < len(order):
            raise NotPlain("a loop is left only by blocks that not every round passes")
        self.index = {block: number for number, block in enumerate(self.order)}
        self.predecessors: dict[B, list[B]] = {block: [] for block in self.order}
        for block in self.order:
            for following in self.successors[block]:
                self.predecessors[following].append(block)
        self.dominator = self._dominators()
        self.post_dominator = self._post_dominators({block for block in order if not all_successors[block]})
        self._check_exits()

    def crossings(self) -> list[B]:
        """Branches whose arms share blocks before the point where all their paths meet, in order.

        Without them the graph is a nest of ifs and loops: every join is where the paths of its dominator meet.
        """
        joins = [block for block in self.order if len(self.predecessors[block]) > 1]
        branches: dict[B, None] = {}
        for join in joins:
            above = self.dominator[join]
            assert above is not None
            if self.post_dominator[above] is not join:
                branches[above] = None
        return sorted(branches, key=self.index.__getitem__)

    def dominated(self, top: B, below: B | None = None) -> set[B]:
        """The blocks that `top` dominates, but for those that `below` does."""
        if top is below:
            return set()
        members = {top}
        for block in self.order[self.index[top] + 1 :]:
            if self.dominator[block] in members and block is not below:
                members.add(block)
        return members

    def insert(self, after: B, block: B) -> None:
        """Note that `after`, which is no header of a loop, has been split: its end is that of `block` now."""
        self.loops = {header: loop.with_split(after, block) for header, loop in self.loops.items()}
        self.successors[block], self.successors[after] = self.successors[after], [block]
        for following in self.successors[block]:
            before = self.predecessors[following]
            before[before.index(after)] = block
        self.predecessors[block] = [after]
        self.order.insert(self.index[after] + 1, block)
        self.index = {block: number for number, block in enumerate(self.order)}
        self.dominator = {below: block if above is after else above for below, above in self.dominator.items()}
        self.dominator[block] = after
        self.post_dominator[block], self.post_dominator[after] = self.post_dominator[after], block

    def _dominators(self) -> dict[B, B | None]:
        above: dict[B, B | None] = {self.entry: None}
        for block in self.order[1:]:
            above[block] = _nearest_common(self.predecessors[block], above, self.index)
        return above

    def _post_dominators(self, returning: set[B]) -> dict[B, B | None]:
        """Dominators of the reversed graph, from an end (None) that comes after all blocks that lead nowhere."""
        ending = set(self.order)
        if self.loops:
            ending = self._leading_to(returning)
        above: dict[B, B | None] = {}
        index = {block: -number for block, number in self.index.items()}
        for block in reversed(self.order):
            following = self.successors[block]
            above[block] = _nearest_common([after for after in following if after in ending] or following, above, index)
        return above

    def _leading_to(self, ends: set[B]) -> set[B]:
        """The blocks that control can get from to one of these."""
        blocks = set(ends)
        for block in reversed(self.order):
            if any(after in blocks for after in self.successors[block]):
                blocks.add(block)
        return blocks

    def _check_exits(self) -> None:
        for loop in self.loops.values():
            passed: set[B] = set()
            block: B | None = loop.latch
            while block is not None and block in loop.blocks:
                passed.add(block)
                block = self.dominator[block]
            if not loop.leaving <= passed:
                raise NotPlain(f"the loop from {loop.header} is left by blocks that not every round passes")


def _nearest_common(blocks: list[B], above: Mapping[B, B | None], index: Mapping[B, int]) -> B | None:
    """The last block that all paths to some blocks pass, by what is known of those before them.

    Without cycles one walk along the graph finds all (Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm").
    """
    if not blocks:
        return None
    common: B | None = blocks[0]
    for block in blocks[1:]:
        other: B | None = block
        while common is not other:
            if other is None or (common is not None and index[common] > index[other]):
                assert common is not None
                common = above[common]
            else:
                other = above[other]
    return common


def _search(entry: B, successors: Callable[[B], Iterable[B]]) -> tuple[list[B], dict[B, list[B]]]:
    """The reachable blocks in reverse postorder, and their successors, each once."""
    found: dict[B, list[B]] = {}
    pending = [entry]
    while pending:
        block = pending.pop()
        if block not in found:
            found[block] = list(dict.fromkeys(successors(block)))
            pending += found[block]
    if len(found) == 1:
        return [entry], found

    import networkx

    # The first successor comes first in the result where edges allow.
    graph = _graph({block: following[::-1] for block, following in found.items()})
    return list(networkx.dfs_postorder_nodes(graph, entry))[::-1], found


def _graph(successors: Mapping[B, Iterable[B]]) -> networkx.DiGraph[B]:
    import networkx

    graph: networkx.DiGraph[B] = networkx.DiGraph()
    graph.add_nodes_from(successors)
    graph.add_edges_from((block, after) for block, following in successors.items() for after in following)
    return graph


def _plain_loops(order: list[B], successors: dict[B, list[B]], number: dict[B, int]) -> dict[B, PlainLoop[B]]:
    """Inner loops come before outer ones, since headers of outer loops come first in the order."""
    predecessors: dict[B, list[B]] = {block: [] for block in order}
    latches: dict[B, list[B]] = {}
    for block in order:
        for after in successors[block]:
            predecessors[after].append(block)
            if number[after] <= number[block]:
                latches.setdefault(after, []).append(block)
    headers = sorted(latches, key=number.__getitem__, reverse=True)
    return {header: _plain_loop(header, latches[header], successors, predecessors) for header in headers}


def _plain_loop(
    header: B, latches: list[B], successors: dict[B, list[B]], predecessors: dict[B, list[B]]
) -> PlainLoop[B]:
    if len(latches) > 1:
        raise NotPlain(f"{len(latches)} blocks go back to {header}")
    blocks = {header, latches[0]}
    pending = [latches[0]] if latches[0] is not header else []
    while pending:
        for before in predecessors[pending.pop()]:
            if before not in blocks:
                blocks.add(before)
                pending.append(before)
    exits = [(block, after) for block in blocks for after in successors[block] if after not in blocks]
    targets = {after for _, after in exits}
    if len(targets) > 1:
        raise NotPlain(f"the loop from {header} leads to {len(targets)} blocks")
    target = next(iter(targets), None)
    return PlainLoop(header, latches[0], frozenset(blocks), frozenset(block for block, _ in exits), target)


def _cut(loop: PlainLoop[B], forward: dict[B, list[B]]) -> None:
    """Let the latch lead on, and nothing else of the loop lead back or out."""
    forward[loop.latch].remove(loop.header)
    for block in loop.leaving:
        forward[block] = [after for after in forward[block] if after is not loop.target]
    if loop.target is not None:
        forward[loop.latch].append(loop.target)
