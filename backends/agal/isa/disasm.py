"""A program's bytes to assembly text that the assembler makes the same bytes from.

What the text of a token says is compared with the token: bits that no text expresses make it one without text.
"""

from __future__ import annotations

from glslc_multi.backends.agal.isa.container import TOKEN_BYTES, unpack
from glslc_multi.backends.agal.isa.program import HEADER, Destination, Operand, Sampler, Source, decode, encode
from glslc_multi.backends.agal.isa.registers import BY_TYPE, CONSTANT, SAMPLER, Stage, components_of
from glslc_multi.backends.agal.isa.sampler_options import spell_options
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.isa.components import COMPONENTS, letters_of, mask_text, swizzle_text
from glslc_multi.compiler.isa.container import unpacked
from glslc_multi.compiler.isa.disassembly import report_no_text, text_of


def disassemble(data: bytes, filename: str, sink: DiagnosticSink) -> str:
    """The text of a program; what has no text is reported, then raised."""
    program = unpacked(unpack, data, filename, sink, "agal")
    lines = [HEADER.format(version=program.version, stage=program.stage)]
    for number, word in enumerate(program.words):
        line = spell(word, program.stage, program.version)
        if line is None:
            report_no_text(sink, filename, f"token {number}", word.to_bytes(TOKEN_BYTES, "little").hex())
        lines.append(line or "")
    sink.raise_if_errors()
    return text_of(lines)


def spell(word: int, stage: Stage, version: int) -> str | None:
    """The line of one token; None where no line makes this token."""
    token = decode(word)
    row = None if token is None else token.instruction
    exists = row is not None and row.version <= version and (stage == "fragment" or not row.fragment_only)
    if token is None or not exists or encode(token) != word:
        return None
    operands = [_operand(operand, stage) for operand in token.operands]
    if None in operands:
        return None
    return f"{token.instruction.name} {', '.join(filter(None, operands))}".rstrip()


def _operand(operand: Operand, stage: Stage) -> str | None:
    """One operand; None for one that text cannot name in this stage."""
    if isinstance(operand, Sampler):
        return _sampler(operand, stage)
    if isinstance(operand, Source) and operand.indirect:
        return _indirect(operand, stage)
    bank = BY_TYPE.get((stage, operand.type))
    if bank is None:
        return None
    register = bank.spell(operand.number)
    if isinstance(operand, Destination):
        return register + mask_text(letters_of(operand.mask)) if operand.mask else None
    has_index = operand.offset or operand.index_type or operand.index_component
    return None if has_index else register + swizzle_text(components_of(operand.swizzle))


def _sampler(operand: Sampler, stage: Stage) -> str | None:
    bank, options = BY_TYPE.get((stage, operand.type)), spell_options(operand)
    if bank is None or bank.type != SAMPLER or options is None:
        return None
    return f"{bank.spell(operand.number)} <{','.join(options)}>"


def _indirect(operand: Source, stage: Stage) -> str | None:
    constants, register = BY_TYPE[stage, CONSTANT], BY_TYPE.get((stage, operand.index_type))
    if stage != "vertex" or operand.type != CONSTANT or register is None:
        return None
    # Here the number must stand even for the sole register of a type.
    index = f"{register.names[0]}{operand.number}.{COMPONENTS[operand.index_component]}"
    offset = f"+{operand.offset}" if operand.offset else ""
    return f"{constants.names[0]}[{index}{offset}]{swizzle_text(components_of(operand.swizzle))}"
