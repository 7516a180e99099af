"""The words of a program one by one, with their fields."""

from __future__ import annotations

from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.container import unpack
from glslc_multi.backends.theia.isa.disasm import spell_word
from glslc_multi.backends.theia.isa.program import ORIGIN
from glslc_multi.backends.theia.isa.registers import Variant
from glslc_multi.compiler.isa.listing import CodeWord, Part

#: Each instruction takes one more than its unit.
_ISSUE_CYCLES = 1


def list_words(data: bytes, variant: Variant) -> list[CodeWord]:
    """The words of a file that the compiler made."""
    program = unpack(data, variant)
    return [_word(ORIGIN + number, word, variant) for number, word in enumerate(program.words)]


def _word(address: int, word: int, variant: Variant) -> CodeWord:
    decoded = instructions.decode(word)
    assert decoded is not None
    instruction = decoded.instruction
    cycles = (instruction.cycles(variant) or 0) + _ISSUE_CYCLES
    text = spell_word(word, variant, {}) or instruction.name
    # There is one texture.
    samplers = (0,) if instruction.role == "read" else ()
    target, number = decoded.target - ORIGIN, address - ORIGIN
    skips = (range(number + 1, target),) if instruction.is_jump and target > number else ()
    repeats = range(target, number + 1) if instruction.is_jump and target <= number else None
    part = Part(instruction.format, word)
    return CodeWord(f"{address:04x}", text, (part,), cycles, skips, repeats, samplers=samplers)
