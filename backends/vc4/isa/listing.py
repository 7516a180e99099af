"""The words of a program one by one, with their fields."""

from __future__ import annotations

from glslc_multi.backends.vc4.isa.container import unpack
from glslc_multi.backends.vc4.isa.disasm import branch_target, word_line
from glslc_multi.backends.vc4.isa.formats import format_of
from glslc_multi.compiler.isa.listing import CodeWord, Part

#: Sixteen lanes, four at a time.
_CYCLES = 4


def list_words(data: bytes) -> list[CodeWord]:
    """The words of a file that the compiler made."""
    return [_word(number, word) for number, word in enumerate(unpack(data).words)]


def _word(number: int, word: int) -> CodeWord:
    target = branch_target(word, number)
    labels = {} if target is None else {target: f"{target:03x}"}
    part = Part(format_of(word), word)
    repeats = target is not None and target <= number
    return CodeWord(f"{number:03x}", word_line(word, number, labels), (part,), _CYCLES, repeats)
