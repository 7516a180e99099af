"""The solver finds a solution exactly where there is one: small random problems, all of whose solutions are tried."""

from __future__ import annotations

from random import Random

import pytest

from glslc_multi.compiler.codegen.exact.budget import Budget
from glslc_multi.compiler.codegen.exact.problem import Crowd, Edge, Problem, Refusal, Solution, Value, least_words
from glslc_multi.compiler.codegen.exact.shorten import shorten
from glslc_multi.compiler.codegen.exact.solver import solve
from tests.compiler.codegen.exact.meaning import solutions, violations

pytest.importorskip("ortools", reason="the extra 'prove' is not installed")

_WORK = 10.0
_BUDGET = Budget(instructions=16, bounded=16, work=_WORK)
_LENGTHS = range(1, 5)


def random_problem(seed: int) -> Problem:
    random = Random(seed)
    count = random.randint(2, 4)
    ordered = [(first, second) for second in range(count) for first in range(second)]

    def some(share: float) -> list[tuple[int, int]]:
        return [pair for pair in ordered if random.random() < share]

    values = [
        Value(
            writers=(first,),
            readers=(second,) if random.random() < 0.8 else (),
            banks=random.choice([(0,), (1,), (0, 1)]),
            is_live_in=random.random() < 0.2,
        )
        for first, second in some(0.5)[:3]
    ]
    edges = [Edge(first, second, random.choice([-1, 0, 1, 1, 2])) for first, second in some(0.4)]
    edges += [Edge(value.writers[0], value.readers[0], 1) for value in values if value.readers]
    late = [number for number, value in enumerate(values) if value.readers and random.random() < 0.5]
    edges += [Edge(values[number].writers[0], values[number].readers[0], 2, number, 0) for number in late]
    stands = {(number, word) for number in range(count) for word in range(4) if random.random() < 0.15}
    refusals = [
        Refusal(first, second, tuple((number, random.choice(value.banks)) for number, value in enumerate(values[:2])))
        for first, second in some(0.4)
    ]
    return Problem(
        count,
        edges,
        [Crowd(frozenset(range(count)), 2), Crowd(frozenset(random.sample(range(count), 2)), 1)],
        frozenset(some(0.2)),
        lambda number, word, length: (number, word) not in stands,
        values,
        {0: random.randint(0, 2), 1: random.randint(1, 2)},
        lambda: refusals,
        (lambda number, bank, word, length: bank > 0 or word < length - 1) if random.random() < 0.5 else None,
    )


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_solves_what_can_be_solved(first: int) -> None:
    for seed in range(first, first + 20):
        problem = random_problem(seed)
        for each in (problem, problem.relaxed):
            for length in _LENGTHS:
                answer = solve(each, length, _WORK)
                assert isinstance(answer, Solution) == any(solutions(each, length)), (seed, length)
                assert not isinstance(answer, Solution) or not list(violations(each, answer)), (seed, length)


def test_random_problems_are_of_all_kinds() -> None:
    verdicts = {
        (any(solutions(problem, 3)), any(solutions(problem.relaxed, 3))) for problem in map(random_problem, range(120))
    }
    assert verdicts == {(True, True), (False, True), (False, False)}


def test_bound_without_search_holds() -> None:
    for seed in range(120):
        problem = random_problem(seed)
        found = next((length for length in range(5) if any(solutions(problem, length))), 5)
        assert least_words(problem) <= found, seed


def test_the_same_question_has_the_same_answer() -> None:
    problem = random_problem(3)
    assert solve(problem, 4, _WORK) == solve(problem, 4, _WORK)


# --- from known words to the fewest -----------------------------------------------------------------------------------

#: Two chains of two, and one value too many for the only register of bank 1.
_CHAINS = Problem(4, [Edge(0, 1, 1), Edge(2, 3, 1)], [Crowd(frozenset(range(4)), 2)])
_ONE_REGISTER = Problem(
    4,
    _CHAINS.edges,
    _CHAINS.crowds,
    values=[Value((0,), (1,), (0,)), Value((2,), (3,), (0,))],
    bank_sizes={0: 1},
)


def test_words_are_shortened_to_the_fewest() -> None:
    found = shorten("block", _CHAINS, 4, _BUDGET, lambda solution: True)
    assert (found.proof.words, found.proof.at_least, found.proof.is_minimal) == (2, 2, True)
    assert found.shorter is not None and found.shorter.length == 2


def test_registers_count_for_one_bound_only() -> None:
    proof = shorten("block", _ONE_REGISTER, 4, _BUDGET, lambda solution: True).proof
    assert (proof.words, proof.at_least, proof.without_copies) == (3, 2, 3)
    assert not proof.is_minimal


def test_what_is_refused_is_not_taken() -> None:
    proof = shorten("block", _CHAINS, 4, _BUDGET, lambda solution: solution.length > 2).proof
    assert (proof.words, proof.at_least, proof.without_copies) == (3, 2, 2)


def test_large_blocks_are_bounded_only() -> None:
    found = shorten("block", _CHAINS, 4, Budget(instructions=3, bounded=3, work=_WORK), lambda solution: True)
    assert (found.proof.words, found.proof.at_least, found.shorter) == (4, 2, None)


def test_without_work_nothing_is_claimed() -> None:
    proof = shorten("block", _ONE_REGISTER, 4, Budget(16, 16, work=0.0), lambda solution: True).proof
    assert proof.at_least == 2 and proof.words == 4
