"""The projects for owners of hardware, built as they are and run twice: what they hand to the chip is drawn by the
simulators, and is what they then find in memory."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from examples.self_test import project
from examples.self_test.expected import compiled, expected_bytes
from examples.self_test.programs import MOST_CASES, PROGRAMS
from examples.self_test.project import write_project
from glslc_multi.compiler.arithmetic.lanes import Array
from tests.backends.pica200.host.drawn import picture_of
from tests.backends.pica200.host.stub import Call, calls_of, write_headers
from tests.backends.vc4.host.lists import Image
from tests.backends.vc4.host.painter import paint
from tests.examples.self_test.xenon.chip import in_memory, pictures_of
from tests.judges.kernel import KernelJudge
from tests.judges.model import Unavailable
from tests.shared_data import PROJECT_ROOT

DEVKIT = PROJECT_ROOT / "tests/backends/pica200/host/devkit"
BOARD, XENON = (Path(__file__).parent / name for name in ("board", "xenon"))
ARM = "arm-linux-gnueabihf-"
COLUMN = 8

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None or shutil.which("make") is None, reason="there is no C compiler, or no make"
)
#: Gives the project's output for pictures, one for each program: rows of red, green, blue, alpha.
Report = Callable[[Sequence[Array]], str]


def make(folder: Path, *arguments: str, **environment: str) -> None:
    done = subprocess.run(
        ["make", "-C", folder, *arguments], env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def output_of(command: Sequence[str | Path], **environment: str) -> str:
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.stderr == ""
    return done.stdout


# --- Each machine: the pictures that the chip would draw, and a run that finds pictures -----------------------------


def pi(folder: Path, command: Sequence[str | Path]) -> tuple[list[Array], Report]:
    output_of(command, VC4_IMAGE=str(folder / "%u.image"))
    paths = sorted(folder.glob("*.image"), key=lambda path: int(path.stem))
    pictures = [paint(Image.read(path.read_bytes())) for path in paths]

    def report(pictures: Sequence[Array]) -> str:
        for number, picture in enumerate(pictures):
            (folder / f"{number}.picture").write_bytes(picture.tobytes())
        return output_of(command, VC4_PICTURE=str(folder / "%u.picture"))

    return pictures, report


def pi_drm(folder: Path) -> tuple[list[Array], Report]:
    judge = KernelJudge()
    try:
        judge.prepare(fetch=False)
    except Unavailable as reason:
        pytest.skip(str(reason))
    flags = [flag for flag in judge.driver if flag.startswith(("-D", "-I"))]
    rest = [flag for flag in judge.driver if flag not in flags]
    make(folder, f"CFLAGS={' '.join(['-O1 -Wall -Wextra -Werror', *flags])}", f"LDFLAGS={' '.join(rest)}")
    return pi(folder, [folder / "self-test", "/dev/null"])


def pi_bare(folder: Path) -> tuple[list[Array], Report]:
    (folder / "serial.c").unlink()
    for name in ("board.c", "board.h"):
        shutil.copy(BOARD / name, folder)
    flags = ["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover"]
    subprocess.run(["cc", *flags, *folder.glob("*.c"), "-o", folder / "self-test"], check=True)
    return pi(folder, [folder / "self-test"])


def console(folder: Path) -> tuple[list[Array], Report]:
    include = folder / "devkitpro/libctru/include"
    include.mkdir(parents=True)
    write_headers(include)
    make(folder, DEVKITPRO=str(folder / "devkitpro"), DEVKITARM=str(DEVKIT))
    program = folder / "self-test.3dsx"
    calls = calls_of(line for line in output_of([program]).splitlines() if line.startswith("["))
    starts = [number for number, (name, *_) in enumerate(calls) if name == "C3D_FrameBegin"]
    pictures = [frame(calls[start:end]) for start, end in zip(starts, [*starts[1:], len(calls)], strict=True)]

    def report(pictures: Sequence[Array]) -> str:
        # Words with red in the highest byte.
        path = folder / "pictures"
        path.write_bytes(b"".join(picture[..., ::-1].tobytes() for picture in pictures))
        lines = output_of([program], STUB_PICTURES=str(path)).splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith("["))

    return pictures, report


def xbox360(folder: Path) -> tuple[list[Array], Report]:
    make(folder, DEVKITXENON=str(XENON))
    program = folder / "self-test.elf32"
    programs = [
        {stage: shader.artifact for stage, shader in test.made.stages.items()}
        for test in project.tests_of(project.MACHINES["xbox360"])[0]
    ]
    pictures = pictures_of((line for line in output_of([program]).splitlines() if line.startswith("[")), programs)

    def report(pictures: Sequence[Array]) -> str:
        path = folder / "pictures"
        path.write_bytes(b"".join(map(in_memory, pictures)))
        lines = output_of([program], PICTURES=str(path)).splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith("["))

    return pictures, report


def frame(calls: Sequence[Call]) -> Array:
    """What all draws of a frame leave: each is a column."""
    ends = [number for number, (name, *_) in enumerate(calls) if name == "draw"]
    drawn = [picture_of(calls[: end + 1]) for end in ends]
    picture = np.zeros_like(drawn[0])
    for number, column in enumerate(drawn):
        place = slice(COLUMN * number, COLUMN * (number + 1))
        picture[:, place] = column[:, place]
    return picture


def test_programs_fit_into_a_picture_and_have_names_of_their_own() -> None:
    assert all(0 < len(program.cases) <= MOST_CASES for program in PROGRAMS)
    assert len({program.name for program in PROGRAMS}) == len(PROGRAMS)


@pytest.mark.parametrize("stage", ["vertex", "fragment"])
@pytest.mark.parametrize("name", ["sum", "product"])
def test_bytes_say_the_number(name: str, stage: str) -> None:
    """The VC4 rounds as this computer does."""
    (program,) = (program for program in PROGRAMS if program.name == name)
    pixels = expected_bytes(program, compiled(program, stage, "vc4", {}))
    for case, data in zip(program.cases, pixels, strict=True):
        first, second = (np.float32(vector[0]) for vector in case)
        number = float(first + second if name == "sum" else first * second)
        sign = 0x33 if number == 0 else 0x66 if number > 0 else 0xCC
        assert data == int(abs(number) / 2 * 2**24).to_bytes(3, "big") + bytes([sign])


@pytest.mark.skipif(shutil.which(f"{ARM}gcc") is None, reason=f"there is no {ARM}gcc")
def test_projects_are_code_for_their_processors(tmp_path: Path) -> None:
    """The Pi's whole image; of the console's what is not generated, with two options that this compiler needs."""
    write_project("pi-bare", tmp_path / "pi")
    make(tmp_path / "pi", "BOARD=2", f"CROSS={ARM}", "CFLAGS=-Werror")
    # The first instruction loads the stack pointer.
    assert (tmp_path / "pi/kernel7.img").read_bytes()[2:4] == b"\x9f\xe5"
    write_project("3ds", tmp_path / "3ds")
    write_headers(tmp_path / "3ds")
    (options,) = re.findall(r"^ARCH := (.*)$", (tmp_path / "3ds/Makefile").read_text(), re.MULTILINE)
    flags = [*options.split(), "-marm", "-mfpu=vfp", "-O2", "-Wall", "-Wextra", "-Werror", "-I.", "-c"]
    for name in ("machine", "self_test", "programs"):
        source = f"source/{name}.c"
        subprocess.run([f"{ARM}gcc", *flags, source, "-o", f"{name}.o"], cwd=tmp_path / "3ds", check=True)


MACHINES = {"3ds": console, "pi-bare": pi_bare, "pi-drm": pi_drm, "xbox360": xbox360}


@pytest.mark.thorough
@pytest.mark.parametrize("machine", MACHINES)
def test_the_report(machine: str, tmp_path: Path) -> None:
    """All programs agree with the simulator; a byte that is wrong is named with its program and case."""
    assert write_project(machine, tmp_path) == []
    pictures, report = MACHINES[machine](tmp_path)
    assert len(pictures) > 25
    text = report(pictures)
    assert re.search(r"^(\d+) of \1 programs agree$", text, re.MULTILINE), text
    assert "DIFFERS" not in text
    count = len(pictures)
    case = 1
    place = np.index_exp[:, COLUMN * case : COLUMN * (case + 1), 1]
    before = pictures[0][place][0, 0]
    pictures[0][place] ^= 0x40
    text = report(pictures)
    assert f"{count - 1} of {count} programs agree" in text
    (name,) = set(re.findall(r"^(.*): DIFFERS in 1 of \d+ cases$", text, re.MULTILINE))
    assert name == "vertex: sum"
    (found,) = re.findall(rf"^    case {case}: expected ..(..)...., found ..(..)....$", text, re.MULTILINE)
    assert [int(byte, 16) for byte in found] == [before, before ^ 0x40]
