"""Placing: a register and components for every cluster, one after the other.

For each component of each register a set of points says when it is taken; a cluster fits where its parts find
components that are free at all of their points.  Among the components that fit, those are taken that spare swizzles:
a lane of a source wants the component that the lane has in the result, or the slot of the opcode has.  The first
register with room is taken; a target to which components matter (`RegisterModel.component_cost`) gets the cheapest.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.codegen.machine import MachineFunction, MachineInstruction
from compiler.codegen.regalloc.clusters import Cluster, Clusters, Part
from compiler.codegen.regalloc.limits import is_hopeless
from compiler.codegen.regalloc.liveness import bits
from compiler.codegen.regalloc.model import RegisterModel
from compiler.codegen.registers import Register
from compiler.records import dataclass, field


@dataclass(slots=True)
class Wishes:
    """Which places the readers and writers of atoms would like."""

    #: Atom -> components that an operand of the code wants it in, as often as it does.
    places: dict[int, list[int]] = field(default_factory=dict)
    #: Atom -> atoms that are read or written in the same lane.
    mates: dict[int, list[int]] = field(default_factory=dict)


def collect_wishes(function: MachineFunction, clusters: Clusters) -> Wishes:
    """The wishes of all instructions."""
    wishes = Wishes()
    for instruction in function.instructions():
        _wishes_of(instruction, clusters, wishes)
    return wishes


def _wishes_of(instruction: MachineInstruction, clusters: Clusters, wishes: Wishes) -> None:
    numbering = clusters.numbering
    each = instruction.op.result == "each" and len(instruction.defs) == 1
    target = instruction.defs[0] if each else None
    result = numbering.first(target.register) if target is not None else None
    for use, mode in zip(instruction.uses, instruction.op.sources, strict=False):
        source = numbering.first(use.register)
        for index, lane in enumerate(use.lanes):
            if lane is None:
                continue
            if mode == "slots" and source is not None:
                wishes.places.setdefault(source + lane, []).append(index)
            if mode != "each" or target is None or index >= len(target.lanes):
                continue
            written = target.lanes[index]
            if source is not None and result is not None:
                wishes.mates.setdefault(source + lane, []).append(result + written)
                wishes.mates.setdefault(result + written, []).append(source + lane)
            elif source is not None:
                wishes.places.setdefault(source + lane, []).append(written)
            elif result is not None and isinstance(use.register, Register):
                wishes.places.setdefault(result + written, []).append(lane)


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
    wishes = collect_wishes(function, clusters)
    waiting = [cluster for cluster in clusters.clusters if cluster.parts]
    starts = {cluster: _start(cluster) for cluster in waiting}
    urgency = dict.fromkeys(waiting, 0)
    failed: Cluster | None = None
    for attempt in range(attempts):
        wide_first = attempt % 2 == 1
        waiting.sort(key=lambda c: (_choice(c), -urgency[c], -len(c.parts) if wide_first else 0, starts[c]))
        placer = Placer(clusters, wishes)
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


class Placer:
    """One attempt to place all clusters."""

    def __init__(self, clusters: Clusters, wishes: Wishes) -> None:
        self.clusters = clusters
        self.wishes = wishes
        self.placement = Placement()
        self.has_costs = type(clusters.model).component_cost is not RegisterModel.component_cost
        homes = clusters.numbering.homes
        #: By number of a register, when its components are taken.
        self.taken = [[0] * (home.components if home is not None else 0) for home in homes]

    def run(self, order: Iterable[Cluster]) -> Cluster | None:
        """Place all clusters in this order; the first one without a place comes back."""
        for cluster in order:
            if not self._place(cluster):
                return cluster
        return None

    def _place(self, cluster: Cluster) -> bool:
        rows: list[list[Part]] = [[] for _ in cluster.homes]
        for part in cluster.parts:
            rows[part.row].append(part)
        best: tuple[int, int, dict[Part, int]] | None = None
        for home in cluster.order:
            found = self._fit_at(cluster, rows, home)
            if found is None:
                continue
            cost, components = found
            if best is None or cost < best[0]:
                best = cost, home, components
            # A register that is free altogether offers the cheapest components.
            if not self.has_costs or not any(
                points & part.range for part in cluster.parts for points in self.taken[home + part.row]
            ):
                break
        if best is None:
            return False
        _, home, components = best
        self.placement.homes[cluster] = home
        self.placement.components.update(components)
        for part, component in components.items():
            self.taken[home + part.row][component] |= part.range
        return True

    def _fit_at(self, cluster: Cluster, rows: list[list[Part]], home: int) -> tuple[int, dict[Part, int]] | None:
        """Components for all parts when the first row is register `home`, and what they cost."""
        found: dict[Part, int] = {}
        total = 0
        for row, parts in enumerate(rows):
            number = home + row
            if not cluster.homes[row] >> number & 1 or not self._agrees(cluster, row, number):
                return None
            cost = self._fit_row(parts, number, found)
            if cost is None:
                return None
            total += cost
        return total, found

    def _agrees(self, cluster: Cluster, row: int, number: int) -> bool:
        """Whether what must be apart from this row is so if it is that register."""
        for kind, pairs in (("apart", cluster.apart), ("separate", cluster.separate)):
            for pair in pairs:
                a, b = (self.clusters.part(atom) for atom in pair)
                other = b if a.cluster is cluster and a.row == row else a
                mine = a if other is b else b
                if mine.cluster is not cluster or mine.row != row or other.cluster not in self.placement.homes:
                    continue
                theirs = self.placement.homes[other.cluster] + other.row
                if kind == "apart" and theirs == number:
                    return False
                if kind == "separate" and theirs != number and self._same_bank(theirs, number):
                    return False
        return True

    def _same_bank(self, first: int, second: int) -> bool:
        homes, model = self.clusters.numbering.homes, self.clusters.model
        one, other = homes[first], homes[second]
        assert one is not None and other is not None
        bank = model.bank(one)
        return bank is not None and bank == model.bank(other)

    def _fit_row(self, parts: list[Part], number: int, found: dict[Part, int]) -> int | None:
        """The cheapest free components of one register for `parts`, added to `found`; what they cost."""
        taken = self.taken[number]
        options = []
        for part in parts:
            free = [c for c, points in enumerate(taken) if part.places >> c & 1 and not points & part.range]
            if not free:
                return None
            options.append((part, free))
        options.sort(key=lambda option: len(option[1]))
        search = _Search([(part, free, self._costs(part, free)) for part, free in options], len(taken))
        best = search.run()
        if best is None:
            return None
        found.update(zip([part for part, _ in options], best, strict=True))
        return search.best_cost

    def _costs(self, part: Part, free: list[int]) -> list[int]:
        """What each of the components costs: the wishes that it leaves unfulfilled."""
        costs = [0] * 4
        for atom in bits(part.atoms):
            for place in self.wishes.places.get(atom, ()):
                if place < len(costs):
                    costs[place] -= 1
            for mate in self.wishes.mates.get(atom, ()):
                other = self.clusters.part_of[mate]
                if other is not None and other in self.placement.components:
                    costs[self.placement.components[other]] -= 1
            owner = self.clusters.owner(atom) if self.has_costs else None
            if owner is not None:
                for place in free:
                    costs[place] += self.clusters.model.component_cost(*owner, place)
        return [costs[component] for component in free]


#: How many steps the search for cheap components may take; then the best found so far is taken.
_SEARCH_STEPS = 200


class _Search:
    """The cheapest way to give parts of one register components of their own."""

    def __init__(self, options: list[tuple[Part, list[int], list[int]]], components: int) -> None:
        self.options = options
        self.taken = [0] * components
        self.chosen: list[int] = []
        self.best: list[int] | None = None
        self.best_cost = 0
        #: No choice can cost less than this.
        self.least = sum(min(costs) for _, _, costs in options)
        self.steps = 0

    def run(self) -> list[int] | None:
        self._extend(0, 0)
        return self.best

    def _extend(self, index: int, cost: int) -> None:
        if index == len(self.options):
            if self.best is None or cost < self.best_cost:
                self.best, self.best_cost = list(self.chosen), cost
            return
        self.steps += 1
        if self.steps > _SEARCH_STEPS or (self.best is not None and self.best_cost == self.least):
            return
        part, free, costs = self.options[index]
        for component, price in zip(free, costs, strict=True):
            if self.taken[component] & part.range:
                continue
            self.taken[component] |= part.range
            self.chosen.append(component)
            self._extend(index + 1, cost + price)
            self.chosen.pop()
            self.taken[component] &= ~part.range
