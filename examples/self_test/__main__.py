"""`python -m examples.self_test MACHINE FOLDER` writes the project of a machine."""

from __future__ import annotations

import argparse
from pathlib import Path

from .project import MACHINES, write_project


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m examples.self_test", description=__doc__)
    parser.add_argument("machine", choices=MACHINES)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    for reason in write_project(arguments.machine, arguments.folder):
        print(f"left out: {reason}")
    print(f"{arguments.folder} has the project; docs/self-test.md says how it is built")


if __name__ == "__main__":
    main()
