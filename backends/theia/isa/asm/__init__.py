"""Assembly text to a program, in the syntax of the project's own assembler.

In: text with one instruction or label a line.  Out: a `Program`; hardware rules are checked by `validate.py`.
Two things are more than that assembler has: a register without a name is its decimal number, a jump
target outside of the text its hexadecimal address.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from backends.theia.isa import instructions
from backends.theia.isa.asm import grammar
from backends.theia.isa.instructions import Decoded
from backends.theia.isa.numbers import WORD_MASK
from backends.theia.isa.program import ENTRIES, ENTRY_LABEL, ORIGIN, Program
from backends.theia.isa.registers import BY_NAME, Variant, address_of
from compiler.diagnostics import DiagnosticSink, Label, SourceFile, Span
from compiler.diagnostics.catalogue.machine import (
    THEIA_OPERAND_COUNT,
    THEIA_REDEFINED_LABEL,
    THEIA_TOO_MANY,
    THEIA_UNDEFINED_LABEL,
)
from compiler.diagnostics.suggest import did_you_mean
from compiler.isa.assembly import Line, Mistake, Word, lines_of, unexpected, unknown
from compiler.isa.grammar import parse

_COMMENT = re.compile(r"//.*")
_PIECE = re.compile(r"\S+")
_LABEL = re.compile(rf"\s*{grammar.LABEL}", re.ASCII)
_LAST_ADDRESS = 0xFFFF
_ADDRESSABLE = _LAST_ADDRESS - ORIGIN


def assemble(
    text: str,
    filename: str,
    sink: DiagnosticSink,
    *,
    variant: Variant = "trunk",
    labels: Mapping[str, int] | None = None,
) -> Program:
    """The program of `text`; all errors are reported to `sink`, then raised together.

    `labels` are names of addresses outside of the text.
    """
    assembler = _Assembler(variant, dict(labels or {}))
    program = assembler.program(list(lines_of(SourceFile(filename, text), sink, _COMMENT, piece=_PIECE)))
    sink.raise_if_errors()
    return program


class _Assembler:
    """Finds the labels, then assembles line by line."""

    def __init__(self, variant: Variant, labels: dict[str, int]) -> None:
        self.variant: Variant = variant
        self.labels = labels
        self.entries: dict[str, int] = {}
        self._places: dict[str, Span] = {}

    def program(self, lines: Sequence[Line]) -> Program:
        code = self._without_labels(lines)
        if len(code) > _ADDRESSABLE:
            line = code[_ADDRESSABLE]
            line.report(Mistake(THEIA_TOO_MANY, _first_piece(line), limit=_ADDRESSABLE))
            return Program(())
        words = tuple(self._word(line) for line in code)
        return Program(words, self.variant, self.entries, tuple(line.whole for line in code))

    def _without_labels(self, lines: Sequence[Line]) -> list[Line]:
        """The lines that are instructions; labels are recorded."""
        code: list[Line] = []
        for line in lines:
            if _LABEL.match(line.text):
                self._define(line, ORIGIN + len(code))
            else:
                code.append(line)
        return code

    def _define(self, line: Line, address: int) -> None:
        parsed: grammar.LabelLine = parse(line, grammar.label_line)
        if parsed.more is not None:
            line.report(unexpected(parsed.more, "a label alone on its line", f"'{parsed.more[0]}'"))
        label, name = parsed.label, parsed.label["name"]
        if name in self._places:
            labels = (Label(self._places[name], "first defined here"),)
            line.report(Mistake(THEIA_REDEFINED_LABEL, label, labels=labels, name=name))
            return
        self._places[name] = line.span(label)
        self.labels[name] = address
        entry = name.removeprefix(ENTRY_LABEL)
        if entry == name:
            return
        if entry not in ENTRIES:
            line.report(unexpected(label, "an entry point", f"'{name}'", did_you_mean(entry, ENTRIES)))
        self.entries[entry] = address

    def _word(self, line: Line) -> int:
        try:
            return instructions.encode(self._decoded(_parsed(line)))
        except Mistake as mistake:
            line.report(mistake)
            return 0

    def _decoded(self, parsed: grammar.Instruction) -> Decoded:
        """The instruction; the operands have in the text the order of the format's fields."""
        row = instructions.BY_NAME[parsed.name[0]]
        names = [part.name for part in row.format.fields if part.name != "opcode"]
        operands = zip(names, row.shape, parsed.operands, strict=True)
        return Decoded(row, **{name: self._operand(letter, word) for name, letter, word in operands})

    # --- Operands -----------------------------------------------------------------------------------------------------

    def _operand(self, letter: str, word: Word) -> int:
        match letter:
            case "L":
                return self._target(word)
            case "C":
                return instructions.RETURN_CODES.index(word[0])
            case "I" | "W":
                return _swizzle(word) if "swizzle" in word.re.groupindex else _immediate(word)
        return self._register(word)

    def _register(self, word: Word) -> int:
        address = address_of(word[0], self.variant)
        if address is None:
            raise unexpected(word, "a register", f"'{word[0]}'", did_you_mean(word[0], BY_NAME[self.variant]))
        return address

    def _target(self, word: Word) -> int:
        if word[0] in self.labels:
            return self.labels[word[0]]
        if word["name"] is not None:
            raise unknown(THEIA_UNDEFINED_LABEL, word, word[0], self.labels)
        address = int(word["address"], 16)
        if address > _LAST_ADDRESS:
            raise unexpected(word, "a label or an address", f"'{word[0]}'")
        return address


def _parsed(line: Line) -> grammar.Instruction:
    """The record of an instruction; a wrong number of operands comes before other mistakes."""
    try:
        found: grammar.Instruction = parse(line, grammar.instruction)
    except Mistake as mistake:
        name, *operands = line.text.split()
        row = instructions.BY_NAME.get(name)
        if row is None or len(operands) == len(row.shape):
            raise mistake from None
        expected, given = len(row.shape), len(operands)
        raise Mistake(THEIA_OPERAND_COUNT, _first_piece(line), name=name, expected=expected, found=given) from None
    return found


def _first_piece(line: Line) -> tuple[int, int]:
    return line.indent, line.indent + len(line.text.split()[0])


def _swizzle(word: Word) -> int:
    name = word["swizzle"]
    if name not in instructions.SWIZZLES:
        raise unexpected(word, "a swizzle", f"'{word[0]}'", did_you_mean(name, instructions.SWIZZLES))
    return instructions.SWIZZLES.index(name)


def _immediate(word: Word) -> int:
    value = int(word["digits"], 16)
    if value > WORD_MASK:
        raise unexpected(word, grammar.NUMBER, f"'{word[0]}'")
    return value
