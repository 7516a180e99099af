"""OpenFL in Chromium: its reader of AGAL takes our bytes, and the browser draws with the GLSL that it makes.

Code that was made for OpenFL it must take, and of other code just what `backends/agal/isa/consumers.py` says that it
takes.  A program is drawn with the smallest one of the other stage.  What colours come out is not judged here but in
`tests/backends/agal/independent`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from glslc_multi.backends.agal.isa.consumers import BY_NAME
from glslc_multi.backends.agal.isa.container import unpack
from glslc_multi.backends.agal.isa.program import decode
from tests.backends.agal.independent.reader import HERE, Reader, ReaderFailed, what_is_missing
from tests.browser import Browser, browser
from tests.judges.model import AGAL_1, NATIVE, Complaint, Judge, NotTaken, Program, Unavailable

_PATIENCE = 120
#: A sampler and a coordinate, and nothing after these.
_PLAIN_LOOKUP = re.compile(r"\btexture\w+\(sampler\d+, [\w.]+\)")


class OpenFlJudge(Judge):
    """npm's `openfl` and Debian's `chromium`."""

    name = "openfl-agal"
    target = "agal"
    #: The only version that the reader reads.
    variants = AGAL_1

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._reader: Reader | None = None
        self._browser: Browser | None = None

    def prepare(self, *, fetch: bool) -> None:
        for tool in ("chromium", "chromedriver"):
            if shutil.which(tool) is None:
                raise Unavailable(f"{tool} is not installed (Debian: chromium, chromium-driver)")
        if fetch and what_is_missing() and shutil.which("npm"):
            command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"]
            subprocess.run([*command, "--prefix", str(HERE)], check=False, capture_output=True, timeout=_PATIENCE)
        if missing := what_is_missing():
            raise Unavailable(f"it needs {missing}")

    def judge(self, program: Program) -> Sequence[Complaint]:
        expected = BY_NAME["openfl"].objections(unpack(program.code), {})
        found = self._complaints(program)
        if expected and not found:
            return [Complaint("refused by us only", expected[0].reason)]
        if expected:
            raise NotTaken("we say that the reader does not take it")
        return found

    def _complaints(self, program: Program) -> Sequence[Complaint]:
        if self._reader is None:
            self._reader = Reader()
        try:
            glsl = self._reader.read(program.code, mended=False)
        except ReaderFailed as reason:
            self._reader.close()
            self._reader = None
            return [Complaint("refused", str(reason))]
        if glsl is None:
            return [Complaint("refused", "a register for a constant is used in two ways")]
        samplers = (token.sampler for token in map(decode, unpack(program.code).words) if token is not None)
        if any(found is not None and found.bias for found in samplers) and _PLAIN_LOOKUP.search(glsl):
            return [Complaint("other lookups", "the bias is left out")]
        vertex, fragment = (glsl, _fragment(glsl)) if program.stage == "vertex" else (_vertex(glsl), glsl)
        complaint: list[str] | None = self._window().run("return draw(...arguments)", vertex, fragment)
        return [Complaint(complaint[0], " ".join(complaint[1].split()))] if complaint else []

    def _window(self) -> Browser:
        """The browser with the page that draws, started for the first program."""
        if self._browser is None:
            folder = Path(self._stack.enter_context(TemporaryDirectory()))
            script = (NATIVE / "webgl" / "draw.js").read_text(encoding="utf-8")
            page = folder / "draw.html"
            page.write_text(f"<!DOCTYPE html><canvas></canvas><script>{script}</script>", encoding="utf-8")
            self._browser = self._stack.enter_context(browser())
            self._browser.open(page)
        return self._browser

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
        self._stack.close()


def _varyings(glsl: str) -> list[str]:
    return re.findall(r"^varying vec4 (v\d+);", glsl, re.MULTILINE)


def _fragment(vertex: str) -> str:
    """A fragment shader that reads every varying."""
    names = _varyings(vertex)
    declared = "".join(f"varying vec4 {name};" for name in names)
    total = " + ".join(["vec4(0.0)", *names])
    return f"precision highp float;{declared}void main() {{ gl_FragColor = {total}; }}"


def _vertex(fragment: str) -> str:
    """A vertex shader of one point that writes every varying."""
    names = _varyings(fragment)
    declared = "".join(f"varying vec4 {name};" for name in names)
    written = "".join(f"{name} = vec4(0.5);" for name in names)
    return f"{declared}void main() {{ {written} gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 1.0; }}"
