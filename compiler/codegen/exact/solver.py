"""A problem as clauses for CP-SAT, and its answer.

In: a `Problem` and a number of words.  Out: a solution with no more words, that there is none, or that the work that
may be done did not suffice.

The idea: a Boolean for "is in this word" and one for "is in this word or before it", for each instruction and word,
so that dependences are clauses of two literals (order encoding; Tamura et al., "Compiling finite linear CSP into SAT",
2009); and one for "is in this bank" for each value.  Work is counted, not timed, by one worker with a fixed seed: the
same question has the same answer everywhere.

The solver is OR-Tools' CP-SAT (the extra `prove`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from glslc_multi.compiler.codegen.exact.problem import Bank, Crowd, Edge, Problem, Refusal, Solution, Value, first_words

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, LiteralT

Verdict = Literal["none", "unknown"]
_SEED = 1


def solve(problem: Problem, length: int, work: float) -> Solution | Verdict:
    """A solution of at most so many words; `work` is in CP-SAT's deterministic seconds."""
    from ortools.sat.python import cp_model

    clauses = _Clauses(problem, length)
    if clauses.is_contradiction:
        return "none"
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = _SEED
    solver.parameters.max_deterministic_time = work
    status = solver.solve(clauses.model)
    if status == cp_model.INFEASIBLE:
        return "none"
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return "unknown"
    words = [
        next(word for word, literal in places.items() if solver.boolean_value(literal)) for places in clauses.places
    ]
    banks = [next(bank for bank, literal in held.items() if solver.boolean_value(literal)) for held in clauses.banks]
    return Solution(length, tuple(words), tuple(banks))


