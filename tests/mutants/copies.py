"""Copies of the project, in which faults are planted one at a time.

A fault stands in a file, so that the processes that tests start have it too.
"""

from __future__ import annotations

import os
import shutil
from itertools import count
from pathlib import Path

from tests.mutants.faults import Fault
from tests.shared_data import PROJECT_ROOT

_LEFT_OUT = (".*", "build", "node_modules", "*.egg-info")
#: Times of files, in seconds, that no other file has: by them Python sees that what it has compiled is out of date.
_TIMES = count(1)


class Copy:
    """The project at another place."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        shutil.copytree(PROJECT_ROOT, self.root, ignore=shutil.ignore_patterns(*_LEFT_OUT), symlinks=True)
        self._planted: str | None = None

    def plant(self, fault: Fault | None) -> None:
        """Let the copy have this fault and no other."""
        if self._planted is not None:
            self._write(self._planted, (PROJECT_ROOT / self._planted).read_text(encoding="utf-8"))
        self._planted = None if fault is None else fault.path
        if fault is not None:
            self._write(fault.path, fault.plant((PROJECT_ROOT / fault.path).read_text(encoding="utf-8")))

    def _write(self, path: str, text: str) -> None:
        file = self.root / path
        file.write_text(text, encoding="utf-8")
        time = next(_TIMES)
        os.utime(file, (time, time))
