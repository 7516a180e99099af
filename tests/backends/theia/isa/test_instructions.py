"""The table: encodings apart, words there and back, the page current."""

from __future__ import annotations

import random

import pytest

from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.container import pack
from glslc_multi.backends.theia.isa.disasm import disassemble, spell_word
from glslc_multi.backends.theia.isa.instructions import ENCODINGS, INSTRUCTIONS, Decoded, Instruction
from glslc_multi.backends.theia.isa.program import Program
from glslc_multi.backends.theia.isa.registers import BY_NAME, VARIANTS
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.backends.encodings import overlaps
from tests.backends.theia.helpers import program_of, random_instruction, random_words


def test_no_two_encodings_overlap() -> None:
    assert overlaps(ENCODINGS) == []


def test_every_code_is_here_but_the_holes() -> None:
    holes = {0x06, 0x1E, 0x2E}
    first, immediates, jumps = set(range(0x32)) - holes, set(range(0x40, 0x45)), {0x58, 0x59, 0x5A}
    assert {row.code for row in INSTRUCTIONS} == first | immediates | jumps


def test_bit_6_of_the_opcode_tells_instructions_with_an_immediate_value() -> None:
    for row in INSTRUCTIONS:
        has_wide_operand = row.format is instructions.IMMEDIATE or row.name in ("RETURN", "JMP", "CALL")
        assert bool(row.code & 0x40) == has_wide_operand, row.name


@pytest.mark.parametrize("instruction", INSTRUCTIONS, ids=lambda row: row.name)
def test_words_of_each_instruction_survive_their_text(instruction: Instruction) -> None:
    rng = random.Random(instruction.code)
    for variant in VARIANTS:
        for _ in range(30):
            decoded = random_instruction(rng, instruction)
            word = instructions.encode(decoded)
            assert instructions.decode(word) == decoded
            line = spell_word(word, variant, {})
            assert line is not None
            assert program_of(line, variant=variant).words == (word,), line


def test_a_whole_program_survives_its_text() -> None:
    words = random_words(random.Random(5), 100)
    data = pack(Program(words, "trunk", {"USERCONSTANTS": 0x800C, "PIXELSHADER": 0x8010, "MAIN": 0x800C + 100}))
    text = disassemble(data, "a.mem", DiagnosticSink())
    assert "\nENTRYPOINT_ADRR_PIXELSHADER:\n" in text
    assert pack(program_of(text)) == data


def test_words_that_are_no_instruction() -> None:
    assert instructions.decode(0x06 << 48) is None
    assert instructions.decode(1 << 63 | 1) is None
    assert instructions.decode(0x40 << 48 | 2) is None, "RETURN has one bit of return code"
    assert instructions.decode(1 << 64) is None


def test_fields_of_recorded_words() -> None:
    """Words of the project's own assembler."""
    jump = instructions.decode(0x000C801D005F0051)
    assert jump == Decoded(instructions.BY_NAME["JGEX"], target=0x801D, first=95, second=81)
    swizzle = instructions.decode(0x0044004500000012)
    assert swizzle == Decoded(instructions.BY_NAME["SWIZZLE3D"], destination=69, immediate=18)


def test_names_of_registers_are_unique() -> None:
    for names in BY_NAME.values():
        assert len(set(names.values())) == len(names)
    assert (BY_NAME["trunk"]["R1"], BY_NAME["trunk"]["R12"], BY_NAME["trunk"]["R99"]) == (71, 82, 118)
    assert (BY_NAME["trunk"]["CREG_LAST_t"], BY_NAME["trunk"]["CREG_T"], BY_NAME["trunk"]["CREG_t"]) == (95, 88, 99)
    assert (BY_NAME["trunk"]["CREG_FIRST_LIGTH"], BY_NAME["icarus"]["CREG_FIRST_LIGTH"]) == (8, 10)
