"""Words to text and back, the syntax of the text, and mistakes in it."""

from __future__ import annotations

import random

import pytest

from glslc_multi.backends.adreno.isa.asm import assemble
from glslc_multi.backends.adreno.isa.container import pack
from glslc_multi.backends.adreno.isa.disasm import disassemble, disassemble_program
from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.isa import formats, instructions, spelling
from glslc_multi.backends.xenos_family.isa.disasm import clause_text, instruction_lines
from glslc_multi.backends.xenos_family.isa.instruction_set import Opcode
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.isa.fields import Format, from_words
from glslc_multi.compiler.records import replace
from tests.backends.xenos_family.helpers import codes_of, program_of, random_fields
from tests.backends.xenos_family.lines import parse_clause, parse_instruction

#: Dwords and lines of the driver's disassembler.
RECORDED_ALU = [
    ((0x0007003F, 0x06C6C600, 0x80A21A00), ["ADDv R63.xyz_ = -|R34.zzzz|, -C26.zzzz"]),
    ((0xA0D4312E, 0x03006C1B, 0x1222322F), ["CUBEv R46.__z_ = C34, -C50.xxxx", "SQRT_IEEE R49.x_zw = -C47.wwww"]),
    (
        (0xA3571824, 0x00B40000, 0xA6351E1A),
        ["SETGTEv R36.xyz_ = R53.xzyy, C30 CLAMP", "SQRT_IEEE R24.x_z_ = R26 CLAMP"],
    ),
    ((0x18A82730, 0x196C6C00, 0xE80E0E20), ["FRACvEQ R48.___w = R14.xxxx", "MINs R39._y_w = -R32"]),
    ((0x00080031, 0x00000000, 0x1D2D2D00), ["MOVAv R49.___w = C45"]),
]
RECORDED_FETCH = [
    (
        (0x13FA7480, 0x40003ACC, 0x23073162),
        "VERTEX R39.0yw1 = R36.x FMT_1_REVERSE SIGNED STRIDE(98) OFFSET(2295601) CONST(31, 1)",
    ),
    (
        (0x51B990A0, 0xC00104FD, 0x00000003),
        "VERTEXNE R25.1_wz = R5.y TYPE(0x1) UNSIGNED NORMALIZED STRIDE(3) CONST(27, 0)",
    ),
    ((0x10306061, 0x1FFFF688, 0x00000002), "SAMPLE R6.xyzw = R3.xyx CONST(3) LOCATION(CENTER)"),
    (
        (0xE9187721, 0x072BF4C4, 0x0C5B0032),
        "SAMPLE R7.0xwz = R57.zzw CONST(17) VALID_ONLY ANISO(MAX_2_1) ARBITRARY(2x4_ASYM) VOL_MIN(LINEAR) LOD(0)"
        " LOD_BIAS(12) LOCATION(CENTER) OFFSET(27,2,3)",
    ),
]
RECORDED_CLAUSES = [
    (0xB0020000230E, "COND_JMP ADDR(0x30e) DIR(1) FORCE_CALL"),
    (0x9400000041A5, "COND_CALL ADDR(0x1a5) DIR(0) COND(1)"),
    (0x8000001E007C, "LOOP_END ADDR(0x7c) LOOP_ID(30)"),
    (0xC20000000000, "ALLOC POSITION SIZE(0x0)"),
]


@pytest.mark.parametrize(("dwords", "lines"), RECORDED_ALU)
def test_recorded_alu_instructions(dwords: tuple[int, ...], lines: list[str]) -> None:
    word = from_words(dwords)
    assert [" ".join(line.split()) for line in instruction_lines(A2XX, word, False)] == lines
    assert parse_instruction(A2XX, lines, False, False) == word


@pytest.mark.parametrize(("dwords", "line"), RECORDED_FETCH)
def test_recorded_fetches(dwords: tuple[int, ...], line: str) -> None:
    word = from_words(dwords)
    assert [" ".join(text.split()) for text in instruction_lines(A2XX, word, True)] == [line]
    assert parse_instruction(A2XX, [line], True, False) == word


@pytest.mark.parametrize(("word", "line"), RECORDED_CLAUSES)
def test_recorded_clauses(word: int, line: str) -> None:
    assert clause_text(A2XX, word) == line
    assert parse_clause(A2XX, line) == word


@pytest.mark.parametrize("row", instructions.VECTOR_OPERATIONS, ids=lambda row: row.name)
def test_vector_operations_survive_text(row: instructions.Operation) -> None:
    numbers = random.Random(row.code)
    for _ in range(20):
        word = random_fields(formats.ALU, numbers, vector_op=row.code, abs_constants=0)
        assert parse_instruction(A2XX, instruction_lines(A2XX, word, False), False, False) == word


