"""The shortest words of a block: known ones are shortened as long as a solver can, and what is left is bounded.

In: a problem, the number of words that a scheduler found, and the work that may be done.  Out: the best solution that
is shorter, if there is one, and how few words there could be.
"""

from __future__ import annotations

from collections.abc import Callable

from glslc_multi.compiler.artifact import BlockProof
from glslc_multi.compiler.codegen.exact.budget import Budget
from glslc_multi.compiler.codegen.exact.problem import Problem, Solution, least_words
from glslc_multi.compiler.codegen.exact.solver import solve
from glslc_multi.compiler.records import dataclass
from glslc_multi.compiler.trace import show_solved


@dataclass(frozen=True, slots=True)
class Found:
    """A proof, and code that is shorter than what the scheduler found."""

    proof: BlockProof
    shorter: Solution | None = None


def shorten(
    name: str,
    problem: Problem,
    known: int,
    budget: Budget,
    accepts: Callable[[Solution], bool],
    relaxed: Problem | None = None,
) -> Found:
    """Code of fewer words than are known, or the proof that there is none.

    `accepts` says whether a solution can be built.  `relaxed` asks for no more than all code must have; by default it
    is the problem without registers.
    """
    relaxed = relaxed or problem.relaxed
    bound = min(least_words(relaxed), known)
    if problem.count <= budget.bounded:
        bound = _raise_bound(relaxed, bound, known, budget)
    words, shorter, without_copies = known, None, bound
    while words > bound and problem.count <= budget.instructions:
        answer = solve(problem, words - 1, budget.work)
        if answer == "none":
            without_copies = words
        if not isinstance(answer, Solution) or not accepts(answer):
            break
        words, shorter = words - 1, answer
    proof = BlockProof(name, problem.count, known, words, bound, without_copies)
    show_solved(proof)
    return Found(proof, shorter)


def _raise_bound(relaxed: Problem, bound: int, known: int, budget: Budget) -> int:
    """The fewest words that the solver does not exclude."""
    while bound < known and solve(relaxed, bound, budget.work) == "none":
        bound += 1
    return bound
