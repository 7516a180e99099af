"""What the console script calls: answer from the cache, or run the command line.

A hit must not cost more than starting Python does: this module and those it imports at its top import only
what every Python process has loaded, and `_blake2`.  Everything else is imported after a miss.
"""

import os
import sys

from compiler.cache.key import run_key
from compiler.cache.lookup import Lookup, cache_folder, replay

_INTERRUPTED = 130


def main() -> int:
    """Run the command line of this process and return the exit status."""
    words = sys.argv[1:]
    try:
        lookup = _open_cache(words)
        if lookup is None:
            from compiler.cli.main import main as run

            return run(words)
        steps = lookup.find()
        if steps is not None and replay(steps, lookup.identities):
            # Nothing is open and nothing waits to be written: taking the process apart is time lost.
            os._exit(0)
        from compiler.cache.store import run_and_keep

        return run_and_keep(words, lookup)
    except KeyboardInterrupt:
        return _INTERRUPTED


def _open_cache(words: list[str]) -> Lookup | None:
    """The search for this run; None when there is to be none."""
    folder = cache_folder(words, os.environ)
    if folder is None:
        return None
    try:
        return Lookup(folder, run_key(words))
    except (OSError, ValueError):
        # A source file vanished while it was looked at, or a stream is closed.
        return None


if __name__ == "__main__":
    sys.exit(main())
