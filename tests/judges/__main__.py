"""`python -m tests.judges`: what programs of others say about what the compiler takes and makes.

    python -m tests.judges                            # every judge, about ten minutes
    python -m tests.judges --judge linux-vc4 --count 1000 --seed 7 shader.frag
    python -m tests.judges --ready                    # only fetch and build what the judges need

PATH is a shader or a folder; without it, the examples and, where they are present, the real shaders are judged.
Generated shaders come in addition.  A judge that cannot be had is skipped, and why is printed.  The last line is
"N passed, M failed, K skipped" of all judges together; a program is skipped where we or the judge cannot take it.  The
exit status is 1 after a failure.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from tests.judges.model import Judge, Unavailable, Verdicts
from tests.judges.programs import shaders
from tests.judges.registry import JUDGES
from tests.judges.runner import judge_all

#: Complaints that are printed of each rule.
_PRINTED = 3


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.judges", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--judge", action="append", choices=sorted(JUDGES), help="only this one; may be repeated")
    parser.add_argument("--count", type=int, default=300, help="of generated shaders")
    parser.add_argument("--seed", type=int, default=0, help="of the first of them; the others follow")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--ready", action="store_true", help="fetch and build what the judges need, and no more")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    found = parser.parse_args(arguments)
    with ExitStack() as stack:
        judges = [stack.enter_context(closing(JUDGES[name]())) for name in found.judge or sorted(JUDGES)]
        ready = [judge for judge in judges if _is_ready(judge)]
        if found.ready:
            return 0
        verdicts = judge_all(ready, list(shaders(found.paths, found.count, found.seed)), found.jobs)
    return _report(judges, verdicts)


def _is_ready(judge: Judge) -> bool:
    try:
        judge.prepare(fetch=True)
    except Unavailable as reason:
        print(f"{judge.name}: skipped: {reason}", flush=True)
        return False
    print(f"{judge.name}: ready", flush=True)
    return True


def _report(judges: Sequence[Judge], verdicts: dict[str, Verdicts]) -> int:
    total = Verdicts()
    for judge in judges:
        if judge.name in verdicts:
            _print_verdicts(judge, verdicts[judge.name])
            total.add(verdicts[judge.name])
    missing = [judge.name for judge in judges if judge.name not in verdicts]
    print(total.line + (f" (not to be had: {', '.join(missing)})" if missing else ""))
    return 1 if total.failed else 0


def _print_verdicts(judge: Judge, verdicts: Verdicts) -> None:
    rules = Counter(complaint.rule for _, complaint in verdicts.complaints)
    for rule, count in rules.items():
        print(f"{judge.name}: {rule}: {count} complaints")
        of_rule = [(program, one) for program, one in verdicts.complaints if one.rule == rule]
        for program, complaint in of_rule[:_PRINTED]:
            print(f"    {program.name}: {complaint.text}")
    if verdicts.skipped:
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(verdicts.skipped.items()))
        print(f"{judge.name}: skipped: {reasons}")
    print(f"{judge.name}: {verdicts.line}")


if __name__ == "__main__":
    sys.exit(main())
