"""Assembly text to program: the language of the console's homebrew assembler, picasso.

`assemble` takes one text, `assemble_files` several that share code and descriptors.  The result has the
same bytes that picasso writes (numbering of descriptors, allocation of registers, padding NOPs, order of
tables); where picasso silently makes something wrong, there is a message instead (README).

What picasso has not: `.dvle` begins the text of another shader, as if it stood in a file of its own; and comments,
which picasso skips, say what no directive can: `; name lights[0].pos is c4 to c5`, `; output o7 goes nowhere`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable

from glslc_multi.backends.pica200.isa.asm import grammar, syntax
from glslc_multi.backends.pica200.isa.asm.directives import Directives, Uniforms
from glslc_multi.backends.pica200.isa.asm.grammar import MNEMONICS
from glslc_multi.backends.pica200.isa.asm.instructions import Instructions
from glslc_multi.backends.pica200.isa.asm.operands import Reader
from glslc_multi.backends.pica200.isa.asm.symbols import RegisterNames
from glslc_multi.backends.pica200.isa.code import Code, report_undefined
from glslc_multi.backends.pica200.isa.program import ANOTHER_SHADER, UNIFORM_BASE, Executable, Program, Uniform, name_of
from glslc_multi.backends.pica200.isa.registers import BANKS
from glslc_multi.compiler.diagnostics import DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue.machine import PICA200_BLOCK_STRUCTURE
from glslc_multi.compiler.isa.assembly import Language, Line
from glslc_multi.compiler.isa.grammar import parse
from glslc_multi.compiler.isa.names import Names

#: A line that says where the following ones really stand.
_MARKER = r'\s*#(?:line)?\s+(?P<line>\d+)\s+"(?P<file>[^"]*)"'
_LINE_MARKER = re.compile(_MARKER)
#: Lines that are markers are comments, too.
LANGUAGE = Language("pica200", comment=re.compile(rf"^{_MARKER}.*|;.*"))
_NAME = re.compile(grammar.NAME, re.ASCII)
#: A comment that names registers.
_NAMING = re.compile(
    r"\s*; name (?P<name>\S*) is (?P<bank>[vcib])(?P<first>\d{1,3})(?: to (?P=bank)(?P<last>\d{1,3}))?\s*"
)
#: A comment that says which output is written, although the rasteriser's map has no room for it.
_NOWHERE = re.compile(r"\s*; output o(?P<register>\d{1,2}) goes nowhere\s*")

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
    executables = [shader for part in parts for shader in part.finish()]
    words = code.finish()
    sink.raise_if_errors()
    return Program(words, code.table.words, executables, [word.span for word in code.words])


class _File:
    """One text, read into the program."""

    def __init__(self, file: SourceFile, code: Code, uniforms: Uniforms, sink: DiagnosticSink) -> None:
        self._file = file
        self._code = code
        self._uniforms = uniforms
        self._sink = sink
        self._shaders = [_Shader(code, uniforms)]

    def read(self) -> None:
        """Every line; a wrong one is reported and left out."""
        # Note what markers say about the lines after them.
        for number, text in enumerate(self._file.lines, start=1):
            marker = _LINE_MARKER.match(text)
            if marker is not None:
                # More digits than a line number can have are cut off rather than believed.
                self._file.renumber(number + 1, int(marker["line"][:9]), marker["file"])
        notes = _notes(self._file)
        for line in LANGUAGE.lines(self._file, self._sink):
            while notes and notes[0][0] < line.number:
                self._note(notes.popleft()[1])
            if line.attempt(self._line) is None:
                # Keep a line that was not understood from causing more messages: it may have defined names and blocks.
                first = _NAME.match(line.text, line.indent)
                if first is not None and first[0].lower() in MNEMONICS:
                    self._shaders[-1].instructions.open_block(line, first)
                else:
                    self._code.spoiled.update(_NAME.findall(line.text))
                    self._code.lost = True
        for _, note in notes:
            self._note(note)
        self._shaders[-1].directives.finish()

    def _note(self, note: Uniform | int) -> None:
        """Add a uniform, or the number of an output, that a comment says."""
        shader = self._shaders[-1].directives.shader
        if isinstance(note, Uniform):
            shader.uniforms.append(note)
        else:
            shader.output_mask |= 1 << note

    def _line(self, line: Line) -> syntax.Line:
        parsed: syntax.Line = parse(line, grammar.line)
        shader = self._shaders[-1]
        for label in parsed.labels:
            shader.labels.define(line, label["name"], label.span("name"), self._code.address)
        if isinstance(parsed.statement, syntax.Directive):
            if parsed.statement.name[0].lower() == ANOTHER_SHADER:
                shader.directives.finish()
                self._shaders.append(_Shader(self._code, self._uniforms))
            else:
                shader.directives.assemble(line, parsed.statement)
        elif parsed.statement is not None:
            shader.instructions.assemble(line, parsed.statement)
        return parsed

    def finish(self) -> list[Executable]:
        """The executables with their entries; none for a text of procedures only."""
        return [self._with_entry(shader.directives) for shader in self._shaders if shader.directives.has_executable]

    def _with_entry(self, directives: Directives) -> Executable:
        entry, shader = directives.entry, directives.shader
        procedure = self._code.procedures.get(entry.text if entry else DEFAULT_ENTRY)
        if procedure is not None:
            shader.entry, shader.end = procedure.start, procedure.end
        elif entry is not None:
            report_undefined(self._sink, "procedure", entry, self._code.procedures)
        elif not self._sink.error_count:
            start = Span(self._file, 1, 1, 1, 1)
            self._sink.report(PICA200_BLOCK_STRUCTURE, start, what=f"there is no procedure '{DEFAULT_ENTRY}'")
        return shader


class _Shader:
    """The part of a text that is about one shader."""

    def __init__(self, code: Code, uniforms: Uniforms) -> None:
        self.labels: Names[int] = Names("label")
        names = RegisterNames(code.spoiled)
        reader = Reader(names)
        self.instructions = Instructions(code, reader, self.labels.values)
        self.directives = Directives(code, names, reader, uniforms)


def _notes(file: SourceFile) -> deque[tuple[int, Uniform | int]]:
    """The names and outputs that comments give, by the numbers of their lines."""
    notes: deque[tuple[int, Uniform | int]] = deque()
    for number, text in enumerate(file.lines, start=1):
        note = _NAMING.fullmatch(text)
        if note is not None:
            base, first = UNIFORM_BASE[note["bank"]], int(note["first"])
            uniform = Uniform(name_of(note["name"]), base + first, base + int(note["last"] or first))
            if uniform.start is not None:
                notes.append((number, uniform))
        output = _NOWHERE.fullmatch(text)
        if output is not None and int(output["register"]) < BANKS["o"]:
            notes.append((number, int(output["register"])))
    return notes
