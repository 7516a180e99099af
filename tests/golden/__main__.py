"""`python -m tests.golden TARGET FILE...`: check recorded machine code against ours."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.golden.kinds import TARGETS
from tests.golden.runner import UnknownFile, check_file, summarise

_DESCRIPTION = """Check files of recorded encodings, executions and rejections.
The last line is "N passed, M failed, K skipped"; the exit status is 1 after a failure, 2 after wrong usage."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.golden", description=_DESCRIPTION, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("target", choices=TARGETS, metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    found = parser.parse_args(arguments)
    try:
        lines, success = summarise(result for path in found.files for result in check_file(path, found.target))
    except UnknownFile as error:
        print(f"tests.golden: error: {error}", file=sys.stderr)
        return 2
    print("\n".join(lines))
    return 0 if success else 1


if __name__ == "__main__":
    sys.exit(main())
