"""`python -m tests.codesize PATH... --target T`: our code size against the peer's."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.codesize.cases import UnknownInput, load_cases
from tests.codesize.runner import NoMeter, find_meter, measure, report

_DESCRIPTION = """Compile the shaders of PATH at -O2, check what they compute, and compare sizes.
The last line has the geometric mean of the ratios and the ratio of the sums; the exit status is 1 when a shader with
a usable peer does not compile, computes wrongly or is larger than the peer's, 2 after wrong usage."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.codesize", description=_DESCRIPTION, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--target", required=True, metavar="T")
    found = parser.parse_args(arguments)
    try:
        cases = [case for path in found.paths for case in load_cases(path, found.target)]
        meter = find_meter(found.target)
    except (UnknownInput, NoMeter) as error:
        print(f"tests.codesize: error: {error}", file=sys.stderr)
        return 2
    lines, success = report(measure(cases, meter))
    print("\n".join(lines))
    return 0 if success else 1


if __name__ == "__main__":
    sys.exit(main())
