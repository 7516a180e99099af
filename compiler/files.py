"""Which files a run reads, looks for and writes, reported to a watcher; and which it may read.

The cache and `--watch` watch; front ends and the command line report.  There is one watcher at a time, and none unless
`watching` is on.  What a run has read it must not overwrite, so the names of inputs are remembered until the next run.

Who compiles for somebody else, such as a page in a browser, confines what is read meanwhile to one folder.  Links count
as what they lead to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Protocol


class Watcher(Protocol):
    """Receives what happens to files."""

    def note_read(self, path: str, data: bytes) -> None:
        """The file was read, with this content."""

    def note_absent(self, path: str) -> None:
        """The file was looked for and not found."""

    def note_written(self, path: str, data: bytes) -> None:
        """The file was written."""

    def note_unrepeatable(self) -> None:
        """The run does more than read files and write what follows from them, or is not to be kept."""


_current: Watcher | None = None
_inputs: set[str] = set()


def begin_run() -> None:
    """Forget the inputs of earlier runs."""
    _inputs.clear()


def note_inputs(paths: Iterable[str]) -> None:
    """Report that files were read by other processes of this run."""
    _inputs.update(paths)


def inputs_of_run() -> Set[str]:
    """Return the names of what was read so far."""
    return _inputs


def note_read(path: str, data: bytes) -> None:
    """Report that a file was read."""
    _inputs.add(path)
    if _current is not None:
        _current.note_read(path, data)


def note_absent(path: str) -> None:
    """Report that a file was not found."""
    if _current is not None:
        _current.note_absent(path)


def note_written(path: str, data: bytes) -> None:
    """Report that a file was written."""
    if _current is not None:
        _current.note_written(path, data)


def note_unrepeatable() -> None:
    """Report that repeating the recorded reads and writes would not replace the run."""
    if _current is not None:
        _current.note_unrepeatable()


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Report what happens inside the `with` to `watcher` alone."""
    global _current
    before, _current = _current, watcher
    try:
        yield
    finally:
        _current = before


# --- What may be read -------------------------------------------------------------------------------------------------

_folder: ContextVar[Path | None] = ContextVar("folder", default=None)


@contextmanager
def confined_to(folder: Path) -> Iterator[None]:
    """Confine what may be read inside the `with` to files below `folder`."""
    token = _folder.set(folder.resolve())
    try:
        yield
    finally:
        _folder.reset(token)


def is_confined() -> bool:
    """Tell whether only files of one folder may be read."""
    return _folder.get() is not None


def may_read(path: Path) -> bool:
    """Tell whether a file, which need not exist, may be read."""
    folder = _folder.get()
    return folder is None or is_below(path, folder)


def is_below(path: Path, folder: Path) -> bool:
    """Tell whether a path leads into a folder, itself one without links."""
    try:
        return path.resolve().is_relative_to(folder)
    except (OSError, ValueError, RuntimeError):
        return False  # A name that no file can have, or links in a circle.
