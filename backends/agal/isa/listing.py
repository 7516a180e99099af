"""The tokens of a program one by one, with their fields."""

from __future__ import annotations

from glslc_multi.backends.agal.isa import instructions
from glslc_multi.backends.agal.isa.container import unpack
from glslc_multi.backends.agal.isa.disasm import spell
from glslc_multi.backends.agal.isa.program import Program, decode
from glslc_multi.compiler.isa.listing import CodeWord, Part


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
    part = Part(instructions.FORMATS[instruction.shape], word)
    samplers = () if token.sampler is None else (token.sampler.number,)
    return CodeWord(str(number), text, (part,), instruction.rows, samplers=samplers)
