"""The file of a program: its slots, 12 bytes each, as little-endian dwords; there is no header.

Where the clauses end, the first exec clause tells: it runs the first instruction (the driver's own
disassembler finds the length in the same way).
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.adreno.isa import formats, instructions
from backends.adreno.isa.program import Program, clauses_of
from compiler.isa.container import BadContainer

SLOT_BYTES = formats.SLOT_SIZE // 8


def pack(program: Program) -> bytes:
    """The file of `program`."""
    return b"".join(slot.to_bytes(SLOT_BYTES, "little") for slot in program.slots)


def unpack(data: bytes) -> Program:
    """The program in a file; raises `BadContainer`."""
    if not data or len(data) % SLOT_BYTES:
        raise BadContainer(f"{len(data)} bytes are not one or more slots of {SLOT_BYTES}")
    slots = [int.from_bytes(data[at : at + SLOT_BYTES], "little") for at in range(0, len(data), SLOT_BYTES)]
    return _split(slots)


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
