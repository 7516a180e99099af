"""What a hit of the cache needs of the operating system: variables, paths, files that are never seen half-written."""

import sys

from glslc_multi.compiler.own_files import BINARY, FOLDER, ITSELF, KIND, LINK, REGULAR, read_file, split_path, system

#: Of a file's mode: what it lets users do.
_PERMISSIONS = 0o777
#: So many seconds a file may stay open elsewhere: on Windows such a file cannot be replaced, and scanners and editors
#: open what is new for a moment.
_PATIENCE = 2.0
#: Device and inode: what two names of one file have in common.
Identity = tuple[int, int]


def variables() -> dict[str, str]:
    """The environment as text, as `os.environ` has it."""
    if sys.platform == "win32":
        return dict(system.environ)
    coding = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()
    return {name.decode(*coding): value.decode(*coding) for name, value in system.environ.items()}


def is_file(path: str) -> bool:
    """Whether there is a regular file, perhaps behind a symbolic link."""
    try:
        return system.stat(path).st_mode & KIND == REGULAR
    except (OSError, ValueError):
        return False


def is_folder(path: str) -> bool:
    """Whether there is a folder, perhaps behind a symbolic link."""
    try:
        return system.stat(path).st_mode & KIND == FOLDER
    except (OSError, ValueError):
        return False


def file_identity(path: str) -> Identity | None:
    """Which file a name stands for; None where there is none."""
    try:
        return _identity(system.stat(path))
    except (OSError, ValueError):
        return None


def real_path(path: str) -> str:
    """The path of a file itself, where `path` is a symbolic link to it."""
    try:
        if system.lstat(path).st_mode & KIND != LINK:
            return path
    except OSError:
        return path
    from os.path import realpath

    return realpath(path)


def replace_own_file(path: str, data: bytes) -> None:
    """Make `path` a file of this user alone, whatever was there; raises OSError or ValueError where that cannot be."""
    with Replacements() as files:
        files.add_aside(path, data, 0o600)


class Replacements:
    """Files that get new contents together, at the end of a `with`.

    Each is written beside its final name and renamed when all are complete: nobody ever sees half of a file, and where
    one cannot be written, as on a full disk, or at an interrupt from the keyboard, all stay as they were.  A symbolic
    link stays, and what it leads to is replaced, as if the file were written in place; the permissions stay, too.
    """

    __slots__ = ("_renames",)

    def __init__(self) -> None:
        self._renames: list[tuple[str, str]] = []

    def add(self, path: str, data: bytes, *, renew: bool = False) -> None:
        """Raises OSError or ValueError where the file cannot be written.

        With `renew`, a file that has the content already gets a new time, which costs half of writing it.
        """
        try:
            status = system.stat(path)
        except FileNotFoundError:
            self.add_aside(real_path(path), data, None)
            return
        stream = _standard_stream(status)
        if stream is not None:
            # Also where it leads to a file, as in `-o /dev/stdout >> all`.
            write_all(stream, data)
        elif status.st_mode & KIND != REGULAR:
            # A device or a pipe cannot be replaced, and a directory must not be.
            descriptor = system.open(path, system.O_WRONLY | BINARY)
            try:
                write_all(descriptor, data)
            finally:
                system.close(descriptor)
        elif renew and status.st_size == len(data) and read_file(path) == data:
            system.utime(path)
        else:
            self.add_aside(real_path(path), data, status.st_mode & _PERMISSIONS)

    def add_aside(self, real: str, data: bytes, permissions: int | None) -> None:
        """The same of a path that is no link and leads to no device; None are the permissions of new files."""
        aside = f"{split_path(real)[0]}.{system.urandom(8).hex()}.part"
        flags = system.O_WRONLY | system.O_CREAT | system.O_EXCL | ITSELF
        descriptor = system.open(aside, flags | BINARY, 0o666 if permissions is None else permissions)
        self._renames.append((aside, real))
        try:
            if permissions is not None:
                system.chmod(aside, permissions)
            write_all(descriptor, data)
        finally:
            system.close(descriptor)

    def __enter__(self) -> "Replacements":
        return self

    def __exit__(self, kind: object, *details: object) -> None:
        try:
            if kind is None:
                while self._renames:
                    _replace(*self._renames[0])
                    del self._renames[0]
        finally:
            for aside, _ in self._renames:
                try:
                    system.unlink(aside)
                except OSError:
                    pass


def _replace(aside: str, path: str) -> None:
    """Put a file in place of another one."""
    if sys.platform != "win32":
        system.replace(aside, path)
        return
    from time import monotonic, sleep

    end = monotonic() + _PATIENCE
    while True:
        try:
            system.replace(aside, path)
            return
        except PermissionError:
            if monotonic() > end:
                raise
            sleep(0.05)


def write_all(descriptor: int, data: bytes) -> None:
    """Write to an open file, however many calls that takes."""
    rest = memoryview(data)
    while rest:
        rest = rest[system.write(descriptor, rest) :]


def _standard_stream(status: "system.stat_result") -> int | None:
    """Which of standard output and standard error leads to this file, if any."""
    for descriptor in (1, 2):
        try:
            # On Windows no device has an inode: NUL is not the console for that.
            if status.st_ino and _identity(system.fstat(descriptor)) == _identity(status):
                return descriptor
        except OSError:
            # It is closed.
            continue
    return None


def _identity(status: "system.stat_result") -> Identity:
    return status.st_dev, status.st_ino
