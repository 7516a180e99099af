"""Results of compilations, kept under their content.

Three keys lead to a result, each cheaper to compute than the next:

* of a *variant*: its request, and under it the state of every file that it read;
* of a *text*: the tokens after preprocessing, with the target and its options;
* of *code*: the IR after the passes, dead code removed, with the target and its options.

What says something about a place in the source (a warning, an error) is kept for its variant only; silent results
serve all variants with the same text or code.  Entries are those of the cache (`glslc_multi/cache`): checksummed,
renamed into place, so that processes and machines may share the folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from compiler.records import dataclass
from glslc_multi.batch.variants import Variant
from glslc_multi.cache.key import tool_identity
from glslc_multi.cache.lookup import ABSENT, digest, read_entry, write_entry

try:
    import fcntl
except ImportError:  # not a POSIX system: two processes may compute the same result at the same time
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Result:
    """What a compilation gave."""

    status: int
    #: What follows the variant's stem -> content; nothing after an error.
    files: tuple[tuple[str, bytes], ...]
    #: Rendered diagnostics.
    messages: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A result and where it is kept."""

    address: bytes
    result: Result


class Results:
    """A folder of results, as one run sees it."""

    __slots__ = ("_states", "folder", "identity")

    def __init__(self, folder: str, identity: bytes) -> None:
        self.folder = folder
        #: The compiler and everything else that decides about all results.
        self.identity = identity
        #: File -> its state in this run, read once.
        self._states: dict[str, bytes] = {}

    def key(self, kind: str, *parts: object) -> bytes:
        return digest(self.identity + repr((kind, parts)).encode("utf-8", "surrogatepass"))

    def of_variant(self, variant: Variant) -> Result | None:
        """The result of an earlier run whose files were as they are now."""
        entry = read_entry(self.folder, self._variant_key(variant))
        if entry is None:
            return None
        states, address = entry
        if any(self._state(name) != state for name, state in states):
            return None
        return self._read(address)

    def shared(self, key: bytes) -> Found | None:
        """The silent result of the same text or code."""
        entry = read_entry(self.folder, key)
        result = None if entry is None else self._read(entry[0])
        return None if entry is None or result is None else Found(entry[0], result)

    def share(self, keys: Sequence[bytes], found: Found) -> None:
        """Make a result known under these keys."""
        with suppress(OSError, ValueError):
            for key in keys:
                write_entry(self.folder, key, [found.address])

    def put(self, address: bytes, result: Result) -> Found:
        """Keep a result, unless it cannot be written (a full disk, somebody else's folder)."""
        with suppress(OSError, ValueError):
            write_entry(self.folder, address, [result.status, result.messages, list(result.files)])
        return Found(address, result)

    def keep(self, variant: Variant, states: Mapping[str, bytes], found: Found) -> None:
        """Let later runs find a result as that of the variant, as long as the files are as they are."""
        with suppress(OSError, ValueError):
            write_entry(self.folder, self._variant_key(variant), [sorted(states.items()), found.address])

    @contextmanager
    def alone(self, key: bytes) -> Iterator[None]:
        """Keep other processes of this machine from computing the same key at the same time."""
        if fcntl is None:
            yield
            return
        path = os.path.join(self.folder, "locks", key.hex()[:2])
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            yield
            return
        try:
            # The system gives the lock back when the process dies.
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _variant_key(self, variant: Variant) -> bytes:
        return self.key("variant", variant.source, variant.stage, variant.target, variant.request, variant.emissions)

    def _read(self, address: bytes) -> Result | None:
        entry = read_entry(self.folder, address)
        if entry is None:
            return None
        status, messages, files = entry
        return Result(status, tuple(files), messages)

    def _state(self, name: str) -> bytes:
        if name not in self._states:
            self._states[name] = _state_now(name)
        return self._states[name]


def tool_digest(*more: object) -> bytes:
    """The identity of this compiler, and of what else decides about all results."""
    return digest(repr((tool_identity(), more)).encode("utf-8", "surrogatepass"))


def _state_now(name: str) -> bytes:
    try:
        with open(name, "rb", 0) as file:
            return digest(file.read())
    except OSError:
        return ABSENT
