"""Repeats: runs of instructions that stand in several places of a function and differ in registers only, one for one.

In: the instructions in a row.  Out: for each place the later places that are alike, and how far.

The idea (Baker, "Parameterized pattern matching", 1996): if every operand says how many operands ago its register was
last named, two runs name registers one for one where these numbers are equal or both reach back after the start
of the run.  So instructions are described once, and comparing two of them is comparing two numbers mostly.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from glslc_multi.compiler.codegen.machine import AnyRegister, MachineInstruction, VirtualRegister
from glslc_multi.compiler.records import dataclass

#: Shorter runs are of no use.
SHORTEST = 3
#: Pairs of places that are compared; programs of these machines have a thousand at most.
_MOST_PAIRS = 2_000
#: How long ago a register was named that was never named before.
_NEVER = 1 << 30


@dataclass(slots=True, eq=False)
class _Operands:
    """The operands of an instruction, without their registers' names."""

    #: For each operand the kind of its register: one may stand for another only if they are of one kind.
    kinds: tuple[Hashable | None, ...]
    #: For each operand how many operands ago its register was last named.
    distances: tuple[int, ...]
    #: Operands in the row before these.
    before: int


class Row:
    """The instructions of a function in a row, with gaps (None) that no run crosses."""

    def __init__(
        self, instructions: Iterable[MachineInstruction | None], shape: Callable[[MachineInstruction], Hashable | None]
    ) -> None:
        """`shape` says what an instruction is but for registers; None for those that belong to no run."""
        self.instructions = [*instructions, None]
        numbers: dict[Hashable, int] = {}
        #: Instructions of one shape have one number; gaps have negative ones, each its own.
        self.shapes: list[int] = []
        for index, instruction in enumerate(self.instructions):
            found = None if instruction is None else shape(instruction)
            self.shapes.append(-1 - index if found is None else numbers.setdefault(found, len(numbers)))
        self.operands = list(_describe(self.instructions))
        #: Instructions of one look are alike wherever runs start.
        self._looks = [
            numbers.setdefault((shape, operand.kinds, operand.distances), len(numbers))
            for shape, operand in zip(self.shapes, self.operands, strict=True)
        ]

        #: Place -> later place -> how many instructions from there on are alike.
        self.pairs: dict[int, dict[int, int]] = {}
        self._is_cut_short = self._find()

    def remove(self, runs: Sequence[range]) -> set[int]:
        """Make gaps; the places of which other pairs are known now, or of other lengths."""
        for run in runs:
            for place in run:
                self.shapes[place] = -1 - place
        if self._is_cut_short:
            known = self.pairs
            self._is_cut_short = self._find()
            return known.keys() | self.pairs.keys()
        changed = self._end_at_gaps()
        for run in runs:
            for place, other in self._pairs_of(run.stop):
                changed.update(self._measure(place, other))
        return changed

    def _find(self) -> bool:
        """Find all pairs anew; whether there are too many of them."""
        self.pairs = {}
        #: Window of shapes -> the places seen with it.
        starts: dict[tuple[int, ...], list[int]] = {}
        first: list[tuple[int, int]] = []
        count = 0
        for other, window in enumerate(zip(*(self.shapes[first:] for first in range(SHORTEST)), strict=False)):
            if min(window) < 0:
                continue
            places = starts.setdefault(window, [])
            count += len(places)
            if count > _MOST_PAIRS:
                break
            for place in places:
                self.pairs.setdefault(place, {})[other] = 0
                if other - 1 not in self.pairs.get(place - 1, ()):
                    first.append((place, other))
            places.append(other)
        for place, other in first:
            self._measure(place, other)
        return count > _MOST_PAIRS

    def _measure(self, place: int, other: int) -> range:
        """Tell the lengths from a pair on that follows no other one; the places that are first in a pair here."""
        start, length = place, 0
        while other in self.pairs.get(place, ()):
            # What is alike from one place before is alike from here.
            length = length - 1 if length > SHORTEST else self._common(place, other)
            self.pairs[place][other] = length
            place, other = place + 1, other + 1
        return range(start, place)

    def _end_at_gaps(self) -> set[int]:
        """Let no run cross a gap; the places of which this changes what is known."""
        room = [0] * len(self.shapes)
        for place in range(len(self.shapes) - 2, -1, -1):
            room[place] = room[place + 1] + 1 if self.shapes[place] >= 0 else 0
        room = [length if length >= SHORTEST else 0 for length in room]
        changed = set()
        for place, others in list(self.pairs.items()):
            most = room[place]
            kept = {other: min(length, most, room[other]) for other, length in others.items() if most and room[other]}
            if kept == others:
                continue
            changed.add(place)
            self.pairs[place] = kept
            if not kept:
                del self.pairs[place]
        return changed

    def _pairs_of(self, place: int) -> list[tuple[int, int]]:
        """The pairs that a place is in."""
        pairs = [(place, other) for other in self.pairs.get(place, ())]
        return pairs + [(first, place) for first, others in self.pairs.items() if place in others]

    def _common(self, first: int, second: int) -> int:
        """How many instructions are alike, their registers one for one."""
        shapes, looks = self.shapes, self._looks
        ours, theirs = first, second
        while ours < second and shapes[ours] == shapes[theirs]:
            if looks[ours] != looks[theirs] and not self._are_alike(ours, theirs, first):
                break
            ours, theirs = ours + 1, theirs + 1
        return ours - first

    def _are_alike(self, ours: int, theirs: int, first: int) -> bool:
        """Whether two instructions of one shape name registers alike, in runs of which one starts at `first`."""
        a, b = self.operands[ours], self.operands[theirs]
        if not all(map(_may_stand, a.kinds, b.kinds)):
            return False
        inside = a.before - self.operands[first].before
        return all(
            one == other or min(one, other) > inside + number
            for number, (one, other) in enumerate(zip(a.distances, b.distances, strict=True))
        )


def operands_of(instruction: MachineInstruction) -> list[AnyRegister]:
    """What an instruction reads and writes."""
    return [*(use.register for use in instruction.all_uses()), *(d.register for d in instruction.defs)]


def _describe(instructions: Iterable[MachineInstruction | None]) -> Iterator[_Operands]:
    last: dict[AnyRegister, int] = {}
    count = 0
    for instruction in instructions:
        operands = [] if instruction is None else operands_of(instruction)
        distances = []
        for number, operand in enumerate(operands, count):
            distances.append(number - last[operand] if operand in last else _NEVER)
            last[operand] = number
        yield _Operands(tuple(map(_kind, operands)), tuple(distances), count)
        count += len(operands)


def _kind(place: AnyRegister) -> Hashable | None:
    """What must be equal where values stand for each other; a value may stand for any register that is only read."""
    if isinstance(place, VirtualRegister):
        return place.width, place.ordered, place.register_class
    return None


def _may_stand(kind: Hashable | None, other: Hashable | None) -> bool:
    return kind is None or other is None or kind == other
