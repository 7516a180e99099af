"""Assembly text to a program, in the syntax of the project's own assembler.

In: text with one instruction or label a line.  Out: a `Program`; hardware rules are checked by `validate.py`.
Three things are more than that assembler has: a register without a name is its decimal number, a jump
target outside of the text its hexadecimal address, and a comment in the first line says the variant of the machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.asm import grammar
from glslc_multi.backends.theia.isa.instructions import Decoded
from glslc_multi.backends.theia.isa.numbers import WORD_MASK
from glslc_multi.backends.theia.isa.program import ENTRIES, ENTRY_LABEL, ORIGIN, VARIANT_NOTE, Program
from glslc_multi.backends.theia.isa.registers import BY_NAME, VARIANTS, Variant, address_of
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile
from glslc_multi.compiler.diagnostics.catalogue.machine import TOO_MANY
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.isa.assembly import Language, Line
from glslc_multi.compiler.isa.grammar import parse
from glslc_multi.compiler.isa.mistakes import Mistake, Word, operand_count, unexpected
from glslc_multi.compiler.isa.names import Names
from glslc_multi.compiler.isa.numbers import in_range

LANGUAGE = Language("theia", comment=re.compile(r"//.*"), piece=re.compile(r"\S+"))
_LABEL = re.compile(rf"\s*{grammar.LABEL}", re.ASCII)
_LAST_ADDRESS = 0xFFFF
_ADDRESSABLE = _LAST_ADDRESS - ORIGIN


def assemble(
    text: str,
    filename: str,
    sink: DiagnosticSink,
    *,
    variant: Variant | None = None,
    labels: Mapping[str, int] | None = None,
) -> Program:
    """The program of `text`; all errors are reported to `sink`, then raised together.

    `labels` are names of addresses outside of the text.
    """
    assembler = _Assembler(variant or _noted_variant(text), labels)
    code = assembler.without_labels(LANGUAGE.lines(SourceFile(filename, text), sink))
    if len(code) > _ADDRESSABLE:
        line = code[_ADDRESSABLE]
        line.report(Mistake(TOO_MANY, _first_piece(line), need=len(code), what="instructions", limit=_ADDRESSABLE))
        code = []
    words = tuple([line.attempt(assembler.word) or 0 for line in code])
    sink.raise_if_errors()
    return Program(words, assembler.variant, assembler.entries, tuple(line.whole for line in code))


def _noted_variant(text: str) -> Variant:
    """The variant that the first line says."""
    first, _, _ = text.partition("\n")
    return next((variant for variant in VARIANTS if first.rstrip() == f"{VARIANT_NOTE}{variant}"), VARIANTS[0])


class _Assembler:
    """Finds the labels, then assembles line by line."""

    def __init__(self, variant: Variant, labels: Mapping[str, int] | None) -> None:
        self.variant: Variant = variant
        self.entries: dict[str, int] = {}
        self._labels = Names("label", labels)

    def without_labels(self, lines: Iterable[Line]) -> list[Line]:
        """The lines that are instructions; labels are recorded."""
        code: list[Line] = []
        for line in lines:
            if _LABEL.match(line.text):
                address = ORIGIN + len(code)
                parsed: grammar.LabelLine = parse(line, grammar.label_line)
                if parsed.more is not None:
                    line.report(unexpected(parsed.more, "a label alone on its line", f"'{parsed.more[0]}'"))
                label, name = parsed.label, parsed.label["name"]
                self._labels.define(line, name, label, address)
                entry = name.removeprefix(ENTRY_LABEL)
                if entry != name and entry not in ENTRIES:
                    line.report(unexpected(label, "an entry point", f"'{name}'", did_you_mean(entry, ENTRIES)))
                elif entry != name:
                    self.entries.setdefault(entry, address)
            else:
                code.append(line)
        return code

    def word(self, line: Line) -> int:
        """The word of an instruction; the operands have in the text the order of the format's fields."""
        parsed = _parsed(line)
        row = instructions.BY_NAME[parsed.name[0]]
        operands = zip(row.operands, parsed.operands, strict=True)
        fields = {name: self._operand(letter, word) for (name, letter), word in operands}
        return instructions.encode(Decoded(row, **fields))

    # --- Operands -----------------------------------------------------------------------------------------------------

    def _operand(self, letter: str, word: Word) -> int:
        match letter:
            case "L":
                return self._target(word)
            case "C":
                return instructions.RETURN_CODES.index(word[0])
            case "I" | "W":
                return _immediate(word)
        address = address_of(word[0], self.variant)
        if address is None:
            raise unexpected(word, "a register", f"'{word[0]}'", did_you_mean(word[0], BY_NAME[self.variant]))
        return address

    def _target(self, word: Word) -> int:
        # A name of digits can only come from elsewhere.
        if word["name"] is not None or word[0] in self._labels.values:
            return self._labels.find(word[0], word)
        return in_range(word, "an address", 0, _LAST_ADDRESS, base=16)


def _parsed(line: Line) -> grammar.Instruction:
    """The record of an instruction; a wrong number of operands comes before other mistakes."""
    try:
        parsed: grammar.Instruction = parse(line, grammar.instruction)
    except Mistake:
        name, *operands = line.text.split()
        row = instructions.BY_NAME.get(name)
        if row is None or len(operands) == len(row.shape):
            raise
        raise operand_count(_first_piece(line), name, len(row.shape), len(operands)) from None
    return parsed


def _first_piece(line: Line) -> tuple[int, int]:
    return line.indent, line.indent + len(line.text.split()[0])


def _immediate(word: Word) -> int:
    if "swizzle" not in word.re.groupindex:
        return in_range(word, "the number", 0, WORD_MASK, group="digits", base=16)
    name = word["swizzle"]
    if name not in instructions.SWIZZLES:
        raise unexpected(word, "a swizzle", f"'{word[0]}'", did_you_mean(name, instructions.SWIZZLES))
    return instructions.SWIZZLES.index(name)
