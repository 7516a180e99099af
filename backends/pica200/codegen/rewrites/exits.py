"""Exits of loops: what follows a loop that may be counted is reached from the loop alone.

    if (c) for (...) { ... }        the loop leaves to a block of its own, which goes on to what follows the condition

In: loops that the hardware can count, as far as their tests tell.  Out: their exits end in a block that no other way
leads to, at which `loops.py` takes the values that the loop leaves.
"""

from __future__ import annotations

from glslc_multi.backends.pica200.codegen.rewrites.guards import bounding_uniform
from glslc_multi.compiler.analysis.loops import Loop, loop_nest
from glslc_multi.compiler.analysis.trips import trip_counts
from glslc_multi.compiler.ir.block_edits import retarget
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Block, Function
from glslc_multi.compiler.passes.base import Pass, PassContext


class SeparateExits(Pass):
    """See the module's text."""

    name = "pica200-loop-exits"
    description = "gives loops that may be counted an exit of their own"

    def run(self, function: Function, context: PassContext) -> bool:
        if len(function.blocks) == 1:
            return False
        analyses = context.analyses(function)
        counts = analyses.get(trip_counts)
        loops = [loop for loop in analyses.get(loop_nest).all_loops() if counts.get(loop) or bounding_uniform(loop)]
        progress = False
        for loop in loops:
            outside = {target for _, target in loop.exits}
            if len(outside) == 1 and _is_shared(loop, *outside):
                _separate(loop, *outside)
                progress = True
        return progress


def _is_shared(loop: Loop, outside: Block) -> bool:
    predecessors = outside.function.predecessors()[outside]
    return any(predecessor not in loop.blocks for predecessor in predecessors)


def _separate(loop: Loop, outside: Block) -> None:
    """Let the exits of a loop meet in a new block."""
    sources = list(dict.fromkeys(block for block, _ in loop.exits))
    left = outside.function.add_block("left", after=loop.latches[0])
    builder = Builder(left)
    for phi in outside.phis():
        brought = [(value, block) for value, block in phi.incoming() if block in loop.blocks]
        merged = brought[0][0] if len(brought) == 1 else builder.phi(phi.type, brought)
        for _, block in brought:
            phi.remove_incoming(block)
        phi.add_incoming(merged, left)
    builder.at_end_of(left)
    builder.br(outside)
    for source in sources:
        retarget(source, outside, left)
