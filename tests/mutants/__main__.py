"""`python -m tests.mutants [FOLDER...]`: plants small faults, one at a time, and says which ones no test notices.

    python -m tests.mutants --count 200 --seed 1 --jobs 2
    python -m tests.mutants backends/xenos_family/codegen --count 50

Prints each survivor as a diff, then the share caught by folder; the exit status is 1 below the share `--share`.

    python -m tests.mutants --judge proof --count 300 --log mutants.jsonl

lets the proof of compilations judge (`by_proof.py`): until so many faults have changed what some program computes.  The
log has what was found; a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tests.mutants import plan
from tests.mutants.by_proof import judge_by_proof, share_proven
from tests.mutants.by_proof import summary as summary_of_proofs
from tests.mutants.faults import Fault
from tests.mutants.lists import harmless, planted
from tests.mutants.report import Outcome, summary
from tests.mutants.trial import TIME, Runs, Trial, first_failure, preload, run_all

#: Work that tests with a fault may take, in what they take without one; and seconds on top.
_SLACK, _SECONDS = 2.0, 10.0
#: Nothing may take longer without a fault.
_LONGEST = 1000.0
#: How many faults there are to try, for each that is to change what code computes.
_TRIED = 5
_LOG = Path("build/mutants.jsonl")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="folders or files; by default all packages")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--share", type=float, default=0.0, help="least share that must be caught")
    parser.add_argument("--planted", action="store_true", help="only the faults of planted.toml")
    parser.add_argument("--log", type=Path, help="file for one line a fault: what caught it")
    parser.add_argument(
        "--limit", type=float, metavar="SECONDS", help="seconds of tests for a fault, which has survived if they end"
    )
    parser.add_argument("--judge", choices=("tests", "proof"), default="tests")
    found = parser.parse_args(arguments)
    folders = found.folders or list(plan.FOLDERS if found.judge == "proof" else plan.PACKAGES)
    if found.judge == "proof":
        preload()
        faults = plan.sample(folders, found.count * _TRIED, found.seed)
        judged = judge_by_proof(faults, found.count, found.jobs, found.log or _LOG)
        print(summary_of_proofs(judged, folders))
        return 1 if share_proven(judged) < found.share else 0
    faults = planted()
    if not found.planted:
        listed = faults if not found.folders and found.limit is None else []
        faults = [*listed, *plan.sample(folders, found.count, found.seed)]
    preload()
    outcomes = judge(faults, found.jobs, found.log, found.limit)
    print(summary(outcomes, folders))
    missed = sum(outcome.survived for outcome in outcomes)
    counted = sum(not outcome.reason for outcome in outcomes)
    return 1 if counted and 1 - missed / counted < found.share else 0


def judge(faults: Sequence[Fault], jobs: int, log: Path | None = None, limit: float | None = None) -> list[Outcome]:
    """Run the tests of each fault that is not known to change nothing; with a limit, those that it leaves time for."""
    known = harmless()
    outcomes = [Outcome(fault, "", known[key]) for fault in faults if (key := _key(fault)) in known]
    open_faults = [fault for fault in faults if _key(fault) not in known]
    tests = [plan.tests_of(fault.path) for fault in open_faults]
    limits = _limits(set(tests), jobs) if limit is None else dict.fromkeys(tests, limit)
    trials = [
        Trial(partial(first_failure, own), fault, limits[own]) for fault, own in zip(open_faults, tests, strict=True)
    ]
    for number, result in run_all(trials, jobs):
        is_cut_short = limit is not None and result.said == TIME
        outcome = Outcome(open_faults[number], "" if is_cut_short else result.said)
        outcomes.append(outcome)
        if log is not None:
            with log.open("a", encoding="utf-8") as file:
                file.write(
                    f"{outcome.fault.path}:{outcome.line} {outcome.fault.kind}: {outcome.caught_by or 'SURVIVED'}"
                    f" ({result.seconds:.0f} s)\n"
                )
        if outcome.survived:
            print(f"survived ({outcome.fault.kind}):\n{outcome.diff}\n", flush=True)
    return outcomes


def _key(fault: Fault) -> tuple[str, str]:
    return fault.path, fault.diff(plan.text_of(fault.path))


def _limits(sets: set[Runs], jobs: int) -> dict[Runs, float]:
    """The time for each set of tests, by what it takes without a fault."""
    ordered = sorted(sets)
    limits = {}
    for number, result in run_all([Trial(partial(first_failure, tests), None, _LONGEST) for tests in ordered], jobs):
        if result.said:
            raise SystemExit(f"without any fault, {result.said} fails")
        print(f"{result.seconds:4.0f} s  {' '.join(ordered[number][0])}", flush=True)
        limits[ordered[number]] = result.seconds * _SLACK + _SECONDS
    return limits


if __name__ == "__main__":
    sys.exit(main())
