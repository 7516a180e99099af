"""What the stages before must have left in the places that a stage reads: previous result, buffer, constant.

Of each place four channels are known, wanted or free.  An operand that no source of the pixel has finds a place where it fits beside
what is already wanted there, as it is or as 1 minus it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backends.pica200.codegen.fragment.polynomials import ONE, ZERO, Polynomial
from backends.pica200.codegen.fragment.search.forms import Form, FormOperand
from backends.pica200.codegen.fragment.search.goals import Vector, as_goal, complement, united
from backends.pica200.codegen.fragment.search.operands import COLOUR, Need, Reading
from backends.pica200.codegen.fragment.search.ways import Ways
from backends.pica200.isa.fragment.combiners import CHANNELS
from compiler.records import dataclass

FREE: Vector = (None, None, None, None)


@dataclass(frozen=True, slots=True)
class Places:
    """What a stage reads of the place of each name; a polynomial x stands for clamp(x, 0, 1)."""

    previous: Vector = FREE
    buffer: Vector = FREE
    constant: Vector = FREE

    def with_wanted(self, place: str, wanted: Vector) -> Places | None:
        both = united(getattr(self, place), wanted)
        if both is None:
            return None
        return Places(**{name: both if name == place else getattr(self, name) for name in _PLACES})


_PLACES = ("previous", "buffer", "constant")


@dataclass(frozen=True, slots=True)
class Placed:
    """Forms of both combiners whose needs have found places."""

    colour: tuple[Reading, ...]
    alpha: tuple[Reading, ...]
    places: Places


class Placer:
    """Finds places in the stage of a number, counted from 0."""

    def __init__(self, ways: Ways, stage: int) -> None:
        self._ways = ways
        self._stage = stage

    def placed(self, colour: Form | None, alpha: Form | None) -> Iterator[Placed]:
        """All ways to read what the two forms need."""
        first = colour.operands if colour else ()
        second = alpha.operands if alpha else ()
        for readings, places in self._read([*first, *second], Places()):
            yield Placed(tuple(readings[: len(first)]), tuple(readings[len(first) :]), places)

    def _read(self, operands: Sequence[FormOperand], places: Places) -> Iterator[tuple[list[Reading], Places]]:
        if not operands:
            yield [], places
            return
        first, *rest = operands
        for reading, after in self._readings(first, places):
            for readings, final in self._read([reading if operand == first else operand for operand in rest], after):
                yield [reading, *readings], final

    def _readings(self, operand: FormOperand, places: Places) -> Iterator[tuple[Reading, Places]]:
        if isinstance(operand, Reading):
            yield operand, places
            return
        for place in self._places_for(operand):
            for flag in (False, True):
                wanted = complement(operand.vector) if flag else operand.vector
                if not operand.is_host:
                    wanted = as_goal(wanted)
                    if not self._ways.is_within(wanted, self._stage - (place == "buffer")):
                        continue
                yield from _fitting(place, wanted, flag, places)

    def _places_for(self, need: Need) -> Iterator[str]:
        if need.is_host:
            yield "constant"
            if self._stage >= 1 or set(need.vector) <= {None, ZERO, ONE}:
                yield "buffer"
            return
        if self._stage >= 1:
            yield "previous"
        if self._stage >= 2:
            yield "buffer"


def _fitting(place: str, wanted: Vector, flag: bool, places: Places) -> Iterator[tuple[Reading, Places]]:
    """Alpha, and the first colour channel that fits, for a single number; all three for more."""
    if len(wanted) > 1:
        after = places.with_wanted(place, (*wanted, None))
        if after is not None:
            yield Reading(place, COLOUR, flag), after
        return
    for letters in ("a", COLOUR):
        for letter in letters:
            after = places.with_wanted(place, _at(letter, wanted[0]))
            if after is not None:
                yield Reading(place, letter, flag), after
                break


def _at(letter: str, value: Polynomial | None) -> Vector:
    return tuple(value if channel == letter else None for channel in CHANNELS)
