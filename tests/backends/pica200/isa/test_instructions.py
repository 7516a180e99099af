"""The instruction table: its encodings, its words as text and back, its page."""

from __future__ import annotations

import random

import pytest

from glslc_multi.backends.pica200.isa import descriptors, instructions
from glslc_multi.backends.pica200.isa.asm import assemble
from glslc_multi.backends.pica200.isa.disasm import disassemble_program
from glslc_multi.backends.pica200.isa.program import Executable, Program
from glslc_multi.compiler.diagnostics import DiagnosticSink
from tests.backends.encodings import overlaps
from tests.backends.pica200.recorded import ENCODINGS, Encoded

#: Opcodes without a meaning (six bits).
UNKNOWN = (0x10, 0x11, 0x14, 0x15, 0x16, 0x17, 0x1C, 0x1D, 0x1E, 0x1F)


def test_no_word_is_two_instructions() -> None:
    assert overlaps(instructions.ENCODINGS) == []


def test_every_opcode_has_a_meaning_or_none() -> None:
    known = {opcode for opcode in range(64) if instructions.ENCODINGS.find(opcode << 26)}
    assert known == set(range(64)) - set(UNKNOWN)
    assert all(instructions.decode(opcode << 26) is None for opcode in UNKNOWN)


@pytest.mark.parametrize("operation", instructions.OPERATIONS, ids=lambda row: row.name)
def test_fields_survive_encoding(operation: instructions.Operation) -> None:
    rng = random.Random(operation.name)
    fields = [part for part in operation.layout.format.fields if part.name != "opcode"]
    for _ in range(50):
        values = {part.name: rng.randint(*part.range) for part in fields}
        instruction = instructions.decode(instructions.encode(operation.name, **values))
        assert instruction is not None
        assert (instruction.operation, dict(instruction.fields)) == (operation, values)


@pytest.mark.parametrize("operation", instructions.OPERATIONS, ids=lambda row: row.name)
def test_bits_outside_of_fields_are_zero(operation: instructions.Operation) -> None:
    word = instructions.encode(operation.name)
    for bit in range(32):
        if operation.layout.format.reserved >> bit & 1:
            assert instructions.decode(word | 1 << bit) is None


@pytest.mark.parametrize("record", ENCODINGS, ids=lambda record: record.text)
def test_recorded_encodings(record: Encoded) -> None:
    program = assemble(f".proc main\n{record.text}\n.end\n", "test", DiagnosticSink())
    assert program.code == [record.word]
    assert program.descriptors == [record.descriptor]


def random_arithmetic(rng: random.Random, operation: instructions.Operation) -> Program:
    """One legal instruction on random registers."""
    layout = operation.layout
    fields = {"desc": 0}
    if "dst" in layout.format.by_name:
        fields["dst"] = rng.randrange(32)
    for place in layout.sources:
        # Input registers only in the wide source: two different ones are not allowed.
        fields[place] = rng.randrange(128) if place == layout.wide else rng.randrange(0x10, 0x20)
    fields["idx"] = rng.randrange(4) if fields[layout.wide] >= 0x20 else 0
    if operation.inverted and fields[layout.wide] >= 0x20:
        fields["idx"] = rng.randrange(4)
    if operation.operands == "cmp":
        fields |= {"cmpx": rng.randrange(6), "cmpy": rng.randrange(6)}
    mask = (
        rng.randrange(1, 16)
        if operation.operands == "alu"
        else {"mova": rng.choice((4, 8, 12)), "cmp": 0}[operation.operands]
    )
    sources = [(descriptors.unpack_selector(rng.randrange(256)), rng.random() < 0.5) for _ in layout.sources]
    return Program(
        [instructions.encode(operation.name, **fields)],
        [descriptors.encode(mask, tuple(sources))],
        [Executable(entry=0, end=1)],
    )


@pytest.mark.parametrize(
    "operation", [row for row in instructions.OPERATIONS if row.layout.sources], ids=lambda row: row.name
)
def test_printed_words_assemble_to_themselves(operation: instructions.Operation) -> None:
    rng = random.Random(operation.name)
    for _ in range(40):
        program = random_arithmetic(rng, operation)
        text = disassemble_program(program, DiagnosticSink())
        again = assemble(text, "test", DiagnosticSink())
        assert (again.code, again.descriptors) == (program.code, program.descriptors), text
