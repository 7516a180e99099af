"""Assembly text to a program, in the syntax of Adobe's AGALMiniAssembler (third generation).

In: text, one token a line.  Out: a `Program` with the same bytes as that assembler makes; hardware rules are
the business of `validate.py`.  What that assembler drops silently is a warning here where it changes no
meaning (`.rgb`), and an error where it does (a misspelled instruction).

The first line may name version and stage (`// agal 2 fragment`), a comment to other assemblers.
"""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from backends.agal.isa import instructions
from backends.agal.isa.program import Destination, Operand, Program, Sampler, Source, Token, encode
from backends.agal.isa.registers import BY_NAME, COMPONENTS, CONSTANT, FULL_MASK, IDENTITY, SAMPLER, STAGES, Bank, Stage
from backends.agal.isa.sampler_options import BIAS_STEPS, OPTIONS
from compiler.diagnostics import CompileError, DiagnosticSink, Entry, SourceFile, Span
from compiler.diagnostics.catalogue.machine import (
    AGAL_BAD_INDIRECT,
    AGAL_BIAS_WRAPS,
    AGAL_HEADER_MISSING,
    AGAL_IGNORED,
    AGAL_NO_REGISTER,
    AGAL_NOT_HERE,
    AGAL_OPERAND_COUNT,
    AGAL_UNKNOWN_OPCODE,
    INVALID_ASSEMBLY,
)
from compiler.diagnostics.suggest import did_you_mean

#: The comment that names version and stage.
HEADER = "// agal {version} {stage}"
_HEADER = re.compile(r"\s*//\s*agal\s+([1-3])\s+(vertex|fragment)\s*", re.ASCII)

_COMMENT = re.compile(r"//.*")
_OPTIONS = re.compile(r"<(?P<words>.*)>")
_OPTION = re.compile(r"[^\s,]+")
_OPERAND = re.compile(r"[^\s,]+")
_REGISTER = re.compile(
    r"(?P<name>[A-Za-z]+)(?P<number>[0-9]*)(?:\[(?P<index>[^]]*)\])?(?:\.(?P<components>\w+))?", re.ASCII
)
_INDEX = re.compile(r"(?P<name>[A-Za-z]+)(?P<number>[0-9]*)\.(?P<component>[xyzw])(?:\+(?P<offset>[0-9]+))?", re.ASCII)
_KNOWN_COMPONENTS = re.compile(f"[{COMPONENTS}]{{0,4}}")
#: Component names of GLSL, which this syntax does not have.
_OTHER_COMPONENTS = frozenset("xyzwrgbastpq")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)

_LARGEST_OFFSET = 255
_LARGEST_NUMBER = 0xFFFF


def assemble(
    text: str,
    filename: str,
    sink: DiagnosticSink,
    *,
    stage: Stage | None = None,
    version: int | None = None,
    ignore_limits: bool = False,
) -> Program:
    """The program of `text`; all errors are reported to `sink`, then raised together.

    `stage` and `version` replace what the first line says.  `ignore_limits` takes any register number.
    """
    file = SourceFile(filename, text)
    header = _header(file)
    if header is not None:
        stage, version = stage or header[0], version or header[1]
    if stage is None or version is None:
        help = f"begin with a line like '{HEADER.format(version=1, stage='vertex')}'"
        sink.report(AGAL_HEADER_MISSING, Span(file, 1, 1, 1, 1), help=help)
        raise CompileError(sink.diagnostics)
    lines = _Lines(file, sink, stage, version, ignore_limits)
    found = [lines.token(number) for number in range(1, len(file.lines) + 1)]
    sink.raise_if_errors()
    tokens = [entry for entry in found if entry is not None]
    return Program(stage, version, tuple(word for word, _ in tokens), tuple(span for _, span in tokens))


def _header(file: SourceFile) -> tuple[Stage, int] | None:
    """Stage and version as the first line that is not blank gives them."""
    first = next((line for line in file.lines if line.strip()), "")
    match = _HEADER.fullmatch(first)
    if match is None:
        return None
    return ("vertex" if match[2] == "vertex" else "fragment"), int(match[1])


class _Rejected(Exception):
    """A line is wrong and has been reported; the next one goes on."""


class _Piece(NamedTuple):
    """A part of a line."""

    text: str
    span: Span


class _Lines:
    """Assembles line by line; knows what holds for all of them."""

    def __init__(self, file: SourceFile, sink: DiagnosticSink, stage: Stage, version: int, ignore_limits: bool) -> None:
        self.file = file
        self.sink = sink
        self.stage: Stage = stage
        self.version = version
        self.ignore_limits = ignore_limits

    def token(self, number: int) -> tuple[int, Span] | None:
        """The token of a line; None for a line without one and for one with errors."""
        code = _COMMENT.sub("", self.file.line_text(number)).rstrip("; \t\v\f")
        if not code.strip():
            return None
        span = self._span(number, len(code) - len(code.lstrip()), len(code))
        try:
            return self._parse(code, number), span
        except _Rejected:
            return None

    def _parse(self, code: str, number: int) -> int:
        options = _OPTIONS.search(code)
        end = len(code) if options is None else options.start()
        if options is not None and options.end() < len(code):
            raise self._unexpected("the end of the line", self._piece(number, code, options.end(), len(code)))
        pieces = [self._piece(number, code, *match.span()) for match in _OPERAND.finditer(code, 0, end)]
        if not pieces:
            raise self._unexpected("an instruction", self._piece(number, code, 0, len(code)))
        name, *operands = pieces
        instruction = self._instruction(name)
        if len(operands) != len(instruction.operands):
            expected, found = len(instruction.operands), len(operands)
            raise self._reject(AGAL_OPERAND_COUNT, name.span, name=name.text, expected=expected, found=found)
        if options is not None and "s" not in instruction.operands:
            raise self._unexpected("the end of the line", self._piece(number, code, *options.span()))
        words = [] if options is None else self._words(number, code, *options.span("words"))
        parsed = [
            self._operand(letter, piece, words) for letter, piece in zip(instruction.operands, operands, strict=True)
        ]
        return encode(Token(instruction, tuple(parsed)))

    def _words(self, number: int, code: str, start: int, end: int) -> list[_Piece]:
        return [self._piece(number, code, *match.span()) for match in _OPTION.finditer(code, start, end)]

    def _instruction(self, name: _Piece) -> instructions.Instruction:
        instruction = instructions.BY_NAME.get(name.text)
        if instruction is None:
            help = did_you_mean(name.text, instructions.BY_NAME)
            raise self._reject(AGAL_UNKNOWN_OPCODE, name.span, help=help, name=name.text)
        if instruction.version > self.version:
            raise self._reject(AGAL_NOT_HERE, name.span, name=name.text, where=f"version {instruction.version}")
        if instruction.fragment_only and self.stage != "fragment":
            raise self._reject(AGAL_NOT_HERE, name.span, name=name.text, where="fragment")
        return instruction

    # --- Operands -----------------------------------------------------------------------------------------------------

    def _operand(self, letter: str, piece: _Piece, words: list[_Piece]) -> Operand:
        match = _REGISTER.fullmatch(piece.text)
        if match is None:
            raise self._unexpected("a register", piece)
        bank = self._bank(match["name"], piece.span)
        if match["index"] is not None:
            return self._indirect(letter, bank, match, piece)
        number = self._number(bank, match["number"], piece.span)
        components = self._components(match["components"], piece.span)
        if letter == "D":
            return Destination(bank.type, number, _mask(components))
        if letter != "s":
            return Source(bank.type, number, _swizzle(components))
        if bank.type != SAMPLER:
            raise self._unexpected("a sampler", piece)
        return self._sampler(number, words)

    def _bank(self, name: str, span: Span) -> Bank:
        bank = BY_NAME.get((self.stage, name))
        if bank is not None:
            return bank
        other = next((stage for stage in STAGES if (stage, name) in BY_NAME), None)
        if other is not None:
            raise self._reject(AGAL_NOT_HERE, span, name=name, where=other)
        names = [known for stage, known in BY_NAME if stage == self.stage]
        raise self._unexpected("a register", _Piece(name, span), help=did_you_mean(name, names))

    def _number(self, bank: Bank, digits: str, span: Span) -> int:
        """A register's number; none means 0."""
        limit = _LARGEST_NUMBER + 1 if self.ignore_limits else bank.named_size(self.version)
        # More digits than any register has are not converted: int() refuses thousands of them.
        number = int(digits or "0") if len(digits) < 20 else limit
        if number >= limit:
            name, last = f"{bank.names[0]}{digits}", f"{bank.names[0]}{limit - 1}"
            raise self._reject(AGAL_NO_REGISTER, span, name=name, version=self.version, last=last)
        return number

    def _components(self, letters: str | None, span: Span) -> str:
        """The components after a register; what follows known ones is ignored, as AGALMiniAssembler does."""
        if letters is None:
            return ""
        known = _KNOWN_COMPONENTS.match(letters)
        used = known[0] if known is not None else ""
        if used == letters:
            return used
        if not _OTHER_COMPONENTS.issuperset(letters):
            raise self._unexpected("components", _Piece(letters, span))
        meaning = f"the components are .{used or COMPONENTS}"
        self.sink.report(AGAL_IGNORED, span, text=letters[len(used) :], meaning=meaning)
        return used

    def _indirect(self, letter: str, bank: Bank, match: re.Match[str], piece: _Piece) -> Source:
        if letter not in "ab" or bank.type != CONSTANT or bank.stage != "vertex" or match["number"]:
            problem = "only vc, as a source in vertex programs, can be read by index"
            raise self._reject(AGAL_BAD_INDIRECT, piece.span, problem=problem)
        index = _INDEX.fullmatch(match["index"])
        if index is None:
            problem = "expected an index like [va0.x+8]"
            raise self._reject(AGAL_BAD_INDIRECT, piece.span, problem=problem)
        digits = index["offset"] or "0"
        if len(digits) > 20 or int(digits) > _LARGEST_OFFSET:
            problem = f"the offset must be 0 to {_LARGEST_OFFSET}"
            raise self._reject(AGAL_BAD_INDIRECT, piece.span, problem=problem)
        if index["offset"] and not index["number"]:
            # AGALMiniAssembler would take the offset for the register's number.
            help = f"write {index['name']}0.{index['component']}+{digits}"
            raise self._reject(AGAL_BAD_INDIRECT, piece.span, help=help, problem="the index register needs its number")
        register = self._bank(index["name"], piece.span)
        number = self._number(register, index["number"], piece.span)
        swizzle = _swizzle(self._components(match["components"], piece.span))
        component = COMPONENTS.index(index["component"])
        return Source(CONSTANT, number, swizzle, 1, int(digits), register.type, component)

    # --- Samplers -----------------------------------------------------------------------------------------------------

    def _sampler(self, number: int, words: list[_Piece]) -> Sampler:
        fields = dict.fromkeys(("bias", *(name for name, _ in OPTIONS.values())), 0)
        for word in words:
            name, value = OPTIONS.get(word.text, ("bias", 0))
            if name == "special":
                value |= fields[name]
            elif name == "bias":
                value = self._bias(word)
            fields[name] = value
        return Sampler(number, **fields)

    def _bias(self, word: _Piece) -> int:
        """The bias in eighths: truncated, then reduced to a signed byte."""
        eighths = float(word.text) * BIAS_STEPS if _NUMBER.fullmatch(word.text) else math.nan
        if not math.isfinite(eighths):
            help = did_you_mean(word.text, OPTIONS)
            self.sink.report(AGAL_IGNORED, word.span, help=help, text=word.text, meaning="the bias becomes 0")
            return 0
        steps = math.trunc(eighths)
        stored = (steps + 128) % 256 - 128
        if stored != steps:
            self.sink.report(AGAL_BIAS_WRAPS, word.span, found=word.text, meaning=f"{stored / BIAS_STEPS:g}")
        return stored

    # --- Spans and messages -------------------------------------------------------------------------------------------

    def _span(self, number: int, start: int, end: int) -> Span:
        return Span(self.file, number, start + 1, number, end + 1)

    def _piece(self, number: int, code: str, start: int, end: int) -> _Piece:
        return _Piece(code[start:end], self._span(number, start, end))

    def _unexpected(self, expected: str, piece: _Piece, help: str | None = None) -> _Rejected:
        return self._reject(INVALID_ASSEMBLY, piece.span, help=help, expected=expected, found=f"'{piece.text}'")

    def _reject(self, entry: Entry, span: Span, help: str | None = None, **values: Any) -> _Rejected:
        self.sink.report(entry, span, help=help, **values)
        return _Rejected()


def _mask(components: str) -> int:
    """A write mask: a set, all four when none is named."""
    if not components:
        return FULL_MASK
    return sum(1 << COMPONENTS.index(letter) for letter in set(components))


def _swizzle(components: str) -> int:
    """A swizzle: slot by slot, the last named component repeated."""
    if not components:
        return IDENTITY
    filled = components.ljust(len(COMPONENTS), components[-1])
    return sum(COMPONENTS.index(letter) << 2 * slot for slot, letter in enumerate(filled))
