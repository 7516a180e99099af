"""For how many words a program waits for texels, about."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

#: From the request of a texel to its arrival, in words: 9 from the unit's own cache, 12 more where this is filled from
#: the second level, as it is for a program that goes over a picture (measured on the chip by the authors of VC4C).
LOOKUP_WORDS = 9 + 12


class Fetches(NamedTuple):
    """One word: the units that it makes a request of, and the one whose result it loads."""

    requests: tuple[int, ...] = ()
    load: int | None = None


def waits(words: Iterable[Fetches], threads: int) -> list[float]:
    """Return for how many words each one waits; a second thread runs meanwhile, for as long as it has words."""
    arrivals: tuple[deque[float], deque[float]] = (deque(), deque())
    lengths: list[float] = []
    now = 0.0
    for requests, load in words:
        wait = max(arrivals[load].popleft() - now, 0.0) if load is not None and arrivals[load] else 0.0
        lengths.append(wait)
        now += 1 + wait
        for unit in requests:
            arrivals[unit].append(now + LOOKUP_WORDS)
    total = sum(lengths)
    if threads == 1 or not total:
        return lengths
    # Two threads take two times their words, or the words and waits of one, if that is longer.
    share = max(total - len(lengths), 0.0) / (2 * total)
    return [wait * share for wait in lengths]
