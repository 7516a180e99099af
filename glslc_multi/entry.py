"""What the command calls: answer from the cache, or run the command line.

A hit must not cost more than starting Python does: this module and those it imports at its top import only
what every Python process has loaded, and `_blake2`.  Everything else is imported after a miss.
"""

import sys

from glslc_multi.cache.key import run_key
from glslc_multi.cache.lookup import Lookup, cache_folder, replay
from glslc_multi.cache.system import variables
from glslc_multi.compiler.own_files import is_own_folder, system

_INTERRUPTED = 130


def main() -> None:
    """Run the command line of this process, and end the process with the exit status."""
    status = run(sys.argv[1:], variables())
    for stream in (sys.stdout, sys.stderr):
        _flush(stream)
    # Tearing down hundreds of modules takes a tenth of a short run, and nobody would see the result.
    system._exit(status)


def run(words: list[str], environment: dict[str, str]) -> int:
    """The exit status of a command line, from the cache or from the run."""
    try:
        lookup = _open_cache(words, environment)
        steps = lookup.find() if lookup else None
        if lookup and steps is not None and replay(steps, lookup.identities):
            return 0
        return _run_after_miss(words, lookup)
    except KeyboardInterrupt:
        return _INTERRUPTED


def _run_after_miss(words: list[str], lookup: Lookup | None) -> int:
    import gc

    if "site" not in sys.modules:
        # `launcher.sh` has left out what makes installed packages known.
        import site

        site.main()
    # Next to nothing that a short run makes is a cycle; looking for cycles costs more than keeping them.
    gc.set_threshold(100_000, 50, 100)
    from glslc_multi.cli.main import main as run_command

    if lookup is None:
        return run_command(words)
    from glslc_multi.cache.store import run_and_keep

    return run_and_keep(run_command, words, lookup)


def _open_cache(words: list[str], environment: dict[str, str]) -> Lookup | None:
    """The search for this run; None when there is to be none."""
    folder = cache_folder(words, environment)
    if folder is None or not is_own_folder(folder):
        return None
    try:
        return Lookup(folder, run_key(words, environment), words)
    except (OSError, ValueError):
        # A source file vanished while it was looked at, or a stream is closed.
        return None


def _flush(stream: object) -> None:
    """Flush the streams; whoever wrote has already reported what is wrong with them."""
    try:
        stream.flush()  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        pass


if __name__ == "__main__":
    main()
