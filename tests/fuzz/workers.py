"""Processes that try inputs, each input within bounds of time and memory that hold inside C code, too.

The bounds are the kernel's: timers whose signals end the process, and a limit of its address space.  A worker that dies
is replaced, and the input that it was trying is a finding.  Workers are forks, so that what is loaded once is there for
all of them.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from glslc_multi.compiler.records import dataclass, field
from tests.fuzz.attempt import attempt
from tests.fuzz.case import FINDING, Case, Verdict, finding

if TYPE_CHECKING:
    from multiprocessing.context import ForkProcess

#: After so many blocks a worker is replaced, so that what it caches does not count as the memory of an input.
_BLOCKS_OF_A_WORKER = 100
_OUT_OF_MEMORY = 77
T = TypeVar("T")
_fork = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one input may use."""

    #: Of processor time.
    seconds: float = 10.0
    #: Of time on the clock: more, since other processes want the processor, too.
    waiting: float = 60.0
    #: Bytes beyond what is loaded.
    memory: int = 1 << 30


@dataclass(slots=True)
class Result:
    """What came of a block of inputs."""

    numbers: range
    #: (origin, outcome) -> inputs.
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[tuple[int, Verdict]] = field(default_factory=list)
    #: Processor time.
    seconds: float = 0.0


#: Makes and tries the input of a number: its origin and its verdict.
Try = Callable[[int], tuple[str, Verdict]]


# ---------------------------------------------------------------------------------------- inside of a worker
def _work(connection: Connection, current: Any, try_input: Try, limits: Limits) -> None:
    """Try blocks of inputs until there are no more, or nobody is left who wants to know."""
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What this process was forked from may handle them.
    for timer in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(timer, signal.SIG_DFL)
    _limit_memory(limits)
    while True:
        while not connection.poll(5):
            if os.getppid() != parent:
                return
        numbers = connection.recv()
        if numbers is None:
            return
        result, start = Result(numbers), time.process_time()
        for number in numbers:
            current.value = number
            if os.getppid() != parent:
                return
            origin, verdict = _bounded(lambda number=number: try_input(number), limits)  # type: ignore[misc]
            result.counts[origin, verdict.outcome] += 1
            if verdict.outcome == FINDING:
                result.findings.append((number, verdict))
        result.seconds = time.process_time() - start
        connection.send(result)


def _bounded(run: Callable[[], T], limits: Limits) -> T:
    """`run` in a process that ends when it takes too long or too much."""
    signal.setitimer(signal.ITIMER_PROF, limits.seconds)
    signal.setitimer(signal.ITIMER_REAL, limits.waiting)
    try:
        return run()
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _limit_memory(limits: Limits) -> None:
    """A bound of the address space, above what is mapped now: libraries map gigabytes that they never touch."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    size = pages * resource.getpagesize() + limits.memory
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))


def _verdict_of_death(status: int | None, limits: Limits) -> Verdict:
    """What the exit status of a worker says about the input that it was trying."""
    if status == _OUT_OF_MEMORY:
        return finding(f"more than {limits.memory >> 20} MiB")
    if status == -signal.SIGPROF:
        return finding(f"a hang: more than {limits.seconds:g} s of processor time")
    if status == -signal.SIGALRM:
        return finding(f"a hang: more than {limits.waiting:g} s on the clock")
    if status is not None and status < 0:
        return finding(f"the process died by {signal.Signals(-status).name}")
    return finding(f"the process ended with {status}")


# ---------------------------------------------------------------------------------------- around the workers
@dataclass(slots=True)
class _Worker:
    process: ForkProcess
    connection: Connection
    #: The number of the input that it is trying.
    current: Any
    block: range | None = None
    blocks: int = 0


class Crew:
    """Several workers, which share blocks of inputs."""

    def __init__(self, try_input: Try, limits: Limits, jobs: int) -> None:
        self.try_input = try_input
        self.limits = limits
        self.jobs = jobs

    def run(self, blocks: Iterable[range]) -> Iterator[Result]:
        """The results of all blocks, in the order in which they are done."""
        waiting, again = iter(blocks), deque[range]()
        busy: list[_Worker] = []
        idle: list[_Worker] = [self._hire() for _ in range(self.jobs)]
        try:
            while True:
                while idle and (block := again.popleft() if again else next(waiting, None)) is not None:
                    busy.append(self._assign(idle.pop(), block))
                if not busy:
                    return
                ready = wait([worker.connection for worker in busy])
                for worker in [worker for worker in busy if worker.connection in ready]:
                    busy.remove(worker)
                    yield self._collect(worker, again)
                    idle.append(self._renewed(worker))
        finally:
            for worker in busy + idle:
                worker.process.kill()
                worker.process.join()

    def _hire(self) -> _Worker:
        ours, theirs = _fork.Pipe()
        current = _fork.RawValue("q", -1)
        process = _fork.Process(target=_work, args=(theirs, current, self.try_input, self.limits), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours, current)

    def _assign(self, worker: _Worker, block: range) -> _Worker:
        worker.block, worker.blocks = block, worker.blocks + 1
        worker.connection.send(block)
        return worker

    def _collect(self, worker: _Worker, again: deque[range]) -> Result:
        """The result of a worker's block; of one that died, the finding, and the rest of its block goes to `again`."""
        assert worker.block is not None
        try:
            result: Result = worker.connection.recv()
            return result
        except EOFError:
            worker.process.join()
        number = max(worker.current.value, worker.block.start)
        again += [part for part in (range(worker.block.start, number), range(number + 1, worker.block.stop)) if part]
        verdict = _verdict_of_death(worker.process.exitcode, self.limits)
        return Result(range(number, number + 1), Counter({("", FINDING): 1}), [(number, verdict)])

    def _renewed(self, worker: _Worker) -> _Worker:
        """The worker, or another one in its place if it died or is full of caches."""
        if worker.process.exitcode is None and worker.blocks < _BLOCKS_OF_A_WORKER:
            return worker
        if worker.process.exitcode is None:
            worker.connection.send(None)
        worker.process.join()
        worker.connection.close()
        return self._hire()


def attempt_alone(case: Case, limits: Limits) -> Verdict:
    """The verdict of a case that may end the process that tries it."""
    ours, theirs = _fork.Pipe()

    def run() -> None:
        _limit_memory(limits)
        theirs.send(_bounded(lambda: attempt(case), limits))

    sys.stdout.flush()
    process = _fork.Process(target=run, daemon=True)
    process.start()
    theirs.close()
    try:
        verdict: Verdict = ours.recv()
        return verdict
    except EOFError:
        process.join()
        return _verdict_of_death(process.exitcode, limits)
    finally:
        process.join()
        ours.close()
