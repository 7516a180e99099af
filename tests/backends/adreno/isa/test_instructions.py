"""The tables: encodings apart, fields where the driver has them, the page current."""

from __future__ import annotations

import random

import pytest

from glslc_multi.backends.adreno.isa.container import pack, unpack
from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.isa import formats, instructions
from glslc_multi.compiler.isa.container import BadContainer
from glslc_multi.compiler.isa.fields import Encoding, EncodingTable, Format
from tests.backends.encodings import overlaps
from tests.backends.xenos_family.helpers import program_of, random_fields

TABLES = (
    EncodingTable(Encoding(row.name, formats.ALU, {"vector_op": row.code}) for row in instructions.VECTOR_OPERATIONS),
    EncodingTable(Encoding(row.name, formats.ALU, {"scalar_op": row.code}) for row in instructions.SCALAR_OPERATIONS),
    A2XX.fetch_encodings,
    A2XX.clause_encodings,
)
LAYOUTS = (formats.ALU, *A2XX.formats.all)


@pytest.mark.parametrize("table", TABLES)
def test_no_two_encodings_overlap(table: EncodingTable) -> None:
    assert overlaps(table) == []


def test_every_documented_code_has_a_row() -> None:
    assert set(instructions.VECTOR_BY_CODE) == set(range(30))
    assert set(instructions.SCALAR_BY_CODE) == set(range(51)) - {41}
    assert {row.code for row in A2XX.fetches} == {0, 1, 16, 17, 18, 19, 24, 25, 26}
    assert set(A2XX.clause_by_code) == set(range(16))


def test_alu_instructions_have_no_reserved_bits() -> None:
    assert formats.ALU.reserved == 0


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_fields_survive_the_word(layout: Format) -> None:
    numbers = random.Random(7)
    for _ in range(50):
        word = random_fields(layout, numbers)
        assert layout.accepts(word)
        assert layout.encode(layout.decode(word)) == word


def test_the_file_is_little_endian_dwords() -> None:
    program = program_of("ALLOC POSITION SIZE(0)\nEXEC_END\nALU: MAXv export62 = R1, R1")
    # The ALLOC has its buffer in bits 41-42 of the low half, EXEC_END its address and count in the high one.
    dwords = [0, 0x1001C200, 0x20000000, 0x000F803E, 0, 0xC2010100]
    assert pack(program) == b"".join(dword.to_bytes(4, "little") for dword in dwords)
    assert unpack(pack(program)) == program


@pytest.mark.parametrize("data", [b"", b"123", bytes(12), (0x2000 << 32).to_bytes(12, "little"), b"\xff" * 12])
def test_bytes_without_instructions_after_clauses_are_no_program(data: bytes) -> None:
    with pytest.raises(BadContainer):
        unpack(data)
