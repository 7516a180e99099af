"""The code of the stages in a class: as words of byte code, or as text for an assembler on the machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from glslc_multi.backends.agal.host.facts import Stage
from glslc_multi.backends.agal.host.languages import Language, indented
from glslc_multi.backends.agal.isa.disasm import spell
from glslc_multi.backends.agal.isa.instructions import TOKEN_SIZE
from glslc_multi.backends.agal.isa.program import Program
from glslc_multi.backends.agal.isa.registers import STAGES
from glslc_multi.compiler.host_code.templates import fill

_WORDS_OF_TOKEN = TOKEN_SIZE // 32
#: AGALMiniAssembler takes no more samplers unless it is told to ignore limits.
_MOST_SAMPLERS = 8


def byte_code(stages: Mapping[str, Stage], language: Language) -> list[str]:
    """Words, a token a line, and the functions that make bytes of them."""
    lines: list[str] = []
    for name, stage in stages.items():
        program = stage.program
        call = f"assembled({program.version}, {STAGES.index(program.stage)}, {name.upper()}_WORDS)"
        lines += ["", *_function(name, call, language), "", *_words(name, program, language)]
    helper = fill(Path(__file__).parent / f"code.{language.suffix}", {})
    return [*lines, *helper.splitlines()]


def text_code(stages: Mapping[str, Stage], language: Language) -> list[str]:
    """Text, and the functions that let AGALMiniAssembler assemble it."""
    lines: list[str] = []
    for name, stage in stages.items():
        program = stage.program
        limits = ", true" if max(stage.samplers, default=0) >= _MOST_SAMPLERS else ""
        kind = f"Context3DProgramType.{name.upper()}"
        call = f"new AGALMiniAssembler().assemble({kind}, {name.upper()}_TEXT, {program.version}{limits})"
        text = [f'"{_text(word, program)}\\n"' for word in program.words]
        joined = [*(f"{line} +" for line in text[:-1]), f"{text[-1]};"]
        declared = language.text.format(name=f"{name.upper()}_TEXT")
        lines += ["", *_function(name, call, language), "", declared, *indented(joined)]
    return lines


def _function(stage: str, call: str, language: Language) -> list[str]:
    return [
        f"/** The byte code of the {stage} stage. */",
        language.code.format(name=f"{stage}Code"),
        *indented([f"return {call};"]),
        "}",
    ]


def _words(stage: str, program: Program, language: Language) -> list[str]:
    first, last = language.words_list
    rows = []
    for number, token in enumerate(program.words, start=1):
        words = [token >> 32 * index & 0xFFFFFFFF for index in range(_WORDS_OF_TOKEN)]
        comma = "," if number < len(program.words) else ""
        rows.append(f"{', '.join(f'0x{word:08x}' for word in words)}{comma} // {_text(token, program)}")
    return [first.format(name=f"{stage.upper()}_WORDS"), *indented(rows), last]


def _text(token: int, program: Program) -> str:
    text = spell(token, program.stage, program.version)
    assert text is not None, "what the compiler makes has a text"
    return text
