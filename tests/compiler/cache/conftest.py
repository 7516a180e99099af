"""A command line with a cache of its own, in this process."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from compiler.cli import entry


@dataclass(frozen=True)
class Run:
    """How a run ended: `hit` when the cache answered."""

    hit: bool
    status: int
    out: str
    err: str


RunCommand = Callable[..., Run]


class _Answered(BaseException):
    """Stands for the end of the process."""


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

    def leave(status: int) -> None:
        raise _Answered

    def run(*words: str) -> Run:
        monkeypatch.setattr(sys, "argv", ["glslc-multi", *words])
        capfd.readouterr()
        with monkeypatch.context() as patch:
            patch.setattr(os, "_exit", leave)
            try:
                hit, status = False, entry.main()
            except _Answered:
                hit, status = True, 0
        return Run(hit, status, *capfd.readouterr())

    return run
