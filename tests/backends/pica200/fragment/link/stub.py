"""A library with citro3d's names that prints every call, to compile and run C text natively.

Its declarations follow the kinds of the arguments (section 11 of the public notes on the driver library), its numbers
the tables of enumerators; what it prints are calls as `isa/fragment/citro3d/driver.py` takes them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backends.pica200.isa.fragment.citro3d.calls import CALLS
from backends.pica200.isa.fragment.citro3d.driver import writes_of_calls
from backends.pica200.isa.fragment.citro3d.enumerators import ENUMERATORS
from backends.pica200.isa.fragment.program import Write

COMPILER = shutil.which("cc")
_FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-const-variable", "-pedantic", "-ffp-contract=off")
#: Calls that programs make, of those that there are.
_NAMES = (
    "C3D_TexEnvInit", "C3D_TexEnvSrc", "C3D_TexEnvOpRgb", "C3D_TexEnvOpAlpha", "C3D_TexEnvFunc", "C3D_TexEnvScale",
    "C3D_TexEnvColor", "C3D_TexEnvBufUpdate", "C3D_TexEnvBufColor", "C3D_FogGasMode", "C3D_FogColor", "C3D_AlphaTest",
)  # fmt: skip
_HEADER = r"""
#ifndef CITRO3D_STUB
#define CITRO3D_STUB
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
typedef uint32_t u32;
typedef struct { int number; } C3D_TexEnv;
typedef struct { u32 data[128]; } C3D_FogLut;
static C3D_TexEnv stub_stages[6] = {{0}, {1}, {2}, {3}, {4}, {5}};
static inline C3D_TexEnv *C3D_GetTexEnv(int id) { return &stub_stages[id]; }
static inline void FogLut_FromArray(C3D_FogLut *table, const float data[256]) {
    for (int i = 0; i < 128; i++) {
        int value = (int)(2048 * data[i]), difference = (int)(2048 * data[i + 128]);
        value = value < 0 ? 0 : value > 2047 ? 2047 : value;
        difference = difference < -4096 ? -4096 : difference > 4095 ? 4095 : difference;
        table->data[i] = (u32)value << 13 | ((u32)difference & 0x1FFF);
    }
}
static inline void C3D_FogLutBind(C3D_FogLut *table) {
    printf("[\"fog\"");
    for (int i = 0; i < 128; i++) printf(", %lu", (unsigned long)table->data[i]);
    printf("]\n");
}
static inline void GPUCMD_AddMaskedWrite(u32 reg, u32 mask, u32 value) {
    printf("[\"write\", %lu, %lu, %lu]\n", (unsigned long)reg, (unsigned long)mask, (unsigned long)value);
}
"""


def header() -> str:
    return "\n".join([_HEADER, *_constants(), *map(_function, _NAMES), "#endif", ""])


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


def run(folder: Path, text: str, main: str) -> list[list[Any]]:
    """The calls of a program of some C text and the body of its `main`."""
    (folder / "citro3d.h").write_text(header())
    (folder / "program.c").write_text(f"{text}\nint main(void) {{\n{main}\nreturn 0;\n}}\n")
    command = [str(COMPILER), *_FLAGS, "-I.", "program.c", "-o", "program", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    printed = subprocess.run(["./program"], cwd=folder, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in printed.splitlines()]


def writes_of(calls: list[list[Any]]) -> tuple[list[Write], tuple[int, ...]]:
    """What the driver library would send, and the fog table that is bound at last."""
    raw = [Write(register, value, mask) for name, *rest in calls if name == "write" for register, mask, value in [rest]]
    tables = [tuple(rest) for name, *rest in calls if name == "fog"]
    sent = writes_of_calls(call for call in calls if call[0] not in ("write", "fog"))
    return [*sent, *raw], tables[-1] if tables else ()
