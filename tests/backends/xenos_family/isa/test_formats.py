"""The bits of every clause and instruction, against the manuals' tables: first and last bit of each field."""

from __future__ import annotations

import pytest

from glslc_multi.backends.adreno.isa import formats as adreno
from glslc_multi.backends.xenos.isa import formats as xenos
from glslc_multi.backends.xenos_family.isa.formats import ALU
from glslc_multi.compiler.isa.fields import Format

_EXEC = "cnt 12-14, yield 15, sequence 16-27, vc 28-33, address_mode 43, op 44-47"
_BOOL = "bool_addr 34-41, condition 42"
_LOOP = "loop_id 16-20, address_mode 43, op 44-47"
_JUMP = f"force_call 13, predicated_jmp 14, direction 33, {_BOOL}, address_mode 43, op 44-47"
_ALLOC = "no_serial 40, buffer 41-42, alloc_mode 43, op 44-47"
_REGISTERS = "opcode 0-4, src_reg 5-10, src_rel 11, dst_reg 12-17, dst_rel 18, const_index 20-24"
_VERTEX = (
    f"{_REGISTERS}, const_index_sel 25-26, src_chan 30-31, dst_swizzle 32-43, signed 44, num_format 45, signed_rf 46, "
    "format 48-53, exp_adjust 56-61, predicated 63, stride 64-71, pred_condition 95"
)
_TEXTURE = (
    f"{_REGISTERS}, fetch_valid_only 19, denorm 25, src_swizzle 26-31, dst_swizzle 32-43, mag 44-45, min 46-47, "
    "mip 48-49, aniso 50-52, arbitrary 53-55, vol_mag 56-57, vol_min 58-59, comp_lod 60, predicated 63, "
    "reg_gradients 64, sample_location 65, lod_bias 66-72, off_x 80-84, off_y 85-89, off_z 90-94, pred_condition 95"
)

LAYOUTS = [
    (
        ALU,
        "vector_dest 0-5, vector_dest_rel 6, abs_constants 7, scalar_dest 8-13, scalar_dest_rel 14, export 15, "
        "vector_mask 16-19, scalar_mask 20-23, vector_clamp 24, scalar_clamp 25, scalar_op 26-31, "
        "src3_swizzle 32-39, src2_swizzle 40-47, src1_swizzle 48-55, src3_negate 56, src2_negate 57, src1_negate 58, "
        "pred_condition 59, predicated 60, const_rel_a0 61, const1_rel 62, const0_rel 63, "
        "src3 64-71, src2 72-79, src1 80-87, vector_op 88-92, src3_bank 93, src2_bank 94, src1_bank 95",
    ),
    (adreno.EXEC, f"addr 0-8, {_EXEC}, {_BOOL}"),
    (adreno.LOOP, f"addr 0-9, {_LOOP}"),
    (adreno.JUMP, f"addr 0-9, {_JUMP}"),
    (adreno.ALLOC, f"size 0-3, {_ALLOC}"),
    (adreno.VERTEX, f"{_VERTEX}, reserved0 27-29, reserved3 62, offset 72-93"),
    (adreno.TEXTURE, f"{_TEXTURE}, reg_lod 61-62"),
    (xenos.EXEC, f"addr 0-11, {_EXEC}, pred_clean 41"),
    (xenos.EXEC_IF_BOOL, f"addr 0-11, {_EXEC}, {_BOOL}"),
    (xenos.EXEC_IF_PREDICATE, f"addr 0-11, {_EXEC}, pred_clean 41, condition 42"),
    (xenos.LOOP_START, f"addr 0-12, repeat 13, {_LOOP}"),
    (xenos.LOOP_END, f"addr 0-12, pred_break 21, condition 42, {_LOOP}"),
    (xenos.JUMP, f"addr 0-12, {_JUMP}"),
    (xenos.ALLOC, f"size 0-2, {_ALLOC}"),
    (xenos.VERTEX, f"{_VERTEX}, prefetch 27-29, round_index 47, mini 62, offset 72-94"),
    (xenos.TEXTURE, f"{_TEXTURE}, reg_lod 61, dimension 78-79"),
]


@pytest.mark.parametrize(("layout", "fields"), LAYOUTS, ids=range(len(LAYOUTS)))
def test_each_field_has_the_bits_that_the_manual_gives_it(layout: Format, fields: str) -> None:
    found = {each.name: (each.low, each.low + each.width - 1) for each in layout.fields}
    assert found == dict(map(_bits, fields.split(", ")))
    # Two clauses are as long as an instruction.
    assert layout.size == (48 if "op" in found else 96)


def _bits(text: str) -> tuple[str, tuple[int, int]]:
    name, _, place = text.partition(" ")
    first, _, last = place.partition("-")
    return name, (int(first), int(last or first))


def test_offsets_have_a_sign_where_they_are_in_dwords() -> None:
    """A2xx counts bytes, from the start of the vertex on."""
    signed = {(layout.name, each.name) for layout, _ in LAYOUTS[1:7] for each in layout.fields if each.signed}
    assert signed == {("vertex fetch", "exp_adjust")}
    signed = {(layout.name, each.name) for layout, _ in LAYOUTS[7:] for each in layout.fields if each.signed}
    assert signed == {("vertex fetch", "exp_adjust"), ("vertex fetch", "offset")}


def test_unused_fields_say_that_the_fetch_constant_decides() -> None:
    """The words of either vendor, whose fields of sampling are all as the constant says."""
    common = {"mag": 3, "min": 3, "mip": 3, "aniso": 7, "vol_mag": 3, "vol_min": 3, "comp_lod": 1}
    assert _defaults(adreno.TEXTURE) == {**common, "arbitrary": 7, "sample_location": 1}
    assert _defaults(xenos.TEXTURE) == {**common, "fetch_valid_only": 1, "dimension": 1}
    # 0x1F1FF000 is what is documented of the second dword.
    assert sum(each.insert(each.default) for each in xenos.TEXTURE.fields) >> 32 & 0xFFFFFFFF == 0x1F1FF000


def _defaults(layout: Format) -> dict[str, int]:
    return {each.name: each.default for each in layout.fields if each.default}


def test_one_bit_of_a_vertex_fetch_is_always_one() -> None:
    assert [layout.ones for layout, _ in LAYOUTS if layout.ones] == [1 << 19] * 2


def test_what_the_driver_of_a2xx_writes_where_nothing_is_known() -> None:
    """The driver's words differ in the first instruction of a program."""
    first, others = (adreno.VERTEX.encode(adreno.vertex_reserved(is_first)) for is_first in (True, False))
    assert (first & ~(1 << 19), others & ~(1 << 19)) == (3 << 27, 2 << 27 | 1 << 62)
