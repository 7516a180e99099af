"""Coalescing: what copies join is put into one place, so that the copies vanish.

A copy of several lanes is done away with as a whole or not at all.  Two parts can be joined when neither is written
while the contents of the other matter; a write that copies one to the other does no harm, because
then both hold the same (where both matter they do so at all times, by induction over the joins).
A copy into one component of a vector makes the scalar that component, if the rest of its register fits in too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction, VirtualRegister
from compiler.codegen.regalloc.clusters import Cluster, Clusters, Part, fitting
from compiler.codegen.regalloc.liveness import bits
from compiler.codegen.regalloc.model import RegisterModel

#: Rows of more parts than this are not made: telling whether they fit would take long.
_MOST_PARTS = 16


class Coalescer:
    """Joins clusters along copies."""

    def __init__(
        self,
        function: MachineFunction,
        clusters: Clusters,
        model: RegisterModel,
        alone: Collection[VirtualRegister] = (),
    ) -> None:
        self.clusters = clusters
        self.model = model
        #: Registers that are joined with nothing.
        self.alone = alone
        #: Atom -> points at which it is copied from or to another atom.
        self.links: dict[int, list[tuple[int, int]]] = {}
        self.copies = sorted(self._find(function), key=lambda copy: (-copy[0], -len(copy[1])))

    def _find(self, function: MachineFunction) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """The copies whose both sides may be placed: depth in loops, and the pairs of atoms."""
        depths = _depths(function)
        for block in function.blocks:
            for index, instruction in enumerate(block.instructions, self.clusters.liveness.span(block)[0]):
                pairs = self._pairs(instruction, 2 * index)
                if not pairs:
                    continue
                yield depths[block], pairs
                if not instruction.conditional:
                    # What the copy itself overwrites is not the same any more as what it was copied to.
                    written = self.clusters.liveness.writes[index]
                    self._link([(a, b) for a, b in pairs if b not in written], 2 * index + 1)

    def _pairs(self, instruction: MachineInstruction, point: int) -> list[tuple[int, int]]:
        """Atoms that a copy joins; sources that nobody wrote are equal to anything."""
        if not self.model.is_copy(instruction):
            return []
        target, source = instruction.defs[0], instruction.uses[0]
        if target.register in self.alone or source.register in self.alone:
            return []
        numbering, part_of = self.clusters.numbering, self.clusters.part_of
        to, origin = numbering.first(target.register), numbering.first(source.register)
        if to is None or origin is None:
            return []
        lanes = zip(target.lanes, source.lanes, strict=True)
        pairs = [(to + lane, origin + component) for lane, component in lanes if component is not None]
        ranges = self.clusters.liveness.ranges
        pairs = [(a, b) for a, b in pairs if ranges[b] >> point & 1]
        if any(part_of[a] is None or part_of[b] is None for a, b in pairs):
            return []
        return pairs

    def _link(self, pairs: list[tuple[int, int]], point: int) -> None:
        for a, b in pairs:
            self.links.setdefault(a, []).append((point, b))
            self.links.setdefault(b, []).append((point, a))

    # joining ---------------------------------------------------------------------------------
    def run(self) -> None:
        """Join along all copies: those in inner loops first, then the wide ones; narrow ones are easier to hide."""
        for _, pairs in self.copies:
            self.join(pairs)

    def join(self, pairs: list[tuple[int, int]]) -> bool:
        """Put the atoms of each pair into one place; False, and nothing done, where that is impossible."""
        first, second = (self.clusters.part(atom).cluster for atom in pairs[0])
        if len(first.homes) < len(second.homes):
            first, second = second, first
        shift = self._shift(first, second, pairs)
        if shift is None or self._must_differ(first, second, shift):
            return False
        homes = list(first.homes)
        if first is not second:
            for row, mask in enumerate(second.homes, shift):
                homes[row] &= mask
        joined = self._joined(pairs)
        if joined is None or not all(homes):
            return False
        parts = [
            joined.get(part, part) for part in ([*first.parts, *second.parts] if first is not second else first.parts)
        ]
        parts = list(dict.fromkeys(parts))
        rows = {part: part.row + (shift if part.cluster is second and first is not second else 0) for part in parts}
        if not self._fits(parts, rows, homes):
            return False
        self._commit(first, second, parts, rows, homes)
        return True

    def _shift(self, first: Cluster, second: Cluster, pairs: list[tuple[int, int]]) -> int | None:
        """How many rows the second cluster's rows must be moved to join it with the first."""
        shifts = set()
        for pair in pairs:
            a, b = (self.clusters.part(atom) for atom in pair)
            if a.cluster is not first:
                a, b = b, a
            if a.cluster is not first or b.cluster is not second:
                return None
            shifts.add(a.row - b.row)
        shift = shifts.pop()
        if shifts or shift < 0 or shift + len(second.homes) > len(first.homes):
            return None
        return shift if first is not second or shift == 0 else None

    def _must_differ(self, first: Cluster, second: Cluster, shift: int) -> bool:
        """Whether an operand of one must not share a register with one of the other."""
        for pair in first.apart:
            a, b = (self.clusters.part(atom) for atom in pair)
            if {a.cluster, b.cluster} == {first, second} and first is not second:
                rows = {part.cluster: part.row for part in (a, b)}
                if rows[first] == rows[second] + shift:
                    return True
        return False

    def _joined(self, pairs: list[tuple[int, int]]) -> dict[Part, Part] | None:
        """New parts for the old ones that `pairs` join; None when two of them are in each other's way."""
        joined: dict[Part, Part] = {}
        for pair in pairs:
            a, b = (joined.get(part, part) for part in map(self.clusters.part, pair))
            if a is b:
                continue
            places = a.places & b.places
            if not places or self._clash(a, b):
                return None
            union = Part(a.cluster, a.row, a.atoms | b.atoms, places)
            union.range, union.definitions = a.range | b.range, a.definitions | b.definitions
            for old, new in list(joined.items()):
                if new in (a, b):
                    joined[old] = union
            joined[a] = joined[b] = union
        return joined

    def _clash(self, a: Part, b: Part) -> bool:
        """Whether one is written, other than by a copy of the other, while the other's contents matter."""
        clash = a.definitions & b.range | b.definitions & a.range
        if clash:
            small, large = (a, b) if a.atoms.bit_count() < b.atoms.bit_count() else (b, a)
            for atom in bits(small.atoms):
                for point, other in self.links.get(atom, ()):
                    if large.atoms >> other & 1:
                        clash &= ~(1 << point)
        return clash != 0

    def _fits(self, parts: list[Part], rows: dict[Part, int], homes: list[int]) -> bool:
        """Whether every row finds room in one register."""
        by_row: list[list[Part]] = [[] for _ in homes]
        for part in parts:
            by_row[rows[part]].append(part)
        return all(len(row) <= _MOST_PARTS and fitting(row, 4) for row in by_row)

    def _commit(
        self, first: Cluster, second: Cluster, parts: list[Part], rows: dict[Part, int], homes: list[int]
    ) -> None:
        first.homes, first.parts = homes, parts
        for part in parts:
            part.cluster, part.row = first, rows[part]
            for atom in bits(part.atoms):
                self.clusters.part_of[atom] = part
        if first is second:
            return
        if len(second.order) < len(first.order) and len(first.homes) == len(second.homes):
            first.order = second.order
        first.widest |= second.widest
        first.apart += second.apart
        first.separate += second.separate
        second.parts = []


def _depths(function: MachineFunction) -> dict[MachineBlock, int]:
    """How many loops each block is in: a loop reaches from the target of a way back to where it leaves from."""
    number = {block: index for index, block in enumerate(function.blocks)}
    depths = dict.fromkeys(function.blocks, 0)
    for block in function.blocks:
        for successor in block.successors:
            for inside in function.blocks[number[successor] : number[block] + 1]:
                depths[inside] += 1
    return depths
