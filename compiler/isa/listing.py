"""Machine code word by word, for people: what the bits of a program say, read back from its bytes.

A target makes a `CodeWord` of each word of a binary (`Target.list_words`), in the order of its memory.
`Artifact.origins` says, in the same order, which places in the source the words come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from glslc_multi.compiler.records import dataclass

if TYPE_CHECKING:
    from glslc_multi.compiler.diagnostics import Span
    from glslc_multi.compiler.isa.fields import Field, Format

#: The places in the source that one word comes from; a word of several instructions has several.
Origins = tuple["Span", ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Bits with their layout: the word itself, or an entry of a table that it names."""

    format: Format
    value: int

    @property
    def hex(self) -> str:
        return f"{self.value:0{-(-self.format.size // 4)}x}"

    @property
    def fields(self) -> list[tuple[Field, int]]:
        """The fields from the highest bits to the lowest, with their values."""
        rows = sorted(self.format.fields, key=lambda row: -row.low)
        return [(row, row.extract(self.value)) for row in rows]


@dataclass(frozen=True, slots=True)
class CodeWord:
    """One word of a program."""

    #: Where it stands, as the machine counts.
    address: str
    #: Assembly text.
    text: str
    #: The word's own bits first.
    parts: tuple[Part, ...]
    #: How long the machine is about busy with it, waiting for what it reads included.
    cycles: float = 1
    #: By their places in the list: words that this one may lead around, as an arm that is not taken,
    skips: tuple[range, ...] = ()
    #: those that it makes run again and again,
    repeats: range | None = None
    #: and those that run when it does: the instructions of a clause, a procedure.
    runs: range | None = None
    #: The samplers that it looks textures up by, as their locations number them, where the word itself says so.
    samplers: tuple[int, ...] = ()


def without_gaps(origins: Sequence[Origins]) -> list[Origins]:
    """Words of no place between two that have one get that of the one before: they wait for it, or make room.

    Those in front of all others and behind them begin and end the program, and have no place.
    """
    last = max((number for number, places in enumerate(origins) if places), default=-1)
    filled: list[Origins] = []
    for number, places in enumerate(origins):
        filled.append(filled[-1] if filled and not places and number < last else places)
    return filled
