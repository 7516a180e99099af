"""What `Xe_ShaderApplyVFetchPatches` of libxenon makes of a vertex program: fetches that suit a format of vertices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from glslc_multi.backends.xenos.isa.container import Element
from glslc_multi.backends.xenos.isa.formats import VERTEX
from glslc_multi.backends.xenos_family.isa.formats import ONE, ZERO
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.compiler.records import replace

#: Format of an element, as libxenon knows it -> dwords and components of it.
SIZES: Mapping[int, tuple[int, int]] = {37: (2, 2), 57: (3, 3), 38: (4, 4), 6: (1, 4)}
_INTEGERS = 6
#: Usage, index and format of an element of the vertices.
Row = Sequence[int]
_COMPONENTS = 4


def patched(program: Program, elements: Sequence[Element], rows: Sequence[Row]) -> Program:
    """The program for vertices of these rows; raises `ValueError` where one is missing, as libxenon stops."""
    places: dict[tuple[int, int], tuple[int, int]] = {}
    stride = 0
    for usage, index, form in rows:
        places[usage, index] = stride, form
        stride += SIZES[form][0]
    words = list(program.instructions)
    for element in elements:
        if (element.usage, element.usage_index) not in places:
            raise ValueError(f"the shader wants usage {element.usage}, index {element.usage_index}")
        offset, form = places[element.usage, element.usage_index]
        number = element.slot - program.first_slot
        words[number] = _patched(words[number], form, offset, stride)
    return replace(program, instructions=tuple(words))


def _patched(word: int, form: int, offset: int, stride: int) -> int:
    fields = VERTEX.decode(word)
    own = {"format": form, "signed": 0, "num_format": int(form != _INTEGERS), "stride": stride, "offset": offset}
    swizzle = _swizzle(fields["dst_swizzle"], SIZES[form][1])
    return VERTEX.encode({**fields, **own, "prefetch": 0, "mini": 0, "dst_swizzle": swizzle})


def _swizzle(selectors: int, components: int) -> int:
    """The destination, where components that the format lacks are 0, 0, 0, 1."""
    found = (selectors >> 3 * slot & 7 for slot in range(_COMPONENTS))
    return sum(_selector(selector, components) << 3 * slot for slot, selector in enumerate(found))


def _selector(selector: int, components: int) -> int:
    if components <= selector < ZERO:
        return ONE if selector == ZERO - 1 else ZERO
    return selector
