"""Places for the blocks of a flow graph on a plane: layers from top to bottom, few crossings.

In: sizes of boxes and edges by number, box 0 first.  Out: a place for each box, and the points of each edge.

Edges that lead back, to a box on the path from the first one, do not count for layers.  Each edge over several layers
goes through an empty place in each of them.  In a layer, places are ordered by the mean of what they are joined to
above, then below.  Edges that lead back run along the right side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from glslc_multi.compiler.records import dataclass, field

_GAP_X, _GAP_Y = 28.0, 44.0
#: Width of an empty place.
_WAY = 8.0
_SWEEPS = 4
#: Edges that lead back touch their boxes this part of the width from the middle.
_BESIDE = 4

Point = tuple[float, float]


@dataclass(slots=True)
class Box:
    """Something with a size that gets a place; `x` is its middle, `y` its top."""

    width: float
    height: float
    x: float = 0.0
    y: float = 0.0


@dataclass(slots=True)
class Layout:
    """The plane with all on it."""

    boxes: list[Box]
    #: Edge -> its points, from the box it leaves to the one it reaches.
    paths: list[list[Point]]
    width: float = 0.0
    height: float = 0.0


def lay_out(sizes: Sequence[tuple[float, float]], edges: Sequence[tuple[int, int]]) -> Layout:
    """Places for boxes of these sizes, joined by these edges."""
    back = _leading_back(len(sizes), edges)
    forward = [edge for number, edge in enumerate(edges) if number not in back]
    plane = _Plane([Box(*size) for size in sizes], _layers(len(sizes), forward))
    chains = {number: plane.chain(*edge) for number, edge in enumerate(edges) if number not in back}
    plane.order()
    plane.place()
    return plane.finish(edges, chains)


def _leading_back(count: int, edges: Sequence[tuple[int, int]]) -> set[int]:
    """The edges to a box that is being visited, depth first."""
    leaving: list[list[int]] = [[] for _ in range(count)]
    for number, (source, _) in enumerate(edges):
        leaving[source].append(number)
    back: set[int] = set()
    state = [0] * count
    for root in range(count):
        work = [(root, iter(leaving[root]))] if not state[root] else []
        state[root] = state[root] or 1
        while work:
            box, rest = work[-1]
            number = next(rest, -1)
            if number < 0:
                state[box] = 2
                work.pop()
                continue
            target = edges[number][1]
            if state[target] == 1:
                back.add(number)
            elif not state[target]:
                state[target] = 1
                work.append((target, iter(leaving[target])))
    return back


def _layers(count: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """The layer of each box: below all that lead to it."""
    after: list[list[int]] = [[] for _ in range(count)]
    missing = [0] * count
    for source, target in edges:
        after[source].append(target)
        missing[target] += 1
    layer = [0] * count
    ready = [box for box in range(count) if not missing[box]]
    while ready:
        box = ready.pop()
        for target in after[box]:
            layer[target] = max(layer[target], layer[box] + 1)
            missing[target] -= 1
            if not missing[target]:
                ready.append(target)
    return layer


@dataclass(slots=True)
class _Plane:
    """Boxes and empty places while they are being placed; both are numbers into `boxes`."""

    boxes: list[Box]
    layer: list[int]
    above: dict[int, list[int]] = field(default_factory=dict)
    below: dict[int, list[int]] = field(default_factory=dict)
    rows: list[list[int]] = field(default_factory=list)

    def chain(self, source: int, target: int) -> list[int]:
        """The places on an edge's path, with an empty one in every layer between."""
        between = range(self.layer[source] + 1, self.layer[target])
        empty = range(len(self.boxes), len(self.boxes) + len(between))
        self.boxes += [Box(_WAY, 0.0) for _ in between]
        self.layer += between
        path = [source, *empty, target]
        for upper, lower in pairwise(path):
            self.below.setdefault(upper, []).append(lower)
            self.above.setdefault(lower, []).append(upper)
        return path

    def order(self) -> None:
        """The order of the places in each layer."""
        self.rows = [[] for _ in range(max(self.layer, default=0) + 1)]
        for number, layer in enumerate(self.layer):
            self.rows[layer].append(number)
        for sweep in range(_SWEEPS):
            neighbours = self.below if sweep % 2 else self.above
            rank = {number: index for row in self.rows for index, number in enumerate(row)}
            for row in reversed(self.rows) if sweep % 2 else self.rows:
                # Sorting keeps the order of equals.
                row.sort(key=lambda number: _mean([rank[other] for other in neighbours.get(number, [number])]))
                rank.update({number: place for place, number in enumerate(row)})

    def place(self) -> None:
        """Rows below each other, each around the middle."""
        y = _GAP_Y / 2
        for row in self.rows:
            width = sum(self.boxes[number].width for number in row) + _GAP_X * (len(row) - 1)
            x = -width / 2
            for number in row:
                box = self.boxes[number]
                box.x, box.y = x + box.width / 2, y
                x += box.width + _GAP_X
            y += self._height(row[0]) + _GAP_Y

    def finish(self, edges: Sequence[tuple[int, int]], chains: dict[int, list[int]]) -> Layout:
        """The plane with its left upper corner at 0, and the paths of all edges."""
        left = min((box.x - box.width / 2 for box in self.boxes), default=0.0)
        for box in self.boxes:
            box.x -= left
        right = max((box.x + box.width / 2 for box in self.boxes), default=0.0)
        bottom = max((box.y + box.height for box in self.boxes), default=0.0)
        paths = []
        for number, (source, target) in enumerate(edges):
            if number in chains:
                chain = chains[number]
                first, *between, last = (self.boxes[number] for number in chain)
                heights = [self._height(place) for place in chain[1:-1]]
                points = [(first.x, first.y + first.height)]
                for box, height in zip(between, heights, strict=True):
                    points += [(box.x, box.y), (box.x, box.y + height)]
                paths.append([*points, (last.x, last.y)])
            else:
                right += _GAP_X / 2
                paths.append(self._back(source, target, right))
        return Layout(self.boxes, paths, right + _GAP_X / 2, bottom + _GAP_Y / 2)

    def _back(self, source: int, target: int, side: float) -> list[Point]:
        start, end = self.boxes[source], self.boxes[target]
        under, over = start.y + self._height(source) + _GAP_Y / 4, end.y - _GAP_Y / 4
        from_x, to_x = start.x + start.width / _BESIDE, end.x + end.width / _BESIDE
        return [
            (from_x, start.y + start.height),
            (from_x, under),
            (side, under),
            (side, over),
            (to_x, over),
            (to_x, end.y),
        ]

    def _height(self, place: int) -> float:
        """Of the layer that a place is in."""
        return max(self.boxes[number].height for number in self.rows[self.layer[place]])


def _mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers)
