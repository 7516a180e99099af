"""What two instructions cannot do in one word, asked of the machine's own rule.

In: the values that two instructions touch, with the banks they may be in, and the machine's answer to "may they share
a word like that?".  Out: the smallest placements that it refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product

from glslc_multi.compiler.codegen.exact.problem import Bank, Placement


def refused_placements(
    banks: Mapping[int, Sequence[Bank]], least: Bank, accepts: Callable[[Placement], bool]
) -> Iterator[tuple[tuple[int, Bank], ...]]:
    """The placements that are refused, and no part of which is; () if all are.

    No bank asks less of a word than `least`: a placement that is refused stays so when more values leave it.  That says
    nothing of values that cannot be there, which are tried in all of their banks.
    """
    elsewhere = {value: choices for value, choices in banks.items() if least not in choices}
    others = {value: choices for value, choices in banks.items() if least in choices}
    found: list[set[tuple[int, Bank]]] = []
    for size in range(len(others) + 1):
        for moved, placed in product(_moved(others, least, size), placements(elsewhere)):
            placement = (*((value, bank) for value, bank in placed if len(banks[value]) > 1), *moved)
            chosen = set(placement)
            if any(refused <= chosen for refused in found):
                continue
            if not accepts(dict.fromkeys(others, least) | dict(placed) | dict(moved)):
                found.append(chosen)
                yield placement


def placements(banks: Mapping[int, Sequence[Bank]]) -> Iterator[tuple[tuple[int, Bank], ...]]:
    """All ways to have values in their banks."""
    return product(*([(value, bank) for bank in choices] for value, choices in banks.items()))


def _moved(banks: Mapping[int, Sequence[Bank]], least: Bank, size: int) -> Iterator[tuple[tuple[int, Bank], ...]]:
    """All ways to have so many values in other banks than one that all can be in."""
    for values in combinations(banks, size):
        yield from product(*([(value, bank) for bank in banks[value] if bank != least] for value in values))
