"""Finding a run in the cache, and repeating what it wrote.

The key of a run (`key.py`) leads to the names of what such runs read or failed to find; the key and the state of
all this now lead to what the run wrote.  Both are entries: a digest, then strings of bytes.
So nothing in the cache is ever valid or stale: what was written follows from the key, or is not found.

A cache hit imports this module, so it imports only what every Python process has loaded, and `_blake2`.
"""

import sys
from _blake2 import blake2b

from glslc_multi.cache.key import DIGEST_SIZE, folder_time
from glslc_multi.cache.naming import inputs_of, may_read, may_write, words_of
from glslc_multi.cache.system import (
    Identity,
    Replacements,
    file_identity,
    is_file,
    real_path,
    replace_own_file,
    write_all,
)
from glslc_multi.compiler.own_files import make_own_folder, read_file, read_own_file, split_path, system

#: Standard input where something is read, standard output where something is written.
STANDARD_STREAM = "-"
#: No file has this name.
STANDARD_ERROR = "\0"
#: Names of folders that count by their modification time end with this, which no file's name does.
FOLDER_END = "\0"
#: The state of a place where no regular file is, and of a file that cannot be read.
ABSENT = b"absent"
_UNREADABLE = b"unreadable"

#: Bytes of the length before each string of an entry.
_LENGTH = 8

#: What a run wrote, in order: the name of the file or stream, and the bytes.
Steps = list[tuple[str, bytes]]


def cache_folder(words: list[str], environment: dict[str, str]) -> str | None:
    """Where runs are kept; None when there is to be no cache."""
    if sys.platform == "win32" or "--no-cache" in words or sys.stdout is None or sys.stderr is None:
        return None
    named = environment.get("GLSLC_MULTI_CACHE")
    if named is not None:
        return None if named in ("", "off") else f"{named}/runs"
    # The XDG base directory specification: a relative path is to be ignored.
    asked = environment.get("XDG_CACHE_HOME", "")
    base = asked if asked.startswith("/") else _usual_folder(environment)
    return f"{base}/glslc-multi/runs" if base.startswith("/") else None


def _usual_folder(environment: dict[str, str]) -> str:
    home = environment.get("HOME")
    if home is None:
        from os.path import expanduser

        home = expanduser("~")
    return home + ("/Library/Caches" if sys.platform == "darwin" else "/.cache")


class Lookup:
    """One search: what it found, and what it learned on the way."""

    __slots__ = ("arguments", "folder", "identities", "key", "names", "standard_input")

    def __init__(self, folder: str, key: bytes, arguments: list[str]) -> None:
        self.folder = folder
        self.key = key
        self.arguments = arguments
        #: What runs of this key are known to read or look for.
        self.names: list[str] = []
        self.identities: dict[Identity, int] = {}
        #: What was read from standard input, for the run to read when nothing was found.
        self.standard_input: bytes | None = None

    def find(self) -> Steps | None:
        """What the same run wrote when it happened; None when that is not known."""
        names = _texts(read_entry(self.folder, self.key))
        if not names or (STANDARD_STREAM in names and not may_read(words_of(self.arguments), STANDARD_STREAM)):
            return None
        self.names = names
        entry = read_entry(self.folder, self.content_key(names, {}))
        paths = None if entry is None else _texts(entry[::2])
        if not entry or paths is None or len(entry) % 2:
            return None
        return list(zip(paths, entry[1::2], strict=True)) if self.may_write(paths) else None

    def may_write(self, paths: list[str]) -> bool:
        """Whether the command line names all of these, none of them as what it reads."""
        files = [path for path in paths if path not in (STANDARD_STREAM, STANDARD_ERROR)]
        if not files:
            return True
        words = words_of(self.arguments)
        inputs = {file_identity(word) for word in inputs_of(words)} - {None}
        return all(may_write(words, path) and file_identity(path) not in inputs for path in files)

    def content_key(self, names: list[str], known: dict[str, bytes]) -> bytes:
        """The key of the result: `known` states as the run met them, other files as they are now."""
        self.identities.clear()
        whole = blake2b(self.key, digest_size=DIGEST_SIZE)
        for index, name in enumerate(names):
            whole.update(digest(name.encode("utf-8", "surrogatepass")))
            # Two names of one file are a cycle where two equal files are none.
            whole.update(b"%d " % self._first_name(name, index))
            whole.update(digest(known.get(name) or self._state(name)))
        return whole.digest()

    def _first_name(self, name: str, index: int) -> int:
        """The index of the first name of the same file."""
        if name == STANDARD_STREAM:
            return index
        identity = file_identity(name)
        return index if identity is None else self.identities.setdefault(identity, index)

    def _state(self, name: str) -> bytes:
        if name == STANDARD_STREAM:
            if self.standard_input is None:
                self.standard_input = _read_standard_input()
            return digest(self.standard_input)
        if name.endswith(FOLDER_END):
            return b"%d" % folder_time(name.removesuffix(FOLDER_END))
        # A pipe gives its content only once, and that belongs to the run.
        if not is_file(name):
            return ABSENT
        try:
            return digest(read_file(name))
        except OSError:
            return _UNREADABLE


