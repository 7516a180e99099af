"""What two instructions cannot do in one word, asked of the machine's own rule.

In: the values that two instructions touch, with the banks they may be in, and the machine's answer to "may they share
a word like that?".  Out: the smallest placements that it refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product

from glslc_multi.compiler.codegen.exact.problem import Bank, Placement


def refused_placements(
    banks: Mapping[int, Sequence[Bank]], accepts: Callable[[Placement], bool]
) -> Iterator[tuple[tuple[int, Bank], ...]]:
    """The placements that are refused, and no part of which is; () if all are.

    The first bank of each value is the one that asks least of a word: a placement that is refused stays so when
    more values leave theirs.
    """
    easiest = {value: choices[0] for value, choices in banks.items()}
    found: list[set[tuple[int, Bank]]] = []
    for size in range(len(banks) + 1):
        for placement in _moved(banks, size):
            chosen = set(placement)
            if any(refused <= chosen for refused in found):
                continue
            if not accepts(easiest | dict(placement)):
                found.append(chosen)
                yield placement


def _moved(banks: Mapping[int, Sequence[Bank]], size: int) -> Iterator[tuple[tuple[int, Bank], ...]]:
    """All ways to have so many values in other banks than their first ones."""
    for values in combinations(banks, size):
        yield from product(*([(value, bank) for bank in banks[value][1:]] for value in values))
