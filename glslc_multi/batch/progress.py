"""How far a batch is: a bar with rate and time to go, on terminals only."""

from __future__ import annotations

from time import monotonic
from typing import TextIO

from glslc_multi.compiler.diagnostics.color import takes_sequences

_WIDTH = 30
#: Seconds between two drawings.
_INTERVAL = 0.1


class Progress:
    """Counts what is done, and draws it over itself."""

    def __init__(self, total: int, stream: TextIO | None) -> None:
        self._total = total
        self._stream = stream if stream is not None and takes_sequences(stream) else None
        self._done = 0
        #: Those that were there before anything was compiled say nothing about the rate.
        self._found = 0
        self._start = self._drawn = monotonic()

    def found(self, count: int) -> None:
        """Count results that were known."""
        self._found += count
        self.advance(count)

    def advance(self, count: int) -> None:
        self._done += count
        now = monotonic()
        if now - self._drawn >= _INTERVAL:
            self._drawn = now
            if self._stream is not None:
                self._stream.write(
                    "\r" + bar(self._done, self._total, self._done - self._found, now - self._start) + "\x1b[K"
                )
                self._stream.flush()

    def finish(self) -> None:
        """Leave the line to what is written next."""
        if self._stream is not None:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def bar(done: int, total: int, compiled: int, seconds: float) -> str:
    """`[#####.....] 120/240  35/s  0:04 left`; the rate is that of the `compiled` ones."""
    filled = _WIDTH * done // max(total, 1)
    text = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {done}/{total}"
    if compiled == 0 or seconds <= 0:
        return text
    rate = compiled / seconds
    minutes, rest = divmod(round((total - done) / rate), 60)
    return f"{text}  {rate:.0f}/s  {minutes}:{rest:02} left"
