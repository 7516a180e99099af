"""Assembly text to a program, in the syntax of the project's own assembler.

In: text with one instruction or label a line.  Out: a `Program`; hardware rules are checked by `validate.py`.
Two things are more than that assembler has: a register without a name is its decimal number, a jump
target outside of the text its hexadecimal address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from backends.theia.isa import instructions
from backends.theia.isa.instructions import Decoded, Instruction
from backends.theia.isa.numbers import WORD_MASK
from backends.theia.isa.program import ENTRIES, ENTRY_LABEL, ORIGIN, Program
from backends.theia.isa.registers import BY_NAME, Variant, address_of
from compiler.diagnostics import DiagnosticSink, Entry, Label, SourceFile, Span
from compiler.diagnostics.catalogue.machine import (
    INVALID_ASSEMBLY,
    THEIA_OPERAND_COUNT,
    THEIA_REDEFINED_LABEL,
    THEIA_TOO_MANY,
    THEIA_UNDEFINED_LABEL,
    THEIA_UNKNOWN_OPCODE,
)
from compiler.diagnostics.suggest import did_you_mean

_COMMENT = re.compile(r"//.*")
_PIECE = re.compile(r"\S+")
_LABEL = re.compile(r"([A-Za-z_]\w*):", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_ADDRESS = re.compile(r"[0-9][0-9A-Fa-f]{3,4}")
_IMMEDIATE = re.compile(r"32'h([0-9A-Fa-f]{1,16})")
_SWIZZLE = "SWIZZLE_"

RETURN_CODES = ("RT_FALSE", "RT_TRUE")
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
    assembler = _Assembler(SourceFile(filename, text), sink, variant, dict(labels or {}))
    program = assembler.program()
    sink.raise_if_errors()
    return program


class _Rejected(Exception):
    """A line is wrong and has been reported; the next one goes on."""


class _Piece(NamedTuple):
    """A piece of a line between blanks."""

    text: str
    span: Span


class _Assembler:
    """Finds the labels, then assembles line by line."""

    def __init__(self, file: SourceFile, sink: DiagnosticSink, variant: Variant, labels: dict[str, int]) -> None:
        self.file = file
        self.sink = sink
        self.variant: Variant = variant
        self.labels = labels
        self.entries: dict[str, int] = {}
        self._places: dict[str, Span] = {}

    def program(self) -> Program:
        lines = list(self._instructions())
        if len(lines) > _ADDRESSABLE:
            self.sink.report(THEIA_TOO_MANY, lines[_ADDRESSABLE][0].span, limit=_ADDRESSABLE)
            return Program(())
        words = tuple(self._word(line) for line in lines)
        spans = tuple(line[0].span.to(line[-1].span) for line in lines)
        return Program(words, self.variant, self.entries, spans)

    def _instructions(self) -> Iterator[list[_Piece]]:
        """The lines that are instructions; labels are recorded."""
        count = 0
        for number in range(1, len(self.file.lines) + 1):
            code = _COMMENT.sub("", self.file.line_text(number))
            pieces = [self._piece(number, match) for match in _PIECE.finditer(code)]
            label = _LABEL.fullmatch(pieces[0].text) if pieces else None
            if label is not None:
                self._define(label[1], ORIGIN + count, pieces)
            elif pieces:
                count += 1
                yield pieces

    def _piece(self, number: int, match: re.Match[str]) -> _Piece:
        return _Piece(match[0], Span(self.file, number, match.start() + 1, number, match.end() + 1))

    def _define(self, name: str, address: int, pieces: list[_Piece]) -> None:
        span = pieces[0].span
        if len(pieces) > 1:
            found = f"'{pieces[1].text}'"
            self.sink.report(INVALID_ASSEMBLY, pieces[1].span, expected="a label alone on its line", found=found)
        if name in self._places:
            labels = (Label(self._places[name], "first defined here"),)
            self.sink.report(THEIA_REDEFINED_LABEL, span, labels=labels, name=name)
            return
        self._places[name] = span
        self.labels[name] = address
        entry = name.removeprefix(ENTRY_LABEL)
        if entry == name:
            return
        if entry not in ENTRIES:
            suggestion = did_you_mean(entry, ENTRIES)
            self.sink.report(INVALID_ASSEMBLY, span, help=suggestion, expected="an entry point", found=f"'{name}'")
        self.entries[entry] = address

    def _word(self, line: list[_Piece]) -> int:
        try:
            return instructions.encode(self._parse(line))
        except _Rejected:
            return 0

    def _parse(self, line: list[_Piece]) -> Decoded:
        name, *operands = line
        instruction = instructions.BY_NAME.get(name.text)
        if instruction is None:
            help = did_you_mean(name.text, instructions.BY_NAME)
            raise self._reject(THEIA_UNKNOWN_OPCODE, name.span, help=help, name=name.text)
        expected, found = len(instruction.shape), len(operands)
        if expected != found:
            raise self._reject(THEIA_OPERAND_COUNT, name.span, name=name.text, expected=expected, found=found)
        return Decoded(instruction, **self._fields(instruction, operands))

    def _fields(self, instruction: Instruction, operands: list[_Piece]) -> dict[str, int]:
        """The values of the fields, which have in the text the order of the format."""
        names = [part.name for part in instruction.format.fields if part.name != "opcode"]
        letters = zip(names, instruction.shape, operands, strict=True)
        return {name: self._operand(letter, piece) for name, letter, piece in letters}

    # --- Operands -----------------------------------------------------------------------------------------------------

    def _operand(self, letter: str, piece: _Piece) -> int:
        if letter == "L":
            return self._target(piece)
        if letter == "C":
            if piece.text not in RETURN_CODES:
                raise self._unexpected("RT_TRUE or RT_FALSE", piece)
            return RETURN_CODES.index(piece.text)
        if letter == "W" and piece.text.startswith(_SWIZZLE):
            return self._swizzle(piece)
        return self._immediate(piece) if letter in "IW" else self._register(piece)

    def _register(self, piece: _Piece) -> int:
        address = address_of(piece.text, self.variant)
        if address is None:
            raise self._unexpected("a register", piece, did_you_mean(piece.text, BY_NAME[self.variant]))
        return address

    def _target(self, piece: _Piece) -> int:
        if piece.text in self.labels:
            return self.labels[piece.text]
        if _ADDRESS.fullmatch(piece.text) and int(piece.text, 16) <= _LAST_ADDRESS:
            return int(piece.text, 16)
        if _NAME.fullmatch(piece.text) is None:
            raise self._unexpected("a label or an address", piece)
        help = did_you_mean(piece.text, self.labels)
        raise self._reject(THEIA_UNDEFINED_LABEL, piece.span, help=help, name=piece.text)

    def _swizzle(self, piece: _Piece) -> int:
        name = piece.text.removeprefix(_SWIZZLE)
        if name not in instructions.SWIZZLES:
            raise self._unexpected("a swizzle", piece, did_you_mean(name, instructions.SWIZZLES))
        return instructions.SWIZZLES.index(name)

    def _immediate(self, piece: _Piece) -> int:
        match = _IMMEDIATE.fullmatch(piece.text)
        if match is not None and int(match[1], 16) <= WORD_MASK:
            return int(match[1], 16)
        # The project's assembler takes RT_TRUE here too, and loses it.
        help = f"write 32'h{RETURN_CODES.index(piece.text)}" if piece.text in RETURN_CODES else None
        raise self._unexpected("a number of 32 bits such as 32'h20000", piece, help)

    # --- Messages -----------------------------------------------------------------------------------------------------

    def _unexpected(self, expected: str, piece: _Piece, help: str | None = None) -> _Rejected:
        return self._reject(INVALID_ASSEMBLY, piece.span, help=help, expected=expected, found=f"'{piece.text}'")

    def _reject(self, entry: Entry, span: Span, help: str | None = None, **values: Any) -> _Rejected:
        self.sink.report(entry, span, help=help, **values)
        return _Rejected()
