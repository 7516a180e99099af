"""Colours of text messages, and when to use them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Literal, TextIO

Role = Literal["error", "warning", "note", "help", "headline", "gutter", "label", "fix"]
#: Gives a piece of text the colour of its role.
Paint = Callable[[Role, str], str]
ColorChoice = Literal["auto", "always", "never"]

#: Parameters of the "select graphic rendition" sequence (ECMA-48 section 8.3.117).
_STYLES: Mapping[Role, str] = {
    "error": "1;31",
    "warning": "1;35",
    "note": "1;36",
    "help": "1;32",
    "headline": "1",
    "gutter": "34",
    "label": "36",
    "fix": "32",
}

#: ENABLE_VIRTUAL_TERMINAL_PROCESSING of a console's mode.
_SEQUENCES = 4


def paint_ansi(role: Role, text: str) -> str:
    return f"\x1b[{_STYLES[role]}m{text}\x1b[0m" if text else ""


def paint_nothing(role: Role, text: str) -> str:
    return text


def use_color(choice: ColorChoice, stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to colour what goes to `stream`; "auto" honours NO_COLOR (no-color.org) and dumb terminals."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    return takes_sequences(stream)


def takes_sequences(stream: TextIO) -> bool:
    """Tell whether a stream leads to a terminal that knows sequences; a console of Windows must be told to."""
    if not stream.isatty() or sys.platform != "win32":
        return stream.isatty()
    import ctypes
    import msvcrt

    console, mode = ctypes.windll.kernel32, ctypes.c_ulong()
    handle = msvcrt.get_osfhandle(stream.fileno())
    is_known = console.GetConsoleMode(handle, ctypes.byref(mode))
    return bool(is_known and console.SetConsoleMode(handle, mode.value | _SEQUENCES))
