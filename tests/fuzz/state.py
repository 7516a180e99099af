"""What a run knows so far, in a file: inputs that are done, counts and findings.  A killed run goes on from there."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from glslc_multi.compiler.records import dataclass, field
from tests.fuzz.case import FINDING, MODES, Finding, Mode, merge
from tests.fuzz.workers import Result


@dataclass(slots=True)
class State:
    """A run's progress."""

    mode: Mode
    seed: int
    #: Of the texts that mutants are made of.
    digest: str
    #: Ranges of inputs that are done, in order and apart.
    done: list[tuple[int, int]] = field(default_factory=list)
    #: "origin outcome" -> inputs.
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    #: Processor time of the workers.
    seconds: float = 0.0

    @property
    def inputs(self) -> int:
        return sum(stop - start for start, stop in self.done)

    def missing(self, count: int, block: int) -> Iterator[range]:
        """Blocks of the first `count` inputs that are not done."""
        start = 0
        for done_start, done_stop in [*self.done, (count, count)]:
            for first in range(start, min(done_start, count), block):
                yield range(first, min(first + block, done_start, count))
            start = done_stop

    def add(self, result: Result) -> None:
        """Counts and inputs of a result; its findings are the caller's, who knows their cases."""
        self.counts.update({f"{origin} {outcome}".strip(): n for (origin, outcome), n in result.counts.items()})
        self.seconds += result.seconds
        merged: list[tuple[int, int]] = []
        for start, stop in sorted([*self.done, (result.numbers.start, result.numbers.stop)]):
            if merged and start <= merged[-1][1]:
                start = merged.pop()[0]
            merged.append((start, stop))
        self.done = merged

    def add_finding(self, found: Finding) -> bool:
        """Whether it is the first of its signature."""
        if merge(self.findings, found) is not None:
            return False
        self.findings.append(found)
        return True

    def mend(self, origin: str, outcome: str) -> None:
        """Count what was a finding as what comes of it now; of one that ended its worker no origin is known."""
        was = f"{origin} {FINDING}"
        self.counts[was if self.counts[was] else FINDING] -= 1
        self.counts[f"{origin} {outcome}"] += 1

    def by_outcome(self) -> dict[str, int]:
        """Outcome -> inputs."""
        found: Counter[str] = Counter()
        for key, number in self.counts.items():
            origin, _, outcome = key.partition(" ")
            found[outcome or origin] += number
        return {outcome: number for outcome, number in found.most_common() if outcome != FINDING}

    def summary(self) -> str:
        """One line for people."""
        outcomes = ", ".join(f"{number:,} {outcome}" for outcome, number in self.by_outcome().items())
        each = f", {1000 * self.seconds / self.inputs:.1f} ms each" if self.inputs else ""
        return f"{self.inputs:,} inputs of seed {self.seed}, {len(self.findings)} findings ({outcomes}{each})"

    # ------------------------------------------------------------------------------------ files
    def save(self, path: Path) -> None:
        """Replace the file as a whole, so that a kill leaves the old one or the new one."""
        record = {
            "mode": self.mode,
            "seed": self.seed,
            "digest": self.digest,
            "done": self.done,
            "counts": self.counts,
            "seconds": self.seconds,
            "findings": [found.to_json() for found in self.findings],
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_name(path.name + ".new")
        aside.write_text(json.dumps(record, indent=1), encoding="utf-8")
        aside.replace(path)

    @classmethod
    def load(cls, path: Path) -> State:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["mode"] not in MODES:
            raise ValueError(f"{path} is of no run: its mode is '{record['mode']}'")
        findings = [Finding.from_json(found) for found in record.pop("findings")]
        done = [(start, stop) for start, stop in record.pop("done")]
        return cls(**{**record, "counts": Counter(record["counts"])}, done=done, findings=findings)
