"""What an Xbox 360 draws of the calls that its stand-in prints, by the simulator; and pictures in its memory."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.target import MachineInputs
from glslc_multi.runtime.textures import Texture

WIDTH, HEIGHT, COLUMN = 128, 64, 8
#: Constants of a stage.
_CONSTANTS = 256


def pictures_of(lines: Iterable[str], programs: Sequence[Mapping[str, Artifact]]) -> list[Array]:
    """The picture of each program: a draw covers the columns between its vertices."""
    pictures = [np.zeros((HEIGHT, WIDTH, 4), np.uint8) for _ in programs]
    for number, vertices, textures, words in map(json.loads, lines):
        constants = np.array(words, np.uint32).view(np.float32).reshape(2, _CONSTANTS, 4)
        stages = programs[number]
        left, right, colour = _drawn(stages, np.reshape(vertices, (-1, 2)), textures, constants)
        pictures[number][:, left:right] = colour
    return pictures


def _drawn(
    stages: Mapping[str, Artifact], vertices: Array, textures: Mapping[str, Sequence[int]], constants: Array
) -> tuple[int, int, Array]:
    vertex, fragment = stages["vertex"], stages["fragment"]
    (attribute,) = vertex.reflection.attributes
    given = np.tile(np.array([0, 0, 0, 1], np.float32), (len(vertices), 1))
    given[:, :2] = vertices
    place = attribute.locations[0]
    corners = _run(vertex, constants[0], len(vertices), {place.space: {place.index: given}})
    position = _value(corners, vertex.reflection.outputs[0].locations[0])
    assert np.all((position[:, 2] >= 0) & (position[:, 2] <= position[:, 3])), "within the chip's depths"
    x = (position[:, 0] / position[:, 3] + 1) / 2 * WIDTH
    inputs: dict[str, dict[int, Any]] = {}
    for ours, theirs in zip(fragment.reflection.varyings, vertex.reflection.varyings, strict=True):
        values = _value(corners, theirs.locations[0])
        assert np.all(values == values[0]), "a case has one value"
        inputs.setdefault(ours.locations[0].space, {})[ours.locations[0].index] = values[:1]
    maps = {int(unit): _texture(*numbers) for unit, numbers in textures.items()}
    pixel = _run(fragment, constants[1], 1, inputs, maps)
    (colour,) = _value(pixel, fragment.reflection.outputs[0].locations[0])
    return int(x.min()), int(x.max()), np.floor(np.clip(colour, 0, 1) * 255 + 0.5).astype(np.uint8)


def _run(
    artifact: Artifact,
    constants: Array,
    lanes: int,
    inputs: Mapping[str, Mapping[int, Any]],
    textures: Mapping[int, Texture] | None = None,
) -> Mapping[str, Mapping[int, Any]]:
    registers: dict[int, list[float]] = {number: row.tolist() for number, row in enumerate(constants)}
    # libxenon loads those of the file when it draws.
    for literal in artifact.reflection.literals:
        for letter, word in zip(literal.location.components, literal.words, strict=True):
            (number,) = struct.unpack("<f", struct.pack("<I", word))
            registers[literal.location.index]["xyzw".index(letter)] = number
    given = MachineInputs(lanes, {"C": registers}, inputs, textures or {})
    return load_target("xenos").simulate(artifact, given, {}).outputs


def _value(outputs: Mapping[str, Mapping[int, Any]], place: Any) -> Array:
    return np.asarray(outputs[place.space][place.index])


def _texture(is_linear: int, width: int, height: int, pitch: int, *data: int) -> Texture:
    rows = np.array(data, np.uint8).reshape(height, pitch // 4, 4)[:, :width, [2, 1, 0, 3]]
    return Texture(rows, "linear" if is_linear else "nearest", "repeat")


def in_memory(picture: Array) -> bytes:
    """A picture as a resolve leaves it: blue first, in tiles of 32 by 32 pixels.

    In a tile, two rows of four pixels are together; these go on to the right, then down; from the ninth row of each 16
    on, halves of 16 pixels change sides.
    """
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    block = x % 4 + y % 2 * 4 + x % 32 // 4 * 8 + y % 32 // 2 * 64
    place = (y // 32 * 32 * WIDTH + x // 32 * 1024 + block) ^ ((y & 8) << 2)
    memory = np.zeros((HEIGHT * WIDTH, 4), np.uint8)
    memory[place] = picture[..., [2, 1, 0, 3]]
    return memory.tobytes()
