"""The slots of a file as a program.

Where the clauses end, the first exec clause tells: it runs the first instruction (the drivers' own disassemblers find
the length in the same way).
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.xenos_family.isa import formats
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.backends.xenos_family.isa.program import Program, clauses_of
from glslc_multi.compiler.isa.container import BadContainer

SLOT_BYTES = formats.SLOT_SIZE // 8


def unpack(isa: InstructionSet, data: bytes) -> Program:
    """The program in a file; raises `BadContainer`."""
    return split(isa, isa.read_slots(data))


def slots_of(data: bytes) -> list[int]:
    """Little-endian bytes as slots; raises `BadContainer`."""
    if not data or len(data) % SLOT_BYTES:
        raise BadContainer(f"{len(data)} bytes are not one or more slots of {SLOT_BYTES}")
    return [int.from_bytes(data[at : at + SLOT_BYTES], "little") for at in range(0, len(data), SLOT_BYTES)]


def split(isa: InstructionSet, slots: Sequence[int]) -> Program:
    """Slots as clauses and instructions."""
    clauses = [clause for slot in slots for clause in clauses_of(slot)]
    for index, clause in enumerate(clauses):
        row, fields = isa.decode_clause(clause)
        if row.kind != "exec":
            continue
        first = fields["addr"]
        if not index // 2 < first <= len(slots):
            raise BadContainer(f"the first exec clause, number {index}, begins at slot {first} of {len(slots)}")
        return Program(isa, tuple(clauses[: 2 * first]), tuple(slots[first:]))
    raise BadContainer("there is no exec clause")
