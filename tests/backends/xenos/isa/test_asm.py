"""Words to text and back."""

from __future__ import annotations

import random

import pytest

from glslc_multi.backends.xenos.isa.container import File, write
from glslc_multi.backends.xenos.isa.disasm import disassemble, disassemble_program
from glslc_multi.backends.xenos.isa.files import code_of
from glslc_multi.backends.xenos.isa.instructions import XENOS
from glslc_multi.backends.xenos_family.isa import formats
from glslc_multi.backends.xenos_family.isa.disasm import clause_text, instruction_lines
from glslc_multi.backends.xenos_family.isa.instruction_set import Opcode
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.xenos.helpers import program_of
from tests.backends.xenos_family.lines import parse_clause, parse_instruction


def test_any_bits_survive_text() -> None:
    numbers = random.Random(1)
    for _ in range(300):
        word = numbers.getrandbits(formats.SLOT_SIZE)
        for is_fetch in (True, False):
            assert parse_instruction(XENOS, instruction_lines(XENOS, word, is_fetch), is_fetch, False) == word


@pytest.mark.parametrize("row", [*XENOS.clauses, *XENOS.fetches], ids=lambda row: row.name)
def test_fields_survive_text(row: Opcode) -> None:
    """Any values of the fields; bits of a sequence are in the lines of its instructions."""
    numbers = random.Random(row.code)
    opcode = {"op" if row.kind not in ("vertex", "texture") else "opcode": row.code}
    for _ in range(40):
        values = {part.name: numbers.randint(*part.range) for part in row.format.fields}
        values |= opcode | ({"sequence": 0} if "sequence" in values else {})
        word = row.format.encode(values)
        if "opcode" in opcode:
            assert parse_instruction(XENOS, instruction_lines(XENOS, word, True), True, False) == word
        else:
            assert parse_clause(XENOS, clause_text(XENOS, word)) == word


def test_half_of_an_instruction_that_does_nothing() -> None:
    """As the vendor's assembler has it: MAXv of R0 and R0, RETAIN_PREV."""
    program = program_of("EXEC_END\nALU: ADDv R1 = R2, R3\nALU: MAXv R0.____ = R0, R0\n RECIP_IEEE R1.x___ = R2.xxxx")
    vector, scalar = (formats.ALU.decode(word) for word in program.instructions[:2])
    assert (vector["scalar_op"], vector["src3_bank"], vector["src3"]) == (50, 1, 0)
    assert (scalar["vector_op"], scalar["src1_bank"], scalar["src2_bank"], scalar["vector_mask"]) == (2, 1, 1, 0)


def test_only_the_vector_half_names_an_export() -> None:
    program = program_of("EXEC_END\nALU: MULv export3.xyz_ = R2, R3\n MAXs export3.___w = R2.wwww")
    fields = formats.ALU.decode(program.instructions[0])
    assert (fields["vector_dest"], fields["scalar_dest"]) == (3, 0)
    assert "export3.___w" in disassemble_program(program, DiagnosticSink())


def test_a_program_ends_with_a_slot_of_zeros_that_text_leaves_out() -> None:
    program = program_of("EXEC_END\nALU: ADDv R1 = R2, R3")
    assert program.instructions[1:] == (0,)
    assert len(disassemble_program(program, DiagnosticSink()).splitlines()) == 3


def test_files_are_read_and_what_is_none_is_reported() -> None:
    program = program_of("EXEC_END\nALU: ADDv R1 = R2, R3")
    data = write(File("fragment", code_of(program), 0, 0))
    assert program_of(disassemble(data, "test", DiagnosticSink())) == program
    with pytest.raises(CompileError) as caught:
        disassemble(b"12345", "test", DiagnosticSink())
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0808"]
