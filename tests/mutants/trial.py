"""One trial: what judges a fault, run in a process of its own in which a file has that fault.

The process is forked from one that has loaded the large libraries but nothing of the project, so that each trial
imports the project anew; only the file at fault is read from elsewhere.
"""

from __future__ import annotations

import importlib
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType

import pytest

from compiler.records import dataclass
from tests.mutants.faults import Fault
from tests.shared_data import PROJECT_ROOT

_LIBRARIES = ("numpy", "networkx", "pyparsing", "llvmlite.binding", "hypothesis", "z3", "jsonschema", "filecheck")
_PROJECT = ("compiler", "frontends", "backends", "runtime", "glslc_multi", "benchmarks", "tests")
#: What a report ends with.
_END = "\n"
#: Seconds that pytest may wait for something else, beyond its own work.
_PATIENCE = 4


@dataclass(frozen=True, slots=True)
class Trial:
    """What is to be run: it imports the project itself, and says what it has found."""

    run: Callable[[], str]
    fault: Fault | None
    text: str
    #: Seconds of work that it may take.
    limit: float


@dataclass(frozen=True, slots=True)
class Result:
    """What came of it: "time" if it did not end."""

    said: str
    seconds: float


def preload() -> None:
    """Load what all trials share."""
    for name in _LIBRARIES:
        importlib.import_module(name)


def run_all(trials: Sequence[Trial], jobs: int) -> Iterator[tuple[int, Result]]:
    """The results as they come, each with the number of its trial."""
    waiting = list(enumerate(trials))[::-1]
    running: dict[int, tuple[int, Path, float]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            number, trial = waiting.pop()
            report = Path(tempfile.mkstemp(prefix="mutant-")[1])
            running[_fork(trial, report)] = number, report, time.monotonic() + trial.limit * _PATIENCE
        pid, _, usage = os.wait4(-1, os.WNOHANG)
        if pid:
            number, report, _ = running.pop(pid)
            yield number, _result(report, usage)
        else:
            _stop_late(running)
            time.sleep(0.05)


def _stop_late(running: dict[int, tuple[int, Path, float]]) -> None:
    for pid, (_, _, deadline) in running.items():
        if time.monotonic() > deadline:
            os.killpg(pid, signal.SIGKILL)


def _result(report: Path, usage: resource.struct_rusage) -> Result:
    said = report.read_text(encoding="utf-8")
    report.unlink()
    # A process that was killed had no time to say anything.
    return Result(said.removesuffix(_END) if said else "time", usage.ru_utime + usage.ru_stime)


def _fork(trial: Trial, report: Path) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setpgid(0, 0)
        # Seconds of the processor: a busy machine changes no result.
        seconds = int(trial.limit) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        report.write_text(_run(trial) + _END, encoding="utf-8")
    finally:
        os._exit(0)


def _run(trial: Trial) -> str:
    for name in [name for name in sys.modules if name.partition(".")[0] in _PROJECT]:
        del sys.modules[name]
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    if trial.fault is not None:
        sys.meta_path.insert(0, _Planted(PROJECT_ROOT / trial.fault.path, trial.fault.plant(trial.text)))
    return trial.run()


def first_failure(tests: Sequence[str]) -> str:
    """Run the tests; the first that failed, or "" if all passed."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
        first = _First()
        plain = ["-x", "-p", "no:cacheprovider", "-p", "no:xdist", f"--basetemp={folder}/pytest"]
        status = pytest.main([*plain, *tests], plugins=[first])
    return "" if status == pytest.ExitCode.OK else first.failed or f"pytest ended with {status!r}"


class _First:
    """Remembers the first test that failed."""

    def __init__(self) -> None:
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid


class _Planted(MetaPathFinder):
    """Finds one module of the project, with another text."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        module = path.relative_to(PROJECT_ROOT).with_suffix("")
        self.name = ".".join(module.parent.parts if module.name == "__init__" else module.parts)

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        return spec_from_file_location(fullname, self.path, loader=_Loader(fullname, str(self.path), self.text))


class _Loader(SourceFileLoader):
    """Reads the text with the fault; nothing is kept in files."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self.text = text

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, self.path, "exec", dont_inherit=True)
