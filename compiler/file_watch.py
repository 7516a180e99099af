"""Which files a run reads, looks for and writes: whoever watches is told.

The cache and `--watch` watch; front ends and the command line tell.  There is one watcher at a time, and none unless
`watching` is on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Watcher(Protocol):
    """Who wants to know of files."""

    def note_read(self, path: str, data: bytes) -> None:
        """The file was read, and this was in it."""

    def note_absent(self, path: str) -> None:
        """The file was looked for, and there was none."""

    def note_written(self, path: str, data: bytes) -> None:
        """The file was written."""

    def note_unrepeatable(self) -> None:
        """The run does more than read files and write what follows from them, or is not to be kept."""


_current: Watcher | None = None


def note_read(path: str, data: bytes) -> None:
    """Tell that a file was read."""
    if _current is not None:
        _current.note_read(path, data)


def note_absent(path: str) -> None:
    """Tell that a file was looked for in vain."""
    if _current is not None:
        _current.note_absent(path)


def note_written(path: str, data: bytes) -> None:
    """Tell that a file was written."""
    if _current is not None:
        _current.note_written(path, data)


def note_unrepeatable() -> None:
    """Tell that doing the same again is not as good as the run."""
    if _current is not None:
        _current.note_unrepeatable()


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Tell `watcher` what happens inside, and nobody else."""
    global _current
    before, _current = _current, watcher
    try:
        yield
    finally:
        _current = before
