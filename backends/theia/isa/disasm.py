"""A program's file to assembly text that the assembler makes the same file from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.container import unpack
from glslc_multi.backends.theia.isa.instructions import RETURN_CODES, SWIZZLE
from glslc_multi.backends.theia.isa.program import ENTRY_LABEL, ORIGIN, VARIANT_NOTE, Program
from glslc_multi.backends.theia.isa.registers import VARIANTS, VOID, Variant, spell
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.isa.container import unpacked
from glslc_multi.compiler.isa.disassembly import report_no_text, text_of, with_labels


def disassemble(data: bytes, filename: str, sink: DiagnosticSink, *, variant: Variant | None = None) -> str:
    """The text of a program; what has no text is reported, then raised."""
    program = unpacked(partial(unpack, variant=variant), data, filename, sink, "theia")
    variant = program.variant
    for name, address in program.entries.items():
        if not _is_in_text(program, address):
            report_no_text(sink, filename, f"entry point {name}", f"it is at {address:04x}")
    for index, word in enumerate(program.words):
        if instructions.decode(word) is None:
            report_no_text(sink, filename, f"word {ORIGIN + index:04x}", f"{word:016x} is no instruction")
    sink.raise_if_errors()
    jumps = dict(_jump_labels(program))
    lines = with_labels(
        [f"\t{spell_word(word, variant, jumps)}" for word in program.words],
        lambda index: _labels_at(ORIGIN + index, program, jumps),
    )
    head = [] if variant == VARIANTS[0] else [f"{VARIANT_NOTE}{variant}"]
    return text_of([*head, *lines])


def spell_word(word: int, variant: Variant, labels: Mapping[int, str]) -> str | None:
    """The line of one word, jump targets by their label; None where the word is no instruction."""
    decoded = instructions.decode(word)
    if decoded is None:
        return None
    row = decoded.instruction
    operands = [_operand(letter, getattr(decoded, name), variant, labels) for name, letter in row.operands]
    return " ".join([row.name, *operands])


def _operand(letter: str, value: int, variant: Variant, labels: Mapping[int, str]) -> str:
    if letter == "L":
        return labels.get(value) or _address(value)
    if letter == "C":
        return RETURN_CODES[value]
    if letter == "W" and value < len(instructions.SWIZZLES):
        return SWIZZLE + instructions.SWIZZLES[value]
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


def _labels_at(address: int, program: Program, jumps: Mapping[int, str]) -> Iterator[str]:
    yield from (f"{ENTRY_LABEL}{name}:" for name, start in program.entries.items() if start == address)
    if address in jumps:
        yield f"{jumps[address]}:"


def _jump_labels(program: Program) -> Iterator[tuple[int, str]]:
    """Names for the targets of jumps inside of the program."""
    for word in program.words:
        decoded = instructions.decode(word)
        if decoded is not None and decoded.instruction.is_jump and _is_in_text(program, decoded.target):
            yield decoded.target, f"L_{decoded.target:04x}"
