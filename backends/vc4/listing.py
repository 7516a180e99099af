"""The words of a program one by one, with their fields."""

from __future__ import annotations

from backends.vc4.container import unpack
from backends.vc4.disasm import branch_target, word_line
from backends.vc4.formats import format_of
from compiler.codegen.listing import CodeWord, Part


def list_words(data: bytes) -> list[CodeWord]:
    """The words of a file that the compiler made."""
    return [_word(number, word) for number, word in enumerate(unpack(data).words)]


def _word(number: int, word: int) -> CodeWord:
    target = branch_target(word, number)
    labels = {} if target is None else {target: f"{target:03x}"}
    return CodeWord(f"{number:03x}", word_line(word, number, labels), (Part(format_of(word), word),))
