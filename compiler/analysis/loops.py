"""The loop nest: natural loops, found by their back edges (Muchnick, section 7.4).

An edge to a block that dominates its source closes a loop, of which that block is the header; the loop
holds what reaches the edge without passing the header.  Edges to one header make one loop.  Other cycles,
which are entered at several blocks, GLSL cannot express and the verifier refuses.
"""

from __future__ import annotations

from collections.abc import Iterable

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.dominators import dominators
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir.module import Block, Function


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

    def __init__(self, top: list[Loop], innermost: dict[Block, Loop]) -> None:
        self.top = top
        self._innermost = innermost

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
    # Only edges that go backwards in reverse postorder close cycles.
    backward = [
        (block, to) for block in flow.order for to in flow.successors[block] if flow.index[to] <= flow.index[block]
    ]
    if not backward:
        return LoopNest([], {})
    tree = manager.get(dominators)
    latches: dict[Block, list[Block]] = {}
    for block, header in backward:
        if tree.dominates(header, block):
            latches.setdefault(header, []).append(block)
    top: list[Loop] = []
    innermost: dict[Block, Loop] = {}
    for header in sorted(latches, key=flow.index.__getitem__):
        parent = innermost.get(header)
        loop = Loop(header, _body(header, latches[header], flow), parent, flow)
        siblings = top if parent is None else parent.children
        siblings.append(loop)
        innermost.update(dict.fromkeys(loop.blocks, loop))
    return LoopNest(top, innermost)


def _body(header: Block, latches: Iterable[Block], flow: ControlFlow) -> frozenset[Block]:
    """What reaches the latches without passing the header, which is of the loop, too."""
    blocks = {header}
    pending = list(latches)
    while pending:
        block = pending.pop()
        if block not in blocks:
            blocks.add(block)
            pending += flow.predecessors[block]
    return frozenset(blocks)
