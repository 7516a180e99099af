"""Placing: a register and components for every cluster, one after the other.

For each component of each register a set of points says when it is taken; a cluster fits where its parts find
components that are free at all of their points.  Among the components that fit, those are taken that spare swizzles:
a lane of a source wants the component that the lane has in the result, or the slot of the opcode has.  The first
register with room is taken; a target to which components matter (`RegisterModel.component_cost`) gets the cheapest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import and_

from compiler.codegen.machine import Def, MachineFunction, MachineInstruction, Use
from compiler.codegen.regalloc.clusters import Cluster, Clusters, Part
from compiler.codegen.regalloc.hopeless import is_hopeless
from compiler.codegen.regalloc.model import RegisterModel
from compiler.codegen.registers import Register
from compiler.records import dataclass, field

#: The most components that a register has.
_COMPONENTS = 4
#: By set of components its members.
_MEMBERS = [[c for c in range(_COMPONENTS) if places >> c & 1] for places in range(1 << _COMPONENTS)]


class Wishes:
    """Which places the readers and writers of parts would like, and what parts cost there."""

    def __init__(self, function: MachineFunction, clusters: Clusters) -> None:
        self.part_of = clusters.part_of
        self.numbering = clusters.numbering
        parts = [part for cluster in clusters.clusters for part in cluster.parts]
        #: For each component of a register what it costs to be there, but for what mates would like.
        self.costs = {part: [0] * _COMPONENTS for part in parts}
        #: Parts that are read or written in the same lane, as often as that is so.
        self.mates: dict[Part, list[Part]] = {part: [] for part in parts}
        for instruction in function.instructions():
            self._collect(instruction)
        if has_costs(clusters.model):
            self._add_costs(clusters)

    def _collect(self, instruction: MachineInstruction) -> None:
        """The wishes of an instruction."""
        each = instruction.op.result == "each" and len(instruction.defs) == 1
        target = instruction.defs[0] if each else None
        result = self.numbering.first(target.register) if target is not None else None
        for use, mode in zip(instruction.uses, instruction.op.sources, strict=False):
            if mode == "slots":
                self._wish(use, range(len(use.lanes)))
            elif mode == "each" and target is not None:
                self._wish_together(use, target, result)

    def _wish(self, operand: Use | Def, places: Iterable[int]) -> None:
        """The lanes of an operand had better be in these components."""
        first = self.numbering.first(operand.register)
        if first is None:
            return
        for lane, place in zip(operand.lanes, places, strict=False):
            part = None if lane is None else self.part_of[first + lane]
            if part is not None and place < _COMPONENTS:
                self.costs[part][place] -= 1

    def _wish_together(self, use: Use, target: Def, result: int | None) -> None:
        """A source and the result that goes with it lane by lane; the result's first atom, if it has one."""
        source = self.numbering.first(use.register)
        if source is None and result is not None and isinstance(use.register, Register):
            read = [(to, lane) for to, lane in zip(target.lanes, use.lanes, strict=False) if lane is not None]
            self._wish(Def(target.register, tuple(to for to, _ in read)), [lane for _, lane in read])
        elif source is not None and result is None:
            self._wish(use, target.lanes)
        elif source is not None and result is not None:
            part_of, mates = self.part_of, self.mates
            for lane, written in zip(use.lanes, target.lanes, strict=False):
                one, other = part_of[result + written], None if lane is None else part_of[source + lane]
                if one is not None and other is not None and one is not other:
                    mates[one].append(other)
                    mates[other].append(one)

    def _add_costs(self, clusters: Clusters) -> None:
        """What the target says of components."""
        for register, first in zip(clusters.registers, self.numbering.virtual, strict=True):
            for component in range(register.width):
                costs = self.costs[clusters.part(first + component)]
                for place in range(_COMPONENTS):
                    costs[place] += clusters.model.component_cost(register, component, place)


def has_costs(model: RegisterModel) -> bool:
    """Whether the target minds which components are taken."""
    return type(model).component_cost is not RegisterModel.component_cost


@dataclass(slots=True)
class Placement:
    """Where things are: the register of every row of a cluster, and the component of every part."""

    homes: dict[Cluster, int] = field(default_factory=dict)
    components: dict[Part, int] = field(default_factory=dict)


