"""Packets as the command processor of A2xx reads them: what is in registers and program memory afterwards.

In: the words of a ring buffer.  Out: a `Chip`.  Packets of type 3 have their length and operation in the first word;
CP_SET_CONSTANT says in its first word what it sets (ALU constants, fetch constants, bools, loops, registers) and where.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.records import dataclass, field

_LOAD_IMMEDIATE, _SET_CONSTANT, _DRAW = 0x2B, 0x2D, 0x22
#: Where each kind of CP_SET_CONSTANT begins among the registers.
_KINDS = (0x4000, 0x4800, 0x4900, 0x4908, 0x2000)


@dataclass(slots=True)
class Chip:
    """What packets have left."""

    registers: dict[int, int] = field(default_factory=dict)
    #: Stage (0 vertex, 1 fragment) -> words.
    code: dict[int, list[int]] = field(default_factory=dict)
    #: Words of each draw.
    draws: list[list[int]] = field(default_factory=list)

    def words(self, first: int, count: int) -> list[int]:
        return [self.registers[first + number] for number in range(count)]

    def constant(self, stage: int, number: int) -> list[int]:
        """A constant of a stage's window, whose first one a register says."""
        window = self.registers[0x2307 + stage]
        base, size = window & 0x1FF, window >> 12 & 0x1FF
        assert number < size
        return self.words(0x4000 + 4 * (base + number), 4)

    def vertex_buffer(self, constant: int) -> tuple[int, int]:
        """Address and bytes."""
        first, second = self.words(0x4800 + 2 * constant, 2)
        assert first & 3 == 3, "it is a vertex buffer"
        return first & ~3, second & 0x3FFFFFC

    def texture(self, constant: int) -> list[int]:
        return self.words(0x4800 + 6 * constant, 6)


def read_packets(words: Sequence[int]) -> Chip:
    chip, place = Chip(), 0
    while place < len(words):
        head = words[place]
        assert head >> 30 == 3, f"word {place} begins no packet of type 3"
        count = (head >> 16 & 0x3FFF) + 1
        body = list(words[place + 1 : place + 1 + count])
        assert len(body) == count, "the ring ends within a packet"
        _execute(chip, head >> 8 & 0x7F, body)
        place += 1 + count
    return chip


def _execute(chip: Chip, operation: int, body: list[int]) -> None:
    if operation == _LOAD_IMMEDIATE:
        stage, extent, *code = body
        assert extent >> 16 == 0 and extent == len(code)
        chip.code[stage] = code
    elif operation == _SET_CONSTANT:
        place, *values = body
        first = _KINDS[place >> 16 & 0xFF] + (place & 0xFFFF)
        chip.registers.update(enumerate(values, first))
    else:
        assert operation == _DRAW, f"operation {operation:#x}"
        chip.draws.append(body)
