"""The parser of the text form: text that `print_module` made, or somebody wrote, in; a module out.

The grammar (`grammar.py`) reads one line at a time into a record (`syntax.py`); a line that does not
fit gives one message and is left out.  Here the lines make the module: first its declarations and the
names of all functions and blocks, then, since everything can be named before it is defined, the
instructions of each function (`body.py`).  Whether the module obeys the rules of the IR beyond the
types of operands is the verifier's question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

from compiler.diagnostics.catalogue import ir as messages
from compiler.diagnostics.model import DiagnosticSink, Label, TooManyErrors
from compiler.diagnostics.span import SourceFile, Span
from compiler.diagnostics.suggest import did_you_mean
from pyparsing import ParseBaseException
from compiler.ir.module import Block, Function, Module
from compiler.ir.ops import OPCODES
from compiler.ir.parse import syntax
from compiler.ir.parse.body import Body, fill_function
from compiler.ir.parse.declarations import make_variable
from compiler.ir.parse.grammar import LINE, word_at
from compiler.ir.parse.reader import Mistake, Reader, unexpected
from compiler.ir.parse.syntax import Line, Word
from compiler.ir.text import PLAIN_BLOCK_NAME, PLAIN_NAME, symbol
from compiler.ir.variables import STORAGES, Stage, Variable

_STAGES: tuple[Stage, ...] = get_args(Stage)
#: The value, variable, function or block that a line defines, with its sigil.
_DEFINED = re.compile(rf"[ \t]*(?:\w+[ \t]+(?=@))?(%\d+|\^{PLAIN_BLOCK_NAME}|@{PLAIN_NAME})", re.ASCII)
_FIRST_WORDS = ("shader", "pragma", "func", *STORAGES, *OPCODES)


def parse_module(text: str, filename: str, sink: DiagnosticSink) -> Module | None:
    """The module that `text` describes, or None after messages about what is wrong with it."""
    errors_before = sink.error_count
    try:
        module = _ModuleParser(SourceFile(filename, text), sink).parse()
    except TooManyErrors:
        return None
    return module if sink.error_count == errors_before else None


class _ModuleParser(Reader):
    __slots__ = ("block", "bodies", "body", "has_header", "is_skipping", "module", "spans", "variables")

    def __init__(self, file: SourceFile, sink: DiagnosticSink) -> None:
        super().__init__(file, sink)
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

    def parse(self) -> Module:
        for line in self._lines():
            try:
                self._take(line)
            except Mistake as mistake:
                self.report(mistake)
                self._recover(self.file.line_text(self.line))
        self._check_end()
        for body in self.bodies:
            fill_function(self, body, self.variables)
        return self.module

    def _lines(self) -> Iterator[Line]:
        """The lines that are well-formed and not empty."""
        for number, text in enumerate(self.file.lines, start=1):
            self.line = number
            try:
                line: Line | None = LINE.parse_string(text)[0]
            except ParseBaseException as failure:
                self._report_malformed(text, failure)
                self._recover(text)
                continue
            if line is not None and not self._is_skipped(line):
                yield line

    def _report_malformed(self, text: str, failure: ParseBaseException) -> None:
        first = word_at(text.lstrip(" \t"), 0)
        is_known = first in _FIRST_WORDS or not first.isidentifier()
        self.report_syntax(failure.loc, failure.msg, None if is_known else did_you_mean(first, _FIRST_WORDS))

    def _recover(self, text: str) -> None:
        """Keep a line that was left out from causing messages about what it would have defined."""
        sigil = _DEFINED.match(text)
        if sigil is not None:
            self.broken.add(sigil[1])
            if sigil[1].startswith("^") and self.body is not None:
                self._open_block(self.body, sigil[1][1:])
        if word_at(text.lstrip(" \t"), 0) == "func":
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
                self.module.pragmas.append(self.text(line.text))
            case syntax.VariableLine():
                self._add_variable(line)
            case syntax.FunctionLine():
                self._open_function(line)
            case syntax.CloseLine():
                self._close_function(line)
            case syntax.BlockLine():
                self._start_block(line)
            case syntax.InstructionLine():
                self._add_instruction(line)

    def _start_module(self, line: syntax.ShaderLine) -> None:
        if self.has_header or self.module.variables or self.bodies:
            raise _misplaced(line.stage, "the 'shader' line", "first, and only once")
        self.has_header = True
        stage = line.stage.text
        if stage not in _STAGES:
            raise unexpected(line.stage, "'vertex', 'geometry' or 'fragment'", did_you_mean(stage, _STAGES))
        self.module.stage = stage
        self.module.name = "" if line.name is None else self.text(line.name)

    def _add_variable(self, line: syntax.VariableLine) -> None:
        if self.block is not None:
            raise _misplaced(line.storage, "a declaration", "in front of the first block")
        if self.body is not None and line.storage.text != "local":
            raise _misplaced(line.storage, "an interface variable", "outside of functions")
        variable = make_variable(self, line)
        self._claim("variable", variable.name, line.name)
        owner = self.module if self.body is None else self.body.function
        self.variables[variable.name] = owner.add_variable(variable)

    def _open_function(self, line: syntax.FunctionLine) -> None:
        if self.body is not None:
            self._report_unclosed(self.body)
        self.body = self.block = None
        name = self.name(line.name)
        # A second function of the name is still read, so that its lines are not taken for misplaced ones.
        is_new = self._is_new("function", name, line.name)
        function = self.module.add_function(name) if is_new else Function(self.module, name)
        self.body = Body(function)
        function.span = self.place(line.place)
        self.bodies.append(self.body)

    def _close_function(self, line: syntax.CloseLine) -> None:
        if self.body is None:
            raise _misplaced(line.brace, "'}'", "at the end of a function")
        self.body = self.block = None

    def _start_block(self, line: syntax.BlockLine) -> None:
        if self.body is None:
            raise _misplaced(line.name, "a block", "in a function")
        name = self.name(line.name)
        is_new = self._is_new(self.body.function, name, line.name)
        block = self._open_block(self.body, name)
        if is_new:
            self.body.blocks[name] = block

    def _open_block(self, body: Body, name: str) -> Block:
        """A block that the next lines belong to."""
        self.block = body.function.add_block(name)
        body.lines[self.block] = []
        return self.block

    def _add_instruction(self, line: syntax.InstructionLine) -> None:
        if self.body is None or self.block is None:
            raise _misplaced(line.result or line.opcode, "an instruction", "in a block of a function")
        self.body.lines[self.block].append((self.line, line))

    # names ---------------------------------------------------------------------------------
    def _claim(self, scope: object, name: str, word: Word) -> None:
        """Remember the first definition of a name; a second one is a mistake."""
        first = self.spans.setdefault((scope, name), self.span(word))
        if first != self.span(word):
            label = Label(first, "first defined here")
            raise Mistake(messages.DEFINED_TWICE, word, label=label, name=f"'{word.text}'")

    def _is_new(self, scope: object, name: str, word: Word) -> bool:
        """As `_claim`, for names whose lines are read on after the message."""
        try:
            self._claim(scope, name, word)
        except Mistake as mistake:
            self.report(mistake)
            return False
        return True

    # end of the text -----------------------------------------------------------------------
    def _check_end(self) -> None:
        if self.body is not None:
            self._report_unclosed(self.body)
        if not self.has_header:
            self.line = 1
            self.report(_misplaced(Word("", 0, 1), "a line 'shader' with the stage", "first"))

    def _report_unclosed(self, body: Body) -> None:
        word = Word("", 0, max(1, len(self.file.line_text(self.line))))
        label = Label(self.spans["function", body.function.name], "opened here")
        self.report(Mistake(messages.UNCLOSED_FUNCTION, word, label=label, name=f"'{symbol(body.function.name)}'"))


def _misplaced(word: Word, what: str, where: str) -> Mistake:
    return Mistake(messages.MISPLACED_LINE, word, what=what, where=where)
