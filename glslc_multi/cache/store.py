"""Running the command line and keeping what it did, in a folder that stays below a size."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import time

from glslc_multi.cache.footprint import Footprint, give_back_standard_input, recording
from glslc_multi.cache.key import folder_time, installed_folders
from glslc_multi.cache.lookup import ABSENT, FOLDER_END, STANDARD_ERROR, STANDARD_STREAM, Lookup, Steps, write_entry

#: What the folder may hold, in bytes; how much of it is left when it held more.
LIMIT = 256 << 20
_KEPT_SHARE = 0.8
#: One new result in this many checks the size of the folder.
_RARELY = 64
#: Above this many names, the list restarts with those of the last run.
_MOST_NAMES = 2000
#: A file that a killed process left half-written may be removed after this many seconds.
_ABANDONED = 3600


def run_and_keep(run: Callable[[list[str]], int], words: list[str], lookup: Lookup) -> int:
    """Run the command line, keep what it did if it went well, and return the exit status."""
    if lookup.standard_input is not None:
        give_back_standard_input(lookup.standard_input)
    footprint = Footprint()
    with recording(footprint):
        status = run(words)
    paths = [path for path, _ in footprint.steps]
    if status == 0 and footprint.is_repeatable and _has_plain_inputs(footprint) and lookup.may_write(paths):
        # A full disk, a folder of somebody else, a name that is no text: then there is no cache.
        with suppress(OSError, ValueError):
            keep(footprint, lookup)
    return status


def keep(footprint: Footprint, lookup: Lookup) -> None:
    """Write the entries of a run."""
    packages = {folder + FOLDER_END: b"%d" % folder_time(folder) for folder in installed_folders()}
    states = footprint.states | packages
    names = sorted({*lookup.names, *states})
    if len(names) > _MOST_NAMES:
        names = sorted(states)
    key = lookup.content_key(names, states)
    steps = [(path.encode("utf-8", "surrogatepass"), data) for path, data in _joined(footprint.steps)]
    write_entry(lookup.folder, key, [part for step in steps for part in step])
    if names != lookup.names:
        write_entry(lookup.folder, lookup.key, [name.encode("utf-8", "surrogatepass") for name in names])
    if key[0] % _RARELY == 0:
        trim(lookup.folder, LIMIT)


def trim(folder: str, limit: int) -> None:
    """Remove what has not been used for longest, if the folder holds more than `limit` bytes."""
    entries = sorted(_entries(folder))
    size = sum(entry_size for _, entry_size, _ in entries)
    if size <= limit:
        return
    for _, entry_size, path in entries:
        with suppress(OSError):
            os.unlink(path)
        size -= entry_size
        if size <= limit * _KEPT_SHARE:
            return


def _has_plain_inputs(footprint: Footprint) -> bool:
    """Whether the run read anything, and nothing that can be read only once."""
    read = [name for name, state in footprint.states.items() if state != ABSENT]
    return bool(read) and all(name == STANDARD_STREAM or os.path.isfile(name) for name in read)


def _joined(steps: Steps) -> Steps:
    """The same with adjacent writes to one stream joined."""
    joined: Steps = []
    for name, data in steps:
        if joined and joined[-1][0] == name in (STANDARD_STREAM, STANDARD_ERROR):
            data = joined.pop()[1] + data
        joined.append((name, data))
    return joined


def _entries(folder: str) -> Iterator[tuple[float, int, str]]:
    """Time of last use, size and path of every entry; what killed processes left is removed."""
    for part in _listed(folder):
        for file in _listed(part.path):
            with suppress(OSError):
                status = file.stat()
                if file.name.endswith(".part") and status.st_mtime < time() - _ABANDONED:
                    os.unlink(file.path)
                else:
                    yield status.st_mtime, status.st_size, file.path


def _listed(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []
