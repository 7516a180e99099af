"""The table: encodings apart, tokens there and back, the page current."""

from __future__ import annotations

import pytest

from glslc_multi.backends.agal.isa import instructions
from glslc_multi.backends.agal.isa.asm import assemble
from glslc_multi.backends.agal.isa.container import pack
from glslc_multi.backends.agal.isa.disasm import disassemble, spell
from glslc_multi.backends.agal.isa.instructions import ENCODINGS, FORMATS, INSTRUCTIONS, Instruction
from glslc_multi.backends.agal.isa.program import Program, decode, encode
from glslc_multi.backends.agal.isa.registers import Stage
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.backends.agal.helpers import RandomTokens, program_of
from tests.backends.encodings import overlaps


def test_no_two_encodings_overlap() -> None:
    assert overlaps(ENCODINGS) == []


def test_every_code_of_the_published_table_is_here_and_no_other() -> None:
    unused = {0x22, 0x23, 0x24, 0x25, 0x26}
    assert {row.code for row in INSTRUCTIONS} == set(range(instructions.LAST_CODE + 1)) - unused


def test_formats_own_the_bits_of_their_operands_and_the_opcode() -> None:
    opcode = 0xFFFFFFFF
    destination = 0x0F0FFFFF << 32
    first, second = (0x80030F0FFFFFFFFF << low for low in (64, 128))
    sampler = 0xFFFFFF0F00FFFFFF << 128
    owned = {name: format.mask_of(format.by_name) for name, format in FORMATS.items()}
    assert owned == {
        "D a b": opcode | destination | first | second,
        "D a": opcode | destination | first,
        "D a s": opcode | destination | first | sampler,
        "a": opcode | first,
        "a b": opcode | first | second,
        "": opcode,
    }


@pytest.mark.parametrize("instruction", INSTRUCTIONS, ids=lambda row: row.name)
def test_tokens_of_each_instruction_survive_bytes_and_text(instruction: Instruction) -> None:
    tokens = RandomTokens(instruction.code)
    stages: tuple[Stage, ...] = ("fragment",) if instruction.fragment_only else ("vertex", "fragment")
    for stage in stages:
        for _ in range(40):
            token = tokens.token(instruction, stage)
            word = encode(token)
            assert decode(word) == token
            line = spell(word, stage, 3)
            assert line is not None, token
            assert program_of(line, stage, 3).words == (word,)


def test_a_whole_program_survives_its_text() -> None:
    tokens = RandomTokens(99)
    words: list[int] = []
    while len(words) < 100:
        instruction, stage = tokens.choose()
        if stage == "fragment":
            words.append(encode(tokens.token(instruction, stage)))
    data = pack(Program("fragment", 2, tuple(words)))
    text = disassemble(data, "a.agalbin", DiagnosticSink())
    assert text.startswith("// agal 2 fragment\n")
    assert pack(assemble(text, "a.agal", DiagnosticSink(), ignore_limits=True)) == data
