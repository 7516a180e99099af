"""Dumps of registers, and how files are told apart."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from glslc_multi.backends.pica200.isa.fragment.container import write
from glslc_multi.backends.pica200.isa.fragment.encode import encode
from glslc_multi.backends.pica200.isa.fragment.files import holds_writes, read_writes
from glslc_multi.backends.pica200.isa.fragment.program import INERT, Configuration, Write
from glslc_multi.backends.pica200.isa.fragment.text.disassemble import disassemble
from glslc_multi.backends.pica200.isa.programs import is_of_registers
from glslc_multi.backends.registry import load_target
from glslc_multi.cli.main import main
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from tests.backends.pica200.recorded import CONTAINER_HEX, CONTAINER_TEXT

_DUMP = """
# every form of a line
0C0 F 000F000F
0x0e0/2 0xF00
TEXENV1_SOURCE 00100010   ; a comment
GPUREG_FOG_COLOR: ff
0E8 = 1000 2000 3000
104 1
"""
_WRITES = (
    Write(0x0C0, 0x000F000F),
    Write(0x0E0, 0xF00, 0b0010),
    Write(0x0C8, 0x00100010),
    Write(0x0E1, 0xFF),
    *(Write(0x0E8, value) for value in (0x1000, 0x2000, 0x3000)),
    Write(0x104, 1),
)


def _read(text: str) -> tuple[Write, ...]:
    return read_writes(text.encode(), "dump.txt", DiagnosticSink())


def test_lines() -> None:
    assert _read(_DUMP) == _WRITES


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0C0", "2:4: expected a hexadecimal number, found the end of the line"),
        ("many 0C0", "2:1: expected an address and a value, such as 0C0 000F000F, found 'many'"),
        ("0C0/10 1", "2:4: expected a hexadecimal number, found '/10'"),
        ("0C0 F", None),
        ("0C0 123456789", "2:5: a value must be 0 to 4294967295, found 123456789"),
        ("0C0 F 12 xyz", "2:10: expected a hexadecimal number, found 'xyz'"),
        ("FOG_COLOUR 1", "2:1: pica200 has no register 'FOG_COLOUR'"),
    ],
)
def test_mistakes(line: str, message: str | None) -> None:
    sink = DiagnosticSink()
    try:
        found = read_writes(f"0C0 1\n{line}\n".encode(), "dump.txt", sink)
    except CompileError:
        (diagnostic,) = sink.diagnostics
        assert diagnostic.span is not None
        assert message is not None
        where = f"{diagnostic.span.line}:{diagnostic.span.column}"
        assert f"{where}: {diagnostic.message}".startswith(message)
    else:
        assert message is None
        assert found[1:] == (Write(0x0C0, 0xF),)


def test_files_are_told_apart() -> None:
    data = write(encode(Configuration((INERT,) * 6)))
    assert is_of_registers(data)
    assert is_of_registers(data[16:]), "the command list without its header"
    assert is_of_registers(_DUMP.encode())
    for other in (bytes.fromhex(CONTAINER_HEX), CONTAINER_TEXT.encode(), b"", b"DVLB", bytes(8), b"void main() {}"):
        assert not is_of_registers(other)
    source = random.Random(0)
    assert sum(holds_writes(source.randbytes(8 * source.randrange(1, 9))) for _ in range(2000)) < 5


def test_target_takes_both_kinds() -> None:
    target, sink = load_target("pica200"), DiagnosticSink()
    text = target.disassemble(_DUMP.encode(), "dump.txt", sink)
    assert text == disassemble(_WRITES)
    data = target.assemble(text, "dump.s", sink)
    assert data == write(_WRITES)
    assert target.disassemble(data, "dump.tev", sink) == text
    assert target.assemble(CONTAINER_TEXT, "a.s", sink).hex() == CONTAINER_HEX
    assert [word.address for word in target.list_words(data, {})] == ["0c0", "0e0", "0c8", "0e1", *["0e8"] * 3, "104"]
    assert target.list_dump(b"void main() {}", "a.vert", sink) is None
    assert not sink.diagnostics


@pytest.mark.parametrize("command", ["dis", "explain"])
def test_a_suffix_tells_the_target(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shader, code = str(tmp_path / "a.frag"), str(tmp_path / "a.tev")
    Path(shader).write_text("void main() { gl_FragColor = vec4(0.0); }", encoding="utf-8")
    assert main([shader, "--target", "pica200", "-o", code]) == 0
    assert main([command, code]) == 0
    by_suffix = capsys.readouterr().out
    assert main([command, code, "--target", "pica200"]) == 0
    assert "TEXENV" in by_suffix
    assert capsys.readouterr().out == by_suffix
    assert main([command, shader]) == 2
