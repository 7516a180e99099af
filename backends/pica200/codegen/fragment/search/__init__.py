"""The fewest combiner stages that compute a pixel: an exhaustive search, backwards from the goals."""

from __future__ import annotations

from collections.abc import Iterator

from backends.pica200.codegen.fragment.bound import bound_of
from backends.pica200.codegen.fragment.problem import NoSolution, Problem, Solution
from backends.pica200.codegen.fragment.search.explore import Explorer, Plan, Wanted
from backends.pica200.codegen.fragment.search.vectors import Vector, unclamped
from backends.pica200.codegen.fragment.search.ways import OutOfWork, Ways

#: The first search tries so many forms of each goal, to have any program soon.
_FEW_FORMS = 4

#: So many programs of the same length are compared.
_PLANS = 24


def find_stages(problem: Problem, *, anyhow: bool = True) -> Solution | NoSolution:
    """Stages for a problem: as few as there can be, if the search comes to its end in time.

    A quarter of the work is for a program of any length.  Then all programs of one stage, of two, and so on are tried
    with half of it; where that takes too much, only those that are made of few forms.  What then has no program yet has
    the last quarter.  A program that differs by more than is allowed is taken only if no longer one is better.
    Without `anyhow` there is only the half.
    """
    alpha = None if problem.alpha is None else unclamped(problem.alpha)
    goals = (*map(unclamped, problem.colour), alpha)
    ways = Ways([goals])
    share = problem.work // 4
    ways.restart(share, _FEW_FORMS)
    some = next(_some_plans(ways, goals, problem.stages), None) if anyhow else None
    most = problem.stages if some is None else len(some.stages) - some.idle
    ways.restart(2 * share, None)
    is_complete = True
    best: Solution | None = None
    for count in range(1, most + 1):
        plans = list(_some_plans(ways, goals, count))
        if not plans and ways.work < 0:
            is_complete = False
            if not anyhow:
                break
            ways.restart(share // 4, _FEW_FORMS)
            plans = list(_some_plans(ways, goals, count))
        if plans:
            best = _nearer(best, _best(plans, is_complete and best is None, problem))
            if best.bound <= problem.allowed:
                return best
    if some is None and best is None and anyhow and not is_complete:
        ways.restart(share, _FEW_FORMS)
        some = next(_some_plans(ways, goals, problem.stages), None)
    if some is not None:
        best = _nearer(best, _best([some], False, problem))
    return best or NoSolution(is_complete, most + 1)


def _nearer(one: Solution | None, other: Solution) -> Solution:
    """The one of the smaller error, the first where they are equal."""
    return one if one is not None and one.bound <= other.bound else other


def _best(plans: list[Plan], is_fewest: bool, problem: Problem) -> Solution:
    bounds = [bound_of(plan.stages, plan.buffer_colour, problem.errors, problem.rounding) for plan in plans]
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
