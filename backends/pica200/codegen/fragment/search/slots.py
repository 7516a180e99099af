"""What the stages before must have left in the places that a stage reads: previous result, buffer, constant.

Of each place four channels are known, wanted or free.  An operand that no source of the pixel has finds a place where
it fits beside what is already wanted there, as it is or as 1 minus it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backends.pica200.codegen.fragment.algebra.polynomials import ONE, ZERO, Polynomial
from backends.pica200.codegen.fragment.search.forms import Form, FormOperand
from backends.pica200.codegen.fragment.search.operands import COLOUR, Need, Reading
from backends.pica200.codegen.fragment.search.vectors import Vector, complement, united
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
        needs = dict.fromkeys(operand for operand in (*first, *second) if isinstance(operand, Need))
        order = sorted(needs, key=lambda need: (need.is_host, -len(need.vector)))
        for readings, places in self._assigned(order, {}, Places()):
            yield Placed(_read(first, readings), _read(second, readings), places)

    def _assigned(
        self, needs: Sequence[Need], readings: _Readings, places: Places
    ) -> Iterator[tuple[_Readings, Places]]:
        if not needs:
            yield readings, places
            return
        first, *rest = needs
        choices = self._constant_readings(first, places) if first.is_host else self._readings(first, places)
        for reading, after in choices:
            yield from self._assigned(rest, {**readings, first: reading}, after)

    def _readings(self, need: Need, places: Places) -> Iterator[tuple[Reading, Places]]:
        """From the stage before, or from the buffer, which has only what is older."""
        for place, stages in (("previous", self._stage), ("buffer", self._stage - 1)):
            for flag in (False, True):
                goal = need.complement_goal if flag else need.goal
                if stages >= 1 and self._ways.is_within(goal, stages):
                    yield from _fitting(place, goal, flag, places)

    def _constant_readings(self, need: Need, places: Places) -> Iterator[tuple[Reading, Places]]:
        """The first place that has room, since constants cost nothing; then the buffer, which has 0 in stage 0."""
        options = ["constant"]
        if self._stage >= 1 or set(need.vector) <= {None, ZERO, ONE}:
            options.append("buffer")
        for option in options:
            for flag in (False, True):
                wanted = complement(need.vector) if flag else need.vector
                found = next(_fitting(option, wanted, flag, places), None)
                if found is not None:
                    yield found
                    return


_Readings = dict[Need, Reading]


def _read(operands: Sequence[FormOperand], readings: _Readings) -> tuple[Reading, ...]:
    return tuple(readings[operand] if isinstance(operand, Need) else operand for operand in operands)


def _fitting(place: str, wanted: Vector, flag: bool, places: Places) -> Iterator[tuple[Reading, Places]]:
    """All of the colour for a vector; for a number alpha, and red if no colour is wanted yet, or where it is."""
    if len(wanted) > 1:
        after = places.with_wanted(place, (*wanted, None))
        if after is not None:
            yield Reading(place, COLOUR, flag), after
        return
    there: Vector = getattr(places, place)
    colours = [letter for letter, value in zip(COLOUR, there, strict=False) if value == wanted[0]]
    if set(there[:3]) == {None} or place == "constant":
        colours = colours or [letter for letter, value in zip(COLOUR, there, strict=False) if value is None]
    for letter in ("a", *colours[:1]):
        after = places.with_wanted(place, _at(letter, wanted[0]))
        if after is not None:
            yield Reading(place, letter, flag), after


def _at(letter: str, value: Polynomial | None) -> Vector:
    return tuple(value if channel == letter else None for channel in CHANNELS)
