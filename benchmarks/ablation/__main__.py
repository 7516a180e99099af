"""`python -m benchmarks.ablation`: what each piece of the compiler buys, and what it costs.

    python -m benchmarks.ablation --target pica200 -j 2       # a table
    python -m benchmarks.ablation --piece coalescing          # pieces whose names contain the word
    python -m benchmarks.ablation -j 2 --write                # all of them, into docs/ablation.md

Pieces are passes, rewrites, variants and searches; each is switched off in turn.  What has been measured is kept in
build/ablation.jsonl: a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from datetime import date
from pathlib import Path

from benchmarks.ablation.log import Log
from benchmarks.ablation.measure import Finding, active_pieces, chunks, measure
from benchmarks.ablation.page import Circumstances, renewed, tables
from benchmarks.ablation.pieces import pieces_of
from glslc_multi.backends.registry import target_names
from tests.shared_data import PROJECT_ROOT, shared_root

PAGE, LOG = PROJECT_ROOT / "docs" / "ablation.md", PROJECT_ROOT / "build" / "ablation.jsonl"
#: Pieces that share the compilations with everything in place.
_TOGETHER = 8


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    if not shared_root().is_dir():
        print("benchmarks.ablation: the shared data is not here, so there is nothing to measure", file=sys.stderr)
        return 2
    targets = options.target or list(target_names())
    words = ("git", "-C", str(PROJECT_ROOT), "log", "-1", "--format=%h")
    revision = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
    circumstances = Circumstances(options.every, date.today(), revision)
    findings = list(findings_of(targets, options.piece, options.jobs, Log(LOG, revision, options.every), options.every))
    if options.write:
        old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
        PAGE.write_text(renewed(old, findings, circumstances), encoding="utf-8")
    else:
        print(tables(findings, circumstances), end="")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ablation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--target", action="append", choices=target_names(), help="only this one; may be repeated")
    parser.add_argument("--piece", default="", metavar="WORD", help="only pieces whose names contain this")
    parser.add_argument("--every", type=int, default=3, metavar="N", help="only every Nth program (default: 3)")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"write {Path('docs') / PAGE.name}")
    return parser


def findings_of(targets: Sequence[str], word: str, jobs: int, log: Log, every: int) -> Iterator[Finding]:
    """Return what was measured of every piece; those that never come into play are not measured."""
    logged = {(finding.target, finding.piece): finding for finding in log.findings()}
    wanted = {target: [piece for piece in pieces_of(target) if word in piece.name] for target in targets}
    missing = {target: [p for p in pieces if (target, p.name) not in logged] for target, pieces in wanted.items()}
    yield from (logged[target, p.name] for target in targets for p in wanted[target] if (target, p.name) in logged)
    with ProcessPoolExecutor(jobs) as pool:
        observing = {target: pool.submit(active_pieces, target, every) for target in targets if missing[target]}
        measuring: list[Future[list[Finding]]] = []
        for target, future in observing.items():
            active = future.result()
            idle = [Finding(p.name, p.kind, target, is_active=False) for p in missing[target] if p.name not in active]
            log.add(idle)
            yield from idle
            together = chunks([piece for piece in missing[target] if piece.name in active], _TOGETHER)
            measuring += [pool.submit(measure, target, names, every) for names in together]
        for number, done in enumerate(as_completed(measuring), 1):
            print(f"{number} of {len(measuring)}", file=sys.stderr, flush=True)
            log.add(done.result())
            yield from done.result()


if __name__ == "__main__":
    sys.exit(main())