def place(function: MachineFunction, clusters: Clusters, attempts: int) -> Placement | Cluster:
    """Places for all clusters, or one for which none was found.

    Clusters are placed in the order of the program, those with little choice first; what finds no place is
    placed earlier in the next attempt.
    """
    wishes = Wishes(function, clusters)
    waiting = [cluster for cluster in clusters.clusters if cluster.parts]
    rows = {cluster: _rows_of(cluster) for cluster in waiting}
    starts = {cluster: _start(cluster) for cluster in waiting}
    urgency = dict.fromkeys(waiting, 0)
    failed: Cluster | None = None
    for attempt in range(attempts):
        wide_first = attempt % 2 == 1
        waiting.sort(key=lambda c: (_choice(c), -urgency[c], -len(c.parts) if wide_first else 0, starts[c]))
        placer = Placer(clusters, wishes, rows)
        stuck = placer.run(waiting)
        if stuck is None:
            return placer.placement
        failed = failed or stuck
        urgency[stuck] += 1
        if attempt == 0 and is_hopeless(clusters, stuck):
            break
    assert failed is not None
    return failed


def _choice(cluster: Cluster) -> int:
    """How many places there are for the first row, roughly; runs of registers have little choice."""
    return cluster.homes[0].bit_count() if len(cluster.homes) == 1 else 2


def _start(cluster: Cluster) -> int:
    """The first point at which it matters."""
    points = cluster.range
    return (points & -points).bit_length()


@dataclass(slots=True)
class _Row:
    """The parts of a cluster that go to one register."""

    parts: list[Part]
    #: For each part the components that it may be.
    options: list[list[int]]
    #: The points at which one component is needed at least, two, ...
    needs: list[int]


def _rows_of(cluster: Cluster) -> list[_Row]:
    rows: list[list[Part]] = [[] for _ in cluster.homes]
    for part in cluster.parts:
        rows[part.row].append(part)
    return [_row(parts) for parts in rows]


def _row(parts: list[Part]) -> _Row:
    options = [_MEMBERS[part.places] for part in parts]
    return _Row(parts, options, _layers([part.range for part in parts], [0] * len(parts)))


def _layers(ranges: Iterable[int], below: list[int]) -> list[int]:
    """The points in one of the ranges at least, in two, ..., on top of those counted before."""
    layers = list(below)
    for points in ranges:
        for number, layer in enumerate(layers):
            layers[number] |= points
            points &= layer
            if not points:
                break
    return layers


#: A cluster's components: what they cost, and the component of each part, row by row.
_Fit = tuple[int, list[list[int]]]


