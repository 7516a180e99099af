"""`python -m tests.witnesses`: prints what no witness reaches, or looks for witnesses of it.

    python -m tests.witnesses
    python -m tests.witnesses --folder adreno --search 500 --seed 1
    python -m tests.witnesses --folder adreno --search 500 --only 'fixup.py' --statements 12

What is found is appended to `cases/F/found.glsl`, to be read and put in its place.
"""

from __future__ import annotations

import argparse

from tests.witnesses.reach import Reach
from tests.witnesses.witness import FOLDERS


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.witnesses", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", action="append", choices=FOLDERS, help="of this one alone; may be repeated")
    parser.add_argument("--only", default="", metavar="TEXT", help="only what has this in its name")
    parser.add_argument("--search", type=int, default=0, metavar="N", help="shaders to try")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--statements", type=int, default=6)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="option of the target")
    found = parser.parse_args()
    reach = Reach(found.folder or FOLDERS)
    reach.compile_all()
    wanted = [name for name in reach.missing() if found.only in name]
    if found.search:
        # The compiler is imported after it has been marked.
        from tests.witnesses.find import Search

        seeds = range(found.seed, found.seed + found.search)
        wanted = Search(reach, found.statements, found.option).look_for(wanted, seeds)
    for name in wanted:
        print(name)


if __name__ == "__main__":
    main()
