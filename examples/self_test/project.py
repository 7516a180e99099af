"""Write the project of a machine: what runs the programs there and compares with the simulator.

In: the name of a machine and a folder.  Out: sources in C with everything in them, and a Makefile; no compiler for
shaders is needed where they are built.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import glslc_multi
from glslc_multi.compiler.diagnostics import CompileError
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.runtime.shader import CompiledProgram

from .expected import compiled, expected_bytes, inputs_of, picture
from .programs import PROGRAMS, SAMPLERS, Program

_FOLDER = Path(__file__).parent
_PROJECTS = _FOLDER.parent / "projects"


@dataclass(frozen=True)
class Machine:
    """What a project consists of beside the programs."""

    target: str
    form: str
    #: Where numbers are computed; colours are those of the fragment stage.
    stages: Sequence[str]
    #: File of the project -> where its text is.
    files: Mapping[str, Path]
    draw: Path
    #: How a program is given the picture that it samples, as a format.
    texture: str
    options: Mapping[str, Any] = field(default_factory=dict)


def _files(folder: str, names: Sequence[str]) -> dict[str, Path]:
    common = {name: _FOLDER / "c" / name for name in ("self_test.c", "self_test.h")}
    return common | {name: _FOLDER / folder / name for name in names}


_PI_TEXTURE = "{name}_set_{sampler}(&program, 0, &machine->{filter});"

MACHINES: Mapping[str, Machine] = {
    "3ds": Machine(
        "pica200",
        "citro3d",
        ("vertex",),
        {"Makefile": _FOLDER / "3ds/Makefile"}
        | {f"source/{name}": path for name, path in _files("3ds", ["machine.c", "machine.h"]).items()},
        _FOLDER / "3ds/draw.c.in",
        "C3D_TexBind({upper}_{sampler}_UNIT, &machine->{filter});",
    ),
    "xbox360": Machine(
        "xenos",
        "libxenon",
        ("vertex", "fragment"),
        {"Makefile": _FOLDER / "xbox360/Makefile"} | _files("xbox360", ["machine.c", "machine.h"]),
        _FOLDER / "xbox360/draw.c.in",
        "{name}_bind_{sampler}(&program, machine->{filter});",
        {"xenos_clip_z": True},
    ),
    "pi-drm": Machine(
        "vc4",
        "drm",
        ("vertex", "fragment"),
        {"Makefile": _FOLDER / "pi/Makefile.drm"} | _files("pi", ["machine.c", "machine.h", "drm.c"]),
        _FOLDER / "pi/draw.c.in",
        _PI_TEXTURE,
    ),
    "pi-bare": Machine(
        "vc4",
        "bare",
        ("vertex", "fragment"),
        {"Makefile": _FOLDER / "pi/Makefile.bare"}
        | _files("pi", ["machine.c", "machine.h", "bare.c", "serial.c"])
        | {name: _PROJECTS / "pi-bare" / name for name in ("board.c", "board.h", "boot.s", "kernel.ld")},
        _FOLDER / "pi/draw.c.in",
        _PI_TEXTURE,
    ),
}


@dataclass(frozen=True)
class Test:
    """A program in a stage, compiled, with what the simulator leaves of each case."""

    prefix: str
    program: Program
    stage: str
    made: CompiledProgram
    expected: Sequence[bytes]

    @property
    def title(self) -> str:
        return f"{self.stage}: {self.program.name}"


def tests_of(machine: Machine) -> tuple[list[Test], list[str]]:
    """Compile all programs; those that the machine cannot have come back as reasons."""
    tests: list[Test] = []
    left_out = []
    for program in PROGRAMS:
        for stage in machine.stages if program.kind == "number" else ("fragment",):
            try:
                made = compiled(program, stage, machine.target, machine.options)
            except CompileError as error:
                left_out.append(f"{stage}: {program.name}: {error.diagnostics[0].message}")
                continue
            expected = expected_bytes(program, made)
            tests.append(Test(f"p{len(tests):02}", program, stage, made, expected))
    return tests, left_out


def write_project(name: str, folder: Path) -> list[str]:
    """Write the project of a machine into a folder; which programs are left out, and why."""
    machine = MACHINES[name]
    tests, left_out = tests_of(machine)
    sources = folder / ("source" if "source/machine.c" in machine.files else "")
    for path, origin in machine.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(origin.read_text(encoding="utf-8"), encoding="utf-8")
    for test in tests:
        for file, data in test.made.host_code(prefix=test.prefix, form=machine.form).items():
            if not file.endswith(".mk"):
                (sources / file).write_bytes(data)
    (sources / "programs.c").write_text(_programs(name, machine, tests), encoding="utf-8")
    return left_out


def _programs(name: str, machine: Machine, tests: Sequence[Test]) -> str:
    """Write what of the project depends on the programs: tables, and the calls that draw."""
    title = f"glslc-multi {glslc_multi.__version__}, self-test of {name}"
    return "\n".join(
        [
            f"/* {title}: programs, cases, and what the simulator computes; generated. */",
            '#include "machine.h"',
            *(f'#include "{test.prefix}.h"' for test in tests),
            "",
            f'const char *const self_test_title = "{title}";',
            f"const uint32_t self_test_count = {len(tests)};",
            f"self_test_result self_test_results[{len(tests)}];",
            "const uint8_t self_test_texels[SELF_TEST_SIDE][SELF_TEST_SIDE][4] = {",
            *(f"    {{ {', '.join(_bytes(texel.tobytes()) for texel in row)} }}," for row in picture()),
            "};",
            "",
            *(line for test in tests for line in _cases(test)),
            *(_draw(machine, test) for test in tests),
            "const self_test_program self_test_programs[] = {",
            *(
                f'    {{ "{test.title}", {int(test.program.kind == "number")}, {test.program.tolerance}, '
                f"{len(test.expected)}, cases_{test.prefix}, draw_{test.prefix} }},"
                for test in tests
            ),
            "};",
            "",
        ]
    )


def _cases(test: Test) -> Iterator[str]:
    yield f"static const self_test_case cases_{test.prefix}[] = {{"
    for case, expected in zip(test.program.cases, test.expected, strict=True):
        words = ", ".join(f"0x{word:08x}" for word in inputs_of(case).view(np.uint32).reshape(-1))
        yield f"    {{ {{ {words} }}, {_bytes(expected)} }},"
    yield "};\n"


def _bytes(data: bytes) -> str:
    return "{ " + ", ".join(str(byte) for byte in data) + " }"


def _draw(machine: Machine, test: Test) -> str:
    name, upper = test.prefix, test.prefix.upper()
    textures = [
        machine.texture.format(name=name, upper=upper, sampler=sampler, filter=SAMPLERS[sampler])
        for sampler in test.program.samplers
    ]
    return fill(machine.draw, {"NAME": name, "TEXTURES": textures})
