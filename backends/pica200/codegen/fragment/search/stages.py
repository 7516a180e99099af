"""The search over whole stages, backwards: what the last one must read, the stages before must have made.

`previous` is the result of the stage before; the buffer lags, so that stage k reads what stage k-2 or an earlier one
left in it:

    stage k reads buffer[k]; buffer[k+1] = pending[k]; pending[k+1] = pending[k] with what stage k writes

Before stage 0 the buffer is 0 and pending is the buffer colour, four constants of the host.  Iterative deepening
(Korf, 1985): all programs of one stage, of two, and so on, so that the first one found is the shortest.

Of each place, previous result, buffer and constant, four channels are known, wanted or free.  An operand that no source
of the pixel has finds a place where it fits beside what is already wanted there, as it is or as 1 minus it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from glslc_multi.backends.pica200.codegen.fragment.prove.problem import HostColour, PlannedStage
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import ONE, ZERO
from glslc_multi.backends.pica200.codegen.fragment.search.candidates import Candidate, CandidateOperand
from glslc_multi.backends.pica200.codegen.fragment.search.goals import (
    COLOUR,
    Vector,
    complement,
    is_host,
    simplest,
    united,
)
from glslc_multi.backends.pica200.codegen.fragment.search.memo import Memo
from glslc_multi.backends.pica200.codegen.fragment.search.operands import Need, Reading
from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.backends.pica200.isa.fragment.program import Combiner, Operand
from glslc_multi.compiler.records import dataclass

FREE: Vector = (None, None, None, None)
_PLACES = ("previous", "buffer", "constant")
_Readings = dict[Need, Reading]
#: How many plans for the stages before are compared.
_VARIANTS = 2
#: Only these stages can write to the buffer.
_WRITERS = 4


# --- Places -----------------------------------------------------------------------------------------------------------


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


@dataclass(frozen=True, slots=True)
class Placed:
    """Candidates of both combiners whose needs have found places."""

    colour: tuple[Reading, ...]
    alpha: tuple[Reading, ...]
    places: Places


class Placer:
    """Finds places in the stage of a number, counted from 0."""

    def __init__(self, memo: Memo, stage: int) -> None:
        self._memo = memo
        self._stage = stage

    def placed(self, colour: Candidate | None, alpha: Candidate | None) -> Iterator[Placed]:
        """List all readings of what the two candidates need."""
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
                if stages >= 1 and self._memo.is_within(goal, stages):
                    yield from _fitting(place, goal, flag, places)

    def _constant_readings(self, need: Need, places: Places) -> Iterator[tuple[Reading, Places]]:
        """The first place that has room, since constants cost nothing; then the buffer, which has 0 in stage 0."""
        options = ["constant"]
        if self._stage >= 1 or set(need.vector) <= {None, ZERO, ONE}:
            options.append("buffer")
        for option in options:
            for flag in (False, True):
                wanted = complement(need.vector) if flag else need.vector
                pair = next(_fitting(option, wanted, flag, places), None)
                if pair is not None:
                    yield pair
                    return


def _read(operands: Sequence[CandidateOperand], readings: _Readings) -> tuple[Reading, ...]:
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
        after = places.with_wanted(place, tuple(wanted[0] if channel == letter else None for channel in CHANNELS))
        if after is not None:
            yield Reading(place, letter, flag), after


# --- Stages -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the stages up to one must leave: its result, the buffer that the next one reads, and the pending one."""

    result: Vector
    buffer: Vector = FREE
    pending: Vector = FREE


@dataclass(frozen=True, slots=True)
class Plan:
    stages: tuple[PlannedStage, ...]
    buffer_colour: HostColour
    #: How many stages at the beginning have nothing to do.
    idle: int = 0


