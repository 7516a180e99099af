"""OpenFL's reader of AGAL: a program of version 1 in, the GLSL in which OpenFL draws it out.

It is npm's `openfl` (`npm install --prefix tests/backends/agal/independent`) in node, behind `convert.js`.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
_SCRIPT = HERE / "convert.js"
#: What the reader writes without care for masks: the product has more components than the destination.
_PRODUCT = re.compile(r"^(\s*\w+\.(\w+)) = (.+); // (m34|m44)$", re.MULTILINE)


class ReaderFailed(Exception):
    """The reader broke down over a program; the message is its own."""


def what_is_missing() -> str:
    """What the reader needs and does not find here, as text."""
    if shutil.which("node") is None:
        return "node"
    return "" if (HERE / "node_modules" / "openfl").is_dir() else f"`npm install --prefix {HERE}`"


class Reader:
    """A process of node that reads one program after the other."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self._node = subprocess.Popen(["node", str(_SCRIPT)], stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def read(self, program: bytes, *, mended: bool = True) -> str | None:
        """The GLSL; None for a program that the reader does not take.  It is `mended` to be run."""
        assert self._node.stdin is not None and self._node.stdout is not None and self._node.stderr is not None
        self._node.stdin.write(f"{program.hex()}\n")
        self._node.stdin.flush()
        line = self._node.stdout.readline()
        if not line:
            errors = re.findall(r"^\w*Error: .*|^Uncaught .*", self._node.stderr.read(), re.MULTILINE)
            raise ReaderFailed(errors[0] if errors else "it ended")
        text: str | None = json.loads(line)
        return _PRODUCT.sub(r"\1 = (\3).\2;", text) if text is not None and mended else text

    def close(self) -> None:
        self._node.kill()
        self._node.communicate()


def convert(programs: Sequence[bytes]) -> list[str | None]:
    """The GLSL of programs."""
    reader = Reader()
    try:
        return [reader.read(program) for program in programs]
    finally:
        reader.close()
