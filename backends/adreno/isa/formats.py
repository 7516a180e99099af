"""The clauses and fetches of Adreno A2xx; ALU words are those of the family."""

from __future__ import annotations

from glslc_multi.backends.xenos_family.isa import formats as family

EXEC = family.exec_format("exec", 9, family.BOOL, family.CONDITION)
LOOP = family.loop_format("loop", 10)
JUMP = family.jump_format(10)
ALLOC = family.alloc_format(4, "number of exports - 1")
NONE = family.NONE

VERTEX = family.vertex_format(
    *family.VERTEX_SOURCE,
    *family.dword(
        0,
        ("reserved0", 27, 3, "3 in the first instruction of a program, 2 in others"),
        ("src_chan", 30, 2, "component of the index"),
    ),
    *family.VERTEX_FORMAT,
    *family.dword(1, ("reserved3", 30, 1, "0 in the first instruction of a program, 1 in others")),
    *family.PREDICATED,
    *family.dword(2, ("stride", 0, 8, "bytes"), ("offset", 8, 22, "bytes")),
    *family.PREDICATE,
)
TEXTURE = family.texture_format(valid_only=0, arbitrary=7, levels=2, location=1)


def vertex_reserved(first: bool) -> dict[str, int]:
    """What the driver writes to the reserved fields of vertex fetches: in the first instruction, in others."""
    return {"reserved0": 3, "reserved3": 0} if first else {"reserved0": 2, "reserved3": 1}