@pytest.mark.parametrize("row", instructions.SCALAR_OPERATIONS, ids=lambda row: row.name)
def test_scalar_operations_survive_text_with_their_name(row: instructions.Operation) -> None:
    numbers = random.Random(row.code)
    for _ in range(20):
        plain = {"const_rel_a0": 0, "const0_rel": 0, "const1_rel": 0, "abs_constants": 0, "scalar_dest_rel": 0}
        plain |= {"vector_dest_rel": 0, "vector_op": 0, "predicated": 0, "pred_condition": 0, "export": 0}
        word = random_fields(formats.ALU, numbers, scalar_op=row.code, **plain)
        lines = instruction_lines(A2XX, word, False)
        assert parse_instruction(A2XX, lines, False, False) == word
        assert lines[1].startswith(row.name)


@pytest.mark.parametrize("row", A2XX.fetches, ids=lambda row: row.name)
def test_fetches_survive_text(row: Opcode) -> None:
    numbers = random.Random(row.code)
    for first in (True, False):
        for _ in range(20):
            word = random_fields(row.format, numbers, opcode=row.code)
            assert parse_instruction(A2XX, instruction_lines(A2XX, word, True, first=first), True, first) == word


def test_any_bits_survive_text() -> None:
    numbers = random.Random(1)
    for _ in range(300):
        word = numbers.getrandbits(formats.SLOT_SIZE)
        for is_fetch in (True, False):
            assert parse_instruction(A2XX, instruction_lines(A2XX, word, is_fetch), is_fetch, False) == word


def test_words_are_raw_only_where_their_text_is_another_word() -> None:
    numbers = random.Random(3)
    for _ in range(300):
        for layout, is_fetch in ((formats.ALU, False), (A2XX.formats.vertex, True), (A2XX.formats.texture, True)):
            word = sparse_word(numbers, layout)
            lines = spelling.fetch(A2XX, word, False, False) if is_fetch else spelling.alu(A2XX, word, None, False)
            is_raw = instruction_lines(A2XX, word, is_fetch)[0].startswith("WORDS")
            assert is_raw == (parse_instruction(A2XX, lines, is_fetch, False) != word), lines


def sparse_word(numbers: random.Random, layout: Format) -> int:
    """Most fields have their defaults, so that text often says all."""
    values = {part.name: part.default for part in layout.fields}
    for part in numbers.sample(layout.fields, 6):
        values[part.name] = numbers.randint(*part.range)
    return layout.encode({**values, "opcode": 0} if layout is A2XX.formats.vertex else values)


def test_any_clauses_survive_a_whole_program() -> None:
    numbers = random.Random(2)
    for _ in range(100):
        first = A2XX.encode_clause("EXEC", addr=2, cnt=2, sequence=0b1101)
        others = tuple(clause_of(numbers) for _ in range(3))
        program = Program(A2XX, (first, *others), tuple(numbers.getrandbits(96) for _ in range(2)))
        assert program_of(disassemble_program(program, DiagnosticSink())) == program


def clause_of(numbers: random.Random) -> int:
    """Any clause; an exec clause runs no instructions, or all."""
    word = numbers.getrandbits(formats.CLAUSE_SIZE)
    row, _ = A2XX.decode_clause(word)
    if row.format is not A2XX.formats.exec:
        return word
    parts = A2XX.formats.exec.by_name
    kept = word & ~(parts["addr"].mask | parts["cnt"].mask | parts["sequence"].mask)
    return (
        kept | parts["addr"].insert(2) | parts["cnt"].insert(numbers.choice((0, 2))) | parts["sequence"].insert(0b1101)
    )


def test_addresses_and_counts_are_computed() -> None:
    short = (
        "ALLOC COORD\nEXEC\n(S)FETCH: VERTEX R1.xyz1 = R0.x FMT_32_FLOAT CONST(61)\nEXEC_END\nALU: MAXv R1 = R1, R1\n"
    )
    assert disassemble(pack(program_of(short)), "test", DiagnosticSink()).split("\n") == [
        "ALLOC POSITION SIZE(0x0)",
        "EXEC ADDR(0x2) CNT(0x1)",
        "\t   (S)FETCH:\tVERTEX\tR1.xyz1 = R0.x FMT_32_FLOAT UNSIGNED STRIDE(0) CONST(20, 1)",
        "EXEC_END ADDR(0x3) CNT(0x1)",
        "\t      ALU:\tMAXv\tR1 = R1, R1",
        "NOP",
        "",
    ]


