"""Assembly text to a program: the language of vc4asm.

A line is one word; labels and directives have none.  Labels are resolved when all lines are read.  What vc4asm makes of
lines that it calculates itself (`or r0, 0, 0`) is not imitated: a line says its instruction.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import partial

from glslc_multi.backends.vc4.isa.asm import grammar, syntax
from glslc_multi.backends.vc4.isa.asm.expressions import Number, integer_of, number_of, word_of
from glslc_multi.backends.vc4.isa.asm.lines import InstructionReader, LabelledBranch, with_target
from glslc_multi.backends.vc4.isa.asm.operands import Scope
from glslc_multi.backends.vc4.isa.encoding import Instruction, encode
from glslc_multi.backends.vc4.isa.formats import WORD_BYTES
from glslc_multi.backends.vc4.isa.instructions import NOP, word_of_float
from glslc_multi.backends.vc4.isa.program import Program
from glslc_multi.backends.vc4.isa.registers import READ_ADDRESSES, WRITE_ADDRESSES
from glslc_multi.backends.vc4.isa.text.operands import ACCUMULATORS
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue.machine import TOO_MANY, VC4_INCLUDE
from glslc_multi.compiler.isa.assembly import Language, Line
from glslc_multi.compiler.isa.fields import FieldError
from glslc_multi.compiler.isa.grammar import parse
from glslc_multi.compiler.isa.mistakes import Mistake, Place, Word, not_encodable, undefined, unexpected
from glslc_multi.compiler.isa.names import Names
from glslc_multi.compiler.records import dataclass

LANGUAGE = Language(
    "vc4",
    comment=re.compile(r"(?:\#|//).*"),
    piece=re.compile(rf"r?:[\w$]+|{grammar.NAME}|{grammar.NUMBER}|<<|>>|\S", re.ASCII),
)
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


@dataclass(frozen=True, slots=True)
class _Reference:
    """A word that waits for its label."""

    index: int
    labelled: LabelledBranch
    line: Line
    #: Where its instruction begins.
    start: Place


class _Assembler:
    """All lines of one program."""

    def __init__(self, sink: DiagnosticSink, read_file: ReadFile | None) -> None:
        self._sink = sink
        self._read_file = read_file
        self._words: list[int] = []
        self._spans: list[Span] = []
        self._labels: Names[int] = Names("label")
        #: Labels that are numbers, with all their positions.
        self._numbered: dict[str, list[int]] = {}
        self._references: list[_Reference] = []
        self._symbols: dict[str, Number] = {}
        self._aliases: dict[str, str] = {}

    def read(self, file: SourceFile, depth: int) -> None:
        """Every line of a file; a wrong one is reported and left out."""
        for line in LANGUAGE.lines(file, self._sink):
            try:
                self._line(line, depth)
            except Mistake as mistake:
                line.report(mistake)
                # Its word keeps the addresses of others.
                self._add(NOP, line.whole)

    def finish(self) -> Program:
        for reference in self._references:
            reference.line.attempt(partial(self._resolve, reference))
        return Program(tuple(self._words), tuple(self._spans))

    def _line(self, line: Line, depth: int) -> None:
        _check_depth(line)
        parsed: syntax.Line = parse(line, grammar.line)
        for label in parsed.labels:
            name: str = label["after"] or label["before"]
            span_of_label = label.span("before") if label["after"] is None else label.span()
            if name.isdigit():
                self._numbered.setdefault(name, []).append(len(self._words))
            else:
                self._labels.define(line, name, span_of_label, len(self._words))
        if isinstance(parsed.statement, syntax.Directive):
            self._directive(line, parsed.statement, depth)
        elif parsed.statement.start is not None:
            start = parsed.statement.start.span()
            found = InstructionReader(line, Scope(self._symbols, self._aliases)).read(parsed.statement, start)
            if isinstance(found, LabelledBranch):
                self._references.append(_Reference(len(self._words), found, line, start))
                found = found.branch
            self._add(_encoded(found, start), line.span(start))

    def _add(self, word: int, span: Span) -> None:
        if len(self._words) == _WORD_LIMIT:
            need = f"more than {_WORD_LIMIT}"
            self._sink.report(TOO_MANY, span, need=need, what="words", limit=_WORD_LIMIT, target="vc4")
        if len(self._words) <= _WORD_LIMIT:
            self._words.append(word)
            self._spans.append(span)

    # --- Labels -------------------------------------------------------------------------------------------------------

    def _resolve(self, reference: _Reference, _: Line) -> None:
        target = self._target(reference.labelled.label, reference.index)
        branch = with_target(reference.labelled, target * WORD_BYTES, reference.index * WORD_BYTES)
        self._words[reference.index] = _encoded(branch, reference.start)

    def _target(self, label: Word, index: int) -> int:
        """The word that a label stands for, seen from the word `index`."""
        name = label[0].partition(":")[2]
        positions = self._numbered.get(name[:-1])
        if positions is None or name in self._labels.values:
            return self._labels.find(name, label)
        following = bisect_right(positions, index)
        if name.endswith("f") and following < len(positions):
            return positions[following]
        if name.endswith("b") and following:
            return positions[following - 1]
        raise undefined("label", label, name)

    # --- Directives ---------------------------------------------------------------------------------------------------

    def _directive(self, line: Line, directive: syntax.Directive, depth: int) -> None:
        match directive.name[0], *directive.operands:
            case "set", re.Match() as name, syntax.Expression() as value:
                self._set(name[0], value)
            case "include", re.Match() as file:
                self._include(line, file, depth)
            case "align", syntax.Expression() as size:
                self._align(line, size)
            case ("long" | "int" | "quad" | "float") as kind, *values:
                numbers = [value for value in values if isinstance(value, syntax.Expression)]
                self._data(line, directive.name, [self._datum(kind, number) for number in numbers])

    def _set(self, name: str, value: syntax.Expression) -> None:
        """`.set name, value`, where the value is a constant or a register."""
        word = value.name if not value.rest else None
        register = None if word is None else self._aliases.get(word[0], word[0])
        if register in READ_ADDRESSES or register in WRITE_ADDRESSES or register in ACCUMULATORS:
            self._aliases[name] = str(register)
        else:
            self._symbols[name] = number_of(value, self._symbols)

    def _include(self, line: Line, file: Word, depth: int) -> None:
        name = file[0][1:-1]
        if depth == _INCLUDE_LIMIT:
            raise Mistake(VC4_INCLUDE, file, name=name, reason=f"files are nested {_INCLUDE_LIMIT} deep")
        if self._read_file is None:
            raise Mistake(VC4_INCLUDE, file, name=name, reason="the text comes from no file")
        try:
            text = self._read_file(name)
        except (OSError, ValueError) as error:
            raise Mistake(VC4_INCLUDE, file, name=name, reason=str(error)) from None
        self.read(SourceFile(name, text, included_at=line.span(file)), depth + 1)

    def _align(self, line: Line, size: syntax.Expression) -> None:
        """NOPs up to a multiple of some bytes."""
        count = integer_of(size, self._symbols, "the alignment", 1, 4096)
        if count & count - 1:
            raise unexpected(size.place, "a power of two", str(count))
        while len(self._words) * WORD_BYTES % count:
            self._add(NOP, line.span(size.place))

    def _data(self, line: Line, directive: Word, values: list[int]) -> None:
        """Numbers instead of instructions: 32 bits each, `.quad` 64."""
        if directive[0] == "quad":
            words = values
        elif len(values) % 2:
            raise unexpected(directive, "an even count of numbers", str(len(values)))
        else:
            words = [low | high << 32 for low, high in zip(values[::2], values[1::2], strict=True)]
        for word in words:
            self._add(word, line.span(directive))

    def _datum(self, kind: str, value: syntax.Expression) -> int:
        if kind == "quad":
            return integer_of(value, self._symbols, "the value", -(1 << 63), (1 << 64) - 1) & (1 << 64) - 1
        if kind == "float":
            return word_of_float(float(number_of(value, self._symbols)))
        return word_of(value, self._symbols)


def _encoded(instruction: Instruction, start: Place) -> int:
    try:
        return encode(instruction)
    except FieldError as error:
        raise not_encodable(str(error), start) from None


def _check_depth(line: Line) -> None:
    """Expressions in parentheses are read by functions that call themselves."""
    depth = 0
    for column, letter in enumerate(line.text):
        depth += (letter == "(") - (letter == ")")
        if depth > grammar.DEEPEST:
            raise unexpected((column, column + 1), "a shorter expression", "'('")
