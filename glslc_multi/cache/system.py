"""What a hit of the cache needs of the operating system: variables, paths, and files that are never seen half-written.

`os` and `os.path` take a tenth of a hit to load.  On POSIX they are made from the module `posix`, which every Python
process has loaded, and whose functions are those of `os`.
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

#: Device and inode: what two names of one file have in common.
Identity = tuple[int, int]
#: Of a file's mode: the part that says what kind of file it is, and two of the kinds.
_KIND, _REGULAR, _LINK = 0o170000, 0o100000, 0o120000


def variables() -> dict[str, str]:
    """The environment as text, as `os.environ` has it."""
    if sys.platform == "win32":
        return dict(system.environ)
    coding = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()
    return {name.decode(*coding): value.decode(*coding) for name, value in system.environ.items()}


def split_path(path: str) -> tuple[str, str]:
    """The folder, with the separator that ends it, and the name in it."""
    end = max(map(path.rfind, _SEPARATORS)) + 1
    return path[:end], path[end:]


def is_file(path: str) -> bool:
    """Whether there is a regular file, perhaps behind a symbolic link."""
    try:
        return system.stat(path).st_mode & _KIND == _REGULAR
    except (OSError, ValueError):
        return False


def file_identity(path: str) -> Identity | None:
    """Which file a name stands for; None where there is none."""
    try:
        status = system.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def real_path(path: str) -> str:
    """The path of a file itself, where `path` is a symbolic link to it."""
    try:
        if system.lstat(path).st_mode & _KIND != _LINK:
            return path
    except OSError:
        return path
    from os.path import realpath

    return realpath(path)


def read_file(path: str) -> bytes:
    """The content of a file."""
    with open(path, "rb", 0) as file:
        return file.read()


def renew_file(path: str, data: bytes) -> bool:
    """Whether the file has the content already; then its time is set to now, which costs half of writing it."""
    same = is_file(path) and read_file(path) == data
    if same:
        system.utime(path)
    return same


def replace_file(path: str, data: bytes) -> None:
    """Make `data` the content of the file at `path`; raises OSError or ValueError where that cannot be."""
    with Replacements() as files:
        files.add(path, data)


class Replacements:
    """Files that get new contents together, at the end of a `with`.

    Each is written beside its final name and renamed when all are complete: nobody ever sees half of a file, and where
    one cannot be written, as on a full disk, or at an interrupt from the keyboard, all stay as they were.
    """

    __slots__ = ("_renames",)

    def __init__(self) -> None:
        self._renames: list[tuple[str, str]] = []

    def add(self, path: str, data: bytes) -> None:
        """Raises OSError or ValueError where the file cannot be written."""
        real = real_path(path)
        if file_identity(real) is not None and not is_file(real):
            # A device or a pipe cannot be replaced, and a directory must not be.
            _write(real, system.O_WRONLY, data)
            return
        folder, name = split_path(real)
        aside = f"{folder}.{name}.{system.getpid()}.part"
        self._renames.append((aside, real))
        _write(aside, system.O_WRONLY | system.O_CREAT | system.O_TRUNC, data)

    def __enter__(self) -> "Replacements":
        return self

    def __exit__(self, kind: object, *details: object) -> None:
        try:
            if kind is None:
                while self._renames:
                    system.replace(*self._renames[0])
                    del self._renames[0]
        finally:
            for aside, _ in self._renames:
                _remove_if_there(aside)


def write_all(descriptor: int, data: bytes) -> None:
    """Write to an open file, however many calls that takes."""
    rest = memoryview(data)
    while rest:
        rest = rest[system.write(descriptor, rest) :]


def _write(path: str, flags: int, data: bytes) -> None:
    descriptor = system.open(path, flags | getattr(system, "O_BINARY", 0), 0o666)
    try:
        write_all(descriptor, data)
    finally:
        system.close(descriptor)


def _remove_if_there(path: str) -> None:
    try:
        system.unlink(path)
    except OSError:
        pass
