"""The search over whole stages, backwards: what the last one must read, the stages before must have made.

`previous` is the result of the stage before; the buffer lags, so that stage k reads what stage k-2 or an earlier one
left in it:

    stage k reads buffer[k]; buffer[k+1] = pending[k]; pending[k+1] = pending[k] with what stage k writes

Before stage 0 the buffer is 0 and pending is the buffer colour, four constants of the host.  Iterative deepening
(Korf, 1985): all programs of one stage, of two, and so on, so that the first one found is the shortest.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from backends.pica200.codegen.fragment.algebra.polynomials import ZERO
from backends.pica200.codegen.fragment.problem import HostColour, PlannedStage
from backends.pica200.codegen.fragment.search.forms import Form
from backends.pica200.codegen.fragment.search.operands import Need, Reading
from backends.pica200.codegen.fragment.search.slots import FREE, Placed, Placer
from backends.pica200.codegen.fragment.search.vectors import Vector, is_host, simplest, united
from backends.pica200.codegen.fragment.search.ways import Ways
from backends.pica200.isa.fragment.program import Combiner, Operand
from compiler.records import dataclass

#: How many plans for the stages before are compared.
_VARIANTS = 2

#: Only these stages can write to the buffer.
_WRITERS = 4


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

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
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
                self._ways.spend(10)
                for placed in Placer(self._ways, stage).placed(colour, None if _makes_both(alpha) else alpha):
                    before = Wanted(placed.places.previous, placed.places.buffer, pending)
                    for plan in islice(self.plans(stage - 1, before), _VARIANTS):
                        is_planned = True
                        made = _planned(colour, alpha, placed, writes_colour, writes_alpha)
                        idle = plan.idle + (colour is None and alpha is None)
                        yield Plan((*plan.stages, made), plan.buffer_colour, idle)
        if not is_planned:
            self._failed.add((stage, wanted))

    def _is_near(self, stage: int, wanted: Wanted) -> bool:
        """Whether each goal by itself could be made in time."""
        return all(
            self._ways.is_within(goal, stages)
            for vector, stages in ((wanted.result, stage + 1), (wanted.buffer, stage), (wanted.pending, stage + 1))
            for goal in (simplest(vector[:3]), vector[3:])
            if set(goal) != {None} and not is_host(goal)
        )

    def _pairs(self, stage: int, result: Vector) -> Iterator[tuple[Form | None, Form | None]]:
        """Forms of both combiners, cheap ones first; the same form twice is DOT3_RGBA, which makes both results."""
        for colour in self._choices(stage, result[:3]):
            for alpha in self._choices(stage, result[3:]):
                if alpha is None or alpha.function != "DOT3_RGB":
                    yield colour, alpha
                elif colour is None or colour == alpha:
                    yield alpha, alpha

    def _choices(self, stage: int, goal: Vector) -> Iterator[Form | None]:
        """Forms that can be had in time; one that needs nothing is the only one.  At last: the goal, made before."""
        if set(goal) == {None}:
            yield None
            return
        goal = simplest(goal)
        for form in self._ways.forms(goal) if stage else self._ways.direct_forms(goal):
            if all(self._ways.is_reachable(need, stage) for need in form.needs()):
                yield form
                if not form.needs() and not form.constants():
                    return
        if stage and self._ways.is_reachable(Need(goal), stage):
            yield Form("REPLACE", (Need(goal),))


def _start(wanted: Wanted) -> Iterator[Plan]:
    """Before stage 0: the host gives the buffer's colour, and nothing else is there."""
    empty = wanted.result == FREE and set(wanted.buffer) <= {None, ZERO}
    if empty and is_host(wanted.pending):
        red, green, blue, alpha = wanted.pending
        yield Plan((), (red, green, blue, alpha))


def _updates(stage: int, wanted: Wanted) -> Iterator[tuple[bool, bool, Vector, Vector]]:
    """Whether colour and alpha of the stage go to the buffer; what its result and the pending buffer must be then."""
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


def _makes_both(alpha: Form | None) -> bool:
    """Whether the form of the colour makes alpha, too: no other form of alpha is a dot product (see `_pairs`)."""
    return alpha is not None and alpha.function == "DOT3_RGB"


def _planned(
    colour: Form | None, alpha: Form | None, placed: Placed, writes_colour: bool, writes_alpha: bool
) -> PlannedStage:
    both = _makes_both(alpha)
    first = _combiner(colour, placed.colour, 3)
    second = _combiner(None if both else alpha, placed.alpha, 1)
    if both and colour is not None:
        first = Combiner("DOT3_RGBA", first.operands, first.scale)
        second = Combiner(second.function, second.operands, first.scale)
    red, green, blue, last = placed.places.constant
    return PlannedStage(first, second, (red, green, blue, last), writes_colour, writes_alpha)


def _combiner(form: Form | None, readings: tuple[Reading, ...], width: int) -> Combiner:
    unused = Operand("primary", "rgb" if width > 1 else "a")
    operands = [reading.operand(width) for reading in readings]
    operands += [unused] * (3 - len(operands))
    first, second, third = operands
    return Combiner(form.function if form else "REPLACE", (first, second, third), form.scale if form else 1)
