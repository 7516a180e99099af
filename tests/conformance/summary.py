"""Outcomes of records, and what is printed about them: failures by name, skips by reason, totals by path and in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from glslc_multi.compiler.records import dataclass
from tests.conformance.compare import limit_codes

#: A "deviation" is a verdict or value of the corpus that contradicts the specification (`deviations.py`).
#: What the rewriter could not turn into the language of the way that was asked for is "not taken".
Status = Literal["passed", "failed", "skipped", "deviation", "left out", "not taken"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one record; `reason` is a complaint, or the code of a skip."""

    name: str
    status: Status
    reason: str = ""
    #: Of a skip, in words, without the numbers of the record.
    words: str = ""
    #: The path that the record was loaded for.
    corpus: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """The lines to print and whether the run is a success."""

    lines: Sequence[str]
    success: bool


def summarise(outcomes: Iterable[Outcome], min_share: float) -> Summary:
    """All lines; the last one is that of the totals."""
    tallies: dict[str, _Tally] = {}
    everything = _Tally()
    lines = []
    for outcome in outcomes:
        for tally in (everything, tallies.setdefault(outcome.corpus, _Tally())):
            tally.add(outcome)
        if outcome.status != "skipped" and outcome.reason:
            lines.append(f"{outcome.status}: {outcome.name}: {outcome.reason}")
    if left_out := everything.counts["left out"]:
        lines.append(f"left out, not this engine's business: {left_out}")
    if lost := everything.counts["not taken"]:
        share = everything.total / (everything.total + lost)
        lines.append(f"not taken: {lost}; {100 * share:.1f} % of the records went this way")
    lines += everything.skip_lines()
    if len(tallies) > 1:
        lines += [f"{corpus}: {tally.line} ({tally.shares})" for corpus, tally in tallies.items()]
    has_share = everything.passed >= min_share * everything.total
    if not has_share:
        lines.append(f"only {everything.passed} of {everything.total} passed, {min_share:.0%} are required")
    if everything.skipped or len(tallies) > 1:
        lines.append(f"in all: {everything.shares}")
    return Summary([*lines, everything.line], everything.counts["failed"] == 0 and has_share)


class _Tally:
    """Counts of outcomes."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.skips: Counter[tuple[str, str]] = Counter()

    def add(self, outcome: Outcome) -> None:
        self.counts[outcome.status] += 1
        if outcome.status == "skipped":
            self.skips[outcome.reason, outcome.words] += 1

    @property
    def passed(self) -> int:
        return self.counts["passed"]

    @property
    def skipped(self) -> int:
        return self.counts["skipped"] + self.counts["deviation"]

    @property
    def total(self) -> int:
        return self.passed + self.counts["failed"] + self.skipped

    @property
    def line(self) -> str:
        return f"{self.passed} passed, {self.counts['failed']} failed, {self.skipped} skipped"

    @property
    def shares(self) -> str:
        """The share that passed, and skips by code."""
        codes: Counter[str] = Counter()
        for (code, _), count in self.skips.items():
            codes[code] += count
        if self.counts["deviation"]:
            codes["deviation"] = self.counts["deviation"]
        share = f"{100 * self.passed / self.total:.1f} % passed" if self.total else "nothing counted"
        return f"{share}; skipped {limit_codes(codes)}" if codes else share

    def skip_lines(self) -> Iterator[str]:
        """Skips by reason, the most frequent first."""
        for (code, words), count in sorted(self.skips.items(), key=lambda row: (-row[1], row[0])):
            yield f"skipped: {count} {code} {words}".rstrip()
