"""Compiling for targets in a process of its own, so that the editor never waits for it.

`python -m glslc_multi.lsp.worker` is that process: a job as a line of JSON in, its cost as a line out.  `Compilers`
is its user in the server: it keeps what is wanted, newest first, drops what is superseded, and ends a process that
works too long on what nobody waits for any more.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress

from glslc_multi import child
from glslc_multi.compiler.records import asdict, dataclass, field
from glslc_multi.lsp.costs import Cost, Job, cost_from, cost_of

#: A shader that takes longer, in seconds, is not asked for again.
PATIENCE = 60.0
#: So long a superseded job may still run before its process is ended, which costs a start.
GRACE = 1.0
#: Of a line that the process sends, in bytes.
_LONGEST_ANSWER = 1 << 28


def main() -> None:
    """Answer jobs until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    # Whatever else is printed must not be mistaken for an answer.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for line in sys.stdin:
        answers.write(json.dumps(asdict(cost_of(Job(**json.loads(line))))) + "\n")
        answers.flush()


@dataclass(slots=True, eq=False)
class Order:
    """What one document wants to know."""

    document: str
    job: Job


@dataclass(slots=True, eq=False)
class Compilers:
    """One process, and what it is to do."""

    #: Told of every cost, with the job that it is of.
    tell: Callable[[str, Job, Cost], None]
    waiting: list[Order] = field(default_factory=list)
    _running: Order | None = None
    _process: Process | None = None
    _task: asyncio.Task[None] | None = None
    _superseded: asyncio.Event | None = None

    def order(self, document: str, jobs: list[Job]) -> None:
        """The costs that a document wants now; what it wanted before is forgotten."""
        self.waiting = [each for each in self.waiting if each.document != document]
        self.waiting += [Order(document, job) for job in jobs]
        running = self._running
        if running is not None and running.document == document and running.job not in jobs and self._superseded:
            self._superseded.set()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def close(self) -> None:
        """End the process."""
        self.waiting.clear()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._end()

    async def _work(self) -> None:
        while self.waiting:
            order = self._running = self.waiting.pop(0)
            self._superseded = asyncio.Event()
            cost = await self._ask(order.job, self._superseded)
            self._running = None
            if cost is not None:
                self.tell(order.document, order.job, cost)

    async def _ask(self, job: Job, superseded: asyncio.Event) -> Cost | None:
        """The cost; None where the process was ended before it had an answer."""
        process = await self._started()
        assert process.stdin is not None and process.stdout is not None
        answer = asyncio.ensure_future(process.stdout.readline())
        stopped = asyncio.ensure_future(superseded.wait())
        try:
            process.stdin.write((json.dumps(asdict(job)) + "\n").encode())
            await process.stdin.drain()
            await asyncio.wait({answer, stopped}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done() and stopped.done():
                await asyncio.wait({answer}, timeout=GRACE)
            if answer.done() and answer.result():
                return cost_from(json.loads(answer.result()))
        except (OSError, ValueError):
            pass  # It has died; the next job starts another.
        finally:
            answered = answer.done()
            answer.cancel()
            stopped.cancel()
            if not answered or process.returncode is not None:
                await self._end()
        return None if superseded.is_set() else Cost(job.target, False, "compiling takes too long")

    async def _started(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *child.command_of("glslc_multi.lsp.worker"),
                stdin=PIPE,
                stdout=PIPE,
                limit=_LONGEST_ANSWER,
                env=child.environment(),
            )
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


if __name__ == "__main__":
    main()
