"""Sinking: a value that only one branch needs is computed in that branch.

In: any function.  Out: a pure operation, or a load of an input, stands in the block that dominates all of
its uses most closely, provided that this block runs less often: it does not always follow (it does not
post-dominate the old place) or it is after a loop, and it is in no loop that the old place is not in.  So
a value lives over fewer instructions, and lanes that take another path do not compute it.

Blocks are looked at from the last to the first, and the instructions of each as well, so that users have
sunk before their operands.  What reads neighbouring lanes stays, and so does what it reads, for the branch
may be one that lanes take differently; so do loads of memory that stores may change.

Not handled: copies of an instruction for several branches, each of which would need it.
"""

from __future__ import annotations

from typing import ClassVar

from compiler.analysis.cfg import ControlFlow, control_flow
from compiler.analysis.dominators import DominatorTree, dominators, post_dominators
from compiler.analysis.loops import LoopNest, loop_nest
from compiler.ir import ops
from compiler.ir.module import Block, Function, Instruction
from compiler.passes.base import Pass, PassContext
from compiler.passes.motion.legality import is_cross_lane, is_movable
from compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class Sink(Pass):
    """See the module's text."""

    name: ClassVar[str] = "sink"
    description: ClassVar[str] = "moves computations into the branch that needs them"
    preserves_control_flow: ClassVar[bool] = True

    def run(self, function: Function, context: PassContext) -> bool:
        if len(function.blocks) == 1:
            return False
        analyses = context.analyses(function)
        sinking = _Sinking(
            analyses.get(control_flow),
            analyses.get(dominators),
            analyses.get(post_dominators),
            analyses.get(loop_nest),
        )
        return sinking.run()


@dataclass(frozen=True, slots=True)
class _Sinking:
    """The analyses of one function."""

    flow: ControlFlow
    tree: DominatorTree
    after: DominatorTree
    loops: LoopNest

    def run(self) -> bool:
        progress = False
        for block in reversed(self.flow.order):
            for instruction in reversed(block):
                if is_movable(instruction):
                    progress |= self._sink(instruction, block)
        return progress

    def _sink(self, instruction: Instruction, block: Block) -> bool:
        place = self._place(instruction, block)
        if place is None or place is block or not self._runs_less_often(place, block):
            return False
        instruction.unlink()
        # Before what sank here before, which may be its user.
        place.insert_before(place.first_non_phi, instruction)
        return True

    def _place(self, instruction: Instruction, block: Block) -> Block | None:
        """The lowest block that dominates all uses and is in no loop more."""
        place: Block | None = None
        for user in instruction.users:
            if is_cross_lane(user):
                return None
            for used in _places_of_use(instruction, user):
                if used is block or used not in self.flow.index:
                    return None
                place = used if place is None else self.tree.nearest_common(place, used)
                if place is block:
                    return None
        while place is not None and place is not block and not self._is_in_loops_of(place, block):
            place = self.tree.parent[place]
        return place

    def _runs_less_often(self, place: Block, block: Block) -> bool:
        return not self.after.dominates(place, block) or self.loops.depth(place) < self.loops.depth(block)

    def _is_in_loops_of(self, place: Block, block: Block) -> bool:
        loop = self.loops.loop_of(place)
        return loop is None or block in loop.blocks


def _places_of_use(value: Instruction, user: Instruction) -> list[Block]:
    """Where `user` reads `value`; phis read where control comes from."""
    if user.op is ops.PHI:
        return [source for operand, source in user.incoming() if operand is value]
    assert user.block is not None
    return [user.block]
