"""The file of a program: its slots, 12 bytes each, as little-endian dwords; there is no header."""

from __future__ import annotations

from functools import partial

from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.isa.container import SLOT_BYTES
from glslc_multi.backends.xenos_family.isa.container import unpack as unpack_slots
from glslc_multi.backends.xenos_family.isa.program import Program


def pack(program: Program) -> bytes:
    """The file of `program`."""
    return b"".join(slot.to_bytes(SLOT_BYTES, "little") for slot in program.slots)


#: The program in a file; raises `BadContainer`.
unpack = partial(unpack_slots, A2XX)
