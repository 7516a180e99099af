"""Where the time of a run went: seconds and tests by folder, said at the end of every run of a minute or more."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import PurePosixPath

import pytest

#: How deep a folder is that stands for all in it: tests/backends/vc4 is one, and so is tests/fuzz.
_DEPTH = 3
#: Seconds that a run takes at least to be told about, and the part of it that makes a folder worth a line.
_LEAST, _PART = 60, 0.01


class Times:
    """A plugin that adds up what pytest reports, also of the processes of xdist."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.tests: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        folder = "/".join(PurePosixPath(report.nodeid.partition("::")[0]).parent.parts[:_DEPTH])
        self.seconds[folder] += report.duration
        self.tests[folder] += report.when == "call"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        whole = sum(self.seconds.values())
        if whole < _LEAST:
            return
        terminalreporter.section("where the time went")
        ordered = sorted(self.seconds, key=self.seconds.__getitem__, reverse=True)
        large = [folder for folder in ordered if self.seconds[folder] >= _PART * whole]
        small = [folder for folder in self.seconds if folder not in large]
        rows = {**{folder: [folder] for folder in large}, "others": small, "together": large + small}
        for name, folders in rows.items():
            seconds, tests = (sum(map(counts.__getitem__, folders)) for counts in (self.seconds, self.tests))
            terminalreporter.line(f"{seconds:7.0f} s {tests:6} tests  {name}")
