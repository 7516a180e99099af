"""Watchers of `glslc-multi opt`, for dumps, times and an end; names are those of passes, "*" is any."""

from __future__ import annotations

from collections.abc import Callable, Collection
from time import perf_counter

from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.trace import Watcher


class Dumps(Watcher):
    """Prints the IR before and after some passes."""

    def __init__(self, before: Collection[str], after: Collection[str], write: Callable[[str], None]) -> None:
        self._before = frozenset(before)
        self._after = frozenset(after)
        self._write = write

    def before(self, step: str, code: object) -> None:
        if self._before & {step, "*"}:
            self._dump(f"before {step}", code)

    def after(self, step: str, code: object, *, changed: bool) -> None:
        if self._after & {step, "*"}:
            self._dump(f"after {step}", code)

    def _dump(self, title: str, code: object) -> None:
        from glslc_multi.compiler.ir.text import print_module

        assert isinstance(code, Module)
        self._write(f"; ---- {title}\n{print_module(code)}")


class Times(Watcher):
    """Takes the time of passes."""

    def __init__(self) -> None:
        #: Seconds of each run, by pass.
        self.seconds: dict[str, list[float]] = {}
        self._began = 0.0

    def before(self, step: str, code: object) -> None:
        self._began = perf_counter()

    def after(self, step: str, code: object, *, changed: bool) -> None:
        self.seconds.setdefault(step, []).append(perf_counter() - self._began)

    def table(self) -> str:
        """Return passes by time spent, slowest first."""
        total = sum(map(sum, self.seconds.values())) or 1.0
        lines = [f"{'pass':<24}{'runs':>6}{'ms':>10}{'share':>8}"]
        for name, runs in sorted(self.seconds.items(), key=lambda row: -sum(row[1])):
            lines.append(f"{name:<24}{len(runs):>6}{sum(runs) * 1e3:>10.2f}{sum(runs) / total:>8.1%}")
        return "\n".join(lines)


class Stopped(Exception):
    """The last pass that was asked for has run."""


class StopAfter(Watcher):
    """Ends a pipeline after the first run of a pass."""

    def __init__(self, name: str) -> None:
        self._name = name

    def after(self, step: str, code: object, *, changed: bool) -> None:
        if step == self._name:
            raise Stopped
