"""Compilers of others that make SPIR-V: glslangValidator, and glslc, whose -O runs spirv-opt."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.conformance.spirv.rewriter import NotTaken

_STAGES = {"vertex": "vert", "fragment": "frag"}
#: Name of a way -> its command; the source and the result follow.
COMMANDS = {
    "spirv": ["glslangValidator", "-G", "--aml", "--amb", "-S", "{stage}"],
    "spirv-vulkan": ["glslangValidator", "-V", "-R", "--aml", "--amb", "-S", "{stage}"],
    "spirv-optimised": [
        *("glslc", "-O", "-g", "--target-env=opengl", "-fauto-map-locations", "-fauto-bind-uniforms"),
        "-fshader-stage={stage}",
    ],
}
#: What glslc -O does with modules that its validator lets pass; it refuses uniforms of type bool, which OpenGL has.
_OPTIMISER = ("spirv-opt", "-O", "--skip-validation")
_IS_VALIDATED = re.compile("compilation succeeded but failed to optimize")
_SECONDS = 60
_TAKEN = re.compile(r"'(\w+)' : function name is redeclaration of existing name")
_RENAMED = 8


def is_there(way: str) -> bool:
    """Whether the compiler of a way is installed."""
    return shutil.which(COMMANDS[way][0]) is not None


def compile_glsl(text: str, stage: str, way: str) -> bytes:
    """A module of a text; raises `NotTaken` with what the compiler said.

    glslang knows functions of extensions that are not enabled: a shader's own ones of their names get others.
    """
    for _ in range(_RENAMED):
        try:
            return _compile(text, stage, way)
        except NotTaken as error:
            found = _TAKEN.search(str(error))
            if found is None:
                raise
            text = re.sub(rf"\b{found[1]}\b", f"{found[1]}_own", text)
    return _compile(text, stage, way)


@lru_cache(maxsize=64)
def _compile(text: str, stage: str, way: str) -> bytes:
    command = [word.format(stage=_STAGES[stage]) for word in COMMANDS[way]]
    with TemporaryDirectory() as folder:
        source, result = Path(folder, "shader.glsl"), Path(folder, "shader.spv")
        source.write_text(text, encoding="utf-8")
        last = [str(source), "-o", str(result)]
        said = _run([*command, *last])
        if said is not None and _IS_VALIDATED.search(said) and shutil.which(_OPTIMISER[0]):
            plain = [word for word in command if word != "-O"]
            said = _run([*plain, *last]) or _run([*_OPTIMISER, str(result), "-o", str(result)])
        if said is not None or not result.exists():
            raise NotTaken(f"{command[0]}: {_first_error(said or '', folder)}")
        return result.read_bytes()


def _run(command: Sequence[str]) -> str | None:
    """What a command that fails says."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    return done.stdout + done.stderr if done.returncode else None


def _first_error(output: str, folder: str) -> str:
    lines = (
        [line for line in output.splitlines() if "error" in line.lower() and "compilation error" not in line]
        or output.splitlines()
        or ["no reason"]
    )
    return lines[0].replace(f"{folder}/", "")
