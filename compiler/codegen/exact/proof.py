"""What a solver may do for a block, and what is known of the block then.

Two bounds say different things.  `at_least` holds for all code with these instructions, whatever registers and copies
it has: the solver finds no fewer words even if registers cost nothing.  `without_copies` holds for code that has no
copies but those that were selected.
"""

from __future__ import annotations

from collections.abc import Mapping

from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue import usage
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


def budget_of(options: Mapping[str, object], sink: DiagnosticSink) -> Budget | None:
    """Return what a solver may do where options of a target ask for it; that there is none is reported and raised."""
    if not options.get("prove"):
        return None
    from importlib.util import find_spec

    if find_spec("ortools") is None:
        sink.report(usage.NO_SOLVER, help="pip install 'glslc-multi[prove]'")
        sink.raise_if_errors()
    return _BUDGET


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

    def __str__(self) -> str:
        """Return `block 'entry': 38 words instead of 39, at least 33`, and the like."""
        saved = f" instead of {self.known}" if self.words < self.known else ""
        bound = "proven minimal" if self.is_minimal else f"at least {self.at_least}"
        if not self.is_minimal and self.without_copies == self.words:
            bound += ", none fewer without more copies"
        return f"block '{self.name}': {self.words} words{saved}, {bound}"

    def as_known(self) -> BlockProof:
        """The same of the words that the scheduler found: nothing came of shorter ones."""
        return replace(self, words=self.known)
