"""`glslc-multi playground`: no question holds up another one, and none outlives whoever asks it."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from glslc_multi.playground.workers import MOST, MOST_WAITING
from tests.glslc_multi.playground.server import Served, fill, serving

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and groups of processes")

#: Questions that a compiler may turn out to be, asked for under names of their own.
_QUESTIONS = """
import os, signal, subprocess, sys, time
from pathlib import Path
from glslc_multi.playground import session, workers

def sleep(data):
    Path(data["note"]).write_text(str(os.getpid()))
    time.sleep(1000)

def call(data):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    Path(data["note"]).write_text(str(child.pid))
    child.wait()

def die(data):
    os.kill(os.getpid(), signal.SIGKILL)

def eat(data):
    return {"eaten": len(bytearray(8 << 30))}

def note(data):
    import tempfile
    return {"pid": os.getpid(), "temporary": tempfile.gettempdir()}

session.ANSWERS.update(sleep=sleep, call=call, die=die, eat=eat, note=note)
workers.PATIENCE = float(os.environ["PATIENCE"])
"""


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Served]:
    """A server that knows those questions, too, and has so many seconds for each."""
    monkeypatch.setenv("PATIENCE", str(getattr(request, "param", 60)))
    (tmp_path / "sitecustomize.py").write_text(_QUESTIONS)
    (tmp_path / "index.html").touch()
    with serving(fill(tmp_path), tmp_path, tmp_path) as found:
        yield found


def send(served: Served, **question: str) -> socket.socket:
    """A question whose answer is not waited for."""
    connection = socket.create_connection(("127.0.0.1", served.port), timeout=60)
    body = json.dumps(question).encode()
    head = f"Host: 127.0.0.1:{served.port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    connection.sendall(f"POST /session HTTP/1.1\r\n{head}\r\n\r\n".encode() + body)
    return connection


def running(served: Served, note: Path, what: str = "sleep") -> tuple[socket.socket, int]:
    """A question that is being worked on, and the process that does."""
    connection = send(served, ask=what, note=str(note))
    assert happens(lambda: note.exists() and note.read_text(encoding="utf-8") != "")
    return connection, int(note.read_text(encoding="utf-8"))


def happens(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def is_gone(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


def test_a_slow_question_blocks_nobody(served: Served, tmp_path: Path) -> None:
    with running(served, tmp_path / "note")[0]:
        assert json.loads(served.ask({"ask": "describe"})[1])["targets"]


@pytest.mark.parametrize("what", ["sleep", "call"])
def test_who_goes_away_ends_the_work(served: Served, tmp_path: Path, what: str) -> None:
    connection, process = running(served, tmp_path / "note", what)
    assert not is_gone(process)
    connection.close()
    assert happens(lambda: is_gone(process))
    assert "pid" in served.ask({"ask": "note"})[1]


@pytest.mark.parametrize("what", ["sleep", "call"])
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_with_the_server_the_work_ends(served: Served, tmp_path: Path, what: str, end: signal.Signals) -> None:
    with running(served, tmp_path / "note", what)[0] as _:
        process = int((tmp_path / "note").read_text())
        served.process.send_signal(end)
        served.process.wait(20)
        assert happens(lambda: is_gone(process))


def test_nothing_is_left_of_an_idle_process(served: Served) -> None:
    found = json.loads(served.ask({"ask": "note"})[1])
    assert json.loads(served.ask({"ask": "note"})[1]) == found
    assert Path(found["temporary"]).is_dir() and Path(found["temporary"]) != Path("/tmp")
    served.process.send_signal(signal.SIGINT)
    served.process.wait(20)
    assert is_gone(found["pid"]) and not Path(found["temporary"]).exists()


@pytest.mark.parametrize("served", [5.0], indirect=True)
def test_a_question_that_takes_too_long_is_told(served: Served, tmp_path: Path) -> None:
    answer = served.ask({"ask": "sleep", "note": str(tmp_path / "note")})
    assert answer == (200, json.dumps({"error": "this takes longer than 60 seconds"}))
    assert happens(lambda: is_gone(int((tmp_path / "note").read_text())))


def test_a_process_that_dies_is_told(served: Served) -> None:
    assert "may have run out of memory" in json.loads(served.ask({"ask": "die"})[1])["error"]
    process = json.loads(served.ask({"ask": "note"})[1])["pid"]
    os.kill(process, signal.SIGKILL)
    assert happens(lambda: is_gone(process))
    assert json.loads(served.ask({"ask": "note"})[1])["pid"] != process


def test_memory_is_bounded(served: Served) -> None:
    assert json.loads(served.ask({"ask": "eat"})[1]) == {"error": "this takes more memory than there is"}


def test_only_so_many_questions_wait(served: Served, tmp_path: Path) -> None:
    connections = [send(served, ask="sleep", note=str(tmp_path / f"n{n}")) for n in range(MOST + MOST_WAITING)]
    assert happens(lambda: len(list(tmp_path.glob("n*"))) == MOST)
    assert happens(lambda: "too many questions" in served.ask({"ask": "nothing"})[1])
    for connection in connections:
        connection.close()
    assert "pid" in served.ask({"ask": "note"})[1]


def test_questions_at_a_time_get_their_own_answers(served: Served) -> None:
    found: dict[int, str] = {}

    def ask(number: int) -> None:
        found[number] = json.loads(served.ask({"ask": "message", "code": f"E{number:04}"})[1])["text"]

    numbers = [101, 144, 155, 715, 901, 907, 956, 957]
    threads = [threading.Thread(target=ask, args=(number,)) for number in numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found.values())) > 4
    assert all(f"E{number:04}" in text for number, text in found.items())


def test_modules_in_the_folder_are_not_run(served: Served) -> None:
    """In which the command was started, too."""
    (served.folder / "json.py").write_text("raise SystemExit('run')\n")
    assert "pid" in served.ask({"ask": "note"})[1]
