"""Shaders or pairs of many seeds, run one after the other or by several processes, and what came of them in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import chain

from glslc_multi.compiler.records import dataclass, field
from tests.conformance.compare import limit_codes
from tests.generated.pairs import PairTrials
from tests.generated.trial import Outcome, Trials

_CHUNK = 8


def outcomes_of(trials: Trials | PairTrials, seeds: range, jobs: int = 1) -> Iterator[Outcome]:
    """What comes of all seeds, in their order."""
    if jobs == 1:
        yield from chain.from_iterable(map(trials.run, seeds))
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from chain.from_iterable(pool.map(trials.run, seeds, chunksize=_CHUNK))


@dataclass(slots=True)
class Counts:
    """How many outcomes there were of each sort."""

    outcomes: Counter[str] = field(default_factory=Counter)
    limits: Counter[str] = field(default_factory=Counter)
    proofs: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: Outcome) -> None:
        self.outcomes[outcome.status] += 1
        if outcome.status == "skipped":
            self.limits[outcome.reason] += 1
        if outcome.proof:
            self.proofs[outcome.proof] += 1

    @property
    def lines(self) -> list[str]:
        """The last one is "N passed, M failed, K skipped"."""
        found = [f"skipped by limit: {limit_codes(self.limits)}"] if self.limits else []
        if self.proofs:
            found.append(f"proofs: {', '.join(f'{count} {verdict}' for verdict, count in sorted(self.proofs.items()))}")
        counts = ", ".join(f"{self.outcomes[status]} {status}" for status in ("passed", "failed", "skipped"))
        return [*found, counts]


def described(outcome: Outcome) -> str:
    """A failure with its text."""
    return f"seed {outcome.seed} at -O{outcome.level}: {outcome.reason}\n{outcome.source}"
