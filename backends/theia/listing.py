"""The words of a program one by one, with their fields."""

from __future__ import annotations

from backends.theia import isa
from backends.theia.container import unpack
from backends.theia.disasm import spell_word
from backends.theia.program import ORIGIN
from backends.theia.registers import Variant
from compiler.codegen.listing import CodeWord, Part


def list_words(data: bytes, variant: Variant) -> list[CodeWord]:
    """The words of a file that the compiler made."""
    program = unpack(data, variant)
    return [
        CodeWord(f"{ORIGIN + number:04x}", spell_word(word, program.variant, {}) or "?", (_part(word),))
        for number, word in enumerate(program.words)
    ]


def _part(word: int) -> Part:
    encoding = isa.ENCODINGS.find(word)
    assert encoding is not None
    return Part(encoding.format, word)
