"""What a run depends on besides files: the tool itself, the words of the command line, and the environment.

In: the words.  Out: the key under which the cache knows the run.  A cache hit imports this module, so it
imports only what every Python process has loaded (no `__future__` either), and `_blake2`.
"""

import os
import sys
from _blake2 import blake2b

from compiler.version import __version__

DIGEST_SIZE = 32
#: The variables that change what a run prints.  The encodings, which others decide, are part of the key too.
ENVIRONMENT = ("COLUMNS", "NO_COLOR", "TERM")
#: A folder of this name holds what an installer put there; everything else may be edited in place.
_INSTALLED = ("site-packages", "dist-packages")
_PACKAGES = ("compiler", "frontends", "backends", "runtime")
_HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run_key(words: list[str], home: str = _HOME) -> bytes:
    """The digest of everything but files that decides what a run does."""
    streams = [(stream.encoding, stream.errors, stream.isatty()) for stream in (sys.stdout, sys.stderr)]
    variables = [os.environ.get(name) for name in ENVIRONMENT]
    parts = (tool_identity(home), words, variables, streams, _width(), sys.getfilesystemencoding())
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=DIGEST_SIZE).digest()


def tool_identity(home: str = _HOME) -> tuple[object, ...]:
    """The compiler and the Python that runs it.

    Whatever an installer does to a folder of packages, be it ours or one that we use, changes the folder's
    time.  A source tree is edited in place, so there every file counts.
    """
    folders = [(folder, _time(folder)) for folder in sys.path if os.path.basename(folder) in _INSTALLED]
    files = [] if os.path.basename(home) in _INSTALLED else _stamps(home)
    return __version__, sys.version, home, folders, files


def _stamps(home: str) -> list[tuple[str, int, int]]:
    """Path, time and size of every file of the source tree's packages, sorted."""
    stamps = []
    folders = [os.path.join(home, package) for package in _PACKAGES]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name == "__pycache__":
                    continue
                if entry.is_dir():
                    folders.append(entry.path)
                    continue
                status = entry.stat()
                stamps.append((entry.path, status.st_mtime_ns, status.st_size))
    stamps.sort()
    return stamps


def _time(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _width() -> int:
    """Columns of the terminal that results go to; 0 when that is none."""
    try:
        return os.get_terminal_size(1).columns
    except OSError:
        return 0
