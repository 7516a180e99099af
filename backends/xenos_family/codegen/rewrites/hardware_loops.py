"""Loops that the machine counts itself, with LOOP_START and LOOP_END.

In: a legalised function without critical edges.  Out: the loops that run a number of times known here.  All that such a
loop holds runs as often, so its test moves to the latch: the graph, by which copies are placed and registers allocated,
is what the machine runs.  The test is no longer made, and what only served to count goes.  It must be the only exit:
otherwise a jump on the predicate is better, which ends the loop when the last lane has left.

The driver's own compiler does not use such loops, so that these rest on the reference alone.
"""

from __future__ import annotations

from backends.xenos_family.isa.registers import STACK_DEPTH
from compiler.analysis.loops import Loop, loop_nest
from compiler.analysis.manager import AnalysisManager
from compiler.analysis.trips import TripCount, trip_counts
from compiler.ir.module import Block, Constant, Function, Instruction
from compiler.ir.types import BOOL
from compiler.lowering.rotation import end_with, may_rotate
from compiler.passes.base import PassContext
from compiler.passes.scalar.dce import DeadCode

#: The largest count that a loop constant holds.
COUNT_LIMIT = 255


def count_loops(function: Function, limit: int) -> dict[Instruction, int]:
    """Branches that end such a loop -> how often it runs; of `limit` different counts at most."""
    if len(function.blocks) == 1:
        return {}
    analyses = AnalysisManager(function)
    tests = analyses.get(trip_counts)
    counts: dict[Loop, int] = {}
    depths: dict[Loop, int] = {}
    for loop in reversed(analyses.get(loop_nest).all_loops()):
        depths[loop] = max((depths[child] for child in loop.children), default=0)
        count = _count(loop, tests.get(loop))
        if depths[loop] < STACK_DEPTH and 0 < count <= COUNT_LIMIT:
            counts[loop] = count
            depths[loop] += 1
    kept = sorted(set(counts.values()))[:limit]
    counted = {_end(loop, tests[loop].exiting): count for loop, count in counts.items() if count in kept}
    DeadCode().run(function, PassContext())
    return counted


def _count(loop: Loop, test: TripCount | None) -> int:
    """Return how often all of a loop runs, when its test stands at the latch; 0 where that is not known."""
    if test is None or not test.exact or len(loop.exits) > 1:
        return 0
    if test.exiting in loop.latches:
        return test.stays + 1
    ((_, outside),) = loop.exits
    return test.stays if test.exiting is loop.header and may_rotate(loop, outside) else 0


def _end(loop: Loop, exiting: Block) -> Instruction:
    """Let the machine end a loop; the branch."""
    ((_, outside),) = loop.exits
    inside = next(target for target in exiting.successors if target in loop.blocks)
    return end_with(loop, Constant.splat(BOOL, True), exiting, inside, outside)