def replay(steps: Steps, inputs: dict[Identity, int]) -> bool:
    """Write what the run wrote; False where it cannot be done, and the run itself has to say why."""
    files = [step for step in steps if step[0] not in (STANDARD_STREAM, STANDARD_ERROR)]
    real = [real_path(name) for name, _ in files]
    if len({_place(path) for path in real}) < len(files) or any(file_identity(path) in inputs for path in real):
        return False
    try:
        with Replacements() as replacements:
            for name, data in files:
                replacements.add(name, data, renew=True)
        for name, data in steps:
            if name in (STANDARD_STREAM, STANDARD_ERROR):
                write_all(1 if name == STANDARD_STREAM else 2, data)
    except (OSError, ValueError):
        return False
    return True


def _place(path: str) -> tuple[Identity | None, str]:
    """What two paths of one file have in common, also where there is no file yet."""
    folder, name = split_path(path)
    return file_identity(folder or "."), name


def read_entry(folder: str, key: bytes) -> list[bytes] | None:
    """The value of an entry; None where there is none, where it is damaged, or where others could have written it."""
    path = entry_path(folder, key)
    try:
        entry = read_own_file(path)
    except (OSError, ValueError):
        return None
    value = entry[DIGEST_SIZE:]
    if entry[:DIGEST_SIZE] != digest(key + value):
        return None
    # Mark as used: the entries used last are removed last.
    try:
        system.utime(path)
    except OSError:
        pass
    return _unpacked(value)


def write_entry(folder: str, key: bytes, value: list[bytes]) -> None:
    """Keep a value; raises OSError or ValueError where that cannot be."""
    data = b"".join(len(part).to_bytes(_LENGTH, "little") + part for part in value)
    path = entry_path(folder, key)
    make_own_folder(split_path(path)[0][:-1])
    replace_own_file(path, digest(key + data) + data)


def _unpacked(data: bytes) -> list[bytes] | None:
    """The strings of an entry; None where it is something else."""
    value = []
    at = 0
    while at < len(data):
        start = at + _LENGTH
        at = start + int.from_bytes(data[at:start], "little")
        value.append(data[start:at])
    return value if at == len(data) else None


def _texts(value: list[bytes] | None) -> list[str] | None:
    try:
        return None if value is None else [part.decode("utf-8", "surrogatepass") for part in value]
    except ValueError:
        return None


def entry_path(folder: str, key: bytes) -> str:
    name = key.hex()
    return f"{folder}/{name[:2]}/{name[2:]}"


def digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=DIGEST_SIZE).digest()


def _read_standard_input() -> bytes:
    try:
        return sys.stdin.buffer.read() if sys.stdin else b""
    except (OSError, ValueError):
        return b""
