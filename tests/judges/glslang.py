"""glslang, the reference front end of Khronos: a text that we accept it accepts, too."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence

from tests.judges.model import Complaint, Judge, NotTaken, Program, Unavailable

_SUFFIXES = {"vertex": "vert", "fragment": "frag"}
_VERSION = re.compile(r"\A\s*#version.*\n")

#: A built-in function of constants is constant (GLSL ES 1.00 section 5.10), but glslang does not compute this one.  As
#: only types matter here, a sum does as well.
_NOT_FOLDED = re.compile("global const initializers must be constant|non-constant global initializer")
_FOLDED = "#define matrixCompMult(a, b) ((a) + (b))\n"


class GlslangJudge(Judge):
    """Debian's `glslangValidator`."""

    name = "glslang"
    target = None

    def prepare(self, *, fetch: bool) -> None:
        if shutil.which("glslangValidator") is None:
            raise Unavailable("glslangValidator is not installed (Debian: glslang-tools)")

    def judge(self, program: Program) -> Sequence[Complaint]:
        suffix = _SUFFIXES.get(program.stage)
        if suffix is None:
            raise NotTaken(f"GLSL ES 1.00 has no {program.stage} stage")
        error = _first_error(program.text, suffix)
        if _NOT_FOLDED.search(error) and "matrixCompMult" in program.text:
            error = _first_error(_folded(program.text), suffix)
        return [Complaint("refused", error)] if error else []


def _first_error(text: str, suffix: str) -> str:
    """What glslang complains of first; empty where it accepts."""
    command = ["glslangValidator", "--stdin", "-S", suffix]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode == 0:
        return ""
    errors = (line for line in done.stdout.splitlines() if line.startswith("ERROR:"))
    return next(errors, f"it ends with {done.returncode}")


def _folded(text: str) -> str:
    """The text with the function as a sum."""
    version = _VERSION.match(text)
    start = version.end() if version else 0
    return text[:start] + _FOLDED + text[start:]
