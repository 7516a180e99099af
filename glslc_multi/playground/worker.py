"""A process that answers questions of the page: `python -m glslc_multi.playground.worker FOLDER`.

In: questions, each a JSON string on a line of standard input.  Out: an answer on a line.  It reads files of the folder
alone, has so much memory and time, and ends with all that it has started when whoever asks ends.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from glslc_multi.compiler.files import confined_to
from glslc_multi.playground.session import answer

#: For one question, in seconds: the server waits no longer.
PATIENCE = 60.0
#: Of addresses, in bytes: compiling and drawing take a fifth.
_MEMORY = 2 << 30


def main() -> None:
    """Answer until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="ascii")
    # Whatever else is printed must not be mistaken for an answer.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    # Shaders are known by their paths from the folder, and find what they include by them.
    os.chdir(sys.argv[1])
    questions: SimpleQueue[str] = SimpleQueue()
    Thread(target=_listen, args=(questions,), daemon=True).start()
    with confined_to(Path()):
        while True:
            question = json.loads(questions.get())
            _limit()
            answers.write(answer(question) + "\n")
            answers.flush()


def _listen(questions: SimpleQueue[str]) -> None:
    """Pass the questions on; with the last of them the process ends, whatever it is at."""
    for line in sys.stdin:
        questions.put(line)
    with suppress(AttributeError):  # Windows has no groups of processes.
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _limit() -> None:
    """Bound what the next question takes, also inside of libraries that hear of no end."""
    if sys.platform == "win32":
        return
    import resource

    spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    bounds = {resource.RLIMIT_AS: _MEMORY, resource.RLIMIT_CPU: int(spent + PATIENCE) + 1, resource.RLIMIT_CORE: 0}
    for what, most in bounds.items():
        hard = resource.getrlimit(what)[1]
        with suppress(OSError, ValueError):  # Not every system has every bound.
            resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


if __name__ == "__main__":
    main()
