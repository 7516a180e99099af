"""The smallest case that fails as a found one does, as far as a bounded time allows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from glslc_multi.compiler.records import replace
from glslc_multi.frontends.glsl.reduce import delete_runs, reduce
from tests.fuzz.case import Case, Verdict

#: Above this size, single characters are not tried.
_CHARACTERS = 300


class _TimeIsUp(Exception):
    """The time for one finding has passed."""


class Minimiser:
    """Shrinks one case; `judge` tries a candidate."""

    def __init__(self, case: Case, signature: str, judge: Callable[[Case], Verdict], seconds: float) -> None:
        self.best = case
        self.signature = signature
        self.judge = judge
        self.end = time.monotonic() + seconds

    def run(self) -> Case:
        """The smallest case found; the case itself where it fails no more."""
        with suppress(_TimeIsUp):
            if self._fails(self.best):
                self._shrink_arguments()
                for name in self.best.files:
                    self._shrink_file(name)
        return self.best

    def _fails(self, candidate: Case) -> bool:
        if time.monotonic() > self.end:
            raise _TimeIsUp
        if self.judge(candidate).signature != self.signature:
            return False
        self.best = candidate
        return True

    def _shrink_arguments(self) -> None:
        """Leave out flags, with their values or without."""
        while any(self._fails(candidate) for candidate in _with_fewer_flags(self.best)):
            pass

    def _shrink_file(self, name: str) -> None:
        data = self.best.files[name]
        try:
            text, encoding = data.decode("utf-8"), "utf-8"
        except UnicodeDecodeError:
            # One character a byte.
            text, encoding = data.decode("latin-1"), "latin-1"

        def fails(candidate: str) -> bool:
            return self._fails(self.best.with_file(name, candidate.encode(encoding)))

        if encoding == "utf-8":
            text = reduce(text, fails)
        if encoding == "latin-1" or len(text) < _CHARACTERS:
            delete_runs(list(text), fails)


def _with_fewer_flags(case: Case) -> Iterator[Case]:
    """The case without one of its flags; the subcommand, the target and the output stay."""
    words = case.arguments
    for start in range(1, len(words) - 2):
        for count in (2, 1):
            left_out = words[start : start + count]
            if left_out[0].startswith("-") and "--target" not in left_out and start + count <= len(words) - 2:
                yield replace(case, arguments=words[:start] + words[start + count :])
