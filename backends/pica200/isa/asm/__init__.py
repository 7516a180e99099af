"""Assembly text to program: the language of the console's homebrew assembler, picasso.

`assemble` takes one text, `assemble_files` several that share code and descriptors.  The result has the
same bytes that picasso writes (numbering of descriptors, allocation of registers, padding NOPs, order of
tables); where picasso silently makes something wrong, there is a message instead (README).
"""

from __future__ import annotations

from collections.abc import Iterable

from backends.pica200.isa.asm.directives import Directives, Uniforms
from backends.pica200.isa.asm.instructions import MNEMONICS, Instructions
from backends.pica200.isa.asm.operands import Reader
from backends.pica200.isa.asm.symbols import Names
from backends.pica200.isa.asm.text import Line, scan
from backends.pica200.isa.code import Code, report_undefined
from backends.pica200.isa.program import Executable, Program
from compiler.diagnostics import DiagnosticSink, Label, SourceFile, Span
from compiler.diagnostics.catalogue.machine import PICA200_BLOCK_STRUCTURE, PICA200_REDEFINED
from compiler.isa.lines import Rejected

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
        self._labels: dict[str, int] = {}
        self._label_spans: dict[str, Span] = {}
        names = Names(sink, code.spoiled)
        reader = Reader(names, sink)
        self._instructions = Instructions(code, reader, self._labels, sink)
        self._directives = Directives(code, names, reader, uniforms, sink)

    def read(self) -> None:
        """Every line; a wrong one is reported and left out."""
        for line in scan(self._file, self._sink):
            try:
                self._statement(line)
            except Rejected:
                self._spoil(line)
        try:
            self._directives.finish()
        except Rejected:
            return

    def _statement(self, line: Line) -> None:
        while line.token.kind == "name" and line.is_followed_by(":"):
            self._label(line)
        if line.token.kind == "end":
            return
        if line.accept("."):
            self._directives.assemble(line)
        else:
            self._instructions.assemble(line)

    def _spoil(self, line: Line) -> None:
        """Keep a line that was not understood from causing more messages: it may have defined names and blocks."""
        if line.first.text.lower() in MNEMONICS:
            return
        self._code.spoiled |= line.names
        self._code.lost = True

    def _label(self, line: Line) -> None:
        name = line.take()
        line.expect(":")
        if name.text in self._labels:
            labels = (Label(self._label_spans[name.text], "first defined here"),)
            self._sink.report(PICA200_REDEFINED, name.span, labels=labels, name=name.text)
            return
        self._labels[name.text] = self._code.address
        self._label_spans[name.text] = name.span

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
