"""`python -m tests.fuzz frontend|compiler`: many inputs, none of which may end in anything but a result or a message.

    python -m tests.fuzz frontend --count 1000000 --jobs 2 --state build/fuzz/frontend.json
    python -m tests.fuzz compiler --count 50000 --jobs 2 --state build/fuzz/compiler.json
    python -m tests.fuzz compiler --seed 7 --only 1234

The last line sums up.  A run that was killed goes on when it is started again with the same state file.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from glslc_multi.frontends.glsl.language.versions import STANDARDS
from tests.fuzz.campaign import MINIMISE_SECONDS, Campaign, OtherRun, open_campaign, try_one
from tests.fuzz.case import FINDING, MODES, Mode
from tests.fuzz.state import State

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    found = _parser().parse_intermixed_args(arguments)
    if found.summary:
        return _sum_up(found.state)
    try:
        campaign = open_campaign(
            cast("Mode", found.mode),
            found.seed,
            paths=found.paths,
            std=found.std,
            state_file=found.state,
            jobs=found.jobs,
        )
    except (OtherRun, ValueError) as error:
        print(f"tests.fuzz: error: {error}", file=sys.stderr)
        return 2
    if found.only is not None:
        return 1 if try_one(campaign.inputs, found.only).outcome == FINDING else 0
    campaign.findings_folder, campaign.minimise_seconds = found.findings, found.minimise
    return _run(campaign, found.count)


def _sum_up(file: Path | None) -> int:
    if file is None or not file.is_file():
        print("tests.fuzz: error: --summary needs the --state of a run", file=sys.stderr)
        return 2
    print(State.load(file).summary())
    return 0


def _run(campaign: Campaign, count: int) -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        campaign.run(count)
    except KeyboardInterrupt:
        print(f"interrupted: {campaign.state.summary()}")
        return _INTERRUPTED
    print(campaign.state.summary())
    return 1 if campaign.state.findings else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("mode", choices=MODES, help="any text to the front end, or whole command lines")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="shaders to mutate, or folders of them")
    parser.add_argument("--std", choices=tuple(STANDARDS), default="", help="only shaders of this version")
    parser.add_argument("--count", type=int, default=1000, help="the first N inputs of the seed (1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--state", type=Path, metavar="FILE", help="progress is kept here")
    parser.add_argument("--summary", action="store_true", help="only say what the state file knows")
    parser.add_argument("--findings", type=Path, metavar="DIR", help="findings are written here")
    parser.add_argument("--only", type=int, metavar="N", help="try input N alone and show it")
    parser.add_argument(
        "--minimise", type=float, default=MINIMISE_SECONDS, metavar="S", help="seconds for making a finding smaller"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
