"""Writing a file so that nobody ever sees half of it: beside its final name first, then renamed.

A cache hit imports this module, so it imports only what every Python process has loaded.
"""

import os


def replace_file(path: str, data: bytes) -> None:
    """Make `data` the content of the file at `path`; raises OSError or ValueError where that cannot be."""
    real = os.path.realpath(path)
    if os.path.exists(real) and not os.path.isfile(real):
        # A device or a pipe cannot be replaced, and a directory must not be.
        _write(real, os.O_WRONLY, data)
        return
    folder, name = os.path.split(real)
    aside = os.path.join(folder, f".{name}.{os.getpid()}.part")
    try:
        _write(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, data)
        os.replace(aside, real)
    except BaseException:
        # An interrupt from the keyboard leaves nothing behind either.
        _remove_if_there(aside)
        raise


def write_all(descriptor: int, data: bytes) -> None:
    """Write to an open file, however many calls that takes."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _write(path: str, flags: int, data: bytes) -> None:
    descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o666)
    try:
        write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _remove_if_there(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass
