"""What a device has after the calls that a client recorded.

In: lines that the classes of `client/recording` print, a call each.  Out: a `Device`, with the state that Stage3D's
documentation gives it: constants, streams and textures stay until they are set again, whatever the program.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.records import dataclass, field

#: Constant registers: type of the program and number -> the bits of four components.
Constants = dict[tuple[str, int], list[int]]
BACK_BUFFER = 0


@dataclass(frozen=True, slots=True)
class VertexBuffer:
    numbers: Array
    stride: int


@dataclass(frozen=True, slots=True)
class Stream:
    """What an attribute register reads."""

    buffer: VertexBuffer
    offset: int
    width: int

    def values(self) -> Array:
        """Of all vertices: (vertex, component)."""
        starts = np.arange(self.offset, len(self.buffer.numbers), self.buffer.stride)
        values: Array = self.buffer.numbers[starts[:, None] + np.arange(self.width)]
        return values


@dataclass(slots=True)
class Device:
    #: By the numbers of what the device made.
    codes: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)
    buffers: dict[int, VertexBuffer] = field(default_factory=dict)
    indices: dict[int, Array] = field(default_factory=dict)
    sizes: dict[int, tuple[int, int]] = field(default_factory=dict)
    #: (height, width, 4) bytes, the top row first.
    images: dict[int, Array] = field(default_factory=dict)
    #: What is set now.
    constants: Constants = field(default_factory=dict)
    streams: dict[int, Stream] = field(default_factory=dict)
    textures: dict[int, int] = field(default_factory=dict)
    samplers: dict[int, tuple[str, ...]] = field(default_factory=dict)
    code: tuple[bytes, bytes] = (b"", b"")
    target: int = BACK_BUFFER

    def take(self, call: str, words: list[str]) -> None:
        """One call, except those that draw."""
        getattr(self, f"_{call}")(*words)

    def _upload(self, number: str, vertex: str, fragment: str) -> None:
        self.codes[int(number)] = bytes.fromhex(vertex[1:]), bytes.fromhex(fragment[1:])

    def _vertices(self, number: str, stride: str, *words: str) -> None:
        self.buffers[int(number)] = VertexBuffer(_bits(words).view(np.float32), int(stride))

    def _indices(self, number: str, *words: str) -> None:
        self.indices[int(number)] = np.array(words, np.intp)

    def _size(self, number: str, width: str, height: str) -> None:
        self.sizes[int(number)] = int(width), int(height)

    def _image(self, number: str, *words: str) -> None:
        width, height = self.sizes[int(number)]
        channels = _bits(words)[:, None] >> np.array([16, 8, 0, 24], np.uint32)
        self.images[int(number)] = channels.astype(np.uint8).reshape(height, width, 4)

    def _program(self, number: str) -> None:
        self.code = self.codes[int(number)]

    def _constants(self, type: str, first: str, *words: str) -> None:
        for place, row in enumerate(_bits(words).reshape(-1, 4).tolist()):
            self.constants[type, int(first) + place] = row

    def _stream(self, register: str, buffer: str, offset: str, format: str) -> None:
        self.streams.pop(int(register), None)
        if int(buffer):
            self.streams[int(register)] = Stream(self.buffers[int(buffer)], int(offset), int(format[-1]))

    def _texture(self, sampler: str, number: str) -> None:
        self.textures.pop(int(sampler), None)
        if int(number):
            self.textures[int(sampler)] = int(number)

    def _sampler(self, sampler: str, *state: str) -> None:
        self.samplers[int(sampler)] = state

    def _target(self, number: str) -> None:
        self.target = int(number)


def calls_of(printed: str) -> Iterable[tuple[str, list[str]]]:
    """The calls of a text, with their words."""
    for line in printed.splitlines():
        call, *words = line.split()
        yield call, words


def _bits(words: Iterable[str]) -> Array:
    return np.array([int(word) % 2**32 for word in words], np.uint32)
