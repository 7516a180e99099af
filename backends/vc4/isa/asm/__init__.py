"""Assembly text to a program: the language of vc4asm.

A line is one word; labels and directives have none.  Labels are resolved when all lines are read.  What vc4asm makes of
lines that it calculates itself (`or r0, 0, 0`) is not imitated: a line says its instruction.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from backends.vc4.isa.asm.lines import LineReader
from backends.vc4.isa.asm.operands import ACCUMULATORS
from backends.vc4.isa.asm.text import Line, Number, scan
from backends.vc4.isa.asm.whole_lines import LabelledBranch, with_target
from backends.vc4.isa.encoding import encode
from backends.vc4.isa.formats import WORD_BYTES
from backends.vc4.isa.instructions import NOP, word_of_float
from backends.vc4.isa.program import Program
from backends.vc4.isa.registers import READ_ADDRESSES, WRITE_ADDRESSES
from compiler.diagnostics import DiagnosticSink, Label, SourceFile, Span
from compiler.diagnostics.catalogue.machine import (
    INVALID_ASSEMBLY,
    VC4_INCLUDE,
    VC4_NOT_ENCODABLE,
    VC4_OUT_OF_RANGE,
    VC4_REDEFINED,
    VC4_UNDEFINED,
)
from compiler.isa.fields import FieldError
from compiler.isa.lines import Rejected, Token
from compiler.records import dataclass

#: Returns the text of a file, or raises OSError.
ReadFile = Callable[[str], str]
_INCLUDE_LIMIT = 20
#: Words of a program.
_WORD_LIMIT = 1 << 20


def assemble(text: str, filename: str, sink: DiagnosticSink, *, read_file: ReadFile | None = None) -> Program:
    """The program of `text`; all mistakes are reported to `sink`, then raised together."""
    assembler = _Assembler(sink, read_file)
    assembler.read(SourceFile(filename, text), 0)
    program = assembler.finish()
    sink.raise_if_errors()
    return program


def assemble_line(text: str) -> int | None:
    """The word of one line; None if it is none or more."""
    sink = DiagnosticSink()
    assembler = _Assembler(sink, None)
    assembler.read(SourceFile("<line>", text), 0)
    words = assembler.finish().words
    return words[0] if len(words) == 1 and not sink.error_count else None


@dataclass(frozen=True, slots=True)
class _Reference:
    """A word that waits for its label."""

    index: int
    parsed: LabelledBranch
    line: Line


class _Assembler:
    """All lines of one program."""

    def __init__(self, sink: DiagnosticSink, read_file: ReadFile | None) -> None:
        self._sink = sink
        self._read_file = read_file
        self._words: list[int] = []
        self._spans: list[Span] = []
        self._labels: dict[str, tuple[int, Span]] = {}
        #: Labels that are numbers, with all their positions.
        self._numbered: dict[str, list[int]] = {}
        self._references: list[_Reference] = []
        self._symbols: dict[str, Number] = {}
        self._aliases: dict[str, str] = {}

    def read(self, file: SourceFile, depth: int) -> None:
        """Every line of a file; a wrong one is reported and left out."""
        for line in scan(file, self._sink):
            try:
                self._line(line, depth)
            except Rejected:
                # Its word keeps the addresses of others.
                self._add(NOP, line.tokens[0].span)

    def finish(self) -> Program:
        for reference in self._references:
            try:
                self._resolve(reference)
            except Rejected:
                continue
        return Program(tuple(self._words), tuple(self._spans))

    def _line(self, line: Line, depth: int) -> None:
        while self._label(line):
            continue
        if line.token.kind == "end":
            return
        if line.accept("."):
            self._directive(line, depth)
            return
        span = line.token.span
        found = LineReader(line, self._symbols, self._aliases).read()
        if isinstance(found, LabelledBranch):
            self._references.append(_Reference(len(self._words), found, line))
            found = found.branch
        self._add(self._encoded(line, found), span)

    def _encoded(self, line: Line, instruction: object) -> int:
        try:
            return encode(instruction)  # type: ignore[arg-type]
        except FieldError as error:
            line.fail(VC4_NOT_ENCODABLE, line.tokens[0].span, problem=str(error))

    def _add(self, word: int, span: Span) -> None:
        if len(self._words) == _WORD_LIMIT:
            self._sink.report(VC4_OUT_OF_RANGE, span, what="the number of words", low=0, high=_WORD_LIMIT, found="more")
        if len(self._words) <= _WORD_LIMIT:
            self._words.append(word)
            self._spans.append(span)

    # --- Labels -------------------------------------------------------------------------------------------------------

    def _label(self, line: Line) -> bool:
        """Take `:name` or `name:` at the start of a line."""
        token = line.token
        if token.kind == "label" and token.text.startswith(":"):
            line.take()
            self._define(token, token.text[1:])
            return True
        if token.kind == "name" and line.is_followed_by(":"):
            line.take()
            line.take()
            self._define(token, token.text)
            return True
        return False

    def _define(self, token: Token, name: str) -> None:
        if name.isdigit():
            self._numbered.setdefault(name, []).append(len(self._words))
        elif name in self._labels:
            labels = (Label(self._labels[name][1], "first defined here"),)
            self._sink.report(VC4_REDEFINED, token.span, labels=labels, name=name)
        else:
            self._labels[name] = len(self._words), token.span

    def _resolve(self, reference: _Reference) -> None:
        token, line = reference.parsed.label, reference.line
        name = token.text.partition(":")[2]
        target = self._target(name, reference.index)
        if target is None:
            line.fail(VC4_UNDEFINED, token.span, kind="label", name=name)
        branch = with_target(reference.parsed, target * WORD_BYTES, reference.index * WORD_BYTES)
        self._words[reference.index] = self._encoded(line, branch)

    def _target(self, name: str, index: int) -> int | None:
        """The word that a label stands for, seen from the word `index`."""
        if name in self._labels:
            return self._labels[name][0]
        positions = self._numbered.get(name[:-1], [])
        following = bisect_right(positions, index)
        if name.endswith("f"):
            return positions[following] if following < len(positions) else None
        return positions[following - 1] if name.endswith("b") and following else None

    # --- Directives ---------------------------------------------------------------------------------------------------

    def _directive(self, line: Line, depth: int) -> None:
        name = line.need("name", "a directive")
        match name.text:
            case "set":
                self._set(line)
            case "include":
                self._include(line, depth)
            case "global":
                line.need("name", "a name")
                while line.token.kind != "end":
                    line.take()
            case "align":
                self._align(line)
            case "long" | "int" | "quad" | "float":
                self._data(line, name)
            case _:
                known = ("set", "include", "global", "align", "long", "int", "quad", "float")
                line.unknown("directive", name.text, name.span, known)
        if line.token.kind != "end":
            line.unexpected("the end of the line")

    def _set(self, line: Line) -> None:
        """`.set name, value`, where the value is a constant or a register."""
        name = line.need("name", "a name").text
        line.accept(",")
        token = line.token
        register = self._aliases.get(token.text, token.text)
        if token.kind == "name" and (
            register in READ_ADDRESSES or register in WRITE_ADDRESSES or register in ACCUMULATORS
        ):
            line.take()
            self._aliases[name] = register
        else:
            self._symbols[name] = line.number(self._symbols)

    def _include(self, line: Line, depth: int) -> None:
        token = line.need("string", "a file name in quotes")
        name = token.text[1:-1]
        if depth == _INCLUDE_LIMIT:
            line.fail(VC4_INCLUDE, token.span, name=name, reason=f"files are nested {_INCLUDE_LIMIT} deep")
        if self._read_file is None:
            line.fail(VC4_INCLUDE, token.span, name=name, reason="the text comes from no file")
        try:
            text = self._read_file(name)
        except (OSError, ValueError) as error:
            line.fail(VC4_INCLUDE, token.span, name=name, reason=str(error))
        self.read(SourceFile(name, text, included_at=token.span), depth + 1)

    def _align(self, line: Line) -> None:
        """NOPs up to a multiple of some bytes."""
        if line.token.kind == "end":
            return
        start = line.token.span
        size = line.integer(self._symbols, "the alignment", 1, 4096)
        if size & size - 1:
            line.fail(INVALID_ASSEMBLY, start, expected="a power of two", found=str(size))
        while len(self._words) * WORD_BYTES % size:
            self._add(NOP, start)

    def _data(self, line: Line, name: Token) -> None:
        """Numbers instead of instructions: 32 bits each, `.quad` 64."""
        values = [self._datum(line, name.text)]
        while line.accept(","):
            values.append(self._datum(line, name.text))
        if name.text == "quad":
            words = values
        elif len(values) % 2:
            line.fail(INVALID_ASSEMBLY, name.span, expected="an even count of numbers", found=str(len(values)))
        else:
            words = [low | high << 32 for low, high in zip(values[::2], values[1::2], strict=True)]
        for word in words:
            self._add(word, name.span)

    def _datum(self, line: Line, kind: str) -> int:
        if kind == "quad":
            return line.integer(self._symbols, "the value", -(1 << 63), (1 << 64) - 1) & (1 << 64) - 1
        if kind == "float":
            return word_of_float(float(line.number(self._symbols)))
        return line.word(self._symbols)
