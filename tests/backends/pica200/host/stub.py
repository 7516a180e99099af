"""Generated programs, compiled with a library that has libctru's and citro3d's names and prints every call, and run.

Declarations of the library are in `library.h` and `console.h`; those of the combiners' calls follow the kinds of their
arguments (section 11 of the public notes on the driver library), numbers the tables of enumerators; what they print are
calls as `citro3d/driver.py` beside this folder takes them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from glslc_multi.backends.pica200.host.citro3d import citro3d_files
from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.host_files import HostProgram
from tests.backends.pica200.citro3d.calls import CALLS
from tests.backends.pica200.citro3d.driver import writes_of_calls
from tests.backends.pica200.citro3d.enumerators import ENUMERATORS
from tests.host_values import SANITIZED, SANITIZERS

COMPILER = shutil.which("cc")
FLAGS = (
    "-std=c99",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-unused-const-variable",
    "-pedantic",
    "-ffp-contract=off",
    *SANITIZERS,
)
#: Calls that programs make, of those that there are.
_NAMES = (
    "C3D_TexEnvInit", "C3D_TexEnvSrc", "C3D_TexEnvOpRgb", "C3D_TexEnvOpAlpha", "C3D_TexEnvFunc", "C3D_TexEnvScale",
    "C3D_TexEnvColor", "C3D_TexEnvBufUpdate", "C3D_TexEnvBufColor", "C3D_FogGasMode", "C3D_FogColor", "C3D_AlphaTest",
    "C3D_AlphaBlend",
)  # fmt: skip

Call = list[Any]


def write_headers(folder: Path) -> None:
    """`3ds.h` and `citro3d.h`."""
    library, console = ((Path(__file__).parent / name).read_text() for name in ("library.h", "console.h"))
    text = "\n".join([*_constants(), library, *map(_function, _NAMES), console])
    (folder / "citro3d.h").write_text(f"#ifndef STUB_CALLS\n#define STUB_CALLS\n{text}\n#endif\n")
    (folder / "3ds.h").write_text('#include "citro3d.h"\n')


def _constants() -> Iterator[str]:
    for kind, names in ENUMERATORS.items():
        if kind != "bool":
            yield "enum {" + ", ".join(f"{name} = {number}" for name, number in names.items()) + "};"


def _function(name: str) -> str:
    arguments = CALLS[name].arguments
    parameters = ", ".join(f"{_type(kind)} {argument}" for argument, kind in arguments)
    formats = ", ".join(r"\"env%ld\"" if kind == "object" else "%ld" for _, kind in arguments)
    values = ", ".join(f"(long){a}->number" if kind == "object" else f"(long){a}" for a, kind in arguments)
    body = rf'printf("[\"{name}\", {formats}]\n", {values});'
    return f"static inline void {name}({parameters}) {{ {body} }}"


def _type(kind: str) -> str:
    return {"object": "C3D_TexEnv *", "bool": "bool", "number": "u32"}.get(kind, "int")


def run_stages(folder: Path, programs: Mapping[str, Mapping[str, Artifact]], main: str) -> list[Call]:
    """The calls of a main for programs, each of its prefix and stages."""
    for prefix, stages in programs.items():
        write_program(folder, HostProgram(stages, prefix))
    return run_main(folder, list(programs), main)


def write_program(folder: Path, program: HostProgram, edit: Callable[[str], str] = str) -> None:
    """The generated files; the source as `edit` leaves it."""
    for file in citro3d_files(program, DiagnosticSink()):
        data = edit(file.data.decode()).encode() if file.name.endswith(".c") else file.data
        (folder / file.name).write_bytes(data)


def run_main(folder: Path, prefixes: Iterable[str], main: str, flags: Iterable[str] = FLAGS) -> list[Call]:
    """The calls of the body of a `main`, beside generated sources that are in the folder."""
    write_headers(folder)
    includes = "".join(f'#include "{prefix}.h"\n' for prefix in prefixes)
    (folder / "main.c").write_text(f"{includes}int main(void)\n{{\n{main}\nreturn 0;\n}}\n")
    sources = ["main.c", *(f"{prefix}.c" for prefix in prefixes)]
    command = [str(COMPILER), *flags, "-I.", *sources, "-o", "program", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    return calls_of_run(folder / "program")


def calls_of_run(program: Path, frames: int = 1) -> list[Call]:
    """The calls of a program in a number of frames."""
    environment = {**SANITIZED, "STUB_FRAMES": str(frames)}
    done = subprocess.run([program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return calls_of(done.stdout.splitlines())


def calls_of(lines: Iterable[str]) -> list[Call]:
    """The calls that a program has printed."""
    return [json.loads(line) for line in lines]


#: Calls whose meaning the driver of the combiners knows.
_OF_COMBINERS = frozenset(_NAMES)


def writes_of(calls: Iterable[Call]) -> tuple[list[Write], tuple[int, ...]]:
    """What the driver library would send, and the fog table that is bound at last."""
    calls = list(calls)
    raw = [Write(register, value, mask) for name, *rest in calls if name == "write" for register, mask, value in [rest]]
    tables = [tuple(rest) for name, *rest in calls if name == "fog"]
    sent = writes_of_calls(call for call in calls if call[0] in _OF_COMBINERS)
    return [*sent, *raw], tables[-1] if tables else ()
