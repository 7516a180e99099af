"""Any text, any bytes and any writes end in a result or in messages, and writes survive their text."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glslc_multi.backends.pica200.isa.fragment.container import MAGIC, read, write
from glslc_multi.backends.pica200.isa.fragment.decode import UnknownCode, decode
from glslc_multi.backends.pica200.isa.fragment.encode import encode
from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.backends.pica200.isa.fragment.registers import REGISTERS
from glslc_multi.backends.pica200.isa.fragment.tables import TABLES
from glslc_multi.backends.pica200.isa.fragment.text.assemble import assemble
from glslc_multi.backends.pica200.isa.fragment.text.disassemble import disassemble
from glslc_multi.backends.pica200.isa.fragment.validate import validate
from glslc_multi.backends.pica200.target import TARGET
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.pica200.isa.fragment.test_encode import random_configuration

_SPELLINGS = """.tev stage 0 1 6 rgb = a texture0.rgb (1 - primary.aaa) texture9.rgb previous.a 2 * ( mix( dot3(
dot3_rgba( ) , + - 0.5 unused constant constant.rgb 255 256 -1 99999999999999999999 0x 0xFFFFFFFFF set FOG_COLOR r=1
FOG_COLOR/01 /- r= = LIGHT0_Z z=0.5 z=1e999 z=nan z=-0.0 mode=fog 0x1a0 table fog table colours ; # 0C0 F
000F000F 0E8 1000 : é ٣ \t \0""".split(" ")
_RUNS = 150


def _assembled(text: str) -> tuple[Write, ...] | None:
    sink = DiagnosticSink()
    try:
        return assemble(text, "test", sink)
    except CompileError:
        assert sink.error_count
        return None


def _use(writes: Sequence[Write]) -> None:
    """Everything that takes writes."""
    validate(writes)
    assert read(write(writes)) == tuple(writes)
    text = disassemble(writes)
    assert _assembled(text) == tuple(writes), text
    try:
        found = decode(writes)
    except UnknownCode:
        return
    assert decode(encode(found)).stages == found.stages


def _read_anything(data: bytes) -> None:
    """What the command line does with a file."""
    sink = DiagnosticSink()
    try:
        TARGET.disassemble(data, "test", sink)
        TARGET.list_dump(data, "test", sink)
    except CompileError:
        assert sink.error_count


@given(st.text(max_size=200) | st.lists(st.sampled_from(_SPELLINGS), max_size=60).map(" ".join))
@settings(derandomize=True, max_examples=_RUNS, deadline=None)
def test_any_text(text: str) -> None:
    for whole in (text, f".tev\n{text}"):
        writes = _assembled(whole)
        if writes is not None:
            _use(writes)
    _read_anything(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("seed", range(2))
def test_mutated_text(seed: int) -> None:
    source = random.Random(seed)
    lines = disassemble(encode(random_configuration(source))).split("\n")[:40]
    for _ in range(_RUNS):
        mutated = list(lines)
        for _ in range(source.randint(1, 3)):
            row = source.randrange(len(mutated))
            tokens = mutated[row].split(" ")
            tokens[source.randrange(len(tokens))] = source.choice(_SPELLINGS)
            mutated[row] = " ".join(tokens)
        writes = _assembled("\n".join(mutated))
        if writes is not None:
            _use(writes)


@given(st.binary(max_size=200))
@settings(derandomize=True, max_examples=_RUNS, deadline=None)
def test_any_bytes(data: bytes) -> None:
    _read_anything(data)
    _read_anything(MAGIC + data)


@pytest.mark.parametrize("seed", range(2))
def test_mutated_files(seed: int) -> None:
    source = random.Random(seed)
    recorded = write(encode(random_configuration(source)))
    for _ in range(_RUNS):
        data = bytearray(recorded)
        for _ in range(source.randint(1, 4)):
            data[source.randrange(min(len(data), 400))] = source.choice((0, 1, 0x7F, 0xFF, source.randrange(256)))
        _read_anything(bytes(data[: source.choice((len(data), source.randrange(len(data))))]))
        _read_anything(bytes(data[16:]))


@pytest.mark.parametrize("seed", range(2))
def test_any_writes(seed: int) -> None:
    source = random.Random(seed)
    addresses = [register.address for register in REGISTERS]
    for _ in range(_RUNS):
        writes = list(encode(random_configuration(source)))
        for _ in range(source.randint(1, 6)):
            place = source.randrange(len(writes))
            register = source.choice((source.choice(addresses), source.randrange(0x300), writes[place].register))
            value = source.choice((source.randrange(1 << 32), 0, writes[place].value ^ 1 << source.randrange(32)))
            mask = source.choice((0xF, 0xF, source.randrange(16)))
            writes[place : place + source.randint(0, 2)] = [Write(register, value, mask)]
        if source.random() < 0.3:
            table = source.choice(list(TABLES.values()))
            entries = [Write(table.data_register, source.randrange(1 << 24)) for _ in range(table.size)]
            writes += [Write(table.index_register, table.first), *entries[: source.choice((table.size, 3))]]
        _use(writes)
