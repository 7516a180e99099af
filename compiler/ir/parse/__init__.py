"""The parser of the text form: text that `print_module` made, or somebody wrote, in; a module out.

The grammar (`grammar.py`) reads one line at a time into a record (`syntax.py`); a line that does not fit gives one
message and is left out.  Here the lines make the module: first its declarations and the names of all functions and
blocks, then, since everything can be named before it is defined, the instructions of each function (`body.py`).
Whether the module obeys the rules of the IR beyond the types of operands is the verifier's question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

from pyparsing import ParseBaseException

from glslc_multi.compiler.diagnostics.catalogue import ir as messages
from glslc_multi.compiler.diagnostics.model import Label
from glslc_multi.compiler.diagnostics.sink import DiagnosticSink, TooManyErrors
from glslc_multi.compiler.diagnostics.span import SourceFile, Span
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.ir.module import Block, Function, Module
from glslc_multi.compiler.ir.ops import OPCODES
from glslc_multi.compiler.ir.parse import grammar, syntax
from glslc_multi.compiler.ir.parse.body import Body, fill_function
from glslc_multi.compiler.ir.parse.declarations import make_variable
from glslc_multi.compiler.ir.parse.mistakes import Mistake, Reporter, found_at, misplaced, unexpected
from glslc_multi.compiler.ir.parse.syntax import Line
from glslc_multi.compiler.ir.parse.values import Places, name_of, text_of
from glslc_multi.compiler.ir.text import PLAIN_BLOCK_NAME, PLAIN_NAME, symbol
from glslc_multi.compiler.ir.variables import STORAGES, Stage, Variable
from glslc_multi.compiler.parsing import Word, expected

_STAGES: tuple[Stage, ...] = get_args(Stage)
#: The value, variable, function or block that a line defines, with its sigil.
_DEFINED = re.compile(rf"[ \t]*(?:\w+[ \t]+(?=@))?(%\d+|\^{PLAIN_BLOCK_NAME}|@{PLAIN_NAME})", re.ASCII)
_BLANK = re.compile(r"[ \t]*(?:;.*)?")
_FIRST_WORD = re.compile(r"[ \t]*([A-Za-z_]\w*)", re.ASCII)
_WHOLE_LINE = re.compile(".*", re.DOTALL)
_FIRST_WORDS = ("shader", "pragma", "func", *STORAGES, *OPCODES)


def parse_module(text: str, filename: str, sink: DiagnosticSink) -> Module | None:
    """The module that `text` describes, or None after messages about what is wrong with it."""
    errors_before = sink.error_count
    try:
        module = _ModuleBuilder(SourceFile(filename, text), sink).build()
    except TooManyErrors:
        return None
    return module if sink.error_count == errors_before else None


class _ModuleBuilder:
    def __init__(self, file: SourceFile, sink: DiagnosticSink) -> None:
        self.file = file
        self.reporter = Reporter(file, sink)
        self.places = Places()
        self.module = Module("vertex")
        self.has_header = False
        self.is_skipping = False
        self.bodies: list[Body] = []
        #: The function and the block that the current line stands in.
        self.body: Body | None = None
        self.block: Block | None = None
        #: All variables by name, those of functions included.
        self.variables: dict[str, Variable] = {}
        #: Where each variable, function and block was first defined; blocks by their function too.
        self.spans: dict[object, Span] = {}

    def build(self) -> Module:
        for line in self._lines():
            try:
                self._take(line)
            except Mistake as mistake:
                self.reporter.report(mistake)
                self._recover(self.file.line_text(self.reporter.line))
        if self.body is not None:
            self._report_unclosed(self.body)
        if not self.has_header:
            self.reporter.line = 1
            start = found_at("", 0)
            self.reporter.report(misplaced(start, "a line 'shader' with the stage", "first"))
        for body in self.bodies:
            fill_function(body, self.variables, self.reporter, self.places)
        return self.module

    def _lines(self) -> Iterator[Line]:
        """The lines that are well-formed and not empty."""
        for number, text in enumerate(self.file.lines, start=1):
            self.reporter.line = number
            if _BLANK.fullmatch(text):
                continue
            try:
                line: Line = grammar.line.parse_string(text)[0]
            except ParseBaseException as failure:
                # The message about a line that does not go on as it should.
                first = _first_word(text)
                is_known = first == "" or first in _FIRST_WORDS
                help = None if is_known else did_you_mean(first, _FIRST_WORDS)
                self.reporter.report(unexpected(found_at(text, failure.loc), expected(failure), help))
                self._recover(text)
                continue
            if not self._is_skipped(line):
                yield line

    def _recover(self, text: str) -> None:
        """Keep a line that was left out from causing messages about what it would have defined."""
        sigil = _DEFINED.match(text)
        if sigil is not None:
            self.reporter.broken.add(sigil[1])
            if sigil[1].startswith("^") and self.body is not None:
                self._open_block(self.body, sigil[1][1:])
        if _first_word(text) == "func":
            self.is_skipping = True

    def _is_skipped(self, line: Line) -> bool:
        """Whether the line belongs to a function whose first line is broken."""
        was_skipping = self.is_skipping
        self.is_skipping = was_skipping and not isinstance(line, syntax.CloseLine | syntax.FunctionLine)
        return was_skipping and not isinstance(line, syntax.FunctionLine)

    # lines ---------------------------------------------------------------------------------
    def _take(self, line: Line) -> None:
        match line:
            case syntax.ShaderLine():
                self._start_module(line)
            case syntax.PragmaLine():
                self.module.pragmas.append(text_of(line.text))
            case syntax.VariableLine():
                self._add_variable(line)
            case syntax.FunctionLine():
                self._open_function(line)
            case syntax.CloseLine():
                if self.body is None:
                    raise misplaced(line.brace, "'}'", "at the end of a function")
                self.body = self.block = None
            case syntax.BlockLine():
                self._start_block(line)
            case syntax.InstructionLine():
                if self.body is None or self.block is None:
                    raise misplaced(line.result or line.opcode, "an instruction", "in a block of a function")
                self.body.lines[self.block].append((self.reporter.line, line))

    def _start_module(self, line: syntax.ShaderLine) -> None:
        if self.has_header or self.module.variables or self.bodies:
            raise misplaced(line.stage, "the 'shader' line", "first, and only once")
        self.has_header = True
        stage = line.stage[0]
        if stage not in _STAGES:
            raise unexpected(line.stage, "'vertex', 'geometry' or 'fragment'", did_you_mean(stage, _STAGES))
        self.module.stage = stage
        self.module.name = "" if line.name is None else text_of(line.name)

    def _add_variable(self, line: syntax.VariableLine) -> None:
        if self.block is not None:
            raise misplaced(line.storage, "a declaration", "before the first block")
        if self.body is not None and line.storage[0] != "local":
            raise misplaced(line.storage, "an interface variable", "outside of functions")
        variable = make_variable(line, self.places)
        self._claim("variable", variable.name, line.name)
        owner = self.module if self.body is None else self.body.function
        self.variables[variable.name] = owner.add_variable(variable)

    def _open_function(self, line: syntax.FunctionLine) -> None:
        if self.body is not None:
            self._report_unclosed(self.body)
        self.body = self.block = None
        name = name_of(line.name)
        # A second function of the name is still read, so that its lines are not taken for misplaced ones.
        is_new = self._is_new("function", name, line.name)
        function = self.module.add_function(name) if is_new else Function(self.module, name)
        self.body = Body(function)
        function.span = self.places.span_of(line.place)
        self.bodies.append(self.body)

    def _start_block(self, line: syntax.BlockLine) -> None:
        if self.body is None:
            raise misplaced(line.name, "a block", "in a function")
        name = name_of(line.name)
        is_new = self._is_new(self.body.function, name, line.name)
        block = self._open_block(self.body, name)
        if is_new:
            self.body.blocks[name] = block

    def _open_block(self, body: Body, name: str) -> Block:
        """A block that the next lines belong to."""
        self.block = body.function.add_block(name)
        body.lines[self.block] = []
        return self.block

    # names ---------------------------------------------------------------------------------
    def _claim(self, scope: object, name: str, word: Word) -> None:
        """Remember the first definition of a name; a second one is a mistake."""
        span = self.reporter.span(word)
        first = self.spans.setdefault((scope, name), span)
        if first != span:
            label = Label(first, "first defined here")
            raise Mistake(messages.DEFINED_TWICE, word, label=label, name=f"'{word[0]}'")

    def _is_new(self, scope: object, name: str, word: Word) -> bool:
        """As `_claim`, for names whose lines are read on after the message."""
        try:
            self._claim(scope, name, word)
        except Mistake as mistake:
            self.reporter.report(mistake)
            return False
        return True

    # end of the text -----------------------------------------------------------------------

    def _report_unclosed(self, body: Body) -> None:
        line = _WHOLE_LINE.match(self.file.line_text(self.reporter.line))
        assert line is not None
        label = Label(self.spans["function", body.function.name], "opened here")
        name = f"'{symbol(body.function.name)}'"
        self.reporter.report(Mistake(messages.UNCLOSED_FUNCTION, line, label=label, name=name))


def _first_word(text: str) -> str:
    """The word that a line begins with; empty where it begins with something else."""
    match = _FIRST_WORD.match(text)
    return "" if match is None else match[1]
