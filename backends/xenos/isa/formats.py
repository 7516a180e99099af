"""The clauses and fetches of Xenos; ALU words are those of the family.

Bit 41 of an exec clause without a bool constant says that no instruction in it sets the predicate.
"""

from __future__ import annotations

from glslc_multi.backends.xenos_family.isa import formats as family
from glslc_multi.compiler.isa.fields import Field

_CLEAN = Field("pred_clean", 41, 1, doc="no instruction of the clause sets the predicate")

EXEC = family.exec_format("exec", 12, _CLEAN)
EXEC_IF_BOOL = family.exec_format("exec on a bool", 12, family.BOOL, family.CONDITION)
EXEC_IF_PREDICATE = family.exec_format("exec on the predicate", 12, _CLEAN, family.CONDITION)
LOOP_START = family.loop_format("loop start", 13, Field("repeat", 13, 1, doc="aL stays as it is"))
LOOP_END = family.loop_format(
    "loop end", 13, Field("pred_break", 21, 1, doc="also ends where the predicate is as wanted"), family.CONDITION
)
JUMP = family.jump_format(13)
ALLOC = family.alloc_format(3, "number of exports to memory")

VERTEX = family.vertex_format(
    *family.VERTEX_SOURCE,
    *family.dword(0, ("prefetch", 27, 3, "dwords to read ahead - 1"), ("src_chan", 30, 2, "component of the index")),
    *family.VERTEX_FORMAT,
    *family.dword(
        1,
        ("round_index", 15, 1, "the nearest vertex, not the one below"),
        ("mini", 30, 1, "of the vertex that the last full fetch has found"),
    ),
    *family.PREDICATED,
    *family.dword(2, ("stride", 0, 8, "dwords")),
    Field("offset", 64 + 8, 23, signed=True, doc="dwords"),
    *family.PREDICATE,
)
#: Kinds of textures.
DIMENSIONS = ("1D", "2D", "3D", "CUBE")
FLAT, CUBE = DIMENSIONS.index("2D"), DIMENSIONS.index("CUBE")
TEXTURE = family.texture_format(
    valid_only=1,
    arbitrary=0,
    levels=1,
    location=0,
    own=(Field("dimension", 64 + 14, 2, default=FLAT, doc="0 1D, 1 2D, 2 3D or stacked, 3 cube"),),
)
