"""What a solver says of each block (`--prove`), on standard error as soon as it is known.

A program of many blocks takes minutes; what was printed stays if it is stopped.
"""

from __future__ import annotations

import sys

from glslc_multi.compiler.trace import Watcher, making_stage


class BlockPrinter(Watcher):
    """Prints blocks as the statistics do."""

    def solved(self, block: object) -> None:
        stage = making_stage()
        print(f"{stage}: {block}" if stage else block, file=sys.stderr, flush=True)
