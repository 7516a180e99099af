"""Coalescing: the two sides of a copy are joined, so that the copy vanishes.

Aggressive coalescing (Chaitin, Auslander, Chandra, Cocke, Hopkins and Markstein, "Register allocation via coloring",
1981): whatever may be joined is.  `allocate` undoes joins for which no register is found, as in Park and Moon,
"Optimistic register coalescing", 1998.

A copy of several lanes is removed as a whole or not at all.  Two parts interfere when one is written while the other is
live; a write that copies one to the other is no interference (Chaitin), nor is one that copies a third to both, because
then both hold the same value (where both are live they do so at all times, by induction over the joins).  A copy into
one component of a vector makes the scalar that component, if the rest of its register fits in too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction, VirtualRegister
from glslc_multi.compiler.codegen.regalloc.live_bundles import LiveBundle, LiveBundles, Part, fitting
from glslc_multi.compiler.codegen.regalloc.liveness import bits
from glslc_multi.compiler.codegen.regalloc.model import RegisterModel
from glslc_multi.compiler.codegen.registers import COMPONENTS

#: No register gets more parts than this: to find out whether they fit would take long.
_MOST_PARTS = 16


class Coalescer:
    """Joins bundles along copies."""

    def __init__(
        self,
        function: MachineFunction,
        bundles: LiveBundles,
        model: RegisterModel,
        alone: Collection[VirtualRegister] = (),
    ) -> None:
        self.bundles = bundles
        self.model = model
        #: Registers that are joined with nothing.
        self.alone = alone
        #: Lane unit -> points after which another unit holds the same: one is copied to the other, or a third to both.
        self.links: dict[int, list[tuple[int, int]]] = {}
        self.copies = sorted(self._find(function), key=lambda copy: (-copy[0], -len(copy[1])))

    def _find(self, function: MachineFunction) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """The copies both sides of which are in bundles: depth in loops, and the pairs of lane units."""
        depths = _depths(function)
        for block in function.blocks:
            for index, instruction in enumerate(block.instructions, self.bundles.liveness.span(block)[0]):
                pairs = self._pairs(instruction, 2 * index)
                if not pairs:
                    continue
                yield depths[block], pairs
                if not instruction.conditional:
                    self._link(pairs, index)

    def _pairs(self, instruction: MachineInstruction, point: int) -> list[tuple[int, int]]:
        """Lane units that a copy joins; sources that nobody wrote are equal to anything."""
        if not self.model.is_copy(instruction):
            return []
        target, source = instruction.defs[0], instruction.uses[0]
        if target.register in self.alone or source.register in self.alone:
            return []
        numbering, part_of = self.bundles.numbering, self.bundles.part_of
        to, origin = numbering.first(target.register), numbering.first(source.register)
        if to is None or origin is None:
            return []
        lanes = zip(target.lanes, source.lanes, strict=True)
        pairs = [(to + lane, origin + component) for lane, component in lanes if component is not None]
        ranges = self.bundles.liveness.ranges
        pairs = [(a, b) for a, b in pairs if ranges[b] >> point & 1]
        if any(part_of[a] is None or part_of[b] is None for a, b in pairs):
            return []
        return pairs

    def _link(self, pairs: list[tuple[int, int]], index: int) -> None:
        point, written = 2 * index + 1, self.bundles.liveness.writes[index]
        copies: dict[int, list[int]] = {}
        for target, source in pairs:
            # What the copy itself overwrites is not the same any more as what it was copied to.
            same = copies.setdefault(source, [] if source in written else [source])
            for unit in same:
                self.links.setdefault(target, []).append((point, unit))
                self.links.setdefault(unit, []).append((point, target))
            same.append(target)

    # joining ---------------------------------------------------------------------------------
    def run(self) -> None:
        """Join along all copies: those in inner loops first, then the wide ones; narrow ones are easier to hide."""
        for _, pairs in self.copies:
            self.join(pairs)

    def join(self, pairs: list[tuple[int, int]]) -> bool:
        """Join the lane units of each pair; False, and nothing done, where that is impossible."""
        first, second = (self.bundles.part(unit).bundle for unit in pairs[0])
        if any(self.bundles.part(unit).bundle not in (first, second) for pair in pairs for unit in pair):
            return False
        candidates = first.candidates & second.candidates
        if not candidates or self._must_differ(first, second):
            return False
        joined = self._joined(pairs)
        if joined is None:
            return False
        old = first.parts if first is second else [*first.parts, *second.parts]
        groups: dict[Part, list[Part]] = {}
        for part in old:
            groups.setdefault(joined.get(part, part), []).append(part)
        if len(groups) > _MOST_PARTS or not fitting(list(groups), COMPONENTS):
            return False
        self._commit(first, second, groups, candidates)
        return True

    def _must_differ(self, first: LiveBundle, second: LiveBundle) -> bool:
        """Whether an operand of one must not share a register with one of the other."""
        if first is second:
            return False
        both = {first, second}
        return any({self.bundles.part(unit).bundle for unit in pair} == both for pair in first.apart)

    def _joined(self, pairs: list[tuple[int, int]]) -> dict[Part, Part] | None:
        """New parts for the old ones that `pairs` join; None when two of them interfere."""
        joined: dict[Part, Part] = {}
        for pair in pairs:
            a, b = (joined.get(part, part) for part in map(self.bundles.part, pair))
            if a is b:
                continue
            components = a.components & b.components
            if not components or self._interfere(a, b):
                return None
            live, written = a.range | b.range, a.definitions | b.definitions
            union = Part(a.bundle, a.units | b.units, components, live, written)
            for old, new in list(joined.items()):
                if new in (a, b):
                    joined[old] = union
            joined[a] = joined[b] = union
        return joined

    def _interfere(self, a: Part, b: Part) -> bool:
        """Whether one is written while the other is live, and then they do not hold the same."""
        conflicts = a.definitions & b.range | b.definitions & a.range
        if conflicts:
            definitions = self.bundles.liveness.definitions
            small, large = (a, b) if a.units.bit_count() < b.units.bit_count() else (b, a)
            for unit in bits(small.units):
                # A part that is written holds what the unit gets that is written there, and no longer what others had.
                kept = small.definitions & ~definitions[unit]
                for point, other in self.links.get(unit, ()):
                    if large.units >> other & 1 and not (kept | large.definitions & ~definitions[other]) >> point & 1:
                        conflicts &= ~(1 << point)
        return conflicts != 0

    def _commit(self, first: LiveBundle, second: LiveBundle, groups: dict[Part, list[Part]], candidates: int) -> None:
        first.candidates, first.parts = candidates, [self._merge(*group) for group in groups.items()]
        for part in first.parts:
            part.bundle = first
        if first is second:
            return
        first.widest |= second.widest
        first.apart += second.apart
        first.separate += second.separate
        second.parts = []

    def _merge(self, union: Part, group: list[Part]) -> Part:
        """Let the part of a group that has most units become the union, so that the few units of the others move."""
        largest = max(group, key=lambda part: part.units.bit_count())
        for part in group:
            for unit in bits(part.units) if part is not largest else ():
                self.bundles.part_of[unit] = largest
        largest.units, largest.components = union.units, union.components
        largest.range, largest.definitions = union.range, union.definitions
        return largest


def _depths(function: MachineFunction) -> dict[MachineBlock, int]:
    """How many loops each block is in: a loop reaches from the target of a back edge to its source."""
    number = {block: index for index, block in enumerate(function.blocks)}
    depths = dict.fromkeys(function.blocks, 0)
    for block in function.blocks:
        for successor in block.successors:
            for inside in function.blocks[number[successor] : number[block] + 1]:
                depths[inside] += 1
    return depths
