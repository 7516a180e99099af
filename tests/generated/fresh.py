"""Programs of new seeds, every day others, of all kinds on all targets: `make fresh`.

    python -m tests.generated.fresh [--date 20260131] [--count N] [--kind KIND] [--target T] [--jobs N]

A program that fails is written to `build/fresh`; what it shows is mended with a test of its own, and a small text that
shows it comes to `finds/`, where `test_finds.py` replays it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from tests.code_generators import CODE_GENERATORS, CodeGenerator
from tests.generated.batch import Counts, described, outcomes_of
from tests.generated.pairs import PairTrials
from tests.generated.trial import KINDS, Outcome, Trials
from tests.shared_data import PROJECT_ROOT

_FAILED = PROJECT_ROOT / "build/fresh"
#: Programs of a day have seeds of their own.
_A_DAY = 1000
_PAIRS = "pairs"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run so many new programs of each kind on each target; 1 where one fails."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.generated.fresh",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--date", type=int, default=int(date.today().strftime("%Y%m%d")), metavar="YYYYMMDD")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--kind", action="append", choices=(*KINDS, _PAIRS))
    parser.add_argument("--target", action="append", choices=[generator.name for generator in CODE_GENERATORS])
    parser.add_argument("--jobs", type=int, default=1)
    found = parser.parse_args(arguments)
    seeds = range(found.date * _A_DAY, found.date * _A_DAY + found.count)
    generators = [each for each in CODE_GENERATORS if found.target is None or each.name in found.target]
    failed = 0
    for kind in found.kind or (*KINDS, _PAIRS):
        for generator in generators:
            failed += _run(kind, generator, seeds, found.jobs)
    return 1 if failed else 0


def _run(kind: str, generator: CodeGenerator, seeds: range, jobs: int) -> int:
    """How many programs of a kind fail on a target."""
    trials: Trials | PairTrials = PairTrials(generator.target, generator.options)
    if kind != _PAIRS:
        trials = Trials(generator.target, generator.options, kind=kind)
    counts = Counts()
    for outcome in outcomes_of(trials, seeds, jobs):
        counts.add(outcome)
        if outcome.status == "failed":
            print(f"{kind}, {generator.name}: {_kept(f'{kind}-{generator.name}', outcome)}", flush=True)
    print(f"{kind}, {generator.name}: {'; '.join(counts.lines)}", flush=True)
    return counts.outcomes["failed"]


def _kept(name: str, outcome: Outcome) -> Path:
    """The file that keeps a failure."""
    _FAILED.mkdir(parents=True, exist_ok=True)
    path = _FAILED / f"{name}-{outcome.seed}-O{outcome.level}.txt"
    path.write_text(described(outcome), encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main())
