"""The `.tev` file: a header of four words, then the command list (`commands.py`) as the GPU takes it.

| word | what it is |
| --- | --- |
| 0 | the letters PTEV |
| 1 | version, 1 |
| 2 | how many words follow the header |
| 3 | 0 |

All words are little-endian.  With libctru, `GPUCMD_AddRawCommands(file + 4, file[2])` sets everything.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from backends.pica200.isa.fragment.commands import words_of, writes_of
from backends.pica200.isa.fragment.program import Write
from compiler.isa.container import BadContainer

MAGIC = b"PTEV"
VERSION = 1
_HEADER = struct.Struct("<4s3I")
_WORD_BYTES = 4


def write(writes: Sequence[Write]) -> bytes:
    """The file of register writes."""
    words = words_of(writes)
    return _HEADER.pack(MAGIC, VERSION, len(words), 0) + struct.pack(f"<{len(words)}I", *words)


def read(data: bytes) -> tuple[Write, ...]:
    """The writes in a file; raises `BadContainer`."""
    if len(data) < _HEADER.size or not data.startswith(MAGIC):
        raise BadContainer("it does not begin with PTEV and three words")
    _, version, count, _ = _HEADER.unpack_from(data)
    if version != VERSION:
        raise BadContainer(f"its version is {version}, only {VERSION} is known")
    body = data[_HEADER.size :]
    if len(body) != _WORD_BYTES * count:
        raise BadContainer(f"the header tells of {count} words, {len(body)} bytes follow it")
    return read_commands(body)


def read_commands(data: bytes) -> tuple[Write, ...]:
    """The writes of a command list without a header, such as a dump of the memory that the GPU reads."""
    if len(data) % _WORD_BYTES:
        raise BadContainer(f"{len(data)} bytes are not a number of words")
    return tuple(writes_of(struct.unpack(f"<{len(data) // _WORD_BYTES}I", data)))