class Placer:
    """One attempt to place all clusters."""

    def __init__(self, clusters: Clusters, wishes: Wishes, rows: dict[Cluster, list[_Row]]) -> None:
        self.clusters = clusters
        self.wishes = wishes
        self.rows = rows
        self.placement = Placement()
        self.has_costs = has_costs(clusters.model)
        homes = clusters.numbering.homes
        #: By number of a register, when its components are taken.
        self.taken = [[0] * (home.components if home is not None else 0) for home in homes]
        #: By number of a register, the points at which one component is taken at least, two, ...
        self.crowds = [list(taken) for taken in self.taken]

    def run(self, order: Iterable[Cluster]) -> Cluster | None:
        """Place all clusters in this order; the first one without a place comes back."""
        for cluster in order:
            if not self._place(cluster):
                return cluster
        return None

    def _place(self, cluster: Cluster) -> bool:
        allowed = self._allowed(cluster)
        costs = [[self._costs(part) for part in row.parts] for row in self.rows[cluster]]
        least = sum(min(each) for row in costs for each in row) if self.has_costs else 0
        best: _Fit | None = None
        home = 0
        for candidate in cluster.order:
            found = self._fit_at(cluster, allowed, costs, candidate)
            if found is None:
                continue
            if best is None or found[0] < best[0]:
                best, home = found, candidate
            # No register has cheaper components than one that is free altogether.
            if not self.has_costs or best[0] == least or self._is_free(cluster, candidate):
                break
        if best is None:
            return False
        self._take(cluster, home, best[1])
        return True

    def _allowed(self, cluster: Cluster) -> list[int]:
        """For each row the registers that it may be, as far as what must be apart from it has places."""
        allowed = list(cluster.homes)
        for row, theirs in self._homes_of_others(cluster, cluster.apart):
            allowed[row] &= ~(1 << theirs)
        for row, theirs in self._homes_of_others(cluster, cluster.separate):
            register = self.clusters.numbering.homes[theirs]
            assert register is not None
            allowed[row] &= ~self.clusters.others_of_bank(register)
        return allowed

    def _homes_of_others(self, cluster: Cluster, pairs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """The rows that are paired with something, and the registers that this is in, as far as they are known."""
        part, homes = self.clusters.part, self.placement.homes
        for a, b in pairs:
            for mine, other in ((part(a), part(b)), (part(b), part(a))):
                if mine.cluster is cluster and other.cluster in homes:
                    yield mine.row, homes[other.cluster] + other.row

    def _costs(self, part: Part) -> list[int]:
        """What each component costs: the wishes that it leaves unfulfilled."""
        costs = list(self.wishes.costs[part])
        components = self.placement.components
        for mate in self.wishes.mates[part]:
            component = components.get(mate)
            if component is not None:
                costs[component] -= 1
        return costs

    def _is_free(self, cluster: Cluster, home: int) -> bool:
        return not any(points & part.range for part in cluster.parts for points in self.taken[home + part.row])

    def _take(self, cluster: Cluster, home: int, components: list[list[int]]) -> None:
        self.placement.homes[cluster] = home
        for number, (row, chosen) in enumerate(zip(self.rows[cluster], components, strict=True), home):
            for part, component in zip(row.parts, chosen, strict=True):
                self.placement.components[part] = component
                self.taken[number][component] |= part.range
            self.crowds[number] = _layers([part.range for part in row.parts], self.crowds[number])

    def _fit_at(self, cluster: Cluster, allowed: list[int], costs: list[list[list[int]]], home: int) -> _Fit | None:
        """Components for all parts when the first row is register `home`, and what they cost."""
        total = 0
        components = []
        for number, (row, homes) in enumerate(zip(self.rows[cluster], allowed, strict=True)):
            register = home + number
            if not homes >> register & 1 or not self._has_room(row, register):
                return None
            found = self._fit_row(row, costs[number], register)
            if found is None:
                return None
            total += found[0]
            components.append(found[1])
        return total, components

    def _has_room(self, row: _Row, number: int) -> bool:
        """Whether enough components are free at all points; which they are may yet be in the way."""
        # Where one is needed, not all may be taken; where two are, not all but one ...
        return not any(map(and_, row.needs, reversed(self.crowds[number])))

    def _fit_row(self, row: _Row, costs: list[list[int]], number: int) -> tuple[int, list[int]] | None:
        """The cheapest free components of one register for the parts of a row, and what they cost."""
        options = row.options
        if self.crowds[number][0] & row.needs[0]:
            taken = self.taken[number]
            options = [
                [c for c in places if not taken[c] & part.range]
                for part, places in zip(row.parts, options, strict=True)
            ]
            if not all(options):
                return None
        order = sorted(range(len(options)), key=list(map(len, options)).__getitem__)
        return _cheapest(row.parts, order, options, costs) or _Search(row.parts, order, options, costs).run()


def _cheapest(
    parts: list[Part], order: list[int], options: list[list[int]], costs: list[list[int]]
) -> tuple[int, list[int]] | None:
    """For every part a component that is its cheapest one, and what they cost; None where parts would need the same."""
    chosen, total = [0] * len(parts), 0
    taken = [0] * _COMPONENTS
    for number in order:
        prices, points = costs[number], parts[number].range
        least = min([prices[component] for component in options[number]])
        free = [c for c in options[number] if prices[c] == least and not taken[c] & points]
        if not free:
            return None
        chosen[number] = free[0]
        taken[free[0]] |= points
        total += least
    return total, chosen


#: How many steps the search for cheap components may take; then the best found so far is taken.
_SEARCH_STEPS = 200


class _Search:
    """The cheapest way to give parts of one register components of their own, those with little choice first."""

    def __init__(self, parts: list[Part], order: list[int], options: list[list[int]], costs: list[list[int]]) -> None:
        #: For each part, as a set, the parts that cannot share its component.
        self.rivals = [
            sum([1 << index for index, other in enumerate(parts) if other.range & part.range]) for part in parts
        ]
        self.options = options
        self.costs = costs
        self.order = order
        #: What the parts from one of the order on cost at least.
        self.least = [0]
        for part in reversed(self.order):
            self.least.append(self.least[-1] + min([costs[part][component] for component in options[part]]))
        self.least.reverse()
        #: By component, the parts that have it.
        self.taken = [0] * _COMPONENTS
        self.chosen = [0] * len(options)
        self.best: list[int] | None = None
        self.best_cost = 0
        self.steps = 0

    def run(self) -> tuple[int, list[int]] | None:
        self._extend(0, 0)
        return None if self.best is None else (self.best_cost, self.best)

    def _extend(self, index: int, cost: int) -> None:
        """Choose for the parts from number `index` of the order on; those before cost `cost`."""
        if index == len(self.order):
            self.best, self.best_cost = list(self.chosen), cost
            return
        self.steps += 1
        part = self.order[index]
        for component in self.options[part]:
            if self.taken[component] & self.rivals[part]:
                continue
            price = cost + self.costs[part][component]
            if self.best is not None and price + self.least[index + 1] >= self.best_cost:
                continue
            if self.steps > _SEARCH_STEPS:
                return
            self.taken[component] |= 1 << part
            self.chosen[part] = component
            self._extend(index + 1, price)
            self.taken[component] ^= 1 << part
