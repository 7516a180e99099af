"""`python -m tests.conformance --engine E PATH...`: run recorded shaders and compare."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.conformance.engines.engines import UnknownEngine
from tests.conformance.engines.reference import GLSL
from tests.conformance.records import UnknownSchema, load_records
from tests.conformance.runner import EngineChoice, run_records
from tests.conformance.spirv.compilers import COMMANDS
from tests.conformance.summary import summarise

_DESCRIPTION = """Run the records of PATH (files or folders) and compare verdicts and values.
The last line is "N passed, M failed, K skipped"; the exit status is 1 after a failure, 2 after wrong usage."""


def main(arguments: Sequence[str] | None = None) -> int:
    found = _parser().parse_args(arguments)
    choice = EngineChoice(found.engine, found.level, dict(found.option), found.front_end)
    try:
        choice.make()
        records = list(load_records(found.paths))
    except (UnknownEngine, UnknownSchema) as error:
        print(f"tests.conformance: error: {error}", file=sys.stderr)
        return 2
    summary = summarise(run_records(records, choice, found.jobs), found.min_share)
    print("\n".join(summary.lines))
    return 0 if summary.success else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.conformance", description=_DESCRIPTION, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--engine", required=True, help="reference, jit or the name of a target")
    parser.add_argument(
        "--front-end", choices=(GLSL, *COMMANDS), default=GLSL, help="the way from GLSL to the IR (glsl: our own)"
    )
    parser.add_argument("-O", dest="level", choices=("0", "1", "2", "3", "s"), default="2", help="effort (2)")
    parser.add_argument(
        "--option", action="append", type=_pair, default=[], metavar="KEY=VALUE", help="engine's option"
    )
    parser.add_argument("--jobs", type=_count, default=1, metavar="N", help="processes (1)")
    parser.add_argument("--min-share", type=_share, default=0.0, metavar="S", help="least share that must pass, 0...1")
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    return parser


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise argparse.ArgumentTypeError(f"expected KEY=VALUE, found '{text}'")
    return key, value


def _count(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected a number from 1, found '{text}'")
    return int(text)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1, found '{text}'")
    return share


if __name__ == "__main__":
    sys.exit(main())