def test_older_names_mean_the_same() -> None:
    old = "EXEC_END\nALU: MAXv R0.____ = R0, R0\nRCP R4.x___ = R0\n"
    assert program_of(old) == program_of(old.replace("RCP", "RECIP_IEEE"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "E0833"),
        ("ALU: MAXv R0 = R0, R0", "E0833"),
        ("EXECUTE", "E0802"),
        ("EXEC_END\nALU: MAXX R0 = R0, R0", "E0802"),
        ("EXEC_END\nFETCH: SAMPL R0.xyzw = R0.xyx CONST(0)", "E0802"),
        ("EXEC_END\nFETCH: SAMPLE R0.xyzw = R0.xyx CONST(32)", "E0804"),
        ("EXEC_END\nFETCH: SAMPLE R0.xyzw = R0.xyx MAG(NICE)", "E0802"),
        ("EXEC_END\nFETCH: SAMPLE R0.xyzw = R0.xyx DENORM DENORM", "E0801"),
        ("EXEC_END\nALU: MAXv R64 = R0, R0", "E0804"),
        ("EXEC_END\nALU: MAXv R64 = R0, R0\nMAXs R0.x___ = R1", "E0804"),
        ("EXEC_END\nALU: MAXv R0 = C256, R0", "E0804"),
        ("EXEC_END\nALU: MAXv R0 = |C1|, R0", "E0807"),
        ("EXEC_END\nALU: MAXv R0 = R[a0+1], R0", "E0807"),
        ("EXEC_END\nALU: MULADDv R0 = C2, R1, C0\nMAXs R1.x___ = C3", "E0807"),
        ("EXEC_END\nALU: MULADDv R0 = C[a0+2], C1, C0", "E0807"),
        ("EXEC_END\nALU: MAXv R0 = C[a0+2], C[aL+1]", "E0807"),
        ("EXEC_END\nALU: MAXv export0 = R0, R0\nMAXs R1.x___ = R3", "E0807"),
        ("EXEC_END\nALU: MAXv R0 = R0", "E0801"),
        ("EXEC_END CNT(2)\nALU: MAXv R0 = R0, R0", "E0833"),
        ("EXEC_END\n" + "ALU: MAXv R0 = R0, R0\n" * 7, "E0833"),
        ("EXEC ADDR(5)\nEXEC_END", "E0833"),
        ("EXEC ADDR(1)\nALU: MAXv R0 = R0, R0\nEXEC_END ADDR(1)\nALU: MAXv R1 = R0, R0", "E0833"),
        ("EXEC\nALU: MAXv R0 = R0, R0\nEXEC_END ADDR(9)\nALU: MAXv R1 = R0, R0", "E0833"),
        ("EXEC_END\nFETCH: VERTEX R0.xyzw = R0.x CONST(96)", "E0804"),
        ("NOP\n" * 1100 + "EXEC_END", "E0804"),
    ],
)
def test_mistakes(text: str, code: str) -> None:
    assert codes_of(text) == [code]


def test_mistakes_are_shown_where_they_are() -> None:
    text = (
        "EXEC_END\nALU: MAXv R0 = C[a0+2], C1\n  MAXs R1 = C[a0+3]\nFETCH: VERTEX R1.xyz1 = R0.x CONST(4) STRIDE(300)\n"
    )
    sink = DiagnosticSink()
    with pytest.raises(CompileError) as caught:
        assemble(text, "test", sink)
    lines = text.split("\n")
    spans = [diagnostic.span for diagnostic in caught.value.diagnostics if diagnostic.span]
    assert [lines[span.line - 1][span.column - 1 : span.end_column - 1] for span in spans] == ["C[a0+3]", "300"]


def test_the_third_source_may_be_shared_if_it_is_the_same() -> None:
    assert codes_of("EXEC_END\nALU: MULADDv R0 = C2, R1, C0\nMAXs R1.x___ = C2") == []


def test_slots_that_no_clause_runs_have_no_text() -> None:
    program = Program(A2XX, (A2XX.encode_clause("EXEC_END", addr=1), 0), (1,))
    with pytest.raises(CompileError) as caught:
        disassemble(pack(program), "test", DiagnosticSink())
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0809"]


def test_slots_of_zeros_at_the_end_are_left_out_of_text() -> None:
    """Files of the vendor's compiler end so."""
    padded = Program(A2XX, (A2XX.encode_clause("EXEC_END", addr=1), 0), (0, 0))
    text = disassemble(pack(padded), "test", DiagnosticSink())
    assert program_of(text) == replace(padded, instructions=())


def test_bytes_that_are_no_program() -> None:
    with pytest.raises(CompileError) as caught:
        disassemble(b"12345", "test", DiagnosticSink())
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0808"]
