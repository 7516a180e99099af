"""Register words, against words in files of the vendor's compiler and the description of the registers."""

from __future__ import annotations

import pytest

from glslc_multi.backends.xenos.isa.files import assembled_file
from glslc_multi.backends.xenos.isa.register_words import interpolators_word, outputs_word
from glslc_multi.backends.xenos_family.isa.register_words import (
    context_misc,
    exports_of,
    fragment_control,
    interpolator_control,
    stage_of,
    vertex_control,
)
from glslc_multi.compiler.records import replace
from tests.backends.xenos.helpers import program_of


@pytest.mark.parametrize(
    ("found", "recorded"),
    [
        # The example of libxenon: two registers, one colour, two interpolators of 3 and 4 components.
        (fragment_control(2, {0}, None), 0x10000100),
        (context_misc(None), 0x4),
        (interpolators_word(2, 7), 0x1C42),
        (interpolator_control(2), 0x00030003),
        (outputs_word({0}, kills=False), 1),
        # Retail shaders: COLOR0 and DEPTH; nine interpolators of 32 components; the position in R6.
        (fragment_control(7, {0, 61}, None), 0x18000600),
        (interpolators_word(9, 32), 0x8129),
        (context_misc(6), 0x606),
        (outputs_word({0, 61}, kills=True), 0x31),
        (outputs_word({1, 2, 3}, kills=False), 0b1110),
        (outputs_word({0, 61}, kills=False), 0x11),
        (outputs_word({0}, kills=True), 0x21),
        # Vertex programs without interpolators, with two, and with a point size.
        (vertex_control(1, {62}), 0x00010000),
        (vertex_control(2, {62, 0, 1}), 0x00110001),
        (vertex_control(1, {62, 63}), 0x02010000),
        (fragment_control(1, {0, 1, 2, 3}, 0), 4 << 28 | 1 << 18),
    ],
)
def test_register_words(found: int, recorded: int) -> None:
    assert f"{found:08x}" == f"{recorded:08x}"


def test_a_file_of_assembled_text_has_what_the_words_tell() -> None:
    vertex = assembled_file(
        program_of(
            """EXEC PRED_CLEAN
            FETCH: VERTEX R3.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(5) CONST(31, 2)
            FETCH: VERTEX R1.xy01 = R0.x FMT_32_32_FLOAT UNSIGNED STRIDE(5) OFFSET(3) CONST(31, 2)
            ALLOC POSITION SIZE(0x0)
            EXEC PRED_CLEAN
            (S)ALU: MAXv export62 = R3, R3
            ALLOC PARAM/PIXEL SIZE(0x0)
            EXEC_END PRED_CLEAN
            ALU: MAXv export0.xy__ = R1, R1
            ALU: MAXv export0.__zw = R1, R1
            ALU: MAXv export1.x___ = R1, R1"""
        )
    )
    assert (vertex.stage, vertex.program_control) == ("vertex", 0x00110003)
    assert [(row.slot, row.usage, row.usage_index) for row in vertex.elements] == [(3, 0, 0), (4, 5, 1)]
    assert [(row.register, row.mask, row.first_export) for row in vertex.interpolators] == [(0, 15, 0), (1, 1, 2)]
    assert vertex.exports == (6, 7 | 1 << 12, 8 | 1 << 12)


def test_exports_are_those_of_operations_and_no_fetch_is_one() -> None:
    """A fetch has bits of its destination where an operation says that it exports: those of R8 to R15."""
    program = program_of(
        """EXEC PRED_CLEAN
        FETCH: VERTEX R8.xyzw = R0.x FMT_32_32_32_32_FLOAT UNSIGNED STRIDE(8) CONST(31, 2)
        FETCH: VERTEX R15.xyzw = R0.x FMT_32_32_32_32_FLOAT UNSIGNED STRIDE(8) OFFSET(4) CONST(31, 2)
        ALLOC POSITION SIZE(0x0)
        EXEC PRED_CLEAN
        (S)ALU: MAXv export62 = R8, R8
        ALLOC PARAM/PIXEL SIZE(0x0)
        EXEC_END PRED_CLEAN
        ALU: MAXv export0.xy__ = R15, R15
        ALU: MAXv R8 = R15, R15
        ALU: MAXv export0.__zw = R8, R8"""
    )
    first = 3  # Three slots of clauses come before the instructions.
    assert exports_of(program) == {62: [(first + 2, 0b1111)], 0: [(first + 3, 0b0011), (first + 5, 0b1100)]}
    # Slots that are run but are not there hold nothing.
    cut = replace(program, instructions=program.instructions[:3])
    assert exports_of(cut) == {62: [(first + 2, 0b1111)]}


def test_the_stage_of_exports() -> None:
    assert [stage_of(exports) for exports in ([62, 0], [63], [0, 1, 2, 3], [61], [])] == ["vertex"] * 2 + [
        "fragment"
    ] * 3
