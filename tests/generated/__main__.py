"""`python -m tests.generated --target T`: generated shaders on the target's simulator against the evaluator.

    python -m tests.generated --target agal --option agal_version=2 --count 2000 --seed 1 --jobs 2
    python -m tests.generated --kind flow --target vc4 --count 100
    python -m tests.generated --pairs --target vc4 --count 3000

The last line is "N passed, M failed, K skipped"; skips are refusals that name a hardware limit.  A failure prints
its seed and its text: `--seed N --count 1` makes it again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from glslc_multi.backends.registry import target_names
from tests.code_generators import LEVELS
from tests.generated.batch import Counts, described, outcomes_of
from tests.generated.pairs import PairTrials
from tests.generated.trial import KINDS, Trials


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.generated", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--target", required=True, choices=target_names())
    parser.add_argument("--pairs", action="store_true", help="linked pairs in GLSL ES 3.00, not single stages")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="option of the target")
    efforts = ("0", "1", "2", "3", "s")
    parser.add_argument("-O", dest="levels", action="append", choices=efforts, help=f"may repeat ({' '.join(LEVELS)})")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0, help="of the first shader; the others follow")
    parser.add_argument("--kind", choices=KINDS, default="any", help="of programs (any)")
    parser.add_argument("--statements", type=int, help="size of a shader (from 2 to 12)")
    parser.add_argument("--jobs", type=int, default=1)
    found = parser.parse_args(arguments)
    options = dict(option.split("=", 1) for option in found.option)
    levels = found.levels or LEVELS
    trials: Trials | PairTrials = Trials(found.target, options, levels, found.statements, found.kind)
    if found.pairs:
        trials = PairTrials(found.target, options, levels)
    counts = Counts()
    for outcome in outcomes_of(trials, range(found.seed, found.seed + found.count), found.jobs):
        counts.add(outcome)
        if outcome.status == "failed":
            print(described(outcome), flush=True)
    print("\n".join(counts.lines))
    return 1 if counts.outcomes["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
