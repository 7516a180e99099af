"""The fewest combiner stages that compute a pixel: an exhaustive search, backwards from the goals."""

from __future__ import annotations

from backends.pica200.codegen.fragment.problem import NoSolution, Problem, Solution
from backends.pica200.codegen.fragment.search.explore import Explorer, Plan, Wanted
from backends.pica200.codegen.fragment.search.goals import unclamped
from backends.pica200.codegen.fragment.search.ways import OutOfWork, Ways


def find_stages(problem: Problem) -> Solution | NoSolution:
    """Stages for a problem: as few as there can be, if the search comes to its end in time."""
    alpha = None if problem.alpha is None else unclamped(problem.alpha)
    goals = (*map(unclamped, problem.colour), alpha)
    is_complete = True
    ways = Ways([goals])
    for count in range(1, problem.stages + 1):
        try:
            ways.work = problem.work
            plan = Explorer(ways).reach(count - 1, Wanted(goals))
        except OutOfWork:
            is_complete = False
            continue
        if plan is not None:
            return Solution(plan.stages, plan.buffer_colour, 0.0, is_complete)
    return NoSolution(is_complete, problem.stages + 1)
