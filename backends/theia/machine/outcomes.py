"""What becomes of the pixels of a run: an `Outcome` for one, `Outcomes` for all of them side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from glslc_multi.backends.theia.isa.numbers import WORD_MASK
from glslc_multi.backends.theia.machine.counting import (
    ADDRESSES,
    CYCLES,
    EXECUTED,
    JUMP,
    LEFT,
    REASON,
    RETURN_CODE,
    TAKEN,
    TOLERANCES,
    WORDS,
)
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.execution.program import Key
from glslc_multi.compiler.records import dataclass, field

#: Cycles from trigger to done besides those of instructions.
_START_CYCLES = 3


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


class Outcomes:
    """Those of all pixels, from what a `CountingProgram` hands out and its reasons."""

    def __init__(self, outputs: Mapping[Key, Array], reasons: Sequence[str]) -> None:
        self._outputs = outputs
        self._reasons = reasons
        self.completes = outputs[REASON] == 0

    def __len__(self) -> int:
        return len(self.completes)

    def __iter__(self) -> Iterator[Outcome]:
        return (self[pixel] for pixel in range(len(self)))

    def __getitem__(self, pixel: int) -> Outcome:
        jump = self._number(JUMP, pixel)
        return Outcome(
            bool(self.completes[pixel]),
            self._reasons[self._number(REASON, pixel)],
            self._number(RETURN_CODE, pixel),
            _START_CYCLES + self._number(CYCLES, pixel),
            self._number(TOLERANCES, pixel),
            self._number(EXECUTED, pixel),
            jump == TAKEN if jump else None,
            list(zip(self._left(ADDRESSES, pixel), self._left(WORDS, pixel), strict=True)),
        )

    def _number(self, key: Key, pixel: int) -> int:
        return int(self._outputs[key][pixel])

    def _left(self, key: Key, pixel: int) -> list[int]:
        """Patterns of what has left."""
        count = self._number(LEFT, pixel)
        return [int(word) & WORD_MASK for word in self._outputs[key][:count, pixel]] if count else []
