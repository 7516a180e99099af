"""A stack machine of 12 instructions, which exists in tests only: its words, and their text.

A word has 32 bits: the opcode in the upper 4, an argument in the others.  A program is words up to `end`, then its
numbers, to which `const` refers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from glslc_multi.compiler.isa.fields import Field, Format
from glslc_multi.compiler.isa.listing import CodeWord, Part

WORD = Format("word", 32, (Field("opcode", 28, 4), Field("argument", 0, 28)))
#: In the order of their opcodes; those that take an argument.
NAMES = ("end", "const", "uniform", "input", "output", "keep", "take", "add", "mul", "neg", "min", "max")
WITH_ARGUMENT = NAMES[1:7]

Instruction = tuple[str, int]


class BadText(Exception):
    """A line is no instruction."""


def encode(name: str, argument: int = 0) -> int:
    return WORD.encode({"opcode": NAMES.index(name), "argument": argument})


def decode(word: int) -> Instruction:
    fields = WORD.decode(word)
    return NAMES[fields["opcode"]], fields["argument"]


def text_of(instruction: Instruction) -> str:
    name, argument = instruction
    return f"{name} {argument}" if name in WITH_ARGUMENT else name


def pack(code: Sequence[Instruction], numbers: Sequence[float]) -> bytes:
    words = [encode(*instruction) for instruction in code]
    return struct.pack(f"<{len(words)}I{len(numbers)}f", *words, *numbers)


def unpack(data: bytes) -> tuple[list[Instruction], list[float]]:
    code = [decode(word) for (word,) in struct.iter_unpack("<I", data)][: _length(data)]
    return code, [number for (number,) in struct.iter_unpack("<f", data[4 * len(code) :])]


def _length(data: bytes) -> int:
    """Words up to the first `end`."""
    words = [word for (word,) in struct.iter_unpack("<I", data)]
    return 1 + next(number for number, word in enumerate(words) if word >> 28 == 0)


def assemble(text: str) -> bytes:
    code: list[Instruction] = []
    numbers: list[float] = []
    for line in text.splitlines():
        name, _, rest = line.strip().partition(" ")
        if name == ".number":
            numbers.append(float(rest))
        elif name in NAMES:
            code.append((name, int(rest or 0)))
        elif name:
            raise BadText(name)
    return pack(code, numbers)


def disassemble(data: bytes) -> str:
    code, numbers = unpack(data)
    return "".join([f"{text_of(one)}\n" for one in code] + [f".number {number!r}\n" for number in numbers])


def list_words(data: bytes) -> Iterator[CodeWord]:
    for address, instruction in enumerate(unpack(data)[0]):
        yield CodeWord(str(address), text_of(instruction), (Part(WORD, encode(*instruction)),))
