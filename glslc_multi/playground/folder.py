"""The folder that is served: which shaders are in it, what they say, and which have changed.

Nothing outside of the folder is read, whatever name is asked for and whatever links lead to.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from glslc_multi.compiler.files import is_below
from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.registry import stage_of_suffix
from glslc_multi.playground.shader import LONGEST

#: More are not listed: the folder is no folder of shaders then.
MOST_FILES, _MOST_ENTRIES = 1_000, 20_000
#: Of texts that shaders include; they are watched, and not listed.
_INCLUDED = (".glsl", ".h")
#: Not every system has these flags.
_AS_IT_IS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
#: Name -> when it was changed, and its size.
States = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder; `root` is its path without links."""

    root: Path

    def names(self) -> list[str]:
        """The shaders, as paths from here."""
        suffixes = [suffix for suffix, stage in stage_of_suffix().items() if stage]
        found = (name for name in self._files() if PurePosixPath(name).suffix in suffixes)
        return sorted(name for name, _ in zip(found, range(MOST_FILES), strict=False))

    def read(self, name: str) -> str | None:
        """The text of a shader; None where there is none of that name."""
        try:
            path = (self.root / name).resolve()
        except (OSError, ValueError, RuntimeError):
            return None
        # What is read is the path without links, which was looked at.
        if not path.is_relative_to(self.root) or path.suffix not in stage_of_suffix():
            return None
        try:
            with open(path, "rb", opener=_open_as_it_is) as file:
                is_regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
                return file.read(LONGEST).decode("utf-8-sig", "replace") if is_regular else None
        except OSError:
            return None

    def states(self) -> States:
        """By which changes are known."""
        watched = (*stage_of_suffix(), *_INCLUDED)
        states: States = {}
        for name in self._files():
            if PurePosixPath(name).suffix in watched:
                with suppress(OSError):  # It is gone.
                    facts = (self.root / name).stat()
                    states[name] = facts.st_mtime_ns, facts.st_size
        return states

    def _files(self) -> Iterator[str]:
        """All regular files whose names are texts, with no link that leads out; hidden folders are left out."""
        entries = 0
        for place, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                path = Path(place) / name
                shown = path.relative_to(self.root).as_posix()
                if is_text(shown) and is_below(path, self.root) and path.is_file():
                    yield shown
            entries += len(folders) + len(files)
            if entries > _MOST_ENTRIES:
                return


def _open_as_it_is(path: str, flags: int) -> int:
    """Follow no link that has come meanwhile, and wait for nobody who writes to a pipe."""
    return os.open(path, flags | _AS_IT_IS)


def is_text(name: str) -> bool:
    """Whether it can be sent: names of files are bytes, and those that are no UTF-8 have surrogates here."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)


def changed(before: States, after: States) -> list[str]:
    """The names whose files are new, other or gone."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
