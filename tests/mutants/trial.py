"""One trial: what judges a fault, run in a process of its own, in a copy of the project that has the fault.

The process is forked from one that has loaded the large libraries but nothing of the copy, so that each trial imports
the project anew.
"""

from __future__ import annotations

import gc
import importlib
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest

from glslc_multi.compiler.records import dataclass
from tests.mutants.copies import Copy
from tests.mutants.faults import Fault
from tests.shared_data import PROJECT_ROOT, shared_root

_LIBRARIES = ("numpy", "networkx", "pyparsing", "llvmlite.binding", "hypothesis", "z3", "jsonschema", "filecheck")
_PROJECT = ("glslc_multi", "benchmarks", "tests")
#: The arguments for one run of pytest after the other.
Runs: TypeAlias = tuple[tuple[str, ...], ...]
#: What a report ends with.
_END = "\n"
#: What notices a fault: a value, the proof of a compilation, or nothing but a recorded size.
VALUE, PROOF, SIZE = "value", "proof", "size"
#: What is said of a trial that did not end.
TIME = "time"
#: What a failure says that is not one of a value.
_SIGNS = {PROOF: "does not compute what the shader says", SIZE: "sizes changed"}
#: Seconds of work after the limit in which a trial can say what it has found.
_GRACE = 5
#: Seconds that pytest may wait for something else, beyond its own work.
_PATIENCE = 4


@dataclass(frozen=True, slots=True)
class Trial:
    """What is to be run: it imports the project itself, and says what it has found."""

    run: Callable[[], str]
    fault: Fault | None
    #: Seconds of work that it may take.
    limit: float


@dataclass(frozen=True, slots=True)
class Result:
    """What came of it."""

    said: str
    seconds: float


def preload() -> None:
    """Load what all trials share."""
    for name in _LIBRARIES:
        importlib.import_module(name)


def run_all(trials: Sequence[Trial], jobs: int) -> Iterator[tuple[int, Result]]:
    """The results as they come, each with the number of its trial."""
    waiting = list(enumerate(trials))[::-1]
    running: dict[int, tuple[int, Path, float, Copy]] = {}
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        idle = [Copy(Path(folder, str(number))) for number in range(min(jobs, len(trials)))]
        while waiting or running:
            while waiting and idle:
                number, trial = waiting.pop()
                copy = idle.pop()
                copy.plant(trial.fault)
                report = Path(tempfile.mkstemp(dir=folder)[1])
                deadline = time.monotonic() + trial.limit * _PATIENCE
                running[_fork(trial, copy, report)] = number, report, deadline, copy
            pid, _, usage = os.wait4(-1, os.WNOHANG)
            if pid:
                number, report, _, copy = running.pop(pid)
                idle.append(copy)
                yield number, _result(report, usage)
            else:
                _stop_late({pid: deadline for pid, (_, _, deadline, _) in running.items()})
                time.sleep(0.05)


def _stop_late(running: Mapping[int, float]) -> None:
    for pid, deadline in running.items():
        if time.monotonic() > deadline:
            os.killpg(pid, signal.SIGKILL)


def _result(report: Path, usage: resource.struct_rusage) -> Result:
    said = report.read_text(encoding="utf-8")
    # A process that was killed had no time to say anything.
    return Result(said.removesuffix(_END) if said else TIME, usage.ru_utime + usage.ru_stime)


def _fork(trial: Trial, copy: Copy, report: Path) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setpgid(0, 0)
        # pytest looks for garbage at its end, five times: in a large process that takes longer than the grace.
        gc.freeze()
        # Seconds of the processor: a busy machine changes no result.
        seconds = int(trial.limit) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + _GRACE))
        report.write_text(_run(trial, copy.root) + _END, encoding="utf-8")
    finally:
        os._exit(0)


def _run(trial: Trial, root: Path) -> str:
    os.environ |= {"GLSLC_MULTI_SHARED": str(shared_root()), "PYTHONPATH": str(root)}
    os.chdir(root)
    sys.path[:] = [str(root), *(each for each in sys.path if each and Path(each).resolve() != PROJECT_ROOT)]
    # Most of what has been compiled for the project is the copy's as well.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    for name in [name for name in sys.modules if name.partition(".")[0] in _PROJECT]:
        del sys.modules[name]
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    return trial.run()


def first_failure(runs: Runs) -> str:
    """Run tests until one fails by more than a size; give its kind and name, else those of a size, or ""."""
    found = _Failures()
    signal.signal(signal.SIGXCPU, found.out_of_time)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
        plain = ["-p", "no:cacheprovider", "-p", "no:xdist", f"--basetemp={folder}/pytest"]
        for tests in runs:
            status = pytest.main([*plain, *tests], plugins=[found])
            if found.is_over:
                return found.first or TIME
            if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
                return f"{VALUE} pytest ended with {status!r}"
    return found.first


class _Failures:
    """Remembers the first test that failed, and ends the run with it; what fails by a size alone waits for another.

    A test that alone takes half of the time is one that does not end, but for those that are marked to take long.
    """

    def __init__(self) -> None:
        self.first = ""
        self.is_over = False
        self._done: set[str] = set()
        self._running: pytest.Item | None = None
        self._since = 0.0

    def out_of_time(self, *_signal: object) -> None:
        # The signal comes again each second: a second interrupt would stop the report of the first.
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
        limit = resource.getrlimit(resource.RLIMIT_CPU)[0]
        is_endless = time.process_time() - self._since > limit / 2
        if is_endless and not self.is_over and self._running and not self._running.get_closest_marker("thorough"):
            self.first = f"{VALUE} {self._running.nodeid} does not end"
        self.is_over = True
        raise KeyboardInterrupt

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._running, self._since = item, time.process_time()

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self._session = session

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """No test runs twice."""
        items[:] = [item for item in items if item.nodeid not in self._done]
        self._done |= {item.nodeid for item in items}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if not report.failed or self.is_over:
            return
        kind = next((kind for kind, sign in _SIGNS.items() if sign in report.longreprtext), VALUE)
        if kind != SIZE or not self.first:
            self.first = f"{kind} {report.nodeid}"
        if kind != SIZE:
            self.is_over = True
            self._session.shouldstop = "caught"
