"""The processes that answer the page, so that no question waits for a slow one, and whoever asks can end it.

In: questions.  Out: answers, or what became of the process that was asked.  A process whose question takes too long, or
is given up, is ended with all that it has started; the next question starts another.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from glslc_multi import child
from glslc_multi.playground.worker import PATIENCE

#: How many questions are worked on at a time, and how many wait.
MOST, MOST_WAITING = 4, 32
#: So long a question that was given up may still run before its process is ended, which costs a start.
GRACE = 0.5
#: Of an answer, in bytes.
_LONGEST = 1 << 28
_BUSY = "too many questions at a time"
_SLOW = f"this takes longer than {PATIENCE:.0f} seconds"
_DEAD = "the compiler was ended by the system, which may have run out of memory"


class Workers:
    """As many processes as are needed at a time, for the files of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._free = asyncio.Semaphore(MOST)
        self._waiting = 0
        self._idle: list[Process] = []
        self._all: set[Process] = set()
        self._temporary = TemporaryDirectory(ignore_cleanup_errors=True)

    async def ask(self, question: str) -> str:
        """The answer; who gives up cancels."""
        if self._waiting >= MOST + MOST_WAITING:
            return json.dumps({"error": _BUSY})
        self._waiting += 1
        try:
            async with self._free:
                idle = self._take()
                text = None if idle is None else await self._ask(question, idle)
                # One that has died while it was idle may look alive until it is asked.
                return text or await self._ask(question, await self._start()) or json.dumps({"error": _DEAD})
        finally:
            self._waiting -= 1

    async def _ask(self, question: str, process: Process) -> str:
        """The answer, or nothing where the process has ended."""
        answer = asyncio.ensure_future(_exchange(process, question))
        try:
            await asyncio.wait({answer}, timeout=PATIENCE)
        except asyncio.CancelledError:
            await asyncio.wait({answer}, timeout=GRACE)
            raise
        finally:
            text = answer.result() if answer.done() else None
            answer.cancel()
            if text:
                self._idle.append(process)
            else:
                await self._end(process)
        return json.dumps({"error": _SLOW}) if text is None else text

    async def close(self) -> None:
        """End all processes, and remove what they left."""
        for process in tuple(self._all):
            await self._end(process)
        self._temporary.cleanup()

    def _take(self) -> Process | None:
        """A process that has nothing to do, if there is one."""
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
            self._all.discard(process)
        return None

    async def _start(self) -> Process:
        process = await asyncio.create_subprocess_exec(
            *(*child.command_of("glslc_multi.playground.worker"), str(self._folder)),
            stdin=PIPE,
            stdout=PIPE,
            limit=_LONGEST,
            env=child.environment(TMPDIR=self._temporary.name),
            start_new_session=True,
        )
        self._all.add(process)
        return process

    async def _end(self, process: Process) -> None:
        self._all.discard(process)
        with suppress(ProcessLookupError):
            if sys.platform == "win32":
                process.kill()
            else:
                # The process leads a group, in which are the compilers that it has called.
                os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def _exchange(process: Process, question: str) -> str:
    """A question's answer, or nothing where the process has ended."""
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write((json.dumps(question) + "\n").encode())
        await process.stdin.drain()
        return (await process.stdout.readline()).decode()
    except (OSError, ValueError):
        return ""  # It has died, or says more than anybody reads.
