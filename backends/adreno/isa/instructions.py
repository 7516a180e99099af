"""The instruction set of Adreno A2xx: what it has beside the ALU operations of its family."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.adreno.isa import formats
from glslc_multi.backends.xenos_family.isa import options
from glslc_multi.backends.xenos_family.isa.container import slots_of
from glslc_multi.backends.xenos_family.isa.instruction_set import Formats, InstructionSet
from glslc_multi.backends.xenos_family.isa.options import Option
from glslc_multi.backends.xenos_family.isa.rules import RULES, size_rule
from glslc_multi.backends.xenos_family.isa.vertex_formats import LAYOUTS

SLOT_LIMIT = 384


def _is_reserved_unusual(known: Mapping[str, int]) -> bool:
    usual = formats.vertex_reserved(bool(known["first"]))
    return not known["reference"] and any(known[name] != value for name, value in usual.items())


#: Name of a format -> its options, in the order of text.
_OPTIONS: Mapping[str, Mapping[str, Option]] = {
    formats.NONE.name: {},
    formats.EXEC.name: {**options.EXEC, **options.BOOL, **options.ABSOLUTE, **options.CONDITION},
    formats.LOOP.name: options.LOOP,
    formats.JUMP.name: options.JUMP,
    formats.ALLOC.name: options.ALLOC,
    formats.VERTEX.name: {
        **options.VERTEX,
        "RESERVED": options.number("reserved0", "reserved3", shown=_is_reserved_unusual),
    },
    formats.TEXTURE.name: options.TEXTURE,
}

A2XX = InstructionSet(
    name="adreno",
    formats=Formats(
        exec=formats.EXEC,
        exec_if_bool=formats.EXEC,
        exec_if_predicate=formats.EXEC,
        loop_start=formats.LOOP,
        loop_end=formats.LOOP,
        jump=formats.JUMP,
        alloc=formats.ALLOC,
        vertex=formats.VERTEX,
        texture=formats.TEXTURE,
    ),
    options=_OPTIONS,
    rules={**size_rule(SLOT_LIMIT), **RULES},
    slot_limit=SLOT_LIMIT,
    read_slots=slots_of,
    layouts=LAYOUTS,
    vertex_reserved=formats.vertex_reserved,
)
