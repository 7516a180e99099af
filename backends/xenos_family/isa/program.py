"""A program as data: the clauses of its control flow and the instructions after them.

A slot has 96 bits.  The first slots hold two clauses each; the others hold an ALU instruction or a fetch,
and the clauses that run them say which of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from glslc_multi.backends.xenos_family.isa import formats
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.compiler.records import dataclass, field

if TYPE_CHECKING:
    from glslc_multi.compiler.isa.listing import Origins

#: Instructions that the sequence bits of an exec clause have room for.
CLAUSE_LIMIT = 6

_CLAUSE_MASK = (1 << formats.CLAUSE_SIZE) - 1


class Issue(NamedTuple):
    """One instruction as a clause runs it."""

    clause: int
    slot: int
    is_fetch: bool
    sync: bool


@dataclass(frozen=True, slots=True)
class Program:
    """Clauses (an even number, 48 bits each) and instructions (96 bits each) of a machine."""

    isa: InstructionSet
    clauses: tuple[int, ...]
    instructions: tuple[int, ...]
    #: Where clauses and instructions come from, when they were compiled.
    origins: tuple[Origins, ...] = field(default=(), compare=False, repr=False)

    @property
    def first_slot(self) -> int:
        """Slot of the first instruction."""
        return len(self.clauses) // 2

    @property
    def slots(self) -> tuple[int, ...]:
        """The whole program, 96 bits each."""
        pairs = zip(self.clauses[::2], self.clauses[1::2], strict=True)
        return (*(low | high << formats.CLAUSE_SIZE for low, high in pairs), *self.instructions)

    def instruction(self, slot: int) -> int | None:
        """The instruction in a slot; None outside of the instructions."""
        index = slot - self.first_slot
        return self.instructions[index] if 0 <= index < len(self.instructions) else None

    def idle_slots(self) -> set[int]:
        """Slots of zeros at the end that no clause runs."""
        run = {issue.slot for issue in self.issues()}
        idle: set[int] = set()
        for slot in reversed(range(self.first_slot, self.first_slot + len(self.instructions))):
            if slot in run or self.instruction(slot):
                break
            idle.add(slot)
        return idle

    def issues(self) -> Iterator[Issue]:
        """What all exec clauses run, in their order."""
        for clause, word in enumerate(self.clauses):
            yield from issues_of(self.isa, clause, word)


@lru_cache(maxsize=4096)
def issues_of(isa: InstructionSet, clause: int, word: int) -> tuple[Issue, ...]:
    """What a clause runs: nothing if it is no exec clause."""
    row, fields = isa.decode_clause(word)
    if row.kind != "exec":
        return ()
    bits, first = fields["sequence"], fields["addr"]
    return tuple(
        Issue(clause, first + index, bool(bits >> 2 * index & 1), bool(bits >> 2 * index & 2))
        for index in range(fields["cnt"])
    )


def clauses_of(slot: int) -> tuple[int, int]:
    """The two clauses in a slot."""
    return slot & _CLAUSE_MASK, slot >> formats.CLAUSE_SIZE
