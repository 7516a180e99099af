"""The tokens of a program one by one, with their fields."""

from __future__ import annotations

from backends.agal import isa
from backends.agal.container import unpack
from backends.agal.disasm import spell
from backends.agal.program import decode
from compiler.codegen.listing import CodeWord, Part


def list_words(data: bytes) -> list[CodeWord]:
    """The tokens of a file that the compiler made."""
    program = unpack(data)
    return [
        CodeWord(str(number), _text(word, spell(word, program.stage, program.version)), (_part(word),))
        for number, word in enumerate(program.words)
    ]


def _text(word: int, line: str | None) -> str:
    # AGALMiniAssembler's text names eight samplers only.
    token = decode(word)
    return line or (token.instruction.name if token else "?")


def _part(word: int) -> Part:
    token = decode(word)
    assert token is not None
    return Part(isa.FORMATS[token.instruction.shape], word)
