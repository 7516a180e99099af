"""Uniforms as the Linux driver takes them: one stream of words for each stage.

`vc4_words` fills in what a program reads beside uniforms and constants, by relocations that are numbers alone;
`vc4_stream` takes such words by their names in the register map.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.artifact import Reflection
from glslc_multi.compiler.records import dataclass

_PARAMETER = "texture_config"


class Vc4Kind(IntEnum):
    """What a word is; those of the first five need no source."""

    VIEWPORT_X_SCALE = 0
    VIEWPORT_Y_SCALE = 1
    VIEWPORT_Z_SCALE = 2
    VIEWPORT_Z_OFFSET = 3
    STREAM_ADDRESS = 4
    #: The source is the first word of a slice in the space `buffer`.
    BUFFER = 5
    #: The source is the number of a texture in the space `texture`; the last kinds are of lookups that give the level.
    TEXTURE_CONFIG0 = 8
    TEXTURE_CONFIG1 = 9
    TEXTURE_CONFIG2 = 10
    TEXTURE_CONFIG3 = 11
    TEXTURE_CONFIG0_LOD = 12
    TEXTURE_CONFIG1_LOD = 13
    TEXTURE_CONFIG2_LOD = 14
    TEXTURE_CONFIG3_LOD = 15


class Vc4Relocation(NamedTuple):
    """A word of the stream that the driver fills in."""

    word: int
    kind: Vc4Kind
    source: int = 0


@dataclass(frozen=True, slots=True)
class Vc4Viewport:
    """What is drawn to, in pixels; rows begin at the bottom, or at the top."""

    width: int
    height: int
    near_depth: float = 0.0
    far_depth: float = 1.0
    top_first: bool = False

    @property
    def scales(self) -> tuple[float, float, float, float]:
        """Of x and y in sixteenths of a pixel, of z, and the offset of z."""
        depths = (self.far_depth - self.near_depth) / 2, (self.far_depth + self.near_depth) / 2
        return self.width * 8.0, self.height * (-8.0 if self.top_first else 8.0), *depths


@dataclass(frozen=True, slots=True)
class Vc4Texture:
    """A texture: where level 0 is, and how it is sampled, by the numbers of the hardware."""

    address: int
    width: int
    height: int
    levels: int = 1
    type: int = 0
    magnify: int = 0
    minify: int = 0
    wrap_s: int = 0
    wrap_t: int = 0
    cube_stride: int = 0

    def parameter(self, number: int, *, has_level: bool) -> int:
        """One of the words P0 to P3."""
        if number == 0:
            return self.address | bool(self.cube_stride) << 9 | (self.type & 15) << 4 | self.levels - 1
        if number == 1:
            size = (self.height & 2047) << 20 | (self.width & 2047) << 8
            sampling = self.magnify << 7 | self.minify << 4 | self.wrap_t << 2 | self.wrap_s
            return (self.type >> 4) << 31 | size | sampling
        if number == 2:
            return (1 << 30 | self.cube_stride if self.cube_stride else 0) | has_level
        return 0


def vc4_relocations(reflection: Reflection) -> tuple[Vc4Relocation, ...]:
    """The words that are neither uniforms nor constants."""
    units = {f"{b.name}[{location.element}]": location.index for b in reflection.samplers for location in b.locations}
    relocations = []
    for word, (kind, source) in enumerate(reflection.stream):
        if kind not in ("constant", "uniform"):
            number = units[source] if kind.startswith(_PARAMETER) else int(source or 0)
            relocations.append(Vc4Relocation(word, Vc4Kind[kind.upper()], number))
    return tuple(relocations)


def vc4_words(
    reflection: Reflection,
    words: Array,
    viewport: Vc4Viewport,
    textures: Sequence[Vc4Texture] = (),
    buffer: int = 0,
    stream: int = 0,
) -> list[int]:
    """The stream of a stage, from `UniformValues.words(stage, "stream")`.

    `buffer` and `stream` are addresses: of the words of the space `buffer`, and of the stream itself.
    """
    filled = _given(reflection, words)
    for word, kind, source in vc4_relocations(reflection):
        if kind <= Vc4Kind.VIEWPORT_Z_OFFSET:
            (filled[word],) = struct.unpack("<I", struct.pack("<f", viewport.scales[kind]))
        elif kind in (Vc4Kind.STREAM_ADDRESS, Vc4Kind.BUFFER):
            filled[word] = stream if kind == Vc4Kind.STREAM_ADDRESS else buffer + 4 * source
        else:
            filled[word] = textures[source].parameter(kind % 4, has_level=kind >= Vc4Kind.TEXTURE_CONFIG0_LOD)
    return filled


def vc4_stream(reflection: Reflection, words: Array, own: Mapping[tuple[str, str], int]) -> list[int]:
    """The uniform stream of a stage, from `UniformValues.words(stage, "stream")`.

    `own` are the words that only the driver knows, by kind and source: scales of the viewport, texture configuration,
    addresses (`reflection.stream` lists them).  One that is missing is an error.
    """
    stream = _given(reflection, words)
    for number, slot in enumerate(reflection.stream):
        if slot[0] in ("constant", "uniform"):
            continue
        if slot not in own:
            raise KeyError(f"word {number} of the stream is the driver's own {slot[0]!r} of {slot[1]!r}: give a value")
        stream[number] = own[slot]
    return stream


def _given(reflection: Reflection, words: Array) -> list[int]:
    stream = [0] * len(reflection.stream)
    stream[: len(words)] = words[:, 0].tolist()
    return stream
