"""Gathers pages: those that are named, and every file of the repository that a gathered page links to.

In: paths in the repository.  Out: a folder with copies under the same relative paths.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
#: The path of a link or of an image, without its anchor.
_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


def gather(paths: Iterable[Path], folder: Path) -> None:
    """Copy the files, and those that they lead to."""
    waiting, seen = list(paths), set[Path]()
    while waiting:
        path = waiting.pop().resolve()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        copy = folder / path.relative_to(PROJECT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
        if path.suffix == ".md":
            waiting += _linked(path)


def _linked(page: Path) -> Iterator[Path]:
    """List the files that a page shows or links to."""
    return (page.parent / link for link in _LINK.findall(page.read_text(encoding="utf-8")))
