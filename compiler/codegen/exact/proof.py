"""What a solver may do for a block, and what is known of the block then.

Two bounds say different things.  `at_least` holds for all code with these instructions, whatever registers and copies
it has: the solver finds no fewer words even if registers cost nothing.  `without_copies` holds for code that has no
copies but those that were selected.
"""

from __future__ import annotations

from compiler.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Budget:
    """When a block is left with a gap."""

    #: Larger blocks are not shortened; beyond the second number they get a bound only that needs no search.
    instructions: int
    bounded: int
    #: For each question to the solver, in its own deterministic seconds.
    work: float


#: A few seconds for each block, most of them a fraction of one.
_BUDGET = Budget(instructions=64, bounded=160, work=2.0)


def budget_of(*, proves: bool) -> Budget | None:
    """What a solver may do where it is asked at all."""
    return _BUDGET if proves else None


@dataclass(frozen=True, slots=True)
class BlockProof:
    """What is known of the words of a block."""

    name: str
    #: Instructions, terminators included.
    instructions: int
    #: What the scheduler found.
    known: int
    #: What the code has.
    words: int
    at_least: int
    without_copies: int

    @property
    def is_minimal(self) -> bool:
        return self.words == self.at_least

    def as_known(self) -> BlockProof:
        """The same of the words that the scheduler found: nothing came of shorter ones."""
        return replace(self, words=self.known)
