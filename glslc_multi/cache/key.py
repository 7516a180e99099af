"""What a run depends on besides files: the tool itself, the arguments of the command line, and the environment.

In: arguments and environment variables.  Out: the key under which the cache knows the run.  A cache hit imports
this module, so it imports only what every Python process has loaded (no `__future__` either), and `_blake2`.
"""

import sys
from _blake2 import blake2b

from glslc_multi.compiler import __version__
from glslc_multi.compiler.own_files import split_path, system

DIGEST_SIZE = 32
#: The variables that change what a run prints, or which packages it finds.  The encodings, which others decide, are
#: part of the key too.
ENVIRONMENT = ("COLUMNS", "NO_COLOR", "PYTHONPATH", "TERM")
#: A folder of this name holds what an installer put there; everything else may be edited in place.
_INSTALLED = ("site-packages", "dist-packages")


def _parent(path: str) -> str:
    return split_path(path)[0][:-1]


#: Where the compiler is: the folder of the package, or the executable that has it inside, and each time unpacks it in
#: another folder.
_HOME = sys.executable if hasattr(sys, "frozen") else _parent(_parent(_parent(__file__)))


def run_key(words: list[str], environment: dict[str, str], home: str = _HOME) -> bytes:
    """The digest of everything but files and installed packages that decides what a run does."""
    streams = [(stream.encoding, stream.errors, stream.isatty()) for stream in (sys.stdout, sys.stderr)]
    variables = [environment.get(name) for name in ENVIRONMENT]
    parts = (_compiler_identity(home), words, variables, streams, _width(), sys.getfilesystemencoding())
    return blake2b(repr(parts).encode("utf-8", "surrogatepass"), digest_size=DIGEST_SIZE).digest()


def tool_identity(home: str = _HOME) -> tuple[object, ...]:
    """The compiler, the Python that runs it, and the packages that it uses."""
    return _compiler_identity(home), [(folder, folder_time(folder)) for folder in installed_folders()]


def installed_folders() -> list[str]:
    """The folders that installers change and that modules are looked for in."""
    return [folder for folder in sys.path if _is_installed(folder)]


def folder_time(path: str) -> int:
    """When the folder changed: whatever an installer does to a folder of packages changes it."""
    try:
        return system.stat(path).st_mtime_ns
    except (OSError, ValueError):
        return 0


def _compiler_identity(home: str) -> tuple[object, ...]:
    """The compiler and the Python that runs it.  A source tree is edited in place, so there every file counts."""
    is_tree = home != sys.executable and not _is_installed(home)
    return __version__, sys.version, home, _stamps(home) if is_tree else folder_time(home)


def _is_installed(folder: str) -> bool:
    return split_path(folder)[1] in _INSTALLED


def _stamps(home: str) -> list[tuple[str, int, int]]:
    """Path, time and size of every file of the package, sorted; links lead to its parts in a source tree."""
    stamps = []
    folders = [f"{home}/glslc_multi"]
    while folders:
        with system.scandir(folders.pop()) as entries:
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


def _width() -> int:
    """Columns of the terminal that results go to; 0 when that is none."""
    try:
        return system.get_terminal_size(1).columns
    except OSError:
        return 0
