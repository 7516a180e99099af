"""The four lanes of a quad: what each of them has where another one looks.

Lanes run one after the other.  One that looks at another has that one run, as far as it must.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

from glslc_multi.compiler.proof.numbers import UNDEFINED, MachineStopped, Number, Redraw, Unsupported
from glslc_multi.compiler.proof.words import Bits

LANES = 4
Run = TypeVar("Run")


class _Seen(Exception):
    """A lane has come to what another one looks at."""


class Quad(Generic[Run]):
    """Runs of lanes, and what these have let one another see."""

    def __init__(self, run: Callable[[Lane], Run]) -> None:
        self._run = run
        #: By lane, place and the how manieth look there.
        self.seen: list[dict[Hashable, Any]] = [{} for _ in range(LANES)]

    def run(self, number: int) -> Run:
        """Run a lane from its beginning to its end."""
        lane = Lane(self, number)
        try:
            return self._run(lane)
        finally:
            lane.leave()

    def look(self, number: int, key: Hashable) -> Any:
        """What a lane has somewhere; None where it does not come there.

        Most have it without a look at others, for whom all that they look at is undefined.
        """
        seen = self.seen[number]
        for lane in (Lane(self, number, is_alone=True), Lane(self, number, until=key)):
            if not _is_defined(seen.get(key)):
                try:
                    self._run(lane)
                except _Seen:
                    pass
                except (Redraw, Unsupported, MachineStopped):
                    if not lane.is_alone:
                        raise
        return seen.get(key)


class Lane:
    """One run of one lane."""

    def __init__(self, quad: Quad[Any], number: int, *, is_alone: bool = False, until: Hashable = None) -> None:
        self._quad = quad
        self.number = number
        #: Whether it gets to see nothing of others.
        self.is_alone = is_alone
        #: Where it ends.
        self._until = until
        #: Where it is.
        self.place: Hashable = None
        self._looks: dict[Hashable, int] = {}

    def leave(self) -> None:
        """Let go of the quad: what a run has made must not keep itself alive by way of its lane."""
        del self._quad

    def permuted(self, x: Any, order: Sequence[int]) -> Any:
        """What the lane at this one's place in the order has where this one has x."""
        count = self._looks[self.place] = self._looks.get(self.place, 0) + 1
        key = self.place, count
        self._quad.seen[self.number][key] = x
        if key == self._until:
            raise _Seen
        other = order[self.number]
        if other == self.number:
            return x
        found = None if self.is_alone or other >= LANES else self._quad.look(other, key)
        return _undefined(x) if found is None else found


def _is_defined(x: Any) -> bool:
    number = x.origin if isinstance(x, Bits) else x
    return number is not None and not (isinstance(number, Number) and number.value != number.value)


def _undefined(x: Any) -> Any:
    """What stands for a value that there is none of."""
    return UNDEFINED if isinstance(x, Number) else Bits.of(UNDEFINED)
