"""Work counted instead of time: calls of Python functions or lines, which repeat exactly on any machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def count_calls(run: Callable[[], object]) -> int:
    """How many Python functions `run` calls, itself included."""
    calls = 0

    def watch(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    previous = sys.getprofile()
    sys.setprofile(watch)
    try:
        run()
    finally:
        sys.setprofile(previous)
    return calls


def count_lines(run: Callable[[], object]) -> int:
    """How many lines of Python `run` runs: for work in loops that call nothing."""
    lines = 0

    def watch(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return watch

    previous = sys.gettrace()
    sys.settrace(watch)
    try:
        run()
    finally:
        sys.settrace(previous)
    return lines
