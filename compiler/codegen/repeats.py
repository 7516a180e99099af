"""Repeats: runs of instructions that stand in several places of a function and differ in registers only, one for one.

In: the instructions in a row.  Out: for each place the later places that are alike, and how far.

The idea (Baker, "Parameterized pattern matching", 1996): if every operand says how many operands ago its register was
last named, two runs name registers one for one where these numbers are equal or both reach back behind the start
of the run.  So instructions are described once, and comparing two of them is comparing two numbers mostly.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator

from compiler.codegen.machine import MachineInstruction, Place, VirtualRegister
from compiler.records import dataclass

#: Shorter runs are of no use.
SHORTEST = 3
#: Pairs of places that are compared; more than any program of these machines needs.
_MOST_PAIRS = 20_000
#: How long ago a register was named that was never named before.
_NEVER = 1 << 30


@dataclass(frozen=True, slots=True)
class _Operands:
    """The operands of an instruction, without their registers' names."""

    #: For each operand the kind of its register: one may stand for another only if they are of one kind.
    kinds: tuple[Hashable | None, ...]
    #: For each operand how many operands ago its register was last named.
    distances: tuple[int, ...]
    #: Operands in the row in front of these.
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
        for place, instruction in enumerate(self.instructions):
            found = None if instruction is None else shape(instruction)
            self.shapes.append(-1 - place if found is None else numbers.setdefault(found, len(numbers)))
        self.operands = list(_describe(self.instructions))
        #: Instructions of one look are alike wherever runs start.
        self._looks = [
            numbers.setdefault((shape, each.kinds, each.distances), len(numbers))
            for shape, each in zip(self.shapes, self.operands, strict=True)
        ]

    def remove(self, run: range) -> None:
        """Make a gap."""
        for place in run:
            self.shapes[place] = -1 - place

    def pairs(self) -> dict[int, dict[int, int]]:
        """Place -> later place -> how many instructions from there on are alike."""
        #: Window of shapes -> the places seen with it.
        starts: dict[tuple[int, ...], list[int]] = {}
        found: dict[int, dict[int, int]] = {}
        #: Of the place in hand, and of the one before it, how much is alike from earlier places on.
        lengths: dict[int, int] = {}
        count = 0
        for other, window in enumerate(zip(*(self.shapes[first:] for first in range(SHORTEST)), strict=False)):
            before, lengths = lengths, {}
            if min(window) < 0:
                continue
            places = starts.setdefault(window, [])
            count += len(places)
            if count > _MOST_PAIRS:
                break
            for place in places:
                # What is alike from one place before is alike from here.
                known = before.get(place - 1, 0) - 1
                lengths[place] = known if known >= SHORTEST else self._common(place, other)
                found.setdefault(place, {})[other] = lengths[place]
            places.append(other)
        return found

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


def operands_of(instruction: MachineInstruction) -> list[Place]:
    """What an instruction reads and writes."""
    return [*(use.register for use in instruction.uses), *(d.register for d in instruction.defs)]


def _describe(instructions: Iterable[MachineInstruction | None]) -> Iterator[_Operands]:
    last: dict[Place, int] = {}
    count = 0
    for instruction in instructions:
        operands = [] if instruction is None else operands_of(instruction)
        distances = []
        for number, operand in enumerate(operands, count):
            distances.append(number - last[operand] if operand in last else _NEVER)
            last[operand] = number
        yield _Operands(tuple(map(_kind, operands)), tuple(distances), count)
        count += len(operands)


def _kind(place: Place) -> Hashable | None:
    """What must be equal where values stand for each other; a value may stand for any register that is only read."""
    if isinstance(place, VirtualRegister):
        return place.width, place.ordered, place.register_class
    return None


def _may_stand(kind: Hashable | None, other: Hashable | None) -> bool:
    return kind is None or other is None or kind == other