class Explorer:
    """Looks for stages 0 to k that leave what is wanted; remembers what cannot be had."""

    def __init__(self, memo: Memo) -> None:
        self._memo = memo
        self._failed: set[tuple[int, Wanted]] = set()

    def plans(self, stage: int, wanted: Wanted) -> Iterator[Plan]:
        """Plans for stages 0 to `stage`, those first whose last stage needs least."""
        if stage < 0:
            yield from _start(wanted)
            return
        if (stage, wanted) in self._failed or not self._is_near(stage, wanted):
            return
        is_planned = False
        for writes_colour, writes_alpha, result, pending in _updates(stage, wanted):
            for colour, alpha in self._pairs(stage, result):
                self._memo.spend(10)
                for placed in Placer(self._memo, stage).placed(colour, None if _makes_both(alpha) else alpha):
                    before = Wanted(placed.places.previous, placed.places.buffer, pending)
                    for plan in islice(self.plans(stage - 1, before), _VARIANTS):
                        is_planned = True
                        planned = _planned(colour, alpha, placed, writes_colour, writes_alpha)
                        idle = plan.idle + (colour is None and alpha is None)
                        yield Plan((*plan.stages, planned), plan.buffer_colour, idle)
        if not is_planned:
            self._failed.add((stage, wanted))

    def _is_near(self, stage: int, wanted: Wanted) -> bool:
        """Tell whether each goal by itself could be reached in time."""
        return all(
            self._memo.is_within(goal, stages)
            for vector, stages in ((wanted.result, stage + 1), (wanted.buffer, stage), (wanted.pending, stage + 1))
            for goal in (simplest(vector[:3]), vector[3:])
            if set(goal) != {None} and not is_host(goal)
        )

    def _pairs(self, stage: int, result: Vector) -> Iterator[tuple[Candidate | None, Candidate | None]]:
        """Candidates of both combiners, cheap ones first; the same twice is DOT3_RGBA, which makes both results."""
        for colour in self._choices(stage, result[:3]):
            for alpha in self._choices(stage, result[3:]):
                if alpha is None or alpha.function != "DOT3_RGB":
                    yield colour, alpha
                elif colour is None or colour == alpha:
                    yield alpha, alpha

    def _choices(self, stage: int, goal: Vector) -> Iterator[Candidate | None]:
        """List candidates that can be had in time; of one that needs nothing no other; the goal, kept, at last."""
        if set(goal) == {None}:
            yield None
            return
        goal = simplest(goal)
        for candidate in self._memo.candidates(goal, directly=not stage):
            if all(self._memo.is_reachable(need, stage) for need in candidate.needs()):
                yield candidate
                if not candidate.needs() and not candidate.constants():
                    return
        if stage and self._memo.is_reachable(Need(goal), stage):
            yield Candidate("REPLACE", (Need(goal),))


def _start(wanted: Wanted) -> Iterator[Plan]:
    """Before stage 0: the host gives the buffer's colour, and nothing else is there."""
    empty = wanted.result == FREE and set(wanted.buffer) <= {None, ZERO}
    if empty and is_host(wanted.pending):
        yield Plan((), wanted.pending)


def _updates(stage: int, wanted: Wanted) -> Iterator[tuple[bool, bool, Vector, Vector]]:
    """Tell whether colour and alpha go to the buffer, and what the result and the pending buffer must be then."""
    for writes_colour in _writes(stage, wanted.pending[:3]):
        for writes_alpha in _writes(stage, wanted.pending[3:]):
            colour = _update(writes_colour, wanted, slice(0, 3))
            alpha = _update(writes_alpha, wanted, slice(3, 4))
            if colour is not None and alpha is not None:
                yield writes_colour, writes_alpha, colour[0] + alpha[0], colour[1] + alpha[1]


def _writes(stage: int, pending: Vector) -> tuple[bool, ...]:
    return (True, False) if stage < _WRITERS and set(pending) != {None} else (False,)


def _update(writes: bool, wanted: Wanted, part: slice) -> tuple[Vector, Vector] | None:
    result, buffer, pending = wanted.result[part], wanted.buffer[part], wanted.pending[part]
    if writes:
        both = united(result, pending)
        return None if both is None else (both, buffer)
    both = united(pending, buffer)
    return None if both is None else (result, both)


def _makes_both(alpha: Candidate | None) -> bool:
    """Tell whether the candidate of the colour makes alpha, too: no other one is a dot product (see `_pairs`)."""
    return alpha is not None and alpha.function == "DOT3_RGB"


def _planned(
    colour: Candidate | None, alpha: Candidate | None, placed: Placed, writes_colour: bool, writes_alpha: bool
) -> PlannedStage:
    both = _makes_both(alpha)
    first = _combiner(colour, placed.colour, 3)
    second = _combiner(None if both else alpha, placed.alpha, 1)
    if both and colour is not None:
        first = Combiner("DOT3_RGBA", first.operands, first.scale)
        second = Combiner(second.function, second.operands, first.scale)
    return PlannedStage(first, second, placed.places.constant, writes_colour, writes_alpha)


def _combiner(candidate: Candidate | None, readings: tuple[Reading, ...], width: int) -> Combiner:
    unused = Operand("primary", "rgb" if width > 1 else "a")
    operands = [reading.operand(width) for reading in readings]
    operands += [unused] * (3 - len(operands))
    function, scale = (candidate.function, candidate.scale) if candidate else ("REPLACE", 1)
    return Combiner(function, tuple(operands), scale)
