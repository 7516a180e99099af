"""The tables: encodings apart, canonical values, small immediates, the page current."""

from __future__ import annotations

import random
import struct

import pytest

from glslc_multi.backends.vc4.isa import formats, instructions, registers
from glslc_multi.backends.vc4.isa.container import pack, unpack
from glslc_multi.backends.vc4.isa.encoding import Alu, Branch, Half, Load, decode, encode
from glslc_multi.backends.vc4.isa.program import Program
from glslc_multi.compiler.isa.container import BadContainer
from glslc_multi.compiler.isa.fields import Encoding, FieldError
from tests.backends.encodings import overlaps


def test_no_two_encodings_overlap() -> None:
    of_alu = [signal for signal in instructions.Signal if signal < instructions.Signal.LOAD]
    rows = [
        *(Encoding(signal.name, formats.ALU_FORMAT, {"sig": signal}) for signal in of_alu),
        *(
            Encoding(mode.name, formats.LOAD_FORMAT, {"sig": instructions.Signal.LOAD, "mode": mode})
            for mode in instructions.LoadMode
        ),
        Encoding("branch", formats.BRANCH_FORMAT, {"sig": instructions.Signal.BRANCH}),
    ]
    assert overlaps(rows) == []


def test_the_formats_own_every_bit_but_those_of_branches() -> None:
    assert formats.ALU_FORMAT.reserved == formats.LOAD_FORMAT.reserved == 0
    assert formats.BRANCH_FORMAT.reserved == 0xF << 56


def test_every_documented_code_has_a_row() -> None:
    assert set(instructions.ADD_BY_CODE) == set(range(32)) - {9, 10, 11} - set(range(25, 30))
    assert set(instructions.MUL_BY_CODE) == set(range(8))


def test_what_is_not_given_is_canonical() -> None:
    assert instructions.NOP == encode(Alu()) == 0x100009E7009E7000
    assert encode(Alu(Half(instructions.ADD["fadd"].code, 32, 3, 6), raddr_a=1)) == 0x1002082701067780
    assert encode(Load(0x1A00, waddr_add=33, cond_add=1)) == 0xE002086700001A00
    assert encode(Branch(-40, cond=instructions.BranchCondition.ANYNZ)) == 0xF03809E7FFFFFFD8


def test_words_survive_decoding() -> None:
    numbers = random.Random(3)
    for _ in range(2000):
        word = numbers.getrandbits(64)
        if formats.format_of(word).accepts(word):
            assert encode(decode(word)) == word


def test_values_that_do_not_fit_are_refused() -> None:
    with pytest.raises(FieldError):
        encode(Alu(raddr_a=64))


def test_small_immediates_are_integers_and_powers_of_two() -> None:
    wanted = [*range(16), *range(-16, 0)]
    assert [instructions.small_immediate(code) for code in range(32)] == [value & 0xFFFFFFFF for value in wanted]
    powers = [2.0**exponent for exponent in (*range(8), *range(-8, 0))]
    assert [instructions.small_immediate(32 + index) for index in range(16)] == [
        struct.unpack("<I", struct.pack("<f", value))[0] for value in powers
    ]
    assert [instructions.small_immediate(48 + index) for index in range(16)] == [
        value & 0xFFFFFFFF for value in range(-16, 0)
    ]


def test_names_of_registers_lead_back_to_their_numbers() -> None:
    for addresses, names in (
        (registers.READ_ADDRESSES, registers.READ_NAMES),
        (registers.WRITE_ADDRESSES, registers.WRITE_NAMES),
    ):
        for (file, number), name in names.items():
            assert addresses[name].number == number
            assert file in addresses[name].files


def test_the_file_is_little_endian_words() -> None:
    program = Program((instructions.NOP, 0x1002082701067780))
    assert pack(program) == bytes.fromhex("00709e00e7090010 8077060127080210")
    assert unpack(pack(program)) == program


@pytest.mark.parametrize("data", [b"", b"1234567", bytes(9)])
def test_bytes_that_are_no_words_are_no_program(data: bytes) -> None:
    with pytest.raises(BadContainer):
        unpack(data)
