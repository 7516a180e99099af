"""Another lane of the wave, which runs beside the one that is compared and may want to go elsewhere.

Where code asks whether any lane goes a way, or all do, the other lane votes, too: a lane that comes where it does not
want to go must be left as it was.  The other lane has the same uniforms, and all other inputs of its own; of what it
computes nothing is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from glslc_multi.compiler.execution.program import Edge, LaneProgram
from glslc_multi.compiler.proof.numbers import MachineStopped, Redraw, Unsupported, Work

#: Places that the other lane comes by at most, so that long loops cost no more.
_MOST_PLACES = 250


class Vote(NamedTuple):
    """A condition for all lanes that run together, as one of them sees it."""

    holds: bool
    #: Whether it takes all of them; else one is enough.
    is_unanimous: bool = False

    def __bool__(self) -> bool:
        return self.holds

    def negated(self) -> Vote:
        """Return the contrary."""
        return Vote(not self.holds, not self.is_unanimous)

    def joined(self, other: Vote) -> bool:
        """Return what holds for both lanes."""
        return self.holds and other.holds if self.is_unanimous else self.holds or other.holds


class Wave:
    """The other lane, which runs as far as its votes are asked for."""

    def __init__(self, make: Callable[[], LaneProgram[Any]]) -> None:
        self._make = make
        self._work = Work(_MOST_PLACES)
        self._program: LaneProgram[Any] | None = None
        #: Places that it has not come by yet; None where it goes no further.
        self._ahead: list[Hashable] | None = []

    def agree(self, place: Hashable, edges: Sequence[Edge[Any]]) -> Sequence[Edge[Any]]:
        """Return the edges that lead on from a place, by the votes of both lanes."""
        if self._ahead is None:
            return edges
        self._ahead.append(place)
        if not any(isinstance(condition, Vote) for _, condition in edges):
            return edges
        try:
            others = self._catch_up()
        except (Redraw, Unsupported, MachineStopped):
            # Its inputs mean nothing here.
            self._ahead = None
            return edges
        return [
            (target, own.joined(other) if isinstance(own, Vote) and isinstance(other, Vote) else own)
            for (target, own), (_, other) in zip(edges, others, strict=True)
        ]

    def _catch_up(self) -> Sequence[Edge[Any]]:
        """Come by all places up to the last one; return its edges."""
        assert self._ahead
        if self._program is None:
            self._program = self._make()
        self._work.take(len(self._ahead))
        edges: Sequence[Edge[Any]] = ()
        for place in self._ahead:
            edges = self._program.step(place)
        self._ahead.clear()
        return edges
