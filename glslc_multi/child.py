"""How a process of our own is started: it finds the modules that this one has found, and none in its folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping


def command_of(module: str) -> tuple[str, ...]:
    """Give the words that run a module; `-P` keeps what lies in the folder from being taken for a module."""
    return sys.executable, "-P", "-m", module


def environment(**more: str) -> Mapping[str, str]:
    """Give the environment for it."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **more}
