"""What a problem of exact scheduling means, said without a solver: by looking at a solution, and by trying them all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from glslc_multi.compiler.codegen.exact.problem import Bank, Problem, Solution


def violations(problem: Problem, solution: Solution) -> Iterator[str]:
    """What a solution does that the problem forbids."""
    words, banks = solution.words, solution.banks
    for number, word in enumerate(words):
        if not (0 <= word < solution.length and problem.may_stand(number, word, solution.length)):
            yield f"{number} stands in {word}"
    for edge in problem.edges:
        applies = edge.value is None or banks[edge.value] == edge.bank
        if applies and words[edge.second] < words[edge.first] + edge.distance:
            yield f"{edge}"
    for word, crowd in product(range(solution.length), problem.crowds):
        if sum(words[number] == word for number in crowd.members) > crowd.most:
            yield f"{crowd} in {word}"
    for first, second in combinations(range(len(words)), 2):
        if words[first] == words[second] and problem.apart & {(first, second), (second, first)}:
            yield f"{first} and {second} together"
    yield from _of_registers(problem, solution)


def _of_registers(problem: Problem, solution: Solution) -> Iterator[str]:
    words, banks = solution.words, solution.banks
    for refusal in problem.refusals():
        is_shared = words[refusal.first] == words[refusal.second]
        if is_shared and all(banks[value] == bank for value, bank in refusal.placement):
            yield f"{refusal}"
    for number, value in enumerate(problem.values):
        if banks[number] not in value.banks:
            yield f"value {number} in {banks[number]}"
        for writer in value.writers:
            if problem.may_write and not problem.may_write(writer, banks[number], words[writer], solution.length):
                yield f"{writer} writes to {banks[number]} in {words[writer]}"
    for word, (bank, size) in product(range(solution.length), problem.bank_sizes.items()):
        if sum(_lives(problem, solution, number, bank, word) for number in range(len(problem.values))) > size:
            yield f"too many values in {bank} after {word}"


def _lives(problem: Problem, solution: Solution, number: int, bank: Bank, word: int) -> bool:
    """Whether a value is in a register of the bank after a word."""
    value = problem.values[number]
    if solution.banks[number] != bank:
        return False
    writes = [-1] * value.is_live_in + [solution.words[writer] for writer in value.writers]
    reads = [solution.words[reader] for reader in value.readers]
    return word in writes or any(write <= word < read for write, read in product(writes, reads))


def solutions(problem: Problem, length: int) -> Iterator[Solution]:
    """All solutions of so many words: for very small problems."""
    for words in product(range(length), repeat=problem.count):
        for banks in product(*(value.banks for value in problem.values)):
            solution = Solution(length, words, banks)
            if not any(violations(problem, solution)):
                yield solution
