"""The instruction set of Xenos: what it has beside the ALU operations of its family."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.xenos.isa import formats
from glslc_multi.backends.xenos.isa.slots import read_slots
from glslc_multi.backends.xenos_family.isa import options
from glslc_multi.backends.xenos_family.isa.formats import NONE
from glslc_multi.backends.xenos_family.isa.instruction_set import Formats, InstructionSet
from glslc_multi.backends.xenos_family.isa.instructions import SCALAR_BY_NAME, VECTOR_BY_NAME
from glslc_multi.backends.xenos_family.isa.options import Option
from glslc_multi.backends.xenos_family.isa.registers import DEPTH
from glslc_multi.backends.xenos_family.isa.rules import RULES, size_rule
from glslc_multi.backends.xenos_family.isa.vertex_formats import LAYOUTS, Layout

SLOT_LIMIT = 4096

_CLEAN = {"PRED_CLEAN": options.flag("pred_clean")}
#: Name of a format -> its options, in the order of text.
_OPTIONS: Mapping[str, Mapping[str, Option]] = {
    NONE.name: {},
    formats.EXEC.name: {**options.EXEC, **_CLEAN, **options.ABSOLUTE},
    formats.EXEC_IF_BOOL.name: {**options.EXEC, **options.BOOL, **options.ABSOLUTE, **options.CONDITION},
    formats.EXEC_IF_PREDICATE.name: {**options.EXEC, **_CLEAN, **options.ABSOLUTE, **options.CONDITION},
    formats.LOOP_START.name: {**options.LOOP, "REPEAT": options.flag("repeat")},
    formats.LOOP_END.name: {
        **options.LOOP,
        "PRED_BREAK": options.flag("pred_break"),
        "COND": options.number("condition"),
    },
    formats.JUMP.name: options.JUMP,
    formats.ALLOC.name: options.ALLOC,
    formats.VERTEX.name: {
        **options.VERTEX,
        "PREFETCH": options.number("prefetch"),
        "ROUND": options.flag("round_index"),
        "MINI": options.flag("mini"),
    },
    formats.TEXTURE.name: {
        **options.TEXTURE,
        "VALID_ONLY": options.number("fetch_valid_only"),
        "DIMENSION": Option(("dimension",), values=formats.DIMENSIONS),
    },
}

#: Rules of the family that are habits here, or that the hardware does not have.
_NOT_RULES = ("alloc-order", "export-two-numbers")
_RULES = {
    **size_rule(SLOT_LIMIT),
    **{rule: text for rule, text in RULES.items() if rule not in _NOT_RULES},
    "predicate-clean": "a clause that says so sets no predicate",
    "predicate-mismatch": "instructions of a clause on the predicate are predicated, and as the clause is",
}

#: Formats of vertex data; two numbers mean something else than elsewhere.
_VERTEX_LAYOUTS: Mapping[int, Layout] = {
    **{code: LAYOUTS[code] for code in (6, 7, 25, 26, 31, 32, 33, 34, 35, 36, 37, 38, 57)},
    16: Layout((11, 11, 10)),
    17: Layout((10, 11, 11)),
}

XENOS = InstructionSet(
    name="xenos",
    formats=Formats(
        exec=formats.EXEC,
        exec_if_bool=formats.EXEC_IF_BOOL,
        exec_if_predicate=formats.EXEC_IF_PREDICATE,
        loop_start=formats.LOOP_START,
        loop_end=formats.LOOP_END,
        jump=formats.JUMP,
        alloc=formats.ALLOC,
        vertex=formats.VERTEX,
        texture=formats.TEXTURE,
    ),
    options=_OPTIONS,
    rules=_RULES,
    slot_limit=SLOT_LIMIT,
    read_slots=read_slots,
    layouts=_VERTEX_LAYOUTS,
    beside_colours=frozenset({DEPTH}),
    idle={
        "vector_op": VECTOR_BY_NAME["MAXv"].code,
        "scalar_op": SCALAR_BY_NAME["RETAIN_PREV"].code,
        "src1_bank": 1,
        "src2_bank": 1,
        "src3_bank": 1,
    },
    both_name_exports=False,
    vertex_unit=4,
    trailing_slots=1,
    to_pixel_centre=0.5,
    has_point_signs=True,
    has_ieee_halves=False,
)
