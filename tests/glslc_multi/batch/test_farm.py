"""Batches on a real scheduler of Dask.distributed with two workers, one of which is killed on the way."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.glslc_multi.batch.conftest import VARIANTS, command, counts, environment, files_of, run

pytest.importorskip("distributed", reason="the extra 'farm' is not installed")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def farm(place: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its two workers."""
    address = f"tcp://127.0.0.1:{_free_port()}"
    started = [_start(place, "scheduler", "--port", address.rpartition(":")[2], "--no-dashboard")]
    words = ("worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", "workers")
    started += [_start(place, *words) for _ in range(2)]
    try:
        yield address, started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


def _start(place: Path, *words: str) -> subprocess.Popen[bytes]:
    with (place / "dask.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words], cwd=place, env=environment(place), stdout=log, stderr=log
        )


@pytest.mark.thorough
def test_a_killed_worker_costs_nothing_but_time(place: Path, farm: tuple[str, list[subprocess.Popen[bytes]]]) -> None:
    address, workers = farm
    process = subprocess.Popen(
        command("batch.toml", "--scheduler", address),
        cwd=place, env=environment(place), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not list((place / "out").rglob("*.shbin")) and time.monotonic() < deadline:
        time.sleep(0.002)
    workers[0].send_signal(signal.SIGKILL)
    out, _ = process.communicate(timeout=90)
    assert process.returncode == 0, out
    assert counts(out)["variants"] == VARIANTS
    assert run(place, "batch.toml", "-j", "1", "-o", "alone", cache="other").returncode == 0
    assert files_of(place / "out") == files_of(place / "alone")
    # What the workers found is in the cache that they share.
    assert run(place, "batch.toml", "-o", "again").stdout == f"{VARIANTS} variants: {VARIANTS} from the cache\n"


def test_no_scheduler_is_a_diagnostic(place: Path) -> None:
    ran = run(place, "batch.toml", "--scheduler", f"tcp://127.0.0.1:{_free_port()}")
    assert ran.returncode == 2
    assert "error: cannot reach the scheduler 'tcp://127.0.0.1:" in ran.stderr
    assert "Traceback" not in ran.stderr
