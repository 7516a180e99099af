"""A program built with the sources of citro3d and libctru, run by an emulator of the processor; and what it hands to
the GPU, as the calls that `drawn.py` takes.

`GLSLC_MULTI_3DS` names a folder with both, `citro3d` and `libctru`, as their projects publish them.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from glslc_multi.backends.pica200.isa.fragment.container import writes_of
from glslc_multi.backends.pica200.isa.fragment.decode import registers_after
from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.isa.numbers import value_of
from glslc_multi.compiler.records import dataclass
from tests.backends.pica200.host.stub import Call

TOOLS = "arm-linux-gnueabihf-gcc", "qemu-arm"
_LIBRARY = Path(__file__).parent / "library"
_FLAGS = "-std=gnu11 -O1 -w -marm -march=armv6k -mfloat-abi=hard -mfpu=vfp -ffp-contract=off -D__3DS__".split()
#: What there is of libctru; the rest is `library/console.c`.
_OF_LIBCTRU = "gpu", "shaderProgram", "shbin"
_MEMORY = 0x20000000

#: Registers of a shader unit, after its first: ints, the place of floats and floats; of the vertex unit's code.
_UNITS = {0: 0x2B0, 1: 0x280}
_INTS, _FLOAT_PLACE, _FLOATS = range(1, 5), 0x10, range(0x11, 0x19)
_CODE_PLACE, _CODE = 0x2CB, range(0x2CC, 0x2D4)
#: Of vertices; of textures, by unit: size, filter, and two on the address; the size of the colour buffer.
_ATTRIBUTES, _ATTRIBUTES_END, _ORDER = 0x201, 0x202, (0x2BB, 0x2BC)
_BUFFERS, _BUFFER, _VERTICES = 0x200, (0x203, 0x204, 0x205), 0x228
_TEXTURES = {0: 0x082, 1: 0x092, 2: 0x09A}
_SIZE = 0x11E


_NAMED = os.environ.get("GLSLC_MULTI_3DS", "")
#: Why there is nothing to build programs with; "" where there is.
NO_LIBRARY = "" if _NAMED and all(map(shutil.which, TOOLS)) else f"no GLSLC_MULTI_3DS, or not all of {', '.join(TOOLS)}"


def built_library(folder: Path) -> Path:
    """Both libraries as one object."""
    libraries = Path(_NAMED)
    files = [path for path in (libraries / "citro3d/source").rglob("*.c") if path.stem != "tex3ds"]
    files += [libraries / f"libctru/libctru/source/gpu/{name}.c" for name in _OF_LIBCTRU]
    _compile(folder, [*files, _LIBRARY / "console.c"], "-r", "-nostdlib", "-o", "library.o")
    return folder / "library.o"


def built(folder: Path, sources: Sequence[Path], library: Path) -> Path:
    """The program of sources, in `folder`."""
    _compile(folder, [*sources, library], "-static", "-o", "program", "-lm")
    return folder / "program"


def _compile(folder: Path, files: Sequence[Path], *arguments: str) -> None:
    libraries = Path(_NAMED)
    citro3d = libraries / "citro3d"
    include = [_LIBRARY, libraries / "libctru/libctru/include", citro3d / "include", citro3d / "source"]
    command = [TOOLS[0], *_FLAGS, *(f"-I{path}" for path in include), *map(str, files), *arguments]
    subprocess.run(command, cwd=folder, check=True)


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
        for unit in _UNITS:
            yield from self._uniforms(unit, registers)
        yield from self._vertices(registers)
        yield from (self._texture(unit, registers) for unit, first in _TEXTURES.items() if first in registers)
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

    def _uniforms(self, unit: int, registers: Mapping[int, int]) -> Iterator[Call]:
        first = _UNITS[unit]
        yield from (["c", unit, number, *words] for number, words in self._floats(first).items())
        for number, register in enumerate(_INTS):
            yield ["i", unit, 0x60 + number, *registers.get(first + register, 0).to_bytes(4, "little")]
        for number in range(16):
            yield ["b", unit, 0x68 + number, registers.get(first, 0) >> number & 1]

    def _floats(self, first: int) -> dict[int, list[int]]:
        """Words of 32 bits, x first: the machine takes w first, and three words for four floats of 24 bits."""
        found, number, is_wide, words = {}, 0, False, list[int]()
        for write in self.writes:
            if write.register == first + _FLOAT_PLACE:
                number, is_wide, words = write.value & 0xFF, bool(write.value >> 31), []
            elif write.register - first in _FLOATS:
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

    def _texture(self, unit: int, registers: Mapping[int, int]) -> Call:
        size, filter, _, address = (registers[_TEXTURES[unit] + number] for number in range(4))
        width, height = size >> 16, size & 0x7FF
        return ["image", unit, width, height, filter >> 1 & 1, *self._words(address << 3, width * height)]

    def _words(self, address: int, count: int) -> tuple[int, ...]:
        return struct.unpack_from(f"<{count}I", self.memory, address - _MEMORY)


def _narrow(words: Sequence[int]) -> tuple[int, int, int, int]:
    """Four patterns of 24 bits from three words, x first."""
    first, second, third = words
    return third & 0xFFFFFF, third >> 24 | (second & 0xFFFF) << 8, second >> 16 | (first & 0xFF) << 16, first >> 8


def _as_float32(pattern: int) -> int:
    (word,) = struct.unpack("<I", struct.pack("<f", value_of(pattern)))
    return int(word)
