"""A command line with a cache of its own, in this process."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from glslc_multi import entry
from glslc_multi.cache.lookup import Steps, replay
from glslc_multi.cache.system import Identity
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True)
class Run:
    """How a run ended: `hit` when it came from the cache."""

    hit: bool
    status: int
    out: str
    err: str


RunCommand = Callable[..., Run]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, with the cache beside it."""
    monkeypatch.setenv("GLSLC_MULTI_CACHE", str(tmp_path / "cache"))
    place = tmp_path / "project"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def run_command(folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> RunCommand:
    """Call the entry point with words."""

    hits: list[bool] = []

    def watch(steps: Steps, inputs: dict[Identity, int]) -> bool:
        hits.append(replay(steps, inputs))
        return hits[-1]

    def run(*words: str) -> Run:
        hits.clear()
        capfd.readouterr()
        thresholds = gc.get_threshold()
        status = entry.run(list(words), dict(os.environ))
        gc.set_threshold(*thresholds)
        return Run(any(hits), status, *capfd.readouterr())

    monkeypatch.setattr(entry, "replay", watch)
    return run
