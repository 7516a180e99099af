"""Dominators and post-dominators, with frontiers.

Immediate dominators come from networkx (the Cooper-Harvey-Kennedy algorithm).  Post-dominators are
dominators of the reversed graph from a virtual exit (None); a region that never reaches an exit, such
as an endless loop, is connected to the virtual exit from its last strongly connected component, so
that every block has a post-dominator.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from compiler.analysis.cfg import ControlFlow, control_flow
from compiler.analysis.manager import AnalysisManager
from compiler.ir.module import Block, Function

if TYPE_CHECKING:
    import networkx

#: A node of the post-dominator tree: a block, or None for the virtual exit.
Node = Block | None


class DominatorTree:
    """A (post-)dominator tree over blocks; `root` is the entry, or None for post-dominators."""

    def __init__(self, root: Node, parent: dict[Node, Node], predecessors: dict[Node, list[Node]]) -> None:
        self.root = root
        #: Immediate dominator of every node but the root.
        self.parent = parent
        self._predecessors = predecessors
        self.children: dict[Node, list[Node]] = {root: []}
        for node in parent:
            self.children[node] = []
        for node, above in parent.items():
            self.children[above].append(node)
        self._enter, self._leave = self._number()

    def _number(self) -> tuple[dict[Node, int], dict[Node, int]]:
        """Depth-first entry and exit times, which answer `dominates` in constant time."""
        enter: dict[Node, int] = {}
        leave: dict[Node, int] = {}
        time = 0
        stack: list[tuple[Node, bool]] = [(self.root, False)]
        while stack:
            node, done = stack.pop()
            time += 1
            if done:
                leave[node] = time
                continue
            enter[node] = time
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(self.children[node]))
        return enter, leave

    def dominates(self, above: Node, below: Node) -> bool:
        """Whether every path from the root to `below` passes `above`; a node dominates itself."""
        return self._enter[above] <= self._enter[below] and self._leave[below] <= self._leave[above]

    def strictly_dominates(self, above: Node, below: Node) -> bool:
        return above is not below and self.dominates(above, below)

    def nearest_common(self, first: Node, second: Node) -> Node:
        """The lowest node that dominates both."""
        node = first
        while not self.dominates(node, second):
            node = self.parent[node]
        return node

    @cached_property
    def frontier(self) -> dict[Node, list[Node]]:
        """Nodes where each node's dominance ends: joins with a predecessor it dominates."""
        frontier: dict[Node, dict[Node, None]] = {node: {} for node in self.children}
        for join, before in self._predecessors.items():
            # The root is no join: nothing may branch to the entry, nor leave the virtual exit.
            if len(before) < 2 or join is self.root:
                continue
            for runner in before:
                while runner is not self.parent[join]:
                    frontier[runner][join] = None
                    runner = self.parent[runner]
        return {node: list(joins) for node, joins in frontier.items()}

    def iterated_frontier(self, nodes: Iterable[Node]) -> list[Node]:
        """Where definitions in `nodes` need phis: the frontier closed under itself."""
        result: dict[Node, None] = {}
        pending = list(nodes)
        while pending:
            for join in self.frontier[pending.pop()]:
                if join not in result:
                    result[join] = None
                    pending.append(join)
        return list(result)


def dominators(function: Function, manager: AnalysisManager) -> DominatorTree:
    """Analysis: the dominator tree of the reachable blocks."""
    flow = manager.get(control_flow)
    predecessors: dict[Node, list[Node]] = {block: list(before) for block, before in flow.predecessors.items()}
    if len(flow.order) == 1:
        return DominatorTree(flow.entry, {}, predecessors)
    return DominatorTree(flow.entry, _immediate_dominators(flow.graph, flow.entry), predecessors)


def post_dominators(function: Function, manager: AnalysisManager) -> DominatorTree:
    """Analysis: the post-dominator tree, rooted at the virtual exit None."""
    flow = manager.get(control_flow)
    leaving: dict[Node, list[Node]] = {block: list(after) for block, after in flow.successors.items()}
    ends = final_blocks(flow)
    for block in ends:
        leaving[block].append(None)
    leaving[None] = []
    if len(flow.order) == 1:
        return DominatorTree(None, {flow.entry: None}, leaving)

    import networkx

    # None is no networkx node, so the function stands for the virtual exit in the graph.
    reverse: networkx.DiGraph[Block | Function] = networkx.DiGraph()
    reverse.add_edges_from(
        (function if after is None else after, block) for block in flow.order for after in leaving[block]
    )
    return DominatorTree(None, _immediate_dominators(reverse, function), leaving)


def _immediate_dominators(graph: networkx.DiGraph[Any], root: Block | Function) -> dict[Node, Node]:
    """Immediate dominators of all nodes but the root; a function among the nodes is the virtual exit."""
    import networkx

    parent = networkx.immediate_dominators(graph, root)
    return {node: above if isinstance(above, Block) else None for node, above in parent.items() if node is not root}


def final_blocks(flow: ControlFlow) -> list[Block]:
    """Exits, and after them the first block of every endless region."""
    exits = flow.exits
    if len(flow.order) == 1:
        return exits or [flow.entry]

    import networkx

    reaching = set(exits).union(*(networkx.ancestors(flow.graph, block) for block in exits))
    if len(reaching) == len(flow.order):
        return exits
    components = networkx.strongly_connected_components(flow.graph)
    endless = [c for c in components if all(s in c for block in c for s in flow.successors[block])]
    stuck = [min(c, key=flow.index.__getitem__) for c in endless if not any(block in reaching for block in c)]
    return exits + sorted(stuck, key=flow.index.__getitem__)
