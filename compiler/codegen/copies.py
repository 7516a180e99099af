"""Parallel copies put in order: all sources are read as they were before any target is written.

The parallel assignment problem (May, "The parallel assignment problem redefined", 1989).

Goes in: pairs of places that are to change at once, and a free place, or none.  Comes out: moves and exchanges one
after the other.  A copy whose target nobody reads any more can go first; when none is left, the rest are cycles,
and one is opened by saving a place in the free one, or turned by exchanges where there is none.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import pairwise
from typing import Generic, TypeVar

from compiler.records import dataclass

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Move(Generic[T]):
    """`target` becomes what `source` is; with `exchange`, also the reverse."""

    target: T
    source: T
    exchange: bool = False


def sequence(copies: Iterable[tuple[T, T]], free: T | None = None) -> list[Move[T]]:
    """Moves that do what the (target, source) pairs do at once; targets must be different."""
    sources = {target: source for target, source in copies if target != source}
    readers: dict[T, int] = {}
    for source in sources.values():
        readers[source] = readers.get(source, 0) + 1
    moves = _chains(sources, readers)
    while sources:
        moves += _cycle(sources, free)
    return moves


def _chains(sources: dict[T, T], readers: dict[T, int]) -> list[Move[T]]:
    """Do and remove the copies that are in no cycle, readers before writers."""
    moves: list[Move[T]] = []
    ready = [target for target in sources if not readers.get(target)]
    while ready:
        target = ready.pop()
        source = sources.pop(target)
        moves.append(Move(target, source))
        readers[source] -= 1
        if not readers[source] and source in sources:
            ready.append(source)
    return moves


def _cycle(sources: dict[T, T], free: T | None) -> list[Move[T]]:
    """Do and remove one cycle."""
    first = next(iter(sources))
    cycle = [first]
    while sources[cycle[-1]] != first:
        cycle.append(sources[cycle[-1]])
    for place in cycle:
        del sources[place]
    steps = pairwise(cycle)
    if free is None:
        return [Move(target, source, exchange=True) for target, source in steps]
    return [Move(free, first), *(Move(target, source) for target, source in steps), Move(cycle[-1], free)]
