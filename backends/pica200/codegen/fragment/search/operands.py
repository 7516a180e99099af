"""Operands of a combiner: what can be read at once, what the host must provide, what earlier stages must have made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from backends.pica200.codegen.fragment.algebra.polynomials import Atom, Channel, Polynomial, polynomial
from backends.pica200.codegen.fragment.search.vectors import Vector, as_goal, complement, is_host
from backends.pica200.isa.fragment.combiners import CHANNELS
from backends.pica200.isa.fragment.program import Operand
from compiler.records import dataclass

COLOUR = "rgb"


@dataclass(frozen=True, slots=True)
class Reading:
    """A source, and which of its channels: all of "rgb", or one, which a colour combiner sees three times."""

    source: str
    channels: str
    complement: bool = False

    def operand(self, width: int) -> Operand:
        """As a combiner of colour (3 channels) or alpha (1) names it."""
        channels = self.channels * width if len(self.channels) == 1 else self.channels
        return Operand(self.source, f"1-{channels}" if self.complement else channels)

    def of(self, pixel: Iterable[Polynomial | None]) -> Vector:
        """What it reads of the four channels of its source."""
        by_name = dict(zip(CHANNELS, pixel, strict=True))
        vector = tuple(by_name[channel] for channel in self.channels)
        return complement(vector) if self.complement else vector


class Need:
    """An operand that no source has: a constant of the host, or a goal for an earlier stage."""

    __slots__ = ("_complement_goal", "goal", "is_host", "vector")

    def __init__(self, vector: Vector) -> None:
        self.vector = vector
        self.is_host = is_host(vector)
        self.goal = vector if self.is_host else as_goal(vector)
        self._complement_goal: Vector | None = None

    @property
    def complement_goal(self) -> Vector:
        """The goal of who makes 1 minus it."""
        if self._complement_goal is None:
            self._complement_goal = as_goal(complement(self.vector))
        return self._complement_goal

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Need) and self.vector == other.vector

    def __hash__(self) -> int:
        return hash(self.vector)

    def __repr__(self) -> str:
        return f"<{'; '.join(map(str, self.vector))}>"


def leaf_values(reading: Reading, width: int) -> Vector:
    """The channels of a source of the pixel that a combiner sees by this reading."""
    channels = reading.channels * width if len(reading.channels) == 1 else reading.channels
    vector: Vector = tuple(polynomial(Channel(reading.source, channel)) for channel in channels)
    return complement(vector) if reading.complement else vector


@lru_cache(maxsize=64)
def _leaves(sources: tuple[str, ...], width: int) -> dict[Reading, Vector]:
    choices = [*CHANNELS, *([COLOUR] if width == len(COLOUR) else [])]
    readings = [Reading(source, channels, flag) for source in sources for channels in choices for flag in (False, True)]
    return {reading: leaf_values(reading, width) for reading in readings}


def leaves(sources: Iterable[str], width: int) -> Mapping[Reading, Vector]:
    """All readings of what a pixel has, with their values."""
    return _leaves(tuple(sources), width)


def matching(vector: Vector, choices: Mapping[Reading, Vector]) -> Reading | None:
    """The reading that gives a vector in all channels that count."""
    for reading, values in choices.items():
        if all(wanted is None or wanted == value for wanted, value in zip(vector, values, strict=True)):
            return reading
    return None


def sources_of(atoms: Iterable[Atom]) -> list[str]:
    return sorted({atom.source for atom in atoms if isinstance(atom, Channel)})
