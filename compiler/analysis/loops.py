"""The loop nest: natural loops found as nested strongly connected components.

A component of the graph with more than one block (or a self edge) is a loop; its header is the one
block entered from outside.  Taking the edges into the header away and looking again finds the inner
loops.  A component with several entries is irreducible: GLSL cannot express it and the verifier
refuses it, but the analysis reports it instead of failing.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.analysis.cfg import ControlFlow, control_flow
from compiler.analysis.manager import AnalysisManager
from compiler.ir.module import Block, Function


class Loop:
    """One natural loop; `blocks` includes those of inner loops."""

    __slots__ = ("blocks", "children", "depth", "entering", "exits", "header", "latches", "parent", "preheader")

    def __init__(self, header: Block, blocks: frozenset[Block], parent: Loop | None, flow: ControlFlow) -> None:
        self.header = header
        self.blocks = blocks
        self.parent = parent
        self.children: list[Loop] = []
        #: 1 for an outermost loop.
        self.depth: int = 1 if parent is None else parent.depth + 1
        #: Blocks with a back edge to the header.
        self.latches = [b for b in flow.predecessors[header] if b in blocks]
        #: Edges that leave the loop: (block inside, block outside).
        self.exits = [
            (block, after)
            for block in sorted(blocks, key=flow.index.__getitem__)
            for after in flow.successors[block]
            if after not in blocks
        ]
        #: Blocks outside that control comes from.
        self.entering = [b for b in flow.predecessors[header] if b not in blocks]
        only = self.entering[0] if len(self.entering) == 1 else None
        #: The only block that enters the loop, when it goes nowhere else.
        self.preheader = only if only is not None and len(flow.successors[only]) == 1 else None

    def __repr__(self) -> str:
        return f"Loop({self.header}, depth {self.depth})"


class LoopNest:
    """All loops of a function; `top` are the outermost ones."""

    def __init__(self, top: list[Loop], innermost: dict[Block, Loop], irreducible: list[frozenset[Block]]) -> None:
        self.top = top
        self._innermost = innermost
        #: Block sets of the strongly connected regions that have several entries.
        self.irreducible = irreducible

    def loop_of(self, block: Block) -> Loop | None:
        """The innermost loop that holds `block`."""
        return self._innermost.get(block)

    def depth(self, block: Block) -> int:
        """How many loops hold `block`."""
        loop = self.loop_of(block)
        return 0 if loop is None else loop.depth

    def all_loops(self) -> list[Loop]:
        """Every loop, outer before inner."""
        result = list(self.top)
        for loop in result:
            result.extend(loop.children)
        return result


def loop_nest(function: Function, manager: AnalysisManager) -> LoopNest:
    """Analysis: the loops of the reachable blocks."""
    flow = manager.get(control_flow)
    top: list[Loop] = []
    innermost: dict[Block, Loop] = {}
    irreducible: list[frozenset[Block]] = []
    pending: list[tuple[frozenset[Block], Loop | None]] = [(frozenset(flow.order), None)]
    while pending:
        region, parent = pending.pop()
        for blocks in _cyclic_components(flow, region, parent):
            entries = _entries(flow, blocks)
            if len(entries) > 1:
                irreducible.append(blocks)
                continue
            loop = Loop(entries[0], blocks, parent, flow)
            siblings = top if parent is None else parent.children
            siblings.append(loop)
            innermost.update(dict.fromkeys(blocks, loop))
            pending.append((blocks, loop))
    return LoopNest(top, innermost, irreducible)


def _cyclic_components(flow: ControlFlow, region: frozenset[Block], parent: Loop | None) -> list[frozenset[Block]]:
    """Strongly connected parts of `region` that hold a cycle, without the back edges of `parent`, in program order."""
    if not _may_have_cycle(flow, region, parent):
        return []

    import networkx

    header = None if parent is None else parent.header
    # One walk along the edges: a copy of a view of the graph asks that about every node and edge.
    part: networkx.DiGraph[Block] = networkx.DiGraph()
    part.add_edges_from(
        (block, after)
        for block in region
        for after in flow.successors[block]
        if after in region and after is not header
    )
    components = [
        frozenset(c)
        for c in networkx.strongly_connected_components(part)
        if len(c) > 1 or part.has_edge(*(list(c) * 2))
    ]
    return sorted(components, key=lambda c: min(flow.index[b] for b in c))


def _may_have_cycle(flow: ControlFlow, region: Iterable[Block], parent: Loop | None) -> bool:
    """Whether some edge goes backwards in reverse postorder: only such an edge can close a cycle."""
    header = None if parent is None else parent.header
    blocks = region if isinstance(region, frozenset) else frozenset(region)
    return any(
        flow.index[after] <= flow.index[block]
        for block in blocks
        for after in flow.successors[block]
        if after in blocks and after is not header
    )


def _entries(flow: ControlFlow, blocks: frozenset[Block]) -> list[Block]:
    """Blocks of a component that are entered from outside, or the function's entry."""
    return [
        block
        for block in sorted(blocks, key=flow.index.__getitem__)
        if block is flow.entry or any(before not in blocks for before in flow.predecessors[block])
    ]
