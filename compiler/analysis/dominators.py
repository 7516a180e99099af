"""Dominators and post-dominators, with frontiers.

Immediate dominators are found by Semi-NCA (Georgiadis, "Linear-time algorithms for dominators and related problems",
2005); the algorithm of networkx (Cooper-Harvey-Kennedy) takes quadratic time where many blocks lead to one, as the
breaks of an unrolled loop do.  Post-dominators are dominators of the reversed graph from a virtual exit
(None); a region that never reaches an exit, such as an endless loop, is connected to the virtual exit from its last
strongly connected component, so that every block has a post-dominator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir.module import Block, Function

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
        # Depth-first entry and exit times, which answer `dominates` in constant time.
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
        self._enter, self._leave = enter, leave

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
                # Where the way of another predecessor is met, it has gone on from there.
                while runner is not self.parent[join] and join not in frontier[runner]:
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
    successors: dict[Node, list[Node]] = {block: list(after) for block, after in flow.successors.items()}
    return DominatorTree(flow.entry, _immediate_dominators(flow.entry, successors), predecessors)


def post_dominators(function: Function, manager: AnalysisManager) -> DominatorTree:
    """Analysis: the post-dominator tree, rooted at the virtual exit None."""
    flow = manager.get(control_flow)
    leaving: dict[Node, list[Node]] = {block: list(after) for block, after in flow.successors.items()}
    for block in final_blocks(flow):
        leaving[block].append(None)
    leaving[None] = []
    reverse: dict[Node, list[Node]] = {node: [] for node in leaving}
    for block in flow.order:
        for after in leaving[block]:
            reverse[after].append(block)
    return DominatorTree(None, _immediate_dominators(None, reverse), leaving)


def _immediate_dominators(root: Node, successors: Mapping[Node, Sequence[Node]]) -> dict[Node, Node]:
    """Immediate dominators of all nodes but the root, in reverse postorder.

    A semidominator is the first node of a depth-first search from which a way leads to a node through later ones only.
    The immediate dominator is the nearest common ancestor of that and the node's parent, in the tree of dominators.
    """
    nodes, parent, postorder = _depth_first(root, successors)
    number = {node: index for index, node in enumerate(nodes)}
    predecessors: list[list[int]] = [[] for _ in nodes]
    for index, node in enumerate(nodes):
        for after in successors[node]:
            predecessors[number[after]].append(index)
    semi = list(range(len(nodes)))
    #: Of nodes after the one at hand: one on the way up to those before it, and the best of what that passes over.
    ancestor, best = list(parent), list(semi)

    def best_above(node: int, first: int) -> int:
        """The smallest semidominator on the way from `node` up to the nodes before `first`; shortens the way."""
        passed = []
        while ancestor[node] >= first:
            passed.append(node)
            node = ancestor[node]
        for below in reversed(passed):
            ancestor[below] = ancestor[node]
            best[below] = min(best[below], best[node])
            node = below
        return best[node]

    for index in range(len(nodes) - 1, 0, -1):
        semi[index] = best[index] = min(
            before if before <= index else best_above(before, index + 1) for before in predecessors[index]
        )
    dominator = [0]
    for index in range(1, len(nodes)):
        above = parent[index]
        while above > semi[index]:
            above = dominator[above]
        dominator.append(above)
    return {node: nodes[dominator[number[node]]] for node in reversed(postorder) if node is not root}


def _depth_first(root: Node, successors: Mapping[Node, Sequence[Node]]) -> tuple[list[Node], list[int], list[Node]]:
    """The nodes as a depth-first search meets them, the number of each one's parent, and their postorder."""
    nodes, parent, postorder = [root], [0], list[Node]()
    seen = {root}
    stack = [(0, iter(successors[root]))]
    while stack:
        index, following = stack[-1]
        after = next((each for each in following if each not in seen), root)
        if after is root:
            stack.pop()
            postorder.append(nodes[index])
            continue
        seen.add(after)
        stack.append((len(nodes), iter(successors[after])))
        nodes.append(after)
        parent.append(index)
    return nodes, parent, postorder


def final_blocks(flow: ControlFlow) -> list[Block]:
    """Exits, and after them the first block of every endless region."""
    exits = flow.exits
    reaching, pending = set(exits), list(exits)
    while pending:
        for before in flow.predecessors[pending.pop()]:
            if before not in reaching:
                reaching.add(before)
                pending.append(before)
    if len(reaching) == len(flow.order):
        return exits
    if len(flow.order) == 1:
        return [flow.entry]

    import networkx

    components = networkx.strongly_connected_components(flow.graph)
    endless = [c for c in components if all(s in c for block in c for s in flow.successors[block])]
    stuck = [min(c, key=flow.index.__getitem__) for c in endless if not any(block in reaching for block in c)]
    return exits + sorted(stuck, key=flow.index.__getitem__)
