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

from glslc_multi.batch.variants import Variant
from glslc_multi.cache.key import tool_identity
from glslc_multi.cache.lookup import ABSENT, digest, read_entry, write_entry
from glslc_multi.compiler.own_files import make_own_folder, read_file
from glslc_multi.compiler.records import dataclass, replace

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
    #: Of a variant: the files that were read, or looked for.
    inputs: tuple[str, ...] = ()


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
        match read_entry(self.folder, self._variant_key(variant)):
            case [address, *states] if self._are_now(states) and (found := self._read(address, variant)):
                return replace(found, inputs=tuple(map(_text, states[::2])))
        return None

    def shared(self, key: bytes, variant: Variant) -> Found | None:
        """The silent result of the same text or code."""
        match read_entry(self.folder, key):
            case [address] if (result := self._read(address, variant)) is not None:
                return Found(address, result)
        return None

    def share(self, keys: Sequence[bytes], found: Found) -> None:
        """Make a result known under these keys."""
        with suppress(OSError, ValueError):
            for key in keys:
                write_entry(self.folder, key, [found.address])

    def put(self, address: bytes, result: Result) -> Found:
        """Keep a result, unless it cannot be written (a full disk, somebody else's folder)."""
        with suppress(OSError, ValueError):
            texts = [str(result.status), result.messages, *(suffix for suffix, _ in result.files)]
            contents = [data for _, data in result.files]
            write_entry(self.folder, address, [*map(_bytes, texts), *contents])
        return Found(address, result)

    def keep(self, variant: Variant, states: Mapping[str, bytes], found: Found) -> None:
        """Let later runs find a result as that of the variant, as long as the files are as they are."""
        with suppress(OSError, ValueError):
            parts = [part for name, state in sorted(states.items()) for part in (_bytes(name), state)]
            write_entry(self.folder, self._variant_key(variant), [found.address, *parts])

    @contextmanager
    def alone(self, key: bytes) -> Iterator[None]:
        """Keep other processes of this machine from computing the same key at the same time."""
        if fcntl is None:
            yield
            return
        path = os.path.join(self.folder, "locks", key.hex()[:2])
        try:
            make_own_folder(os.path.dirname(path))
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
        return self.key("variant", variant.sources, variant.target, variant.request, variant.emissions)

    def _read(self, address: bytes, variant: Variant) -> Result | None:
        """The result under an address, if it may be one of the variant."""
        entry = read_entry(self.folder, address)
        if entry is None or len(entry) < 2 or len(entry) % 2:
            return None
        count = len(entry) // 2 - 1
        try:
            status, messages, *suffixes = map(_text, entry[: 2 + count])
            found = Result(int(status), tuple(zip(suffixes, entry[2 + count :], strict=True)), messages)
        except ValueError:
            return None
        return found if all(map(variant.may_have, suffixes)) else None

    def _are_now(self, states: Sequence[bytes]) -> bool:
        """Whether files are as they were: names, each with a state."""
        try:
            return all(self._state(_text(name)) == state for name, state in zip(states[::2], states[1::2], strict=True))
        except ValueError:
            return False

    def _state(self, name: str) -> bytes:
        if name not in self._states:
            self._states[name] = _state_now(name)
        return self._states[name]


def tool_digest(*more: object) -> bytes:
    """The identity of this compiler, and of what else decides about all results."""
    return digest(repr((tool_identity(), more)).encode("utf-8", "surrogatepass"))


def _state_now(name: str) -> bytes:
    try:
        return digest(read_file(name))
    except (OSError, ValueError):
        return ABSENT


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
