"""Files and folders of this user: nobody else can have written what is read from them.

A hit of the cache imports this module: see `glslc_multi/cache/README.md`.  `os` and `os.path` take a tenth of a hit to
load; on POSIX they are made from the module `posix`, which every Python process has loaded, and whose functions are
those of `os`.
"""

import sys

if sys.platform == "win32":
    import os

    system = os
    _SEPARATORS = "/\\:"
else:
    import posix

    system = posix
    _SEPARATORS = "/"

#: Of a file's mode: the part that says what kind of file it is, and three of the kinds.
KIND, FOLDER, REGULAR, LINK = 0o170000, 0o040000, 0o100000, 0o120000
#: Of a file's mode: what lets others than the owner write.
_OTHERS_WRITE = 0o022
#: How files are opened: as they are, never waiting for another process, never behind a symbolic link.
BINARY, _NOW, ITSELF = (getattr(system, flag, 0) for flag in ("O_BINARY", "O_NONBLOCK", "O_NOFOLLOW"))
#: The largest file that is read, in bytes.
_LARGEST = 256 << 20


def split_path(path: str) -> tuple[str, str]:
    """The folder, with the separator that ends it, and the name in it."""
    end = max(map(path.rfind, _SEPARATORS)) + 1
    return path[:end], path[end:]


def read_file(path: str) -> bytes:
    """The content of a regular file; raises OSError for everything else."""
    return _read(path, _NOW)


def read_own_file(path: str) -> bytes:
    """The same of a file that nobody but this user can have written."""
    return _read(path, _NOW | ITSELF, is_own=True)


def is_own_folder(path: str) -> bool:
    """Whether only this user can put files there: it is theirs and closed to others' writing, or does not exist yet."""
    try:
        status = system.lstat(path)
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
    return status.st_mode & KIND == FOLDER and _is_own(status)


def make_own_folder(path: str) -> None:
    """Make a folder and those around it that are missing, all for this user alone."""
    try:
        system.mkdir(path, 0o700)
    except FileExistsError:
        pass
    except FileNotFoundError:
        around = split_path(path)[0][:-1]
        if not around:
            raise
        make_own_folder(around)
        make_own_folder(path)


def _read(path: str, flags: int, *, is_own: bool = False) -> bytes:
    descriptor = system.open(path, system.O_RDONLY | flags | BINARY)
    with open(descriptor, "rb", 0) as file:
        status = system.fstat(descriptor)
        if status.st_mode & KIND != REGULAR or status.st_size > _LARGEST or (is_own and not _is_own(status)):
            raise OSError(f"{path} is not to be read")
        # A file that grows meanwhile is read as far as its size was.
        return file.read(status.st_size)


def _is_own(status: "system.stat_result") -> bool:
    user = getattr(system, "geteuid", None)
    return user is None or (status.st_uid == user() and not status.st_mode & _OTHERS_WRITE)
