"""Worker processes of one machine, forked after the imports, so that none of them starts cold.

In: tasks in order and how many workers.  Out: outcomes, as they come.  A worker gets a task when it is free; one that
dies is replaced, and its task is given out once more, variant by variant: a compilation that kills its
process twice has failed, the others have not.  Workers end when the run does, however that happens.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from glslc_multi.batch.variants import Variant
from glslc_multi.batch.work import Outcome, Settings, work, worker_died
from glslc_multi.compiler.records import dataclass

#: Where there is no fork, workers import for themselves; on macOS too, whose libraries may crash in a forked process.
_START = "spawn" if sys.platform in ("win32", "darwin") else "fork"

Task = Sequence[tuple[int, Variant]]

#: What a compilation loads when it gets there, loaded once before the workers are forked.
_MODULES = (
    "glslc_multi.compiler.analysis.dominators",
    "glslc_multi.compiler.codegen.regalloc",
    "glslc_multi.compiler.ir.text",
    "glslc_multi.compiler.passes.pipeline",
    "glslc_multi.report.reflection",
    "glslc_multi.frontends.glsl.frontend",
    "glslc_multi.frontends.glsl.parser.statements",
    "glslc_multi.frontends.glsl.lower",
    "networkx",
)


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    connection: Connection
    task: Task = ()
    #: Whether a worker before died of this task.
    is_suspect: bool = False


def run_in_pool(
    tasks: Iterable[Task], settings: Settings, count: int, targets: Iterable[str]
) -> Iterator[list[Outcome]]:
    """The outcomes of all tasks, task by task, in the order in which they become ready."""
    if count <= 1:
        for task in tasks:
            yield work(task, settings)
        return
    from glslc_multi.backends.registry import load_target

    for name in _MODULES:
        import_module(name)
    for target in targets:
        load_target(target).preload()
    # What exists now is never garbage: collections in workers need not copy its pages.
    gc.collect()
    gc.freeze()
    pool = _Pool(deque((task, False) for task in tasks), settings, count)
    try:
        yield from pool.run()
    finally:
        pool.stop()


class _Pool:
    """The workers and what is still to be given out, with the mark of tasks that a worker died of."""

    def __init__(self, waiting: deque[tuple[Task, bool]], settings: Settings, count: int) -> None:
        self._waiting = waiting
        self._settings = settings
        self._context: Any = multiprocessing.get_context(_START)
        self._workers: list[_Worker] = []
        for _ in range(min(count, len(waiting))):
            self._start()

    def run(self) -> Iterator[list[Outcome]]:
        for worker in self._workers:
            self._give(worker)
        while busy := {worker.connection: worker for worker in self._workers if worker.task}:
            for ready in wait(list(busy)):
                worker = busy[ready]  # type: ignore[index]
                try:
                    outcomes = worker.connection.recv()
                except (EOFError, OSError):
                    yield from self._bury(worker)
                    continue
                if isinstance(outcomes, BaseException):
                    raise outcomes
                self._give(worker)
                yield outcomes

    def stop(self) -> None:
        for worker in self._workers:
            worker.connection.close()
        for worker in self._workers:
            worker.process.join(timeout=5)
            if worker.process.is_alive():
                worker.process.kill()

    def _give(self, worker: _Worker) -> None:
        """The next task, if there is one."""
        worker.task, worker.is_suspect = self._waiting.popleft() if self._waiting else ((), False)
        if worker.task:
            worker.connection.send(worker.task)

    def _bury(self, worker: _Worker) -> Iterator[list[Outcome]]:
        """Replace a worker that died; what it did not return is tried once more, or has failed."""
        worker.process.join()
        worker.connection.close()
        self._workers.remove(worker)
        if worker.is_suspect:
            yield [worker_died(number, f"status {worker.process.exitcode}") for number, _ in worker.task]
        else:
            self._waiting.extendleft(([numbered], True) for numbered in reversed(worker.task))
        if self._waiting:
            self._start()
            self._give(self._workers[-1])

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        parents = [worker.connection for worker in self._workers] + [ours]
        process = self._context.Process(target=_serve, args=(theirs, self._settings, parents), daemon=True)
        process.start()
        theirs.close()
        self._workers.append(_Worker(process, ours))


def _serve(connection: Connection, settings: Settings, parents: Sequence[Connection]) -> None:
    """A worker's life: tasks in, outcomes out, until the other side is gone."""
    # Inherited ends of the parent's pipes would keep them open when the parent dies.
    for inherited in parents:
        inherited.close()
    try:
        while True:
            task = connection.recv()
            try:
                answer: object = work(task, settings)
            except Exception as error:
                answer = error
            connection.send(answer)
    except (EOFError, OSError, KeyboardInterrupt):
        # There is no one left to report to.
        os._exit(0)
