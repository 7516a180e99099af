"""Loops that the machine counts itself, with LOOP_START and LOOP_END.

In: a legalised function without critical edges.  Out: the loops that run a number of times known here.  All that such a
loop holds runs as often, so its test moves to the latch: the graph, by which copies are placed and registers allocated,
is what the machine runs.  The test is no longer made, and what only served to count goes.  It must be the only exit:
otherwise a jump on the predicate is better, which ends the loop when the last lane has left.

The driver's own compiler does not use such loops, so that these rest on the reference alone.
"""

from __future__ import annotations

from glslc_multi.backends.xenos_family.isa.registers import STACK_DEPTH
from glslc_multi.compiler.analysis.loops import Loop, loop_nest
from glslc_multi.compiler.analysis.trips import trip_counts
from glslc_multi.compiler.ir.module import Constant, Function, Instruction
from glslc_multi.compiler.ir.types import BOOL
from glslc_multi.compiler.lowering.rotation import end_with, rounds_by_latch
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.records import dataclass, field

#: The largest count that a loop constant holds.
COUNT_LIMIT = 255


@dataclass(frozen=True, slots=True)
class CountLoops(Pass):
    """See the module's text; branches that end such a loop go to `ends`, with how often it runs."""

    name = "xenos-family-loops"
    description = "makes hardware loops of loops with a known number of iterations"

    #: Different counts that there may be.
    limit: int = 16
    ends: dict[Instruction, int] = field(default_factory=dict, compare=False)

    def run(self, function: Function, context: PassContext) -> bool:
        if len(function.blocks) == 1:
            return False
        analyses = context.analyses(function)
        tests = analyses.get(trip_counts)
        counts: dict[Loop, int] = {}
        depths: dict[Loop, int] = {}
        for loop in reversed(analyses.get(loop_nest).all_loops()):
            depths[loop] = max((depths[child] for child in loop.children), default=0)
            test = tests.get(loop)
            count = rounds_by_latch(loop, test) if test is not None and test.exact and len(loop.exits) == 1 else 0
            if depths[loop] < STACK_DEPTH and 0 < count <= COUNT_LIMIT:
                counts[loop] = count
                depths[loop] += 1
        kept = sorted(set(counts.values()))[: self.limit]
        ended = {end_with(loop, Constant.splat(BOOL, True)): count for loop, count in counts.items() if count in kept}
        self.ends.update(ended)
        return bool(ended)
