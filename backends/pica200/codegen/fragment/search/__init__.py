"""The fewest combiner stages that compute a pixel: an exhaustive search, backwards from the goals."""

from __future__ import annotations

from collections.abc import Iterator

from backends.pica200.codegen.fragment.bound import bound_of
from backends.pica200.codegen.fragment.problem import NoSolution, Problem, Solution
from backends.pica200.codegen.fragment.search.explore import Explorer, Plan, Wanted
from backends.pica200.codegen.fragment.search.goals import Vector, unclamped
from backends.pica200.codegen.fragment.search.ways import OutOfWork, Ways

#: So many programs of the same length are compared, and no more are looked for than this share of the work allows.
_PLANS = 24


def find_stages(problem: Problem) -> Solution | NoSolution:
    """Stages for a problem: as few as there can be, if the search comes to its end in time."""
    alpha = None if problem.alpha is None else unclamped(problem.alpha)
    goals = (*map(unclamped, problem.colour), alpha)
    ways = Ways([goals])
    is_complete = True
    for count in range(1, problem.stages + 1):
        ways.work += problem.work // problem.stages
        plans = list(_some_plans(ways, goals, count))
        if plans:
            bounds = [bound_of(plan.stages, plan.buffer_colour) for plan in plans]
            best = plans[bounds.index(min(bounds))]
            return Solution(best.stages, best.buffer_colour, min(bounds), is_complete)
        is_complete = is_complete and ways.work >= 0
    return NoSolution(is_complete, problem.stages + 1 if is_complete else 1)


def _some_plans(ways: Ways, goals: Vector, count: int) -> Iterator[Plan]:
    try:
        for number, plan in enumerate(Explorer(ways).plans(count - 1, Wanted(goals)), 1):
            yield plan
            if number == _PLANS:
                return
    except OutOfWork:
        return
