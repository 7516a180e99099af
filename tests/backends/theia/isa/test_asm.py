"""Assembler, disassembler and container: what they make, and what they refuse where."""

from __future__ import annotations

import pytest

from glslc_multi.backends.theia.isa.asm import assemble
from glslc_multi.backends.theia.isa.container import count_field, pack, unpack
from glslc_multi.backends.theia.isa.disasm import disassemble, spell_word
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.isa.container import BadContainer
from tests.backends.theia.helpers import messages_of, program_of

SOURCE = """// A disc.
ENTRYPOINT_ADRR_USERCONSTANTS:
    SETX C1 32'h20000
    RETURN RT_TRUE
ENTRYPOINT_ADRR_PIXELSHADER:
    JGX outside R1 C1   // no label yet
    NOP RT_FALSE
outside:
    RETURN RT_TRUE
"""
WORDS = (0x0041004000020000, 0x0040000000000001, 0x0008801000470040, 0, 0x0040000000000001)
FILE = b"""34
00000000 00000000
00000000 0000002c
00000000 0000002f
00000000 00000045
00000000 0000009d
00000000 000000e8
00000000 000000f8
00000000 000000be
00000000 00000037
00000000 0000800c
00000000 0000800e
00000000 00000025
00410040 00020000
00400000 00000001
00088010 00470040
00000000 00000000
00400000 00000001
"""


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("DEC CREG_TEX_COORD2 C7 VOID", 0x0024007500460000),
        ("XCHANGEX CREG_LAST_v R2 CREG_LAST_t", 0x002500610048005F),
        ("SWIZZLE3D OREG_TEX_COORD2 SWIZZLE_XZZ", 0x0044008200000005),
        ("SETZ C2 32'hA475027A", 0x00430041A475027A),
        ("NOP RT_FALSE", 0),
        ("ZERO R12 VOID VOID", 0x000F005200000000),
        ("RET R7 32'h1", 0x005A004D00000001),
        ("RETURN RT_TRUE", 0x0040000000000001),
        ("ADD R3 CREG_LIGHT_INFO R2", 0x0001004900000048),
    ],
)
def test_lines_and_words_of_the_projects_own_assembler(line: str, word: int) -> None:
    assert program_of(line).words == (word,)
    assert spell_word(word, "trunk", {}) == line


def test_a_program_with_labels_and_entry_points() -> None:
    program = program_of(SOURCE)
    assert program.words == WORDS
    assert program.entries == {"USERCONSTANTS": 0x800C, "PIXELSHADER": 0x800E}
    assert [span.line for span in program.spans] == [3, 4, 6, 7, 9]
    assert program.starts == (0x800C, 0x800E)


def test_the_file() -> None:
    program = program_of(SOURCE)
    assert pack(program) == FILE
    assert count_field(program) == 34
    loaded = unpack(FILE.replace(b"00410040", b"// SETX\n00410040"))
    assert (loaded.words, loaded.entries) == (program.words, program.entries)


def test_the_text_of_the_file() -> None:
    assert disassemble(FILE, "a.mem", DiagnosticSink()) == (
        "ENTRYPOINT_ADRR_USERCONSTANTS:\n\tSETX C1 32'h20000\n\tRETURN RT_TRUE\n"
        "ENTRYPOINT_ADRR_PIXELSHADER:\n\tJGX L_8010 R1 C1\n\tNOP RT_FALSE\nL_8010:\n\tRETURN RT_TRUE\n"
    )


def test_registers_and_targets_without_a_name() -> None:
    assert program_of("COPY 51 61 VOID", "JMP 8044 VOID VOID").words == (0x00070033003D0000, 0x0058804400000000)
    assert spell_word(0x00070033003D0000, "trunk", {}) == "COPY 51 61 VOID"
    assert spell_word(0x0058A04400000000, "trunk", {}) == "JMP 0a044 VOID VOID"
    assert spell_word(0x0058804400000000, "trunk", {0x8044: "OUT"}) == "JMP OUT VOID VOID"


def test_names_depend_on_the_variant() -> None:
    assert program_of("COPY R1 CREG_HIT VOID", variant="icarus").words == (0x00070047007C0000,)
    assert messages_of("COPY R1 CREG_HIT VOID") == [("E0801", 1, 9)]


@pytest.mark.parametrize(
    ("lines", "messages"),
    [
        (["ADDX R1 R2 R3"], [("E0802", 1, 1)]),
        (["add R1 R2 R3"], [("E0802", 1, 1)]),
        (["MAG R1 R2"], [("E0803", 1, 1)]),
        (["NOP"], [("E0803", 1, 1)]),
        (["JMP nowhere VOID VOID"], [("E0805", 1, 5)]),
        (["L:", "NOP RT_FALSE", "L:"], [("E0806", 3, 1)]),
        (["ENTRYPOINT_ADRR_MAIN:", "ENTRYPOINT_ADRR_MAIN:"], [("E0806", 2, 1)]),
        (["ENTRYPOINT_ADRR_PIXEL:"], [("E0801", 1, 1)]),
        (["L: NOP RT_FALSE"], [("E0801", 1, 4)]),
        (["COPY R13 R1 VOID"], [("E0801", 1, 6)]),
        (["COPY 65536 R1 VOID"], [("E0801", 1, 6)]),
        (["SETX R1 12"], [("E0801", 1, 9)]),
        (["SETX R1 32'h100000000"], [("E0804", 1, 13)]),
        (["SWIZZLE3D R1 SWIZZLE_XYZ"], [("E0801", 1, 14)]),
        (["RETURN 1"], [("E0801", 1, 8)]),
        (["JMP 8g VOID VOID"], [("E0801", 1, 5)]),
        (["COPY R0 R1 VOID", "NOP", "ADD R1 R2 R33"], [("E0801", 1, 6), ("E0803", 2, 1), ("E0801", 3, 11)]),
    ],
)
def test_wrong_lines(lines: list[str], messages: list[tuple[str, int, int]]) -> None:
    assert messages_of(*lines) == messages


def test_the_value_that_the_projects_assembler_loses() -> None:
    sink = DiagnosticSink()
    with pytest.raises(CompileError):
        assemble("RET R1 RT_TRUE", "test.theia", sink)
    assert sink.diagnostics[0].help == "write 32'h1"


def test_more_instructions_than_addresses() -> None:
    assert messages_of(*["NOP RT_FALSE"] * 0x8000) == [("E0827", 0x8000 - 12, 1)]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"\xff", "no ASCII"),
        (b"x 1", "not with a count"),
        (FILE[:-9], "the count is 34, but 33 words follow"),
        (b"2\n00000000 00000000\n", "12 or more rows"),
        (FILE.replace(b"00470040", b"0047004g"), "no number"),
        (FILE.replace(b"00000000 0000800c", b"00000001 0000800c"), "no address of 16 bits"),
    ],
)
def test_files_that_are_no_programs(data: bytes, reason: str) -> None:
    with pytest.raises(BadContainer, match=reason):
        unpack(data)
    sink = DiagnosticSink()
    with pytest.raises(CompileError):
        disassemble(data, "a.mem", sink)
    assert [found.code for found in sink.diagnostics] == ["E0808"]


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"00410040", b"00060040"), (b"0000800c", b"00009000"), (b"00400000 00000001", b"00400000 00000002")],
)
def test_programs_without_a_text(old: bytes, new: bytes) -> None:
    sink = DiagnosticSink()
    with pytest.raises(CompileError):
        disassemble(FILE.replace(old, new), "a.mem", sink)
    assert {found.code for found in sink.diagnostics} == {"E0809"}
