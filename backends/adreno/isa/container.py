"""The file of a program: its slots, 12 bytes each, as little-endian dwords; there is no header.

Where the clauses end, the first exec clause tells: it runs the first instruction (the driver's own
disassembler finds the length in the same way).
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.adreno.isa import formats, instructions
from backends.adreno.isa.program import Program, clauses_of
from compiler.isa.container import BadContainer
from compiler.isa.fields import from_words, to_words

SLOT_BYTES = formats.SLOT_SIZE // 8
_DWORDS = formats.SLOT_SIZE // 32


def pack(program: Program) -> bytes:
    """The file of `program`."""
    return b"".join(slot.to_bytes(SLOT_BYTES, "little") for slot in program.slots)


def unpack(data: bytes) -> Program:
    """The program in a file; raises `BadContainer`."""
    if not data or len(data) % SLOT_BYTES:
        raise BadContainer(f"{len(data)} bytes are not one or more slots of {SLOT_BYTES}")
    slots = [int.from_bytes(data[at : at + SLOT_BYTES], "little") for at in range(0, len(data), SLOT_BYTES)]
    return _split(slots)


def to_dwords(program: Program) -> list[int]:
    """The program as 32-bit words."""
    return [dword for slot in program.slots for dword in to_words(slot, formats.SLOT_SIZE)]


def from_dwords(dwords: Sequence[int]) -> Program:
    """The program in 32-bit words; raises `BadContainer`."""
    if not dwords or len(dwords) % _DWORDS:
        raise BadContainer(f"{len(dwords)} dwords are not one or more slots of {_DWORDS}")
    return _split([from_words(dwords[at : at + _DWORDS]) for at in range(0, len(dwords), _DWORDS)])


def _split(slots: Sequence[int]) -> Program:
    clauses = [clause for slot in slots for clause in clauses_of(slot)]
    for index, clause in enumerate(clauses):
        row, fields = instructions.decode_clause(clause)
        if row.format is not formats.EXEC:
            continue
        first = fields["addr"]
        if not index // 2 < first <= len(slots):
            raise BadContainer(f"the first exec clause, number {index}, begins at slot {first} of {len(slots)}")
        return Program(tuple(clauses[: 2 * first]), tuple(slots[first:]))
    raise BadContainer("there is no exec clause")
