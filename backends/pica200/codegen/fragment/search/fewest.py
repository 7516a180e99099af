"""The fewest combiner stages that compute a pixel: an exhaustive search, backwards from the goals.

Colours that are written as literals are taken for any colours.  `mix(a, b, vec3(0.25, 0.5, 1.0))` is another formula in
each channel, and in blue b has no part in it.  With a colour of the host in the place of the literal it is one formula,
of which the search sees how it is made: from the literals themselves it might have to join channels that have nothing
in common.  What is right for all colours between the literal's least and greatest number is right for the literal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from glslc_multi.backends.pica200.codegen.fragment.prove.bound import bound_of
from glslc_multi.backends.pica200.codegen.fragment.prove.problem import HostColour, NoSolution, Problem, Solution
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    Atom,
    HostNumber,
    HostPart,
    Number,
    Polynomial,
    Rgb,
    one_object,
    polynomial,
)
from glslc_multi.backends.pica200.codegen.fragment.search.goals import Vector, unclamped
from glslc_multi.backends.pica200.codegen.fragment.search.memo import Memo, OutOfWork
from glslc_multi.backends.pica200.codegen.fragment.search.stages import Explorer, Plan, Wanted
from glslc_multi.compiler.records import replace

#: The first search tries so many candidates of each goal, to have any program soon.
_FEW_CANDIDATES = 4

#: So many programs of the same length are compared.
_PLANS = 24
_WIDTH = 3


def find_stages(problem: Problem, *, anyhow: bool = True) -> Solution | NoSolution:
    """Stages for a problem: as few as there can be, if the search comes to its end in time.

    A quarter of the work is for a program of any length.  Then all programs of one stage, of two, and so on are tried
    with half of it; where that takes too much, only those that are made of few candidates.  What then has no program
    yet has the last quarter.  A program that differs by more than is allowed is taken only if no longer one is better.
    Without `anyhow` there is only the half.
    """
    alpha = None if problem.alpha is None else unclamped(problem.alpha)
    goals = (*map(unclamped, problem.colour), alpha)
    memo = Memo([goals])
    share = problem.work // 4
    memo.restart(share, _FEW_CANDIDATES)
    some = next(_some_plans(memo, goals, problem.stages), None) if anyhow else None
    most = problem.stages if some is None else len(some.stages) - some.idle
    memo.restart(2 * share, None)
    is_complete = True
    best: Solution | None = None
    for count in range(1, most + 1):
        plans = list(_some_plans(memo, goals, count))
        if not plans and memo.work < 0:
            is_complete = False
            if not anyhow:
                break
            memo.restart(share // 4, _FEW_CANDIDATES)
            plans = list(_some_plans(memo, goals, count))
        if plans:
            best = _nearer(best, _best(plans, is_complete and best is None, problem))
            if best.bound <= problem.allowed:
                return best
    if some is None and best is None and anyhow and not is_complete:
        memo.restart(share, _FEW_CANDIDATES)
        some = next(_some_plans(memo, goals, problem.stages), None)
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


def _some_plans(memo: Memo, goals: Vector, count: int) -> Iterator[Plan]:
    try:
        for number, plan in enumerate(Explorer(memo).plans(count - 1, Wanted(goals)), 1):
            yield plan
            if number == _PLANS:
                return
    except OutOfWork:
        return


# --- Literals ---------------------------------------------------------------------------------------------------------


class Literal(HostNumber):
    """A channel of a colour that is written down, as a number that is not known but for its range."""

    __slots__ = ("value",)

    def __new__(cls, name: str, low: Number, high: Number, value: Fraction) -> Literal:
        return one_object(cls, name, low, high, value)

    def __init__(self, name: str, low: Number, high: Number, value: Fraction) -> None:
        super().__init__(name, low, high)
        self.value = value


def general_literal(values: Sequence[Fraction]) -> list[Polynomial]:
    """The components of a literal; those of a colour whose channels differ are numbers of the host."""
    colour = values[:_WIDTH]
    if len(colour) < _WIDTH or len(set(colour)) == 1:
        return [polynomial(value) for value in values]
    name, low, high = ", ".join(map(str, colour)), min(colour), max(colour)
    channels = [Literal(f"({name}).{channel}", low, high, value) for channel, value in enumerate(colour)]
    return [*map(polynomial, channels), *map(polynomial, values[_WIDTH:])]


def find_general_stages(problem: Problem, general: Rgb) -> Solution | NoSolution:
    """Stages for a problem, of which `general` is the colour with literals taken for any colours: half of the work is
    for either."""
    half = replace(problem, work=problem.work // 2)
    solution = find_stages(replace(half, colour=general))
    if isinstance(solution, NoSolution):
        return find_stages(half)
    # Literals may have shorter programs than any colours.
    shorter = find_stages(replace(half, stages=len(solution.stages) - 1), anyhow=False)
    if isinstance(shorter, Solution) and shorter.bound <= problem.allowed:
        return shorter
    # With the literals' values.
    stages = tuple(replace(stage, constant=_with_values(stage.constant)) for stage in solution.stages)
    buffer = _with_values(solution.buffer_colour)
    bound = bound_of(stages, buffer, problem.errors, problem.rounding)
    return replace(
        replace(solution, stages=stages, buffer_colour=buffer, bound=bound),
        is_fewest=isinstance(shorter, NoSolution) and shorter.is_complete,
    )


def _with_values(colour: HostColour) -> HostColour:
    return tuple(None if part is None else _with_value(part) for part in colour)


def _with_value(part: Polynomial) -> Polynomial:
    """The polynomial without numbers that stand for literals, also in what the host cuts off."""
    values: dict[Atom, Polynomial] = {}
    for atom in part.atoms():
        if isinstance(atom, Literal):
            values[atom] = polynomial(atom.value)
        elif isinstance(atom, HostPart):
            inner = _with_value(atom.inner)
            constant = inner.constant
            values[atom] = polynomial(
                HostPart(inner) if constant is None else min(Fraction(1), max(Fraction(0), constant))
            )
    return part.substitute(values)
