"""Patches of vertex fetches: what libxenon does, beside the recorded files."""

from __future__ import annotations

import pytest

from glslc_multi.backends.xenos.isa.container import Element
from glslc_multi.backends.xenos.isa.formats import VERTEX
from tests.backends.xenos.helpers import program_of
from tests.backends.xenos.patch import patched

PROGRAM = program_of(
    """EXEC_END
    FETCH: VERTEX R1.xyzw = R0.x FMT_32_FLOAT SIGNED STRIDE(1) CONST(31, 2) PREFETCH(3)
    FETCH: VERTEX R2.x01_ = R0.x FMT_32_FLOAT UNSIGNED STRIDE(1) CONST(31, 2) MINI"""
)
ELEMENTS = (Element(1, 0, 0), Element(2, 10, 1))


def test_fetches_get_format_offset_and_stride_of_the_vertices() -> None:
    found = patched(PROGRAM, ELEMENTS, [(10, 1, 38), (0, 0, 37)])
    position, colour = (VERTEX.decode(word) for word in found.instructions[:2])
    assert [position[name] for name in ("format", "offset", "stride", "signed", "prefetch")] == [37, 4, 6, 0, 0]
    # Two floats: z becomes 0, w 1.
    assert [position["dst_swizzle"] >> 3 * slot & 7 for slot in range(4)] == [0, 1, 4, 5]
    assert [colour[name] for name in ("format", "offset", "stride", "mini")] == [38, 0, 6, 0]
    assert [colour["dst_swizzle"] >> 3 * slot & 7 for slot in range(4)] == [0, 4, 5, 7]


def test_vertices_must_have_what_a_program_wants() -> None:
    with pytest.raises(ValueError, match="usage 10, index 1"):
        patched(PROGRAM, ELEMENTS, [(0, 0, 57), (10, 0, 38)])
