"""The control-flow graph: reachable blocks in reverse postorder, edges in both directions, and as networkx graph.

Importing networkx costs more than compiling a small shader (about 200 ms), so that it is imported only where a
function has more than one block.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.ir.block_order import postorder
from glslc_multi.compiler.ir.module import Block, Function

if TYPE_CHECKING:
    import networkx


class ControlFlow:
    """Reachable blocks and the edges between them; parallel edges count once."""

    def __init__(self, function: Function) -> None:
        self.function = function
        #: Reachable blocks in reverse postorder: every block follows its predecessors, but for back edges, and the
        #: first successor comes first where edges allow.
        self.order: list[Block] = postorder(function.entry, lambda block: block.successors[::-1])[::-1]
        #: Block -> its number in `order`.
        self.index: dict[Block, int] = {block: number for number, block in enumerate(self.order)}
        self.successors: dict[Block, list[Block]] = {b: list(dict.fromkeys(b.successors)) for b in self.order}
        self.predecessors: dict[Block, list[Block]] = {b: [] for b in self.order}
        for block, following in self.successors.items():
            for successor in following:
                self.predecessors[successor].append(block)

    @property
    def entry(self) -> Block:
        return self.order[0]

    @property
    def exits(self) -> list[Block]:
        """Reachable blocks without successors."""
        return [block for block in self.order if not self.successors[block]]

    @property
    def unreachable(self) -> list[Block]:
        return [block for block in self.function.blocks if block not in self.index]

    @cached_property
    def graph(self) -> networkx.DiGraph[Block]:
        """The reachable part as a networkx graph."""
        import networkx

        graph: networkx.DiGraph[Block] = networkx.DiGraph()
        graph.add_nodes_from(self.order)
        graph.add_edges_from((b, s) for b, following in self.successors.items() for s in following)
        return graph


def control_flow(function: Function, _manager: AnalysisManager) -> ControlFlow:
    """Analysis: the control-flow graph of `function`."""
    return ControlFlow(function)
