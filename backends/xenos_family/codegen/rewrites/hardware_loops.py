"""Loops that the machine counts itself, with LOOP_START and LOOP_END.

In: a legalised function.  Out: the loops that run a number of times known here, with the loop constant that holds the
number.  The test at their head is no longer made, so what only served to count goes, too.  It must be the only exit:
otherwise a jump on the predicate is better, which ends the loop when the last lane has left.  And what the head
computes must not be read after the loop: the machine does not come to the head a last time.

The driver's own compiler does not use such loops, so that these rest on the reference alone.
"""

from __future__ import annotations

from backends.xenos_family.isa.registers import STACK_DEPTH
from compiler.analysis.loops import Loop, loop_nest
from compiler.analysis.manager import AnalysisManager
from compiler.analysis.trips import TripCount, trip_counts
from compiler.forms import Form
from compiler.ir import ops
from compiler.ir.module import Constant, Function, Instruction
from compiler.ir.types import BOOL
from compiler.passes.base import PassContext
from compiler.passes.scalar.dce import DeadCode

#: The largest count that a loop constant holds.
COUNT_LIMIT = 255

_COUNTED = Form(__name__, "loop that the machine counts")


def count_loops(function: Function, limit: int) -> dict[Instruction, int]:
    """Branches that leave such a loop -> how often it runs; of `limit` different counts at most."""
    if len(function.blocks) == 1:
        return {}
    analyses = AnalysisManager(function)
    counts = analyses.get(trip_counts)
    counted: dict[Instruction, int] = {}
    depths: dict[Loop, int] = {}
    for loop in reversed(analyses.get(loop_nest).all_loops()):
        inner = max((depths[child] for child in loop.children), default=0)
        count = counts.get(loop)
        is_counted = inner < STACK_DEPTH and count is not None and _may_be_counted(loop, count)
        depths[loop] = inner + is_counted
        if is_counted and count is not None:
            counted[_branch(count)] = count.stays
    kept = sorted(set(counted.values()))[:limit]
    counted = {branch: count for branch, count in counted.items() if count in kept}
    for branch in counted:
        _COUNTED.fires()
        branch.set_operand(0, Constant.splat(BOOL, True))
    DeadCode().run(function, PassContext())
    return counted


def _may_be_counted(loop: Loop, count: TripCount) -> bool:
    if not count.exact or len(loop.exits) > 1 or count.exiting is not loop.header:
        return False
    if not 0 < count.stays <= COUNT_LIMIT:
        return False
    head = [instruction for instruction in loop.header if instruction.op is not ops.PHI]
    return all(
        instruction.op.is_terminator or (instruction.op.effect != "effect" and _is_inside(instruction, loop))
        for instruction in head
    )


def _is_inside(value: Instruction, loop: Loop) -> bool:
    """Whether nothing after the loop reads a value.  (A phi reads at the end of the block that it comes from.)"""
    return all(user.block in loop.blocks for user in value.users)


def _branch(count: TripCount) -> Instruction:
    terminator = count.exiting.terminator
    assert terminator is not None
    return terminator
