"""Assembler and disassembler: words known from other tools, mistakes, and text that assembles to its words."""

from __future__ import annotations

import random

import pytest

from glslc_multi.backends.vc4.isa import instructions
from glslc_multi.backends.vc4.isa.asm import assemble
from glslc_multi.backends.vc4.isa.disasm import disassemble, disassemble_program, word_text
from glslc_multi.backends.vc4.isa.encoding import FILE_A, FILE_B, IDLE, Alu, Half, decode, encode
from glslc_multi.backends.vc4.isa.program import Program
from glslc_multi.backends.vc4.isa.spelling import spell
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.vc4.helpers import assemble_line, codes_of, program_of, word_of
from tests.shared_data import PROJECT_ROOT

#: Lines and the words that vc4asm makes of them.
KNOWN = {
    "fadd rb5, ra1, rb2; fmul ra4, rb2, ra1": 0x1002514421042DFE,
    "fadd ra4, unif, ra1": 0x1002012701060F80,
    "shr.setf -, vary, r1;  v8max.ifnn rb15, vary, unif": 0x100369CFAE8E0C77,
    "nop;  fmul.setf r1, r2, r3": 0x100269E1209E7013,
    "xor.ifz r0, r2, r4;  v8muld.ifnn -, r0, r2": 0x10040827769E7502,
    "mov r0, r1 << 3": 0xD00049E0809FD009,
    "mov r0 << 3, r3": 0xD00049E0809F301B,
    "mov r0, r1 << r5": 0xD00049E0809F0009,
    "ldi ra4, rb5, -1": 0xE0024105FFFFFFFF,
    "ldi r0, 1e10": 0xE0020827501502F9,
    "ldi.setf -, [0,0,0,0,1,1,1,1,0,0,0,0,1,1,1,1]": 0xE20229E70000F0F0,
    "sacq.ifz -, 3": 0xE80009E700000013,
    "mov -, srel5": 0xE80009E700000005,
    "bra ra1, rb2, ra6, 24": 0xF0F4C04200000018,
    "bra ra31, ra0, 8": 0xF0F407E700000008,
    "bra r0, -, -, 16": 0xF0F0082700000010,
    "brr.anynn -, ra2": 0xF07C49E700000000,
    "mov r0, ra6.16af": 0x12020827031A7D80,
    "mov r0, r4.16af": 0x13020827159E7900,
    "add.pack16bs ra6, r0, r1": 0x102201A70C9E7040,
    "add ra6.16bsi, r0, r1": 0x10A201A70C9E7040,
    "fmul ra6.8as, r1, r2": 0x10C059C6209E700A,
    "fmul rb4.8as, r1, ra1": 0x114049C42006700E,
    "fmul r0.8888sf, r1, r2": 0x11B049E0209E700A,
    "mov r0.8a, r1": 0x11C049E0809E7009,
    "mnop r2": 0x100049E2009E7000,
    "read mutex": 0x100009E700CE7000,
    "mov ra0, rb0;  mov rb0, ra0;  ldtmu0": 0xA002400095000FF6,
}


@pytest.mark.parametrize(("line", "word"), KNOWN.items())
def test_known_lines_give_known_words(line: str, word: int) -> None:
    assert assemble_line(line) == word
    assert assemble_line(word_text(word)) == word


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("ldi r0, 017", "ldi r0, 15"),
        ("ldi r0, 0b1011", "ldi r0, 11"),
        ("ldi r0, (1 << 4) + 2*3 - 1", "ldi r0, 21"),
        ("ldi r0, -1.0 / 2", "ldi r0, -0.5"),
        ("ldi r0, ~0 & 0xff", "ldi r0, 255"),
        ("mov r0, r1, r2", "or r0, r2, r2; v8min r1, r2, r2"),
        ("add.ifnz r0, r1, r2", "add r0.nz, r1, r2"),
        ("nop; sbdone", "unlscb"),
    ],
)
def test_lines_that_mean_the_same(line: str, same: str) -> None:
    assert word_of(line) == word_of(same)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("fadd r0, r1", "E0801"),
        ("fad r0, r1, r2", "E0802"),
        ("fadd r7, r1, r2", "E0802"),
        ("fadd r0, r1, quux", "E0802"),
        ("fadd.iffoo r0, r1, r2", "E0802"),
        (".nothing", "E0802"),
        ("fadd r0, ra1, ra2", "E0807"),
        ("fadd r0, rb1, 2.0", "E0807"),
        ("fadd r0, r1, 3.5", "E0807"),
        ("add r0, 1, 2", "E0807"),
        ("fadd ra0, r1, r2; fmul ra1, r1, r2", "E0807"),
        ("fadd r0, r1, 1.0; ldtmu0", "E0807"),
        ("ldtmu0; ldtmu1", "E0807"),
        ("fadd r0, r1, r2; fsub r1, r1, r2", "E0807"),
        ("add r0, r1, r2; fmul.setf r1, r1, r2", "E0807"),
        ("fadd r0, ra1.16a, r1; fmul r1, ra1, r2", "E0807"),
        ("fadd r0, ra1.16a, r4.8a", "E0807"),
        ("add r0.16a, r1, r2", "E0807"),
        ("add r0, r1 << 2, r2", "E0807"),
        ("fmul r0, r1 << 1, r2", "E0807"),
        ("mov ra0.16af, r1", "E0807"),
        ("mov r0, r4.8ai", "E0807"),
        ("mov r0 << r5, r1", "E0807"),
        ("bra.setf -, ra4", "E0807"),
        ("ldi r0, [0,-1,2,0,0,0,0,0,0,0,0,0,0,0,0,0]", "E0807"),
        ("ldi r0, [0,1]", "E0801"),
        ("ldi r0, 0x100000000", "E0804"),
        ("mov r0, r1 << 16", "E0804"),
        ("sacq -, 16", "E0804"),
        ("brr -, r:nowhere", "E0805"),
        ("brr -, r:1f\n:1", ""),
        ("brr -, r:1b\n:1", "E0805"),
        (":a\n:a", "E0806"),
        (".include <other>", "E0856"),
        (".long 1", "E0801"),
        ("ldi r0, 1 / 0", "E0801"),
        ("ldi r0, 1.0 << 2", "E0801"),
        ("ldi r0, 089", "E0801"),
    ],
)
def test_mistakes_have_codes(text: str, code: str) -> None:
    assert codes_of(text) == ([code] if code else [])


