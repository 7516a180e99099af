"""The disassembler and the container on bytes of every kind."""

from __future__ import annotations

import random

import pytest

from glslc_multi.backends.agal.isa.asm import assemble
from glslc_multi.backends.agal.isa.container import BadProgram, pack, unpack
from glslc_multi.backends.agal.isa.disasm import disassemble
from glslc_multi.backends.agal.isa.program import encode
from glslc_multi.backends.agal.isa.validate import validate
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.agal.helpers import FRAGMENT, RandomTokens, bytes_of

HEADER = bytes.fromhex("a001000000a101")


def codes_of(data: bytes) -> list[str]:
    with pytest.raises(CompileError) as error:
        disassemble(data, "a.agalbin", DiagnosticSink())
    return [diagnostic.code for diagnostic in error.value.diagnostics]


def test_the_shortest_spelling() -> None:
    text = "mov ft0.xz, v0.xyzz\ntex ft1, v0.xxxx, fs0 <linear,wrap,dxt5,single,2>\nmov oc1, ft0.wwxy"
    data = bytes_of(text, "fragment", 2)
    assert disassemble(data, "a", DiagnosticSink()).splitlines() == [
        "// agal 2 fragment",
        "mov ft0.xz, v0.xyz",
        "tex ft1, v0.x, fs0 <2d,linear,mipnone,repeat,dxt5,single,2>",
        "mov oc1, ft0.wwxy",
    ]


@pytest.mark.parametrize(
    ("data", "number"),
    [
        (b"", 3615),
        (b"\xa0\x01", 3612),
        (b"\xa1" + HEADER[1:] + bytes(24), 3612),
        (bytes.fromhex("a00000000100a101") + bytes(24), 3617),
        (bytes.fromhex("a004000000a101") + bytes(24), 3617),
        (bytes.fromhex("a001000000a201") + bytes(24), 3618),
        (bytes.fromhex("a001000000a102") + bytes(24), 3619),
        (HEADER, 3615),
        (HEADER + bytes(23), 3615),
        (HEADER + bytes(25), 3615),
    ],
)
def test_what_is_no_program(data: bytes, number: int) -> None:
    with pytest.raises(BadProgram) as error:
        unpack(data)
    assert error.value.number == number
    assert [fault.number for fault in validate(data)] == [number]
    assert codes_of(data) == ["E0808"]


@pytest.mark.parametrize(
    "token",
    [
        "2e" + "00" * 23,
        "00000000 0000 00 02 000000e402000000 0000000000000000",
        "00000000 0000 1f 02 000000e402000000 0000000000000000",
        "00000000 0000 0f 02 000001e402000000 0000000000000000",
        "00000000 0000 0f 02 000000e402000000 0100000000000000",
        "00000000 0000 0f 02 000000e400000000 0000000000000000",
        "28000000 0000 0f 02 000000e404000000 0000000004000000",
        "28000000 0000 0f 02 000000e404000000 0000000005400000",
    ],
    ids=["opcode", "mask", "reserved", "offset", "unused", "stage", "no sampler", "option"],
)
def test_tokens_without_text_are_errors(token: str) -> None:
    assert codes_of(HEADER + bytes.fromhex(token)) == ["E0809"]


def test_random_bytes_give_text_with_the_same_bytes_or_an_error() -> None:
    chooser, tokens = random.Random(2), RandomTokens(2)
    spelled = 0
    for _ in range(2000):
        instruction, stage = tokens.choose()
        word = bytearray(encode(tokens.token(instruction, stage)).to_bytes(24, "little"))
        for _ in range(chooser.randrange(4)):
            word[chooser.randrange(24)] = chooser.choice((0, 1, chooser.randrange(256)))
        data = bytes([0xA0, 2, 0, 0, 0, 0xA1, int(stage == "fragment")]) + bytes(word)
        validate(data)
        try:
            text = disassemble(data, "a", DiagnosticSink())
        except CompileError:
            continue
        assert pack(assemble(text, "a", DiagnosticSink(), ignore_limits=True)) == data
        spelled += 1
    assert 500 < spelled < 1900


def test_random_streams_are_judged() -> None:
    chooser = random.Random(3)
    valid = bytes_of(FRAGMENT, "fragment")
    for _ in range(500):
        data = bytearray(valid * chooser.randrange(1, 3))[: chooser.randrange(80)]
        for _ in range(chooser.randrange(5)):
            if data:
                data[chooser.randrange(len(data))] = chooser.randrange(256)
        for fault in validate(bytes(data)):
            assert fault.text
