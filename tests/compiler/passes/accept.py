"""Renews the checks of check files that fail or have none: `python -m tests.compiler.passes.accept [--all] [FILES]`.

`pytest tests/compiler/passes --accept` does the same for all of them.

Without files, all of them.  `--all` renews also those that hold.  Look at the difference before you commit it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.compiler.passes.check_file import CheckFailure, check_files, read_check_file, run_check_file, with_new_checks


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.compiler.passes.accept", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--all", action="store_true", help="renew also checks that hold")
    arguments = parser.parse_args()
    failures = 0
    for path in arguments.files or check_files():
        try:
            renewed = renew(path.resolve(), renew_all=arguments.all)
        except CheckFailure as failure:
            failures += 1
            print(f"{path}: cannot be renewed\n{failure}")
        else:
            print(f"{path}: renewed" if renewed else f"{path}: holds")
    return 1 if failures else 0


def renew(path: Path, *, renew_all: bool = False) -> bool:
    """Write new checks where those of the file fail, or in any case; whether the file was written."""
    file = read_check_file(path)
    if "expect-error" in file.directives:
        run_check_file(file)
        return False
    if not renew_all and _holds(file.path):
        return False
    path.write_text(with_new_checks(file), encoding="utf-8")
    return True


def _holds(path: Path) -> bool:
    try:
        run_check_file(read_check_file(path))
    except CheckFailure:
        return False
    return True


if __name__ == "__main__":
    raise SystemExit(main())
