"""The tokens of a program one by one, with their fields."""

from __future__ import annotations

from backends.agal import isa
from backends.agal.container import unpack
from backends.agal.disasm import spell
from backends.agal.program import Program, decode
from compiler.codegen.listing import CodeWord, Part


def list_words(data: bytes) -> list[CodeWord]:
    """The tokens of a file that the compiler made."""
    program = unpack(data)
    return [_token(number, word, program) for number, word in enumerate(program.words)]


def _token(number: int, word: int, program: Program) -> CodeWord:
    token = decode(word)
    assert token is not None
    instruction = token.instruction
    # AGALMiniAssembler's text names eight samplers only.
    text = spell(word, program.stage, program.version) or instruction.name
    # A product with a matrix is a dot product for each row.
    return CodeWord(str(number), text, (Part(isa.FORMATS[instruction.shape], word),), instruction.rows)
