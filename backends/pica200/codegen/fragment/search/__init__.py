"""The fewest combiner stages that compute a pixel: an exhaustive search, backwards from the goals."""

from __future__ import annotations

from collections.abc import Iterator

from backends.pica200.codegen.fragment.bound import bound_of
from backends.pica200.codegen.fragment.problem import NoSolution, Problem, Solution
from backends.pica200.codegen.fragment.search.explore import Explorer, Plan, Wanted
from backends.pica200.codegen.fragment.search.goals import Vector, unclamped
from backends.pica200.codegen.fragment.search.ways import OutOfWork, Ways

#: The first search tries so many forms of each goal, to have any program soon.
_FEW_FORMS = 4

#: So many programs of the same length are compared.
_PLANS = 24


def find_stages(problem: Problem) -> Solution | NoSolution:
    """Stages for a problem: as few as there can be, if the search comes to its end in time.

    Half of the work is for a program at all; the other half for showing that none is shorter, or for finding one.
    """
    alpha = None if problem.alpha is None else unclamped(problem.alpha)
    goals = (*map(unclamped, problem.colour), alpha)
    ways = Ways([goals])
    ways.set_breadth(_FEW_FORMS)
    found: list[Plan] = []
    for count in range(1, problem.stages + 1):
        ways.work += problem.work // (2 * problem.stages)
        found = list(_some_plans(ways, goals, count))
        if found:
            break
    most = len(found[0].stages) if found else problem.stages
    ways.set_breadth(None)
    ways.work = max(0, ways.work) + problem.work // 2
    for count in range(1, most + 1):
        plans = list(_some_plans(ways, goals, count))
        is_complete = ways.work >= 0
        if plans or not is_complete or count == most:
            found = plans if count < most and plans else [*plans, *found]
            break
    if not found:
        return NoSolution(is_complete, problem.stages + 1 if is_complete else count)
    return _best(found, is_complete, problem)


def _best(plans: list[Plan], is_fewest: bool, problem: Problem) -> Solution:
    bounds = [bound_of(plan.stages, plan.buffer_colour, problem.errors) for plan in plans]
    best = plans[bounds.index(min(bounds))]
    return Solution(best.stages, best.buffer_colour, min(bounds), is_fewest)


def _some_plans(ways: Ways, goals: Vector, count: int) -> Iterator[Plan]:
    try:
        for number, plan in enumerate(Explorer(ways).plans(count - 1, Wanted(goals)), 1):
            yield plan
            if number == _PLANS:
                return
    except OutOfWork:
        return
