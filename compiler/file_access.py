"""Which files a compilation may read: all that its user may, or only those of one folder.

Who compiles for somebody else, such as a page in a browser, confines what is read meanwhile.  Links count as what they
lead to.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_folder: ContextVar[Path | None] = ContextVar("folder", default=None)


@contextmanager
def confined_to(folder: Path) -> Iterator[None]:
    """Inside the `with` only files below `folder` may be read."""
    token = _folder.set(folder.resolve())
    try:
        yield
    finally:
        _folder.reset(token)


def is_confined() -> bool:
    """Whether only files of one folder may be read."""
    return _folder.get() is not None


def may_read(path: Path) -> bool:
    """Whether a file, that need not exist, may be read."""
    folder = _folder.get()
    return folder is None or is_below(path, folder)


def is_below(path: Path, folder: Path) -> bool:
    """Whether a path leads into a folder, which is one without links."""
    try:
        return path.resolve().is_relative_to(folder)
    except (OSError, ValueError, RuntimeError):
        return False  # A name that no file can have, or links in a circle.
