"""What a run of the command line touches: files read or not found, and everything written.

Code that reads or writes a file reports it through `compiler/files.py`; standard output and error are recorded.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from glslc_multi.cache.lookup import ABSENT, STANDARD_ERROR, STANDARD_STREAM, Steps, digest
from glslc_multi.compiler.files import watching


class Footprint:
    """Notes what one run touches, as a `glslc_multi.compiler.files.Watcher`."""

    __slots__ = ("is_repeatable", "states", "steps")

    def __init__(self) -> None:
        #: File -> digest of what was read, or ABSENT.
        self.states: dict[str, bytes] = {}
        self.steps: Steps = []
        #: Whether repeating the recorded steps can replace the run.
        self.is_repeatable = True

    def note_read(self, path: str, data: bytes) -> None:
        self._note_state(path, digest(data))

    def note_absent(self, path: str) -> None:
        self._note_state(path, ABSENT)

    def note_written(self, path: str, data: bytes) -> None:
        self.steps.append((path, data))

    def note_unrepeatable(self) -> None:
        self.is_repeatable = False

    def _note_state(self, path: str, state: bytes) -> None:
        if self.states.setdefault(path, state) != state:
            # The file changed during the run.
            self.is_repeatable = False


@contextmanager
def recording(footprint: Footprint) -> Iterator[None]:
    """Note in `footprint` what happens inside, and what goes to standard output and error."""
    streams = sys.stdout, sys.stderr
    sys.stdout = cast("TextIO", _Listener(sys.stdout, STANDARD_STREAM, footprint.steps))
    sys.stderr = cast("TextIO", _Listener(sys.stderr, STANDARD_ERROR, footprint.steps))
    try:
        with watching(footprint):
            yield
    finally:
        sys.stdout, sys.stderr = streams


class _Listener:
    """A text or binary stream that notes what goes through it."""

    def __init__(self, stream: Any, name: str, steps: Steps) -> None:
        self._stream = stream
        self._name = name
        self._steps = steps

    def write(self, data: Any) -> Any:
        written = self._stream.write(data)
        if isinstance(data, str):
            data = data.encode(self._stream.encoding, self._stream.errors)
        self._steps.append((self._name, bytes(data)))
        return written

    @property
    def buffer(self) -> _Listener:
        return _Listener(self._stream.buffer, self._name, self._steps)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def give_back_standard_input(data: bytes) -> None:
    """Give the run the standard input that was already read."""
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
