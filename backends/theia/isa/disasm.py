"""A program's file to assembly text that `asm.py` makes the same file from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from backends.theia.isa import instructions
from backends.theia.isa.asm import RETURN_CODES
from backends.theia.isa.container import BadContainer, unpack
from backends.theia.isa.instructions import Decoded
from backends.theia.isa.program import ENTRY_LABEL, ORIGIN, Program
from backends.theia.isa.registers import VOID, Variant, spell
from compiler.diagnostics import CompileError, DiagnosticSink, SourceFile, Span
from compiler.diagnostics.catalogue.machine import THEIA_BAD_CONTAINER, THEIA_NO_TEXT


def disassemble(data: bytes, filename: str, sink: DiagnosticSink, *, variant: Variant = "trunk") -> str:
    """The text of a program; what has no text is reported, then raised."""
    span = Span(SourceFile(filename), 1, 1, 1, 1)
    try:
        program = unpack(data, variant)
    except BadContainer as error:
        sink.report(THEIA_BAD_CONTAINER, span, reason=error)
        raise CompileError(sink.diagnostics) from None
    for name, address in program.entries.items():
        if not _is_in_text(program, address):
            sink.report(THEIA_NO_TEXT, span, what=f"entry point {name}", found=f"{address:04x}")
    for index, word in enumerate(program.words):
        if instructions.decode(word) is None:
            sink.report(THEIA_NO_TEXT, span, what=f"word {ORIGIN + index:04x}", found=f"{word:016x}")
    sink.raise_if_errors()
    return "".join(f"{line}\n" for line in _lines(program))


def spell_word(word: int, variant: Variant, labels: Mapping[int, str]) -> str | None:
    """The line of one word, jump targets by their label; None where the word is no instruction."""
    decoded = instructions.decode(word)
    if decoded is None:
        return None
    names = [part.name for part in decoded.instruction.format.fields if part.name != "opcode"]
    operands = [
        _operand(letter, getattr(decoded, name), variant, labels)
        for name, letter in zip(names, decoded.instruction.shape, strict=True)
    ]
    return " ".join([decoded.instruction.name, *operands])


def _operand(letter: str, value: int, variant: Variant, labels: Mapping[int, str]) -> str:
    if letter == "L":
        return labels.get(value) or _address(value)
    if letter == "C":
        return RETURN_CODES[value]
    if letter == "W" and value < len(instructions.SWIZZLES):
        return f"SWIZZLE_{instructions.SWIZZLES[value]}"
    if letter in "IW":
        return f"32'h{value:X}"
    return VOID if letter == "-" and value == 0 else spell(value, variant)


def _address(value: int) -> str:
    """An address as the assembler takes it: the first digit is a decimal one."""
    digits = f"{value:04x}"
    return digits if digits[0].isdigit() else f"0{digits}"


def _is_in_text(program: Program, address: int) -> bool:
    """Whether a label can be at an address; one may be after the last instruction."""
    return 0 <= address - ORIGIN <= len(program.words)


def _lines(program: Program) -> Iterator[str]:
    labels = dict(_jump_labels(program))
    for offset in range(len(program.words) + 1):
        address = ORIGIN + offset
        yield from (f"{ENTRY_LABEL}{name}:" for name, start in program.entries.items() if start == address)
        if address in labels:
            yield f"{labels[address]}:"
        if offset < len(program.words):
            yield f"\t{spell_word(program.words[offset], program.variant, labels)}"


def _jump_labels(program: Program) -> Iterator[tuple[int, str]]:
    """Names for the targets of jumps inside of the program."""
    for word in program.words:
        decoded = instructions.decode(word)
        if decoded is not None and _is_jump_inside(program, decoded):
            yield decoded.target, f"L_{decoded.target:04x}"


def _is_jump_inside(program: Program, decoded: Decoded) -> bool:
    return decoded.instruction.is_jump and _is_in_text(program, decoded.target)
