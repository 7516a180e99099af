"""The files that libxenon loads, `.vsu` and `.psu`: those of the vendor's compiler, in big-endian dwords.

    header, 36 bytes                what kind of program, and where the parts are
    names of uniforms               only in files of others
    literals                        floats for constants, words for bools and loop constants
    shader block                    register words, vertex elements, interpolators, exports of each
    floats of literals, code        the "physical part"

What libxenon reads: offset of the physical part, literals, shader block, elements of vertices.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from glslc_multi.backends.xenos_family.isa.registers import Stage
from glslc_multi.compiler.isa.container import BadContainer
from glslc_multi.compiler.isa.fields import to_words
from glslc_multi.compiler.records import dataclass, replace

_MAGIC = 0x102A1100
_STAGES: tuple[Stage, Stage] = ("fragment", "vertex")
_HEADER, _WORD = 36, 4
#: Floats of literals fill whole blocks of four vectors.
_BLOCK = 64
#: The one word of a table in vertex files of which nothing is known but that it is always there.
_ALWAYS = 0x290
_SLOT_BITS, _LAST_EXPORT = 12, 1
#: What the file of a vertex program has before its elements, and of a fragment program before its interpolators.
_FIXED = 8


class Element(NamedTuple):
    """What a fetch reads: libxenon finds it by usage and index in the format of the vertices."""

    slot: int
    usage: int
    usage_index: int
    #: Place in a group: 1 first, 2 last, 0 between or alone.
    top: int = 0

    @property
    def word(self) -> int:
        return self.slot | self.usage << 12 | self.usage_index << 16 | self.top << 20


class Interpolator(NamedTuple):
    """A varying: components of the register with this number."""

    usage: int
    usage_index: int
    register: int
    mask: int
    #: Vertex: its first one in the list of exports.
    first_export: int = 0

    @property
    def word(self) -> int:
        return self.usage_index | self.usage << 4 | self.register << 8 | self.mask << 12 | self.first_export << 16


@dataclass(frozen=True, slots=True)
class File:
    """What a file says."""

    stage: Stage
    #: Slots, as the machine reads them: little-endian.
    code: bytes
    program_control: int
    context_misc: int
    #: How many interpolators the program has, and components of them.
    interpolators_word: int = 0
    elements: tuple[Element, ...] = ()
    interpolators: tuple[Interpolator, ...] = ()
    #: Vertex: slots that export interpolators, with a flag for the last one of each.
    exports: tuple[int, ...] = ()
    #: Fragment: SQ_INTERPOLATOR_CNTL, and what is written: colours, depth, kills.
    interpolator_control: int = 0
    outputs: int = 0
    #: Register from which on vectors follow, absolute -> their dwords.
    floats: tuple[tuple[int, tuple[int, ...]], ...] = ()
    #: 0x2300 + 4 * dword of the bool and loop constants -> words.
    integers: tuple[tuple[int, tuple[int, ...]], ...] = ()


# --- Writing ----------------------------------------------------------------------------------------------------------


def write(file: File) -> bytes:
    """The bytes of a file."""
    literals = _literal_table(file)
    block_at = _HEADER + len(literals)
    floats = _packed(word for _, words in file.floats for word in words)
    floats += bytes(-len(floats) % _BLOCK)
    fixed = (len(floats), len(file.code), file.program_control, file.context_misc, 0, file.interpolators_word)
    interpolators = [row.word for row in file.interpolators]
    if file.stage == "fragment":
        block = _packed((*fixed, file.interpolator_control, file.outputs, *interpolators))
    else:
        elements = [row.word for row in file.elements]
        block = _packed(
            (*fixed, 1, len(elements), len(file.exports), _ALWAYS, *elements, *interpolators, *file.exports)
        )
    virtual, code = block_at + len(block), _packed(_words(file.code, "<"))
    magic = _MAGIC + _STAGES.index(file.stage)
    literals_at = _HEADER if literals else 0
    header = _packed((magic, virtual, len(floats) + len(code), 0, 0, literals_at, block_at, 0, 0))
    return header + literals + block + floats + code


def _literal_table(file: File) -> bytes:
    if not file.floats and not file.integers:
        return b""
    words: list[int] = []
    offset = 0
    for register, numbers in file.floats:
        words += (register << 16 | len(numbers), offset)
        offset += _WORD * len(numbers)
    words.append(0)
    for register, numbers in file.integers:
        words += (register << 16 | len(numbers), *numbers, 0)
    words.append(0)
    # A bit for each block of floats; more than 32, which no file of others is known to have, go on in the next word.
    # libxenon skips both.
    mask = (1 << -(-offset // _BLOCK)) - 1
    return _packed((0, *to_words(mask, 64), 0, _WORD * len(words), *words))


def _packed(words: Iterator[int] | Sequence[int]) -> bytes:
    return b"".join(word.to_bytes(_WORD, "big") for word in words)


def _words(data: bytes, order: str) -> tuple[int, ...]:
    return struct.unpack(f"{order}{len(data) // _WORD}I", data[: len(data) // _WORD * _WORD])


# --- Reading ----------------------------------------------------------------------------------------------------------


def read(data: bytes) -> File:
    """What a file says; raises `BadContainer`."""
    return _Reader(data).file()


class _Reader:
    """The dwords of a file."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._words = _words(data, ">")

    def file(self) -> File:
        if len(self._data) < _HEADER:
            raise BadContainer(f"{len(self._data)} bytes are less than the header's {_HEADER}")
        magic, virtual = self._words[:2]
        if magic - _MAGIC not in range(len(_STAGES)):
            raise BadContainer(f"it begins with 0x{magic:08x}, not with 0x{_MAGIC:08x} or 0x{_MAGIC + 1:08x}")
        stage = _STAGES[magic - _MAGIC]
        literals_at, block_at = self._words[5:7]
        code_at, size, control, misc, _, interpolators = self._run(block_at, 6)
        at = virtual + code_at
        if size % _WORD or at + size > len(self._data):
            raise BadContainer(f"its code is {size} bytes at {at}, the file has {len(self._data)}")
        code = struct.pack(f"<{size // _WORD}I", *self._run(at, size // _WORD))
        floats, integers = self._literals(literals_at, virtual) if literals_at else ((), ())
        file_ = File(stage, code, control, misc, interpolators, floats=floats, integers=integers)
        # Interpolators come before what is next in the file.
        return self._vertex(file_, block_at) if stage == "vertex" else self._fragment(file_, block_at)

    def _word(self, at: int) -> int:
        if at % _WORD or at // _WORD >= len(self._words):
            raise BadContainer(f"its parts name byte {at} of {len(self._data)}")
        return self._words[at // _WORD]

    def _run(self, at: int, count: int) -> tuple[int, ...]:
        if count:
            self._word(at)
            self._word(at + _WORD * (count - 1))
        return self._words[at // _WORD : at // _WORD + count]

    def _vertex(self, found: File, block_at: int) -> File:
        tables, elements, exports = self._run(block_at + 24, 3)
        if tables != 1:
            raise BadContainer(f"its vertex block has {tables} tables of unknown meaning, not 1")
        at = block_at + _WORD * (_FIXED + 1 + tables)
        count = found.interpolators_word & 0x1F
        return replace(
            found,
            elements=tuple(map(_element, self._run(at, elements))),
            interpolators=tuple(map(_interpolator, self._run(at + _WORD * elements, count))),
            exports=self._run(at + _WORD * (elements + count), exports),
        )

    def _fragment(self, found: File, block_at: int) -> File:
        control, outputs = self._run(block_at + 24, 2)
        rows = self._run(block_at + _WORD * _FIXED, found.interpolators_word & 0x1F)
        interpolators = tuple(map(_interpolator, rows))
        return replace(found, interpolator_control=control, outputs=outputs, interpolators=interpolators)

    def _literals(self, at: int, physical: int) -> tuple[_Literals, _Literals]:
        at += 20
        floats: list[tuple[int, tuple[int, ...]]] = []
        while head := self._word(at):
            count, offset = head & 0xFFFF, self._word(at + _WORD)
            floats.append((head >> 16, self._run(physical + offset, count)))
            at += 2 * _WORD
        at += _WORD
        integers: list[tuple[int, tuple[int, ...]]] = []
        while head := self._word(at):
            count = head & 0xFFFF
            integers.append((head >> 16, self._run(at + _WORD, count)))
            # One more dword follows.
            at += _WORD * (2 + count)
        return tuple(floats), tuple(integers)


_Literals = tuple[tuple[int, tuple[int, ...]], ...]


def _element(word: int) -> Element:
    return Element(word & (1 << _SLOT_BITS) - 1, word >> 12 & 15, word >> 16 & 15, word >> 20)


def _interpolator(word: int) -> Interpolator:
    return Interpolator(word >> 4 & 15, word & 15, word >> 8 & 15, word >> 12 & 15, word >> 16)


def exports_of(slots: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The list of exports of a vertex file, from the slots that export each interpolator."""
    return tuple(slot | (_LAST_EXPORT << _SLOT_BITS if slot is own[-1] else 0) for own in slots for slot in own)


def first_exports(slots: Sequence[Sequence[int]]) -> list[int]:
    """Where in that list each interpolator begins."""
    starts = [0]
    for own in slots:
        starts.append(starts[-1] + len(own))
    return [start for start, _ in pairwise(starts)]