def test_labels_and_branches() -> None:
    program = program_of(":top\nnop\nbrr -, r:top\nbrr -, :end\nbra -, :end\n:1\nbrr -, r:1b\nbrr -, r:1f\n:1\nend:")
    assert [word & 0xFFFFFFFF for word in program.words[1:]] == [
        (-40) & 0xFFFFFFFF,
        48 - 16 - 32,
        48,
        (32 - 32 - 32) & 0xFFFFFFFF,
        (48 - 40 - 32) & 0xFFFFFFFF,
    ]


def test_directives() -> None:
    text = '.set two, 1.0 + 1.0\n.set acc, ra3\n.global main\n.include "x"\n.align 16\n.quad 5\n.long 1, 2'
    program = assemble(text, "test", DiagnosticSink(), read_file=lambda name: f"fmul acc, acc, two # {name}")
    assert program.words == (word_of("fmul ra3, ra3, 2.0"), instructions.NOP, 5, 0x200000001)


def test_files_that_include_themselves_are_refused() -> None:
    sink = DiagnosticSink()
    with pytest.raises(CompileError) as caught:
        assemble('.include "x"', "x", sink, read_file=lambda name: '.include "x"')
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0856"]


def test_the_example_of_the_readme_assembles() -> None:
    readme = PROJECT_ROOT / "backends" / "vc4" / "README.md"
    lines = readme.read_text("utf-8").splitlines()
    example = [line[4:] for line in lines if line.startswith("    ")]
    assert len(program_of("\n".join(example)).words) == 7


def test_text_of_programs_gives_their_words() -> None:
    program = program_of("nop\n:a\nsub.setf r0, r0, 1\nbrr.anynz -, r:a\nnop\nnop\nbrr -, 80\n.long 7, 9\nnop; thrend")
    text = disassemble_program(program)
    assert ":L0" in text
    assert program_of(text) == program


def test_bytes_that_are_no_program_are_reported() -> None:
    with pytest.raises(CompileError) as caught:
        disassemble(b"123", "x.bin", DiagnosticSink())
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["E0808"]


def test_random_words_survive_their_text() -> None:
    numbers = random.Random(11)
    words = [numbers.getrandbits(64) for _ in range(1500)]
    program = Program(tuple(words))
    assert program_of(disassemble_program(program)) == program


def test_words_are_data_only_where_their_text_is_another_word() -> None:
    numbers = random.Random(13)
    known = list(KNOWN.values())
    for _ in range(1500):
        flipped = sum({1 << numbers.randrange(64) for _ in range(numbers.randrange(4))})
        word = numbers.choice(known) ^ flipped if numbers.random() < 0.8 else numbers.getrandbits(64)
        text = spell(decode(word))
        assert word_text(word).startswith(".long") == (assemble_line(text) != word), text


def test_expressions_in_too_many_parentheses_are_refused() -> None:
    assert codes_of(f"ldi r0, {'(' * 20}1{')' * 20}") == []
    assert codes_of(f"ldi r0, {'(' * 200}1{')' * 200}") == ["E0801"]


def _random_half(numbers: random.Random, rows: tuple[instructions.Operation, ...], file: str) -> Half:
    row = numbers.choice(rows[1:])
    first, second = (numbers.randrange(8) for _ in range(2))
    if row.operands == 1:
        second = first
    register = numbers.randrange(32)
    waddr = register if file in "AB" else numbers.choice((32, 33, 34, 35, 43, 48, 52, 60))
    return Half(row.code, waddr, first, second, numbers.randrange(1, 8))


def test_canonical_words_have_text_of_their_own() -> None:
    """Both halves, all operands and conditions; written files as the write swap has them."""
    numbers = random.Random(5)
    for _ in range(1500):
        ws = numbers.randrange(2)
        add = _random_half(numbers, instructions.ADD_OPERATIONS, "AB"[ws])
        mul = _random_half(numbers, instructions.MUL_OPERATIONS, "BA"[ws]) if numbers.random() < 0.7 else IDLE
        operands = {operand for half in (add, mul) if half is not IDLE for operand in (half.a, half.b)}
        word = encode(
            Alu(
                add,
                mul,
                raddr_a=numbers.randrange(32) if FILE_A in operands else 39,
                raddr_b=numbers.randrange(32) if FILE_B in operands else 39,
                sf=numbers.randrange(2),
                ws=ws,
            )
        )
        text = word_text(word)
        assert not text.startswith("."), text
        assert assemble_line(text) == word