class _Clauses:
    """A problem for code of a length, as a model of CP-SAT."""

    def __init__(self, problem: Problem, length: int) -> None:
        from ortools.sat.python.cp_model import CpModel

        self.problem = problem
        self.length = length
        self.model: CpModel = CpModel()
        #: By instruction: word -> whether it is there; and whether it is there or earlier.
        self.places = self._places()
        #: Some instruction has no word.
        self.is_contradiction = not all(self.places)
        if self.is_contradiction:
            return
        self.reached = [self._reached(places) for places in self.places]
        #: By value: bank -> whether it is there.
        self.banks = [self._banks(value) for value in problem.values]
        for edge in problem.edges:
            self._keep_order(edge)
        for crowd in problem.crowds:
            self._limit(crowd)
        for first, second in problem.apart:
            for word in self.places[first].keys() & self.places[second].keys():
                self.model.add_bool_or(~self.places[first][word], ~self.places[second][word])
        self._refuse(problem.refusals())
        self._refuse_writes()
        for bank, size in problem.bank_sizes.items():
            self._fit(bank, size)

    # words ---------------------------------------------------------------------------------
    def _places(self) -> list[dict[int, LiteralT]]:
        """The words that each instruction may be in: not before what it needs, nor too late for what needs it."""
        problem, length = self.problem, self.length
        starts = first_words(problem.count, problem.edges)
        after = first_words(problem.count, [Edge(e.second, e.first, e.distance, e.value) for e in problem.edges])
        return [
            {
                word: self.model.new_bool_var(f"{number} in {word}")
                for word in range(starts[number], length - after[number])
                if problem.may_stand(number, word, length)
            }
            for number in range(problem.count)
        ]

    def _reached(self, places: dict[int, LiteralT]) -> list[LiteralT]:
        """By word, whether an instruction is in it or before it; exactly one of its places is taken."""
        self.model.add_exactly_one(places.values())
        reached: list[LiteralT] = []
        before: LiteralT = False
        for word in range(self.length):
            if word in places:
                now = self.model.new_bool_var("")
                self.model.add_implication(before, now)
                self.model.add_implication(places[word], now)
                self.model.add_bool_or(before, places[word], ~now)
                before = now
            reached.append(before)
        self.model.add_bool_or(before)
        return reached

    def _by(self, number: int, word: int) -> LiteralT:
        """Whether an instruction is in a word or before it."""
        if word < 0:
            return False
        return self.reached[number][min(word, self.length - 1)]

    def _keep_order(self, edge: Edge) -> None:
        if edge.first == edge.second:
            return
        unless = () if edge.value is None else (~self._in(edge.value, edge.bank),)
        for word in range(min(edge.distance, 0), self.length):
            self.model.add_bool_or(
                *unless, _not(self._by(edge.second, word)), self._by(edge.first, word - edge.distance)
            )

    def _limit(self, crowd: Crowd) -> None:
        for word in range(self.length):
            there = [self.places[number][word] for number in crowd.members if word in self.places[number]]
            if len(there) > crowd.most:
                if crowd.most == 1:
                    self.model.add_at_most_one(there)
                else:
                    self.model.add(sum(there) <= crowd.most)

    # banks ---------------------------------------------------------------------------------
    def _banks(self, value: Value) -> dict[Bank, LiteralT]:
        if len(value.banks) == 1:
            return {value.banks[0]: self.model.new_constant(1)}
        banks: dict[Bank, LiteralT] = {bank: self.model.new_bool_var("") for bank in value.banks}
        self.model.add_exactly_one(banks.values())
        return banks

    def _in(self, value: int, bank: Bank) -> LiteralT:
        return self.banks[value].get(bank, self.model.new_constant(0))

    def _refuse(self, refusals: Iterable[Refusal]) -> None:
        of_pair: dict[tuple[int, int], list[Refusal]] = defaultdict(list)
        for refusal in refusals:
            of_pair[refusal.first, refusal.second].append(refusal)
        for (first, second), group in of_pair.items():
            apart = () if first == second else (~self._together(first, second),)
            for refusal in group:
                self.model.add_bool_or(*apart, *(_not(self._in(*held)) for held in refusal.placement))

    def _together(self, first: int, second: int) -> LiteralT:
        """True where two instructions share a word."""
        together = self.model.new_bool_var("")
        for word in self.places[first].keys() & self.places[second].keys():
            self.model.add_bool_or(~self.places[first][word], ~self.places[second][word], together)
        return together

    def _refuse_writes(self) -> None:
        may_write = self.problem.may_write
        if may_write is None:
            return
        for number, value in enumerate(self.problem.values):
            for bank, writer in ((bank, writer) for bank in value.banks for writer in value.writers):
                for word, place in self.places[writer].items():
                    if not may_write(writer, bank, word, self.length):
                        self.model.add_bool_or(~place, _not(self._in(number, bank)))

    def _fit(self, bank: Bank, size: int) -> None:
        """No more values live in a bank than it has registers."""
        values = [number for number, value in enumerate(self.problem.values) if bank in value.banks]
        if len(values) <= size:
            return
        for word in range(self.length):
            living = [live for number in values if (live := self._live(number, bank, word)) is not None]
            if len(living) > size:
                self.model.add(sum(living) <= size)

    def _live(self, number: int, bank: Bank, word: int) -> LiteralT | None:
        """Whether a value has a register of the bank after a word; None if it never has."""
        value = self.problem.values[number]
        live = self.model.new_bool_var("")
        elsewhere = _not(self._in(number, bank))
        is_used = False
        for writer in value.writers:
            if word in self.places[writer]:
                self.model.add_bool_or(elsewhere, ~self.places[writer][word], live)
                is_used = True
        starts = [True] if value.is_live_in else [self._by(writer, word) for writer in value.writers]
        ends = [self._by(reader, word) for reader in value.readers]
        for start, end in ((start, end) for start in starts for end in ends):
            if start is not False:
                self.model.add_bool_or(elsewhere, _not(start), end, live)
                is_used = True
        return live if is_used else None


def _not(literal: LiteralT) -> LiteralT:
    return (not literal) if isinstance(literal, bool) else ~literal
