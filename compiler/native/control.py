"""The plan of a function's control flow: in which order blocks stand, and where lanes may be apart.

Blocks stand in `block_order`, like those of the evaluator: lanes that take different paths wait at blocks,
the earliest block anyone waits at runs next, and so lanes meet at every join and after every loop.  Lanes
are apart only in *partial* blocks (`compiler/analysis/uniformity.py`).  Elsewhere a branch on a value that all lanes
share is a plain jump.
"""

from __future__ import annotations

from glslc_multi.compiler.analysis.dominators import DominatorTree, post_dominators
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.uniformity import uniformity
from glslc_multi.compiler.ir.block_order import block_order
from glslc_multi.compiler.ir.module import Block, Function


class ControlPlan:
    """What the code generator asks about blocks."""

    def __init__(self, function: Function) -> None:
        self.order = block_order(function)
        self.number = {block: number for number, block in enumerate(self.order)}
        #: Blocks at whose end lanes may part, and blocks that may run with some of the lanes only.
        self.parting: set[Block] = set()
        self.partial: set[Block] = set()
        self._after: DominatorTree | None = None
        if len(self.order) > 1:
            manager = AnalysisManager(function)
            uniform = uniformity(function, manager)
            self._after = manager.get(post_dominators)
            self.partial = uniform.partial_blocks & set(self.order)
            if any(self._goes_back_to_whole(block) for block in self.order):
                # Lanes that go back one by one run the loop's head one by one: then nothing is known.
                self.partial = set(self.order[1:])
            self.parting = self.partial | (uniform.diverging_branches & set(self.order))

    def _goes_back_to_whole(self, block: Block) -> bool:
        """Whether some of the lanes go back from a partial block to one that all lanes run."""
        backward = (after for after in block.successors if self.number[after] <= self.number[block])
        return block in self.partial and any(after not in self.partial for after in backward)

    def followers(self, block: Block) -> tuple[list[Block], Block | None]:
        """After a block where lanes part: the partial blocks where some may wait, in order, and the block
        where all meet again (None: the end of the function)."""
        meeting = self._meeting(block)
        last = len(self.order) if meeting is None else self.number[meeting]
        between = self.order[self.number[block] + 1 : last]
        return [candidate for candidate in between if candidate in self.partial], meeting

    def _meeting(self, block: Block) -> Block | None:
        assert self._after is not None
        meeting = self._after.parent[block]
        while meeting is not None and meeting in self.partial:
            meeting = self._after.parent[meeting]
        return meeting

    def is_backward(self, block: Block, target: Block) -> bool:
        return self.number[target] <= self.number[block]
