"""What the hardware's test bench and its host make of the files: an independent reader, by the sources of trunk.

The bench reads each file with `$readmemh` (IEEE 1364-2005, 17.2.9) into an array of 32-bit words.  Its host sends

- instructions: from word 1 up to the word that word 0 numbers, two words each, the high half first, to slots 0, 1, ..;
- parameters: words 1 to 18 as rows of three to registers 0 to 5 of all cores, then two rows for each core to 6 and 7;
- triangles: from word 10 on, 21 words each, to registers 44 to 50; word 6 says how many;
- texels: three words each, to addresses 0, 1, .. of texture memory.

Nothing here is shared with what writes the files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.machine.scene import Scene
from glslc_multi.compiler.records import dataclass

#: Arrays of the bench, by file: how many words they have.
_SIZES = {
    "Creg.mem": 3,
    "Params.mem": 121,
    "Vertex.mem": 7001,
    "Textures.mem": 256 * 256 * 3 + 1,
    "Instructions.mem": 513,
}
_CORES, _SLOTS, _TABLE = 4, 128, 12
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
#: Slots that are the user's, and what a program calls them.
_BLOCKS = {9: "USERCONSTANTS", 10: "PIXELSHADER"}
_REGISTERS = ("V0", "UV0", "V1", "UV1", "V2", "UV2", "TRI_DIFFUSE")

Row = Sequence[int]


@dataclass(frozen=True)
class Given:
    """What cores and memories hold before the first pixel."""

    control: int
    #: The words at all slots of user code that are sent: two halves together.
    slots: Sequence[int]
    registers: Mapping[int, Row]
    #: First and last pixel of each core.
    bands: Sequence[tuple[Row, Row]]
    triangles: Sequence[Mapping[str, Row]]
    texture: Mapping[int, int]

    @property
    def words(self) -> Mapping[int, int]:
        """Instructions by their addresses."""
        return {0x8000 + slot: word for slot, word in enumerate(self.slots) if slot >= _TABLE}

    @property
    def program(self) -> Program:
        entries = {name: self.slots[slot] for slot, name in _BLOCKS.items() if self.slots[slot] >= 0x8000}
        return Program(tuple(self.slots[_TABLE:]), "trunk", entries)

    @property
    def scene(self) -> Scene:
        """The same for the simulator, after checks of what it takes for granted: equal bands one after the other."""
        width, height = (lane >> 17 for lane in self.registers[4][:2])
        assert width == height, "the bench shows as many columns as there are rows"
        for core, (first, last) in enumerate(self.bands):
            rows = core * height // _CORES, (core + 1) * height // _CORES
            assert first == [0, rows[0] << 17, 0]
            assert last == [width << 17, rows[1] << 17, 0]
        return Scene(width, height, self.registers, self.triangles, _CORES, self.texture)


def readmemh(text: str, size: int) -> list[int]:
    """The words that `$readmemh` loads; all of them from address 0 on."""
    words: dict[int, int] = {}
    at = 0
    for piece in _COMMENTS.sub(" ", text).split():
        if piece.startswith("@"):
            at = int(piece[1:], 16)
            continue
        assert re.fullmatch(r"[0-9A-Fa-f_]{1,9}", piece), f"{piece!r} is no hexadecimal number"
        assert at < size, f"there are {size} words in the array"
        words[at] = int(piece.replace("_", ""), 16)
        assert words[at] < 1 << 32
        at += 1
    assert list(words) == list(range(len(words)))
    return list(words.values())


def read_files(folder: Path) -> Given:
    texts = {name: (folder / name).read_text() for name in _SIZES}
    return given(texts)


def given(texts: Mapping[str, str]) -> Given:
    """What the bench makes of the texts of its files."""
    control, params, vertices, texels, code = (readmemh(texts[name], size) for name, size in _SIZES.items())
    rows = [params[at : at + 3] for at in range(1, len(params), 3)]
    assert len(rows) == 6 + 2 * _CORES
    assert len(params) - 1 == params[0]
    bands = [(rows[6 + 2 * core], rows[7 + 2 * core]) for core in range(_CORES)]
    return Given(
        control[0],
        _slots(code),
        dict(enumerate(rows[:6])),
        bands,
        _triangles(vertices),
        dict(enumerate(texels)),
    )


def _slots(code: Sequence[int]) -> list[int]:
    # The host stops at the first pair that begins at or behind the number of the count; what was not loaded is unknown.
    sent = code[1:]
    assert code[0] >= len(sent), "the host would stop before the last instruction"
    assert len(sent) % 2 == 0
    slots = [high << 32 | low for high, low in zip(sent[::2], sent[1::2], strict=True)]
    assert _TABLE < len(slots) <= _SLOTS
    return slots


def _triangles(vertices: Sequence[int]) -> list[dict[str, Row]]:
    count = vertices[6]
    assert len(vertices) == 10 + 21 * count
    assert count > 0
    rows = [vertices[at : at + 3] for at in range(10, len(vertices), 3)]
    _check_box(vertices[:6], rows)
    return [dict(zip(_REGISTERS, rows[at : at + 7], strict=True)) for at in range(0, len(rows), 7)]


def _check_box(box: Row, rows: Sequence[Row]) -> None:
    """The node's box holds all corners."""
    signed = [(word ^ 1 << 31) - (1 << 31) for word in box]
    for number, row in enumerate(rows):
        if number % 7 in (0, 2, 4):
            lanes = [(word ^ 1 << 31) - (1 << 31) for word in row]
            assert all(low <= lane <= high for low, lane, high in zip(signed[:3], lanes, signed[3:], strict=True))
