"""The command list that the GPU reads, as words, and the `.tev` file: a header of four words, then the command list.

A command is a value and a header, then further values; commands begin at even words.  The header has the register, a
byte mask, the number of further values, and whether they go to the registers that follow or all to the same one.

The header of the file:

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
from collections.abc import Iterator, Sequence
from itertools import groupby

from glslc_multi.backends.pica200.isa.fragment.program import Write
from glslc_multi.compiler.isa.container import BadContainer
from glslc_multi.compiler.isa.fields import Field, Format

HEADER = Format(
    "header",
    32,
    (
        Field("register", 0, 16, doc="the register, or the first one"),
        Field("mask", 16, 4, doc="bit n: byte n of the register is written"),
        Field("extra", 20, 8, doc="how many values follow the header"),
        Field("consecutive", 31, 1, doc="they go to the registers that follow"),
    ),
)
#: Values that one command has room for.
_MOST_VALUES = HEADER.by_name["extra"].range[1] + 1


def words_of(writes: Sequence[Write]) -> list[int]:
    """The command list; values that go to the same register one after the other share a command."""
    words: list[int] = []
    for (register, mask), group in groupby(writes, lambda write: (write.register, write.mask)):
        values = [write.value for write in group]
        for start in range(0, len(values), _MOST_VALUES):
            first, *extra = values[start : start + _MOST_VALUES]
            padding = [0] * (len(extra) % 2)
            words += [first, HEADER.encode({"register": register, "mask": mask, "extra": len(extra)}), *extra, *padding]
    return words


def writes_of(words: Sequence[int]) -> Iterator[Write]:
    """The writes of a command list; raises `BadContainer` where it ends too early."""
    position = 0
    while position < len(words):
        if position + 1 == len(words):
            raise BadContainer(f"word {position} has no header after it")
        fields = HEADER.decode(words[position + 1])
        end = position + 2 + fields["extra"]
        if end > len(words):
            raise BadContainer(
                f"the command at word {position} has {fields['extra']} more values, the file ends before"
            )
        for number, value in enumerate((words[position], *words[position + 2 : end])):
            register = fields["register"] + number * fields["consecutive"]
            yield Write(register & HEADER.by_name["register"].range[1], value, fields["mask"])
        position = end + end % 2


MAGIC = b"PTEV"
VERSION = 1
_FILE_HEADER = struct.Struct("<4s3I")
_WORD_BYTES = 4


def write(writes: Sequence[Write]) -> bytes:
    """The file of register writes."""
    words = words_of(writes)
    return _FILE_HEADER.pack(MAGIC, VERSION, len(words), 0) + struct.pack(f"<{len(words)}I", *words)


def read(data: bytes) -> tuple[Write, ...]:
    """The writes in a file; raises `BadContainer`."""
    if len(data) < _FILE_HEADER.size or not data.startswith(MAGIC):
        raise BadContainer("it does not begin with PTEV and three words")
    _, version, count, _ = _FILE_HEADER.unpack_from(data)
    if version != VERSION:
        raise BadContainer(f"its version is {version}, only {VERSION} is known")
    body = data[_FILE_HEADER.size :]
    if len(body) != _WORD_BYTES * count:
        raise BadContainer(f"the header tells of {count} words, {len(body)} bytes follow it")
    return read_commands(body)


def read_commands(data: bytes) -> tuple[Write, ...]:
    """The writes of a command list without a header, such as a dump of the memory that the GPU reads."""
    if len(data) % _WORD_BYTES:
        raise BadContainer(f"{len(data)} bytes are not a number of words")
    return tuple(writes_of(struct.unpack(f"<{len(data) // _WORD_BYTES}I", data)))
