"""What the chip reads of memory, read back: control lists, shader records, streams and textures.

Written from the formats alone: nothing of the generated code is used here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from glslc_multi.backends.vc4.isa.encoding import decode
from glslc_multi.backends.vc4.isa.flow import END_SLOTS
from glslc_multi.backends.vc4.isa.instructions import Signal
from glslc_multi.backends.vc4.isa.validate_driver import Request, check
from glslc_multi.compiler.records import dataclass

#: Packet -> its name, and the layout of its bytes after the first.
PACKETS = {
    4: ("flush", ""),
    6: ("start tile binning", ""),
    7: ("increment semaphore", ""),
    8: ("wait on semaphore", ""),
    17: ("branch to sub-list", "I"),
    24: ("store", ""),
    25: ("store and end", ""),
    28: ("store general", "HI"),
    32: ("indexed primitives", "BIII"),
    33: ("array primitives", "BII"),
    56: ("primitive list format", "B"),
    64: ("gl shader state", "I"),
    65: ("nv shader state", "I"),
    96: ("configuration bits", "BBB"),
    97: ("flat shade flags", "I"),
    98: ("point size", "f"),
    99: ("line width", "f"),
    102: ("clip window", "HHHH"),
    103: ("viewport offset", "hh"),
    105: ("clipper xy scaling", "ff"),
    106: ("clipper z scaling", "ff"),
    112: ("tile binning mode", "IIIBBB"),
    113: ("tile rendering mode", "IHHH"),
    114: ("clear colours", "IIIB"),
    115: ("tile coordinates", "BB"),
}
_MOST_WORDS = 1 << 16


class Packet(NamedTuple):
    """A packet of a control list."""

    name: str
    values: tuple[float, ...]

    def word(self, number: int = 0) -> int:
        return int(self.values[number])


@dataclass(frozen=True, slots=True)
class Image:
    """Memory as the chip sees it, and the two lists that it is started with."""

    binner: tuple[int, int]
    renderer: tuple[int, int]
    regions: tuple[tuple[int, bytes], ...]

    @staticmethod
    def read(data: bytes) -> Image:
        first, end, start, last = struct.unpack_from("<4I", data)
        regions, at = [], 16
        while at < len(data):
            address, size = struct.unpack_from("<2I", data, at)
            regions.append((address, data[at + 8 : at + 8 + size]))
            at += 8 + size
        return Image((first, end), (start, last), tuple(regions))

    def bytes(self, address: int, size: int) -> bytes:
        # The last region that has it: lists are written over what lies below.
        for start, data in reversed(self.regions):
            if start <= address and address + size <= start + len(data):
                return data[address - start : address - start + size]
        raise AssertionError(f"nothing is at 0x{address:08x}")

    def words(self, address: int, count: int) -> tuple[int, ...]:
        return struct.unpack(f"<{count}I", self.bytes(address, 4 * count))

    def words_from(self, address: int) -> tuple[int, ...]:
        """All words from an address to the end of its region."""
        for start, data in reversed(self.regions):
            if start <= address < start + len(data):
                count = min((start + len(data) - address) // 4, _MOST_WORDS)
                return struct.unpack_from(f"<{count}I", data, address - start)
        raise AssertionError(f"nothing is at 0x{address:08x}")

    def packets(self, span: tuple[int, int]) -> Iterator[Packet]:
        """The packets of a list."""
        data, at = self.bytes(span[0], span[1] - span[0]), 0
        while at < len(data):
            name, layout = PACKETS[data[at]]
            yield Packet(name, struct.unpack_from(f"<{layout}", data, at + 1))
            at += 1 + struct.calcsize(f"<{layout}")
        assert at == len(data), "a list ends with a packet"

    def code(self, address: int) -> tuple[int, ...]:
        """The words of a program, up to its end."""
        found: list[int] = []
        ends: int | None = None
        while ends is None or len(found) <= ends + END_SLOTS:
            (word,) = struct.unpack("<Q", self.bytes(address + 8 * len(found), 8))
            if ends is None and decode(word).signal == Signal.THREND:
                ends = len(found)
            found.append(word)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Program:
    """A program that a record names, and its stream."""

    code: tuple[int, ...]
    stream_address: int
    stream: tuple[int, ...]
    requests: tuple[Request, ...]


@dataclass(frozen=True, slots=True)
class Attribute:
    """A row of a record: an array, and where its bytes go for both programs."""

    address: int
    size: int
    stride: int
    vertex_offset: int
    coordinate_offset: int


@dataclass(frozen=True, slots=True)
class Record:
    """A shader record; the NV form has vertices instead of programs for them."""

    flags: int
    varyings: int
    fragment: Program
    vertex: Program | None = None
    coordinate: Program | None = None
    vertex_select: int = 0
    vertex_bytes: int = 0
    coordinate_select: int = 0
    coordinate_bytes: int = 0
    attributes: tuple[Attribute, ...] = ()
    shaded: int = 0
    shaded_stride: int = 0


def gl_record(image: Image, state: int) -> Record:
    """The record of a GL shader state."""
    address, count = state & ~15, state & 7 or 8
    assert not state & 8, "records are not of the extended form"
    flags, _, varyings, fs, fs_stream = struct.unpack("<HBBII", image.bytes(address, 12))
    _, vs_select, vs_bytes, vs, vs_stream = struct.unpack("<HBBII", image.bytes(address + 12, 12))
    _, cs_select, cs_bytes, cs, cs_stream = struct.unpack("<HBBII", image.bytes(address + 24, 12))
    rows = [struct.unpack("<IBBBB", image.bytes(address + 36 + 8 * number, 8)) for number in range(count)]
    return Record(
        flags,
        varyings,
        _program(image, fs, fs_stream),
        _program(image, vs, vs_stream),
        _program(image, cs, cs_stream),
        vs_select,
        vs_bytes,
        cs_select,
        cs_bytes,
        tuple(Attribute(place, size + 1, stride, to_vs, to_cs) for place, size, stride, to_vs, to_cs in rows),
    )


def nv_record(image: Image, address: int) -> Record:
    """The record of an NV shader state."""
    assert address % 16 == 0, "records are aligned"
    flags, stride, _, varyings, fs, fs_stream, shaded = struct.unpack("<BBBBIII", image.bytes(address, 16))
    return Record(flags, varyings, _program(image, fs, fs_stream), shaded=shaded, shaded_stride=stride)


def _program(image: Image, code: int, stream: int) -> Program:
    words = image.code(code)
    verdict = check(words)
    assert verdict.fault is None
    return Program(words, stream, image.words(stream, verdict.uniforms_size // 4), verdict.requests)


def record_size(record: Record) -> int:
    return 36 + 8 * len(record.attributes)
