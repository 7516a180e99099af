"""Input of the test bench of THEIA (theia_gpu of OpenCores, trunk): stands alone, beside programs of glslc-multi.

In: a program, values of its uniforms, and a scene.  Out: the files that the bench reads with `$readmemh`:

    Creg.mem          the control register
    Params.mem        configuration: rows of three words for registers 0 to 5, then two rows for each core
    Vertex.mem        a root node of ten words, 21 words for each triangle
    Textures.mem      three words for each texel, row by row
    Instructions.mem  the table of entry points, and the code with the values of uniforms in it

A scene is a mapping, such as JSON has; each key has a default:

    size       pixels of a row and of a column: the bench shows square pictures; each of 4 cores renders a quarter
    camera     where rays begin
    window     two corners of the rectangle that rays go through, the first pixel's first
    triangles  each has `corners` (3 places), `uvs` (3 pairs, if it is textured) and `diffuse` (a colour)
    texture    `size` (a power of two) and `texels` (colours, row by row)
    uniforms   values by GLSL names: numbers, nested as you like, matrices by columns
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = tuple[float, float, float]
Values = dict[str, list[float]]

#: Numbers have 32 bits in two's complement, 17 of them after the point.
_ONE = 1 << 17
_LARGEST = (1 << 31) - 1
_CORES = 4
#: What the memories of the bench and the chip hold: a band of each core, triangles, texels of a row.
_LARGEST_PICTURE = 576
_MOST_TRIANGLES = 332
_LARGEST_TEXTURE = 256
#: The address of the first instruction.
_ORIGIN = 0x800C
#: Lights, texture, code of the user.
_CONTROL = 7
_FILES = ("Creg.mem", "Params.mem", "Vertex.mem", "Textures.mem", "Instructions.mem")
#: Names the command that starts a simulation of the bench.
_COMMAND = "THEIA_BENCH"
_PICTURE = "Output.ppm"

#: A square that fills the window.
SCENE: Mapping[str, Any] = {
    "size": 16,
    "camera": (0, 0, 2),
    "window": ((-1, -1, 0), (1, 1, 0)),
    "triangles": (
        {"corners": ((-1, -1, 0), (1, -1, 0), (1, 1, 0)), "uvs": ((0, 0), (1, 0), (1, 1)), "diffuse": (1, 1, 1)},
        {"corners": ((1, 1, 0), (-1, 1, 0), (-1, -1, 0)), "uvs": ((1, 1), (0, 1), (0, 0)), "diffuse": (1, 1, 1)},
    ),
    "texture": {"size": 1, "texels": ((0, 0, 0),)},
    "uniforms": {},
}


class BenchError(ValueError):
    """The bench cannot have this."""


@dataclass(frozen=True)
class Uniform:
    """`places` are instructions: the address, and which number of the value is its immediate one."""

    type: str
    #: Of an array, the number of its elements.
    length: int | None
    value: tuple[float, ...]
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Program:
    """`table` has the twelve entry points, `words` the instructions from address 800c on."""

    table: tuple[int, ...]
    words: tuple[int, ...]
    uniforms: Mapping[str, Uniform]
    #: Uniforms of the shader that the scene has the values of: GLSL name -> key of the scene.
    of_scene: Mapping[str, str]
    #: Computes uniforms of the code from those of the shader, for programs compiled with -fpreamble.
    compute: Callable[[Values], None] | None = None


class Bench:
    """What the bench is to be given."""

    def __init__(self, program: Program, scene: Mapping[str, Any] | None = None) -> None:
        self.program = program
        self.values: Values = {name: list(uniform.value) for name, uniform in program.uniforms.items()}
        unknown = sorted(set(scene or ()) - set(SCENE))
        if unknown:
            raise BenchError(f"a scene has no {unknown[0]!r}, but {', '.join(SCENE)}")
        self.scene: dict[str, Any] = {**SCENE, **(scene or {})}
        for name, value in self.scene["uniforms"].items():
            self.set(name, value)

    def set(self, name: str, value: Any, first: int = 0) -> None:
        """A uniform, or elements of an array from `first` on.  A member of an array of structures is an array, too:
        `lights[].color`."""
        if name in self.program.of_scene:
            key = self.program.of_scene[name]
            numbers = list(_flat(value))
            if key == "size" and len(set(numbers)) != 1:
                raise BenchError(f"{name} is the size of the picture, which is square: two numbers alike")
            self.scene[key] = numbers[0] if key == "size" else numbers
            return
        uniform = self.program.uniforms.get(name)
        if uniform is None or name.startswith("$"):
            names = ", ".join((*(n for n in self.program.uniforms if n[0] != "$"), *self.program.of_scene)) or "none"
            raise BenchError(f"there is no uniform {name!r}; there are: {names}")
        numbers, size = list(_flat(value)), len(uniform.value) // (uniform.length or 1)
        end = first * size + len(numbers)
        is_whole = len(numbers) == size if uniform.length is None else numbers and len(numbers) % size == 0
        if not is_whole or first < 0 or end > len(uniform.value):
            of_array = "" if uniform.length is None else f"[{uniform.length}]"
            raise BenchError(f"{name} is {uniform.type}{of_array}: {len(numbers)} numbers from {first} do not fit")
        self.values[name][first * size : end] = numbers

    def files(self) -> dict[str, str]:
        """The texts of all files, by name."""
        if self.program.compute is not None:
            self.program.compute(self.values)
        words = list(self.program.words)
        for name, uniform in self.program.uniforms.items():
            for address, number in uniform.places:
                words[address - _ORIGIN] = words[address - _ORIGIN] >> 32 << 32 | word_of(self.values[name][number])
        rows = [*self.program.table, *words]
        lines = [f"{row >> 32:08x} {row & 0xFFFFFFFF:08x}" for row in rows]
        triangles = self.scene["triangles"]
        count = _whole("number of triangles", len(triangles), range(1, _MOST_TRIANGLES + 1), "from 1 on")
        corners = [_row("corners", corner) for triangle in triangles for corner in triangle["corners"]]
        lanes = tuple(zip(*corners, strict=True))
        head = [
            f"{_hexadecimal(word_of(min(lane)) for lane in lanes)} // the box around all corners",
            _hexadecimal(word_of(max(lane)) for lane in lanes),
            f"{count:x} // triangles",
            f"{word_of(10):08x} // words before them",
            "0 0 // no other nodes",
        ]
        texts = (
            f"{_CONTROL:04x} // lights, texture, code of the user\n",
            _params(self.scene),
            "\n".join(head) + "\n" + "".join(map(_triangle, triangles)),
            _rows(_texels(self.scene["texture"])),
            "\n".join([str(2 * len(rows)), *lines, ""]),
        )
        return dict(zip(_FILES, texts, strict=True))

    def write(self, folder: Path) -> None:
        """The files of the bench; none if anything is wrong."""
        texts = self.files()
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="ascii")


def word_of(number: float) -> int:
    """A number in fixed point, the nearest; the ends of the range stand for what is beyond them, 0 for what is none."""
    if number != number:
        return 0
    scaled = max(-_LARGEST - 1.0, min(float(_LARGEST), number * _ONE))
    return round(scaled) & 0xFFFFFFFF


# --- The scene --------------------------------------------------------------------------------------------------------


def _params(scene: Mapping[str, Any]) -> str:
    size = _whole("size", scene["size"], range(_CORES, _LARGEST_PICTURE + 1, _CORES), f"a multiple of {_CORES}")
    texture = scene["texture"]["size"]
    low, high = scene["window"]
    rows = [
        ("light: the bench gives cores none", (0, 0, 0)),
        ("camera", _row("camera", scene["camera"])),
        ("first corner of the window", _row("window", low)),
        ("last corner of the window", _row("window", high)),
        ("size of the picture", (size, size, 0)),
        ("size of the texture", (texture, texture, 0)),
    ]
    for core in range(_CORES):
        rows.append((f"core {core}: first pixel", (0, core * size // _CORES, 0)))
        rows.append((f"core {core}: behind the last pixel", (size, (core + 1) * size // _CORES, 0)))
    lines = [f"{_hexadecimal(map(word_of, row))} // {about}" for about, row in rows]
    return "\n".join([f"{3 * len(rows):x} // words", *lines, ""])


def _triangle(triangle: Mapping[str, Any]) -> str:
    corners, uvs = triangle["corners"], triangle.get("uvs", ((0, 0),) * 3)
    if len(corners) != 3 or len(uvs) != 3:
        raise BenchError("a triangle has three corners, and a pair of texture coordinates for each")
    rows = []
    for corner, (u, v) in zip(corners, uvs, strict=True):
        rows += [_row("corners", corner), (float(u), float(v), 1.0)]
    return _rows([*rows, _row("diffuse", triangle.get("diffuse", (1, 1, 1)))])


def _texels(texture: Mapping[str, Any]) -> list[Row]:
    powers = tuple(1 << power for power in range(_LARGEST_TEXTURE.bit_length()))
    size = _whole("size of a texture", texture["size"], powers, "a power of two")
    texels = [_row("texels", texel) for texel in texture["texels"]]
    if len(texels) != size * size:
        raise BenchError(f"a texture of {size} by {size} has {size * size} texels, not {len(texels)}")
    return texels


def _whole(what: str, number: Any, allowed: Sequence[int], rule: str) -> int:
    if number not in allowed:
        raise BenchError(f"the {what} is {rule}, at most {allowed[-1]}, not {number}")
    return int(number)


def _row(what: str, numbers: Sequence[float]) -> Row:
    if len(numbers) != 3:
        raise BenchError(f"{what}: {numbers} are not three numbers")
    x, y, z = map(float, numbers)
    return x, y, z


def _rows(rows: Sequence[Row]) -> str:
    return "".join(f"{_hexadecimal(map(word_of, row))}\n" for row in rows)


def _hexadecimal(words: Any) -> str:
    return " ".join(f"{word:08x}" for word in words)


def _flat(value: Any) -> Iterator[float]:
    if isinstance(value, (int, float)):
        yield float(value)
        return
    for part in value:
        yield from _flat(part)


# --- The picture ------------------------------------------------------------------------------------------------------


def read_picture(text: str) -> list[list[tuple[int, ...]]]:
    """Rows of pixels of what the bench writes, the first row first; a pixel that nothing was written to is black."""
    kind, width, height, _, *channels = re.sub(r"#[^\n]*", "", text).split()
    count = 3 * int(width) * int(height)
    if kind != "P3" or len(channels) != count:
        raise BenchError(f"{_PICTURE} has {len(channels)} numbers, not {count}: the simulation did not come to its end")
    numbers = [int(channel) if channel.isdigit() else 0 for channel in channels]
    pixels = [tuple(numbers[at : at + 3]) for at in range(0, count, 3)]
    return [pixels[at : at + int(width)] for at in range(0, len(pixels), int(width))]


def simulate(folder: Path, command: str) -> list[list[tuple[int, ...]]]:
    """The picture that a simulation of the bench makes of the files in a folder."""
    picture = folder / _PICTURE
    picture.unlink(missing_ok=True)
    subprocess.run(shlex.split(command), cwd=folder, check=True, stdin=subprocess.DEVNULL)
    if not picture.exists():
        raise BenchError(f"{command} wrote no {_PICTURE}")
    return read_picture(picture.read_text(encoding="ascii"))


def main(program: Program, arguments: Sequence[str] | None = None) -> int:
    """The command line of a program."""
    parser = argparse.ArgumentParser(description="Writes the input of THEIA's test bench.")
    parser.add_argument("scene", nargs="?", type=Path, help="JSON; without it, a square that fills the window")
    parser.add_argument("-o", dest="folder", type=Path, default=Path("bench"), help="where the files go (bench)")
    parser.add_argument("--simulate", action="store_true", help=f"start the command that {_COMMAND} names there, too")
    given = parser.parse_args(arguments)
    try:
        scene = None if given.scene is None else json.loads(given.scene.read_text(encoding="utf-8"))
        Bench(program, scene).write(given.folder)
        command = os.environ.get(_COMMAND)
        if given.simulate and not command:
            print(f"skipped: {_COMMAND} names no command that simulates the bench")
        elif given.simulate and command:
            simulate(given.folder, command)
            print(given.folder / _PICTURE)
    except (ValueError, KeyError, TypeError, OSError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0
