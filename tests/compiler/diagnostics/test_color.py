"""When messages are coloured."""

from __future__ import annotations

import ctypes
import io
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from glslc_multi.compiler.diagnostics.color import ColorChoice, use_color


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("choice", "environment", "terminal", "expected"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {}, True, False),
    ],
)
def test_the_choice_decides_first_then_the_environment_then_the_stream(
    choice: ColorChoice, environment: dict[str, str], terminal: bool, expected: bool
) -> None:
    stream = Terminal() if terminal else io.StringIO()
    assert use_color(choice, stream, environment) is expected


@pytest.mark.parametrize("is_new", [True, False])
def test_a_console_of_windows_is_told_to_take_sequences(is_new: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is too old does not take them, and gets none."""
    modes = {7: 0b011}

    def get(handle: int, mode: Any) -> int:
        mode._obj.value = modes[handle]
        return 1

    def change(handle: int, mode: int) -> int:
        if is_new:
            modes[handle] = mode
        return int(is_new)

    console = SimpleNamespace(GetConsoleMode=get, SetConsoleMode=change)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=console), raising=False)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(get_osfhandle={2: 7}.__getitem__))
    monkeypatch.setattr(sys, "platform", "win32")
    stream = Terminal()
    stream.fileno = lambda: 2  # type: ignore[method-assign]
    assert use_color("auto", stream, {}) is is_new
    assert modes == {7: 0b111 if is_new else 0b011}
