"""Files and command lists of register writes."""

from __future__ import annotations

import random
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from glslc_multi.backends.pica200.isa.fragment.container import read, read_commands, write
from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.compiler.isa.container import BadContainer
from tests.shared_data import PROJECT_ROOT


def _words(*words: int) -> bytes:
    return struct.pack(f"<{len(words)}I", *words)


def _file(*words: int) -> bytes:
    return b"PTEV" + _words(1, len(words), 0, *words)


def test_one_write() -> None:
    # Section 1 of the public notes: register in 15:0, byte mask in 19:16.
    assert write([Write(0x0E0, 0xF00, 2)]) == _file(0xF00, 0x000200E0)


def test_values_to_one_register_share_a_command() -> None:
    writes = [Write(0x0E8, 7), Write(0x0E8, 8), Write(0x0E8, 9), Write(0x0E1, 1)]
    assert write(writes) == _file(7, 0x002F00E8, 8, 9, 1, 0x000F00E1)


def test_commands_begin_at_even_words() -> None:
    assert write([Write(0x0E8, 7), Write(0x0E8, 8), Write(0x0E1, 1)]) == _file(7, 0x001F00E8, 8, 0, 1, 0x000F00E1)


def test_registers_that_follow() -> None:
    data = _words(1, 0x802F00C0, 2, 3)
    assert read_commands(data) == (Write(0x0C0, 1), Write(0x0C1, 2), Write(0x0C2, 3))


def test_read_what_is_written() -> None:
    for seed in range(200):
        source = random.Random(seed)
        writes = tuple(
            Write(register, source.randrange(1 << 32), mask)
            for register, mask, times in (
                (source.randrange(0x300), source.randrange(16), source.choice((1, 1, 2, 3, 300)))
                for _ in range(source.randrange(20))
            )
            for _ in range(times)
        )
        assert read(write(writes)) == writes


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "begin with PTEV"),
        (b"PTEV" + _words(1, 0), "begin with PTEV"),
        (b"DVLB" + _words(1, 0, 0), "begin with PTEV"),
        (b"PTEV" + _words(2, 0, 0), "version is 2"),
        (b"PTEV" + _words(1, 2, 0, 7), "2 words, 4 bytes"),
        (_file(1, 0x000F00C0, 1), "word 2 has no header"),
        (_file(1, 0x002F00C0, 1), "at word 0 has 2 more values"),
    ],
)
def test_what_is_no_file(data: bytes, reason: str) -> None:
    with pytest.raises(BadContainer, match=reason):
        read(data)


def test_bytes_that_are_no_words() -> None:
    with pytest.raises(BadContainer, match="6 bytes"):
        read_commands(bytes(6))


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_the_documented_reader_in_c(tmp_path: Path) -> None:
    page = (PROJECT_ROOT / "docs" / "pica200-fragment-text.md").read_text(encoding="utf-8")
    reader = next(
        block for block in re.findall(r"^```c\n(.*?)^```$", page, re.DOTALL | re.MULTILINE) if "each" in block
    )
    writes = [Write(0x0C0, 1), Write(0x0E0, 0xF00, 2), *(Write(0x0E8, n) for n in range(300)), Write(0x0E1, 0xFFFFFFFF)]
    words = struct.unpack(f"<{len(write(writes)) // 4}I", write(writes))
    # A command whose values go to registers that follow each other, as drivers write them.
    words = (*words[:2], words[2] + 4, *words[3:], 5, 0x802F00F0, 6, 7)
    (tmp_path / "read.c").write_text(
        "#include <stdint.h>\n#include <stdio.h>\n"
        + reader
        + "static void show(unsigned reg, unsigned bytes, uint32_t value) {\n"
        + '    printf("%x %x %x\\n", reg, bytes, value);\n}\n'
        + f"static const uint32_t file[] = {{{', '.join(f'{word}u' for word in words)}}};\n"
        + "int main(void) { each_write(file, show); return 0; }\n"
    )
    subprocess.run(["cc", "-Wall", "-Werror", "-o", tmp_path / "read", tmp_path / "read.c"], check=True)
    printed = subprocess.run([tmp_path / "read"], check=True, capture_output=True, text=True).stdout
    expected = [*writes, Write(0x0F0, 5), Write(0x0F1, 6), Write(0x0F2, 7)]
    assert read(struct.pack(f"<{len(words)}I", *words)) == tuple(expected)
    assert printed.splitlines() == [f"{w.register:x} {w.mask:x} {w.value:x}" for w in expected]
