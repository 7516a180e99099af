"""A program built with the sources of citro3d and libctru, run by an emulator of the processor; and what it hands to
the GPU, as the calls that `drawn.py` takes.

`GLSLC_MULTI_3DS` names a folder with both, `citro3d` and `libctru`, as their projects publish them.
"""

from __future__ import annotations

import os
import struct
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from backends.pica200.isa.fragment.commands import writes_of
from backends.pica200.isa.fragment.decode import registers_after
from backends.pica200.isa.fragment.program import Write
from backends.pica200.isa.numbers import value_of
from compiler.records import dataclass
from tests.backends.pica200.host.stub import Call

TOOLS = "arm-linux-gnueabihf-gcc", "qemu-arm"
_LIBRARY = Path(__file__).parent / "library"
_FLAGS = "-std=gnu11 -O1 -w -marm -march=armv6k -mfloat-abi=hard -mfpu=vfp -ffp-contract=off -D__3DS__ -static".split()
#: What there is of libctru; the rest is `library/console.c`.
_OF_LIBCTRU = "gpu", "shaderProgram", "shbin"
_MEMORY = 0x20000000

#: Registers: of bools and ints, of floats, of code; of vertices; of the texture of unit 0; the size of the buffer.
_BOOLS, _INTS = 0x2B0, range(0x2B1, 0x2B5)
_FLOAT_PLACE, _FLOATS = 0x2C0, range(0x2C1, 0x2C9)
_CODE_PLACE, _CODE = 0x2CB, range(0x2CC, 0x2D4)
_ATTRIBUTES, _ATTRIBUTES_END, _ORDER = 0x201, 0x202, (0x2BB, 0x2BC)
_BUFFERS, _BUFFER, _VERTICES = 0x200, (0x203, 0x204, 0x205), 0x228
_TEXTURE_SIZE, _TEXTURE_FILTER, _TEXTURE = 0x082, 0x083, 0x085
_SIZE = 0x11E


def library_folder() -> Path | None:
    named = os.environ.get("GLSLC_MULTI_3DS")
    return Path(named) if named else None


def built(folder: Path, sources: Sequence[Path], library: Path) -> Path:
    """The program of sources and both libraries, in `folder`."""
    citro3d, libctru = library / "citro3d", library / "libctru/libctru"
    files = [path for path in (citro3d / "source").rglob("*.c") if path.stem != "tex3ds"]
    files += [libctru / f"source/gpu/{name}.c" for name in _OF_LIBCTRU]
    include = [_LIBRARY, libctru / "include", citro3d / "include", citro3d / "source"]
    command = [TOOLS[0], *_FLAGS, *(f"-I{path}" for path in include), *sources, *files, _LIBRARY / "console.c", "-lm"]
    subprocess.run([*map(str, command), "-o", "program"], cwd=folder, check=True)
    return folder / "program"


@dataclass(frozen=True, slots=True)
class Handed:
    """What a run hands to the GPU: writes, and the memory at the end; and what the buffer is cleared with."""

    writes: Sequence[Write]
    memory: bytes
    fill: int

    @classmethod
    def of(cls, program: Path) -> Handed:
        subprocess.run([TOOLS[1], program], cwd=program.parent, check=True)
        parts: dict[str, list[bytes]] = {"L": [], "M": [], "F": []}
        data, place = (program.parent / "gpu").read_bytes(), 0
        while place < len(data):
            kind, size = struct.unpack_from("<2I", data, place)
            parts[chr(kind)].append(data[place + 8 : place + 8 + size])
            place += 8 + size
        writes = [write for part in parts["L"] for write in writes_of(struct.unpack(f"<{len(part) // 4}I", part))]
        return cls(writes, parts["M"][-1], int.from_bytes(parts["F"][-1], "little"))

    def code(self) -> list[int]:
        """What the vertex unit has in its memory of code."""
        return [word for _, word in sorted(self._sent(_CODE_PLACE, _CODE))]

    def calls(self) -> Iterator[Call]:
        """But for the file."""
        registers = registers_after(self.writes, {})
        yield from self._uniforms(registers)
        yield from self._vertices(registers)
        yield self._texture(registers)
        yield from (["write", write.register, write.mask, write.value] for write in self.writes)
        size = registers[_SIZE]
        yield ["clear", 3, self.fill, 0]
        yield ["target", size & 0x7FF, (size >> 12 & 0x3FF) + 1]

    def _sent(self, place: int, data: range) -> Iterator[tuple[int, int]]:
        """Words that registers take one after the other, and the place of each, counted from where it was set."""
        at = 0
        for write in self.writes:
            if write.register == place:
                at = write.value
            elif write.register in data:
                yield at, write.value
                at += 1

    def _uniforms(self, registers: Mapping[int, int]) -> Iterator[Call]:
        yield from (["c", 0, number, *words] for number, words in self._floats().items())
        for number, register in enumerate(_INTS):
            yield ["i", 0, 0x60 + number, *registers.get(register, 0).to_bytes(4, "little")]
        for number in range(16):
            yield ["b", 0, 0x68 + number, registers.get(_BOOLS, 0) >> number & 1]

    def _floats(self) -> dict[int, list[int]]:
        """Words of 32 bits, x first: the machine takes w first, and three words for four floats of 24 bits."""
        found, number, is_wide, words = {}, 0, False, list[int]()
        for write in self.writes:
            if write.register == _FLOAT_PLACE:
                number, is_wide, words = write.value & 0xFF, bool(write.value >> 31), []
            elif write.register in _FLOATS:
                words.append(write.value)
                if len(words) == (4 if is_wide else 3):
                    found[number] = words[::-1] if is_wide else list(map(_as_float32, _narrow(words)))
                    number, words = number + 1, []
        return found

    def _vertices(self, registers: Mapping[int, int]) -> Iterator[Call]:
        formats = registers[_ATTRIBUTES] | registers[_ATTRIBUTES_END] << 32
        count = (registers[_ATTRIBUTES_END] >> 28) + 1
        fields = [formats >> 4 * n & 0xF for n in range(count)]
        order = registers[_ORDER[0]] | registers[_ORDER[1]] << 32
        yield ["attributes", order, *(part for field in fields for part in (field & 3, (field >> 2) + 1))]
        offset, low, high = (registers[number] for number in _BUFFER)
        stride, vertices = high >> 16 & 0xFF, registers[_VERTICES]
        yield ["buffer", stride, high >> 28, low | (high & 0xFFFF) << 32]
        yield ["vertices", *self._words((registers[_BUFFERS] << 3) + offset, stride * vertices // 4)]

    def _texture(self, registers: Mapping[int, int]) -> Call:
        width, height = registers[_TEXTURE_SIZE] >> 16, registers[_TEXTURE_SIZE] & 0x7FF
        texels = self._words(registers[_TEXTURE] << 3, width * height)
        return ["image", 0, width, height, registers[_TEXTURE_FILTER] >> 1 & 1, *texels]

    def _words(self, address: int, count: int) -> tuple[int, ...]:
        return struct.unpack_from(f"<{count}I", self.memory, address - _MEMORY)


def _narrow(words: Sequence[int]) -> tuple[int, int, int, int]:
    """Four patterns of 24 bits from three words, x first."""
    first, second, third = words
    return third & 0xFFFFFF, third >> 24 | (second & 0xFFFF) << 8, second >> 16 | (first & 0xFF) << 16, first >> 8


def _as_float32(pattern: int) -> int:
    (word,) = struct.unpack("<I", struct.pack("<f", value_of(pattern)))
    return int(word)
