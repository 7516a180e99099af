"""Assembly text to program: the language of the console's homebrew assembler, picasso.

`assemble` takes one text, `assemble_files` several that share code and descriptors.  The result has the
same bytes that picasso writes (numbering of descriptors, allocation of registers, padding NOPs, order of
tables); where picasso silently makes something wrong, there is a message instead (README).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from backends.pica200.isa.asm import grammar, syntax
from backends.pica200.isa.asm.directives import Directives, Uniforms
from backends.pica200.isa.asm.grammar import MNEMONICS
from backends.pica200.isa.asm.instructions import Instructions
from backends.pica200.isa.asm.operands import Reader
from backends.pica200.isa.asm.symbols import RegisterNames
from backends.pica200.isa.code import Code, report_undefined
from backends.pica200.isa.program import Executable, Program
from compiler.diagnostics import DiagnosticSink, SourceFile, Span
from compiler.diagnostics.catalogue.machine import PICA200_BLOCK_STRUCTURE
from compiler.isa.assembly import Language, Line
from compiler.isa.grammar import parse
from compiler.isa.names import Names

#: A line that says where the following ones really stand.
_MARKER = r'\s*#(?:line)?\s+(?P<line>\d+)\s+"(?P<file>[^"]*)"'
_LINE_MARKER = re.compile(_MARKER)
#: Lines that are markers are comments, too.
LANGUAGE = Language("pica200", comment=re.compile(rf"^{_MARKER}.*|;.*"))
_NAME = re.compile(grammar.NAME, re.ASCII)

DEFAULT_ENTRY = "main"


def assemble(text: str, filename: str, sink: DiagnosticSink, *, pads: bool = True) -> Program:
    """The program of one text; without `pads`, blocks get no automatic NOPs.

    Mistakes are reported to `sink`, and then raised as `CompileError`.
    """
    return assemble_files([(text, filename)], sink, pads=pads)


def assemble_files(files: Iterable[tuple[str, str]], sink: DiagnosticSink, *, pads: bool = True) -> Program:
    """The program of several (text, filename): one executable each, all with the same code memory."""
    code = Code(sink, pads)
    vertex_uniforms = Uniforms()
    parts = [_File(SourceFile(filename, text), code, vertex_uniforms, sink) for text, filename in files]
    for part in parts:
        part.read()
    executables = [part.finish() for part in parts]
    words = code.finish()
    sink.raise_if_errors()
    return Program(
        words, code.table.words, [shader for shader in executables if shader], [word.span for word in code.words]
    )


class _File:
    """One text, read into the program."""

    def __init__(self, file: SourceFile, code: Code, uniforms: Uniforms, sink: DiagnosticSink) -> None:
        self._file = file
        self._code = code
        self._sink = sink
        self._labels: Names[int] = Names("label")
        names = RegisterNames(code.spoiled)
        reader = Reader(names)
        self._instructions = Instructions(code, reader, self._labels.values)
        self._directives = Directives(code, names, reader, uniforms)

    def read(self) -> None:
        """Every line; a wrong one is reported and left out."""
        _renumber(self._file)
        for line in LANGUAGE.lines(self._file, self._sink):
            if line.attempt(self._line) is None:
                self._recover(line)
        self._directives.finish()

    def _line(self, line: Line) -> syntax.Line:
        parsed: syntax.Line = parse(line, grammar.line)
        for label in parsed.labels:
            self._labels.define(line, label["name"], label.span("name"), self._code.address)
        if isinstance(parsed.statement, syntax.Directive):
            self._directives.assemble(line, parsed.statement)
        elif parsed.statement is not None:
            self._instructions.assemble(line, parsed.statement)
        return parsed

    def _recover(self, line: Line) -> None:
        """Keep a line that was not understood from causing more messages: it may have defined names and blocks."""
        first = _NAME.match(line.text, line.indent)
        if first is not None and first[0].lower() in MNEMONICS:
            self._instructions.open_block(line, first)
        else:
            self._code.spoiled.update(_NAME.findall(line.text))
            self._code.lost = True

    def finish(self) -> Executable | None:
        """The executable with its entry; None for a file of procedures only."""
        if not self._directives.has_executable:
            return None
        entry = self._directives.entry
        procedure = self._code.procedures.get(entry.text if entry else DEFAULT_ENTRY)
        shader = self._directives.shader
        if procedure is not None:
            shader.entry, shader.end = procedure.start, procedure.end
        elif entry is not None:
            report_undefined(self._sink, "procedure", entry, self._code.procedures)
        elif not self._sink.error_count:
            start = Span(self._file, 1, 1, 1, 1)
            self._sink.report(PICA200_BLOCK_STRUCTURE, start, what=f"there is no procedure '{DEFAULT_ENTRY}'")
        return shader


def _renumber(file: SourceFile) -> None:
    """Note what markers say about the lines after them."""
    for number, text in enumerate(file.lines, start=1):
        marker = _LINE_MARKER.match(text)
        if marker is not None:
            # More digits than a line number can have are cut off rather than believed.
            file.renumber(number + 1, int(marker["line"][:9]), marker["file"])
