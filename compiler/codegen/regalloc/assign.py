"""Assignment: a register and components for every bundle, one after the other.

Bundles are assigned in the order in which their live ranges start, as in linear scan (Poletto and Sarkar, "Linear scan
register allocation", 1999), those with few candidates first.  For each component of each register a set of points says
when it is occupied, so that ranges may fill the holes of others (Wimmer and Moessenboeck, "Optimized interval splitting
in a linear scan register allocator", 2005).  The first register where all parts find components is taken; a target to
which components matter (`RegisterModel.component_cost`) gets the cheapest.  Where a bundle gets none, everything is
assigned again with a higher priority for that bundle (Joslin and Clements, "Squeaky wheel optimization", 1999).  Real
shaders find registers in the first order; a vector beside scalars that take all but just enough needs another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import and_

from glslc_multi.compiler.analysis.budget import spend
from glslc_multi.compiler.codegen.machine import MachineFunction
from glslc_multi.compiler.codegen.regalloc.affinities import Affinities, has_costs
from glslc_multi.compiler.codegen.regalloc.components import cheapest_components
from glslc_multi.compiler.codegen.regalloc.infeasible import is_infeasible
from glslc_multi.compiler.codegen.regalloc.live_bundles import LiveBundle, LiveBundles, Part
from glslc_multi.compiler.codegen.registers import COMPONENTS
from glslc_multi.compiler.records import dataclass, field

#: By set of components its members.
_MEMBERS = [[c for c in range(COMPONENTS) if mask >> c & 1] for mask in range(1 << COMPONENTS)]

#: The work (see `analysis/budget.py`) to assign a bundle again.
AGAIN = 1


@dataclass(slots=True)
class Assignment:
    """The register of every bundle, by number, and the component of every part."""

    registers: dict[LiveBundle, int] = field(default_factory=dict)
    components: dict[Part, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unassigned:
    """A bundle for which no register was found."""

    bundle: LiveBundle
    #: Whether there is none in any order.
    is_infeasible: bool


def assign(function: MachineFunction, bundles: LiveBundles, attempts: int) -> Assignment | Unassigned:
    """Registers for all bundles, or one for which none was found."""
    affinities = Affinities(function, bundles)
    waiting = [bundle for bundle in bundles.all if bundle.parts]
    groups = {bundle: _group(bundle.parts) for bundle in waiting}
    starts = {bundle: _start(bundle) for bundle in waiting}
    priority = dict.fromkeys(waiting, 0)
    failed: Unassigned | None = None
    for attempt in range(attempts):
        if attempt and not spend(AGAIN * len(waiting)):
            break
        wide_first = attempt % 2 == 1
        waiting.sort(
            key=lambda c: (c.candidates.bit_count(), -priority[c], -len(c.parts) if wide_first else 0, starts[c])
        )
        assigner = _Assigner(bundles, affinities, groups)
        stuck = assigner.run(waiting)
        if stuck is None:
            return assigner.assignment
        failed = failed or Unassigned(stuck, is_infeasible(bundles, stuck))
        priority[stuck] += 1
        if failed.is_infeasible:
            break
    assert failed is not None
    return failed


def _start(bundle: LiveBundle) -> int:
    """The first point at which it is live."""
    points = bundle.range
    return (points & -points).bit_length()


@dataclass(slots=True)
class _Group:
    """The parts of a bundle, and what they ask for."""

    parts: list[Part]
    #: For each part the components that it may have.
    options: list[list[int]]
    #: The points at which one component is needed at least, two, ...
    needs: list[int]


def _group(parts: list[Part]) -> _Group:
    options = [_MEMBERS[part.components] for part in parts]
    return _Group(parts, options, _layers([part.range for part in parts], [0] * len(parts)))


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


#: What a bundle's components cost, and the component of each part.
_Fit = tuple[int, list[int]]


class _Assigner:
    """One attempt to assign all bundles."""

    def __init__(self, bundles: LiveBundles, affinities: Affinities, groups: dict[LiveBundle, _Group]) -> None:
        self.bundles = bundles
        self.affinities = affinities
        self.groups = groups
        self.assignment = Assignment()
        self.has_costs = has_costs(bundles.model)
        registers = bundles.numbering.registers
        #: By number of a register, the points at which each of its components is occupied.
        self.occupied = [[0] * (register.components if register is not None else 0) for register in registers]
        #: By number of a register, the points at which one component is occupied at least, two, ...
        self.occupancy = [list(occupied) for occupied in self.occupied]

    def run(self, order: Iterable[LiveBundle]) -> LiveBundle | None:
        """Assign all bundles in this order; returns the first one for which there is no register."""
        for bundle in order:
            if not self._assign(bundle):
                return bundle
        return None

    def _assign(self, bundle: LiveBundle) -> bool:
        allowed = self._allowed(bundle)
        group = self.groups[bundle]
        costs = [self._costs(part) for part in group.parts]
        least = sum(map(min, costs)) if self.has_costs else 0
        best: _Fit | None = None
        register = 0
        for candidate in bundle.allocation_order:
            if not allowed >> candidate & 1 or not self._has_room(group, candidate):
                continue
            found = self._fit(group, costs, candidate)
            if found is None:
                continue
            if best is None or found[0] < best[0]:
                best, register = found, candidate
            # No register has cheaper components than one that is free altogether.
            if not self.has_costs or best[0] == least or self._is_free(bundle, candidate):
                break
        if best is None:
            return False
        self.assignment.registers[bundle] = register
        for part, component in zip(bundle.parts, best[1], strict=True):
            self.assignment.components[part] = component
            self.occupied[register][component] |= part.range
        self.occupancy[register] = _layers([part.range for part in bundle.parts], self.occupancy[register])
        return True

    def _allowed(self, bundle: LiveBundle) -> int:
        """The candidates without those that what must be apart from it excludes so far."""
        allowed = bundle.candidates
        for theirs in self._registers_of_others(bundle, bundle.apart):
            allowed &= ~(1 << theirs)
        for theirs in self._registers_of_others(bundle, bundle.separate):
            register = self.bundles.numbering.registers[theirs]
            assert register is not None
            allowed &= ~self.bundles.others_of_bank(register)
        return allowed

    def _registers_of_others(self, bundle: LiveBundle, pairs: list[tuple[int, int]]) -> Iterator[int]:
        """The registers of what a bundle is paired with, as far as they are assigned."""
        part, registers = self.bundles.part, self.assignment.registers
        for a, b in pairs:
            for mine, other in ((part(a), part(b)), (part(b), part(a))):
                if mine.bundle is bundle and other.bundle in registers:
                    yield registers[other.bundle]

    def _costs(self, part: Part) -> list[int]:
        """What each component costs: fewer, the more affinities it satisfies."""
        costs = list(self.affinities.costs[part])
        components = self.assignment.components
        for other in self.affinities.affine[part]:
            component = components.get(other)
            if component is not None:
                costs[component] -= 1
        return costs

    def _is_free(self, bundle: LiveBundle, register: int) -> bool:
        return not any(points & part.range for part in bundle.parts for points in self.occupied[register])

    def _has_room(self, group: _Group, number: int) -> bool:
        """Whether enough components are free at all points, whichever they are."""
        # Where one is needed, not all may be occupied; where two are, not all but one ...
        return not any(map(and_, group.needs, reversed(self.occupancy[number])))

    def _fit(self, group: _Group, costs: list[list[int]], number: int) -> _Fit | None:
        """The cheapest free components of one register for the parts of a group, and what they cost."""
        options = group.options
        if self.occupancy[number][0] & group.needs[0]:
            occupied = self.occupied[number]
            options = [
                [c for c in choice if not occupied[c] & part.range]
                for part, choice in zip(group.parts, options, strict=True)
            ]
            if not all(options):
                return None
        return cheapest_components(group.parts, options, costs)
