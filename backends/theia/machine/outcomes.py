"""What becomes of the pixels of a run: an `Outcome` for one, `Outcomes` for all of them side by side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from backends.theia.isa.numbers import WORD_MASK
from backends.theia.machine.arithmetic import Array
from compiler.records import dataclass, field

#: Cycles from trigger to done besides those of instructions.
_START_CYCLES = 3
#: Of a pixel without a conditional jump.
_NEVER_ASKED = -1


@dataclass(slots=True)
class Outcome:
    """What became of one pixel."""

    completes: bool = False
    #: Why it does not complete.
    reason: str = ""
    return_code: int = 0
    cycles: int = _START_CYCLES
    #: How far the cycles of hardware may be off.
    tolerance: int = 0
    #: Instructions executed, the final RETURN not counted.
    executed: int = 0
    #: Whether the last conditional jump was taken; None without one.
    taken: bool | None = None
    #: Address and word, in order.
    output: list[tuple[int, int]] = field(default_factory=list)


class Write(NamedTuple):
    """Three words of each pixel that go to three addresses; rows of signed numbers, first axis the lane."""

    pixels: Array
    addresses: Array
    words: Array


class Outcomes:
    """Arrays with one element a pixel."""

    def __init__(self, count: int) -> None:
        self._count = count
        self.completes = np.zeros(count, np.bool_)
        self.taken = np.full(count, _NEVER_ASKED, np.int8)
        #: In the order in which they were executed.
        self.writes: list[Write] = []
        self._reasons: dict[int, str] = {}
        self._return_codes = np.zeros(count, np.int8)
        self._cycles = np.full(count, _START_CYCLES)
        self._tolerance = np.zeros(count, np.int64)
        self._executed = np.zeros(count, np.int64)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, pixel: int) -> Outcome:
        taken = int(self.taken[pixel])
        return Outcome(
            bool(self.completes[pixel]),
            self._reasons.get(pixel, ""),
            int(self._return_codes[pixel]),
            int(self._cycles[pixel]),
            int(self._tolerance[pixel]),
            int(self._executed[pixel]),
            None if taken == _NEVER_ASKED else bool(taken),
            [pair for write in self.writes for pair in _pairs(write, pixel)],
        )

    def __iter__(self) -> Iterator[Outcome]:
        return (self[pixel] for pixel in range(self._count))

    def stop(self, pixels: Array, reason: str = "", return_code: int = 0) -> None:
        """End these pixels, well without a reason."""
        self.completes[pixels] = not reason
        self._return_codes[pixels] = return_code
        if reason:
            self._reasons.update(dict.fromkeys(pixels.tolist(), reason))

    def count(self, pixels: Array, cycles: Any, tolerance: int) -> None:
        """An instruction that took some cycles, or each pixel its own number of them."""
        chosen = slice(None) if len(pixels) == self._count else pixels
        self._cycles[chosen] += cycles
        self._executed[chosen] += 1
        if tolerance:
            self._tolerance[chosen] += tolerance

    def write(self, pixels: Array, addresses: Array, words: Array) -> None:
        """Words that leave."""
        self.writes.append(Write(pixels, addresses, words))


def _pairs(write: Write, pixel: int) -> list[tuple[int, int]]:
    """The addresses and words of one pixel, as patterns."""
    (found,) = np.nonzero(write.pixels == pixel)
    size = len(write.pixels)
    rows = (np.broadcast_to(row, (3, size))[:, found].ravel() & WORD_MASK for row in (write.addresses, write.words))
    return list(zip(*(row.tolist() for row in rows), strict=True))
