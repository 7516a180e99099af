"""Shuffles: the shortest code from rows that exist to a row with wanted lanes.

The machine has no swizzle on operands and no write mask; what moves lanes is `XCHANGEX` (lane x of one row, y and z of
another), `SWIZZLE3D` of a copy (XXX, YYY, ZZZ, YXZ) and `SETX`, `SETY`, `SETZ` for known numbers.  `recipe` searches
through the rows that an accumulator can become, cheapest first, with one or two helpers: lanes of a row spread to all
lanes, or its x and y exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from heapq import heappop, heappush
from itertools import count
from typing import Literal

from glslc_multi.backends.theia.codegen.machine_ops import SETS
from glslc_multi.backends.theia.isa.instructions import LIVE_SWIZZLES
from glslc_multi.compiler.records import dataclass

#: What a lane holds: (row, lane), where a splat's lane is 0; a number as ("number", key); None: any.
Label = tuple[object, object] | None
Lanes = tuple[Label, Label, Label]
NUMBER = "number"
ZERO_KEY = 0
#: A source of a step: the number of a row, a helper, the accumulator.
Source = tuple[Literal["row", "helper", "zero"], int] | None

_MOST_HELPERS = 2
_SWIZZLES = tuple(("SWIZZLE3D", code, lanes) for code, lanes in LIVE_SWIZZLES.items())
_ZEROS: Lanes = ((NUMBER, ZERO_KEY),) * 3


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction: `XCHANGEX` and `COPY` of sources (None: the accumulator), or a change in place."""

    name: str
    sources: tuple[Source, ...] = ()
    #: Code of a swizzle, or the key of a number.
    value: object = None


@dataclass(frozen=True, slots=True)
class Helper:
    """A copy of a row, swizzled."""

    row: int
    swizzle: int


@dataclass(frozen=True, slots=True)
class Recipe:
    helpers: tuple[Helper, ...]
    steps: tuple[Step, ...]

    @property
    def words(self) -> int:
        return 2 * len(self.helpers) + len(self.steps)


@cache
def recipe(rows: tuple[Lanes, ...], wanted: Lanes) -> Recipe:
    """How to make `wanted` of `rows`; the steps work on one accumulator."""
    return _Search(rows, wanted).run()


def splat_lanes(row: object) -> Lanes:
    """The lanes of a row that holds one number."""
    return ((row, 0),) * 3


def vector_lanes(row: object, width: int) -> Lanes:
    lanes = [(row, lane) if lane < width else None for lane in range(3)]
    return lanes[0], lanes[1], lanes[2]


class _Search:
    """Dijkstra's shortest path over states (accumulator, helpers)."""

    def __init__(self, rows: tuple[Lanes, ...], wanted: Lanes) -> None:
        self.rows = rows
        self.wanted = wanted
        self.useful = {label for label in wanted if label is not None}
        self.candidates = [
            Helper(number, code)
            for number, lanes in enumerate(rows)
            for _, code, order in _SWIZZLES
            if _kept(_permuted(lanes, order), self.useful) not in (lanes, (None,) * 3)
        ]

    def run(self) -> Recipe:
        order = count()
        queue: list[tuple[int, int, Lanes | None, Recipe]] = [(0, next(order), None, Recipe((), ()))]
        seen: set[tuple[Lanes | None, tuple[Helper, ...]]] = set()
        while queue:
            cost, _, lanes, found = heappop(queue)
            if lanes is not None and all(w is None or w == have for w, have in zip(self.wanted, lanes, strict=True)):
                return found
            if (lanes, found.helpers) in seen:
                continue
            seen.add((lanes, found.helpers))
            for words, after, following in self._moves(lanes, found):
                heappush(queue, (cost + words, next(order), after, following))
        raise AssertionError("any three lanes can be brought together")

    def _moves(self, lanes: Lanes | None, found: Recipe) -> Iterator[tuple[int, Lanes | None, Recipe]]:
        if lanes is None:
            for helper in self._more_helpers(found):
                yield 2, None, Recipe((*found.helpers, helper), ())
        for step, after in self._steps(lanes, found.helpers):
            yield 1, _kept(after, self.useful), Recipe(found.helpers, (*found.steps, step))

    def _more_helpers(self, found: Recipe) -> Iterator[Helper]:
        if len(found.helpers) < _MOST_HELPERS:
            start = self.candidates.index(found.helpers[-1]) + 1 if found.helpers else 0
            yield from self.candidates[start:]

    def _steps(self, lanes: Lanes | None, helpers: tuple[Helper, ...]) -> Iterator[tuple[Step, Lanes]]:
        sources = list(self._sources(helpers))
        numbers = [(lane, label) for lane, label in enumerate(self.wanted) if label is not None and label[0] == NUMBER]
        for lane, label in numbers:
            changed = [*(lanes or (None, None, None))]
            changed[lane] = label
            yield Step(SETS[lane], (), label[1]), (changed[0], changed[1], changed[2])
        if lanes is None:
            for first, have in sources:
                yield Step("COPY", (first,)), have
            for first, have in sources:
                for second, other in sources:
                    if first != second:
                        yield Step("XCHANGEX", (first, second)), (other[0], have[1], have[2])
            return
        for name, code, order in _SWIZZLES:
            yield Step(name, (), code), _permuted(lanes, order)
        for source, have in sources:
            yield Step("XCHANGEX", (None, source)), (have[0], lanes[1], lanes[2])
            yield Step("XCHANGEX", (source, None)), (lanes[0], have[1], have[2])

    def _sources(self, helpers: tuple[Helper, ...]) -> Iterator[tuple[Source, Lanes]]:
        for number, lanes in enumerate(self.rows):
            yield ("row", number), lanes
        for number, helper in enumerate(helpers):
            yield ("helper", number), _permuted(self.rows[helper.row], LIVE_SWIZZLES[helper.swizzle])
        if (NUMBER, ZERO_KEY) in self.useful:
            yield ("zero", 0), _ZEROS


def _permuted(lanes: Lanes, order: tuple[int, ...]) -> Lanes:
    return lanes[order[0]], lanes[order[1]], lanes[order[2]]


def _kept(lanes: Lanes, useful: set[tuple[object, object]]) -> Lanes:
    """Lanes that are of no use are dropped, so that fewer rows differ."""
    kept = [label if label in useful else None for label in lanes]
    return kept[0], kept[1], kept[2]
