"""Assembly text to a program, in the syntax of Adobe's AGALMiniAssembler (third generation).

In: text, one token a line.  Out: a `Program` with the same bytes as that assembler makes; hardware rules are
the business of `validate.py`.  What that assembler drops silently is a warning here where it changes no
meaning (`.rgb`), and an error where it does (a misspelled instruction).

The first line may name version and stage (`// agal 2 fragment`), a comment to other assemblers.
"""

from __future__ import annotations

import math
import re

from glslc_multi.backends.agal.isa import instructions
from glslc_multi.backends.agal.isa.asm import grammar
from glslc_multi.backends.agal.isa.program import HEADER, Destination, Program, Sampler, Source, Token, encode
from glslc_multi.backends.agal.isa.registers import BY_NAME, CONSTANT, SAMPLER, STAGES, Bank, Stage, swizzle_bits
from glslc_multi.backends.agal.isa.sampler_options import BIAS_STEPS, OPTIONS
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, SourceFile, Span
from glslc_multi.compiler.diagnostics.catalogue.machine import (
    AGAL_BAD_INDIRECT,
    AGAL_BIAS_WRAPS,
    AGAL_HEADER_MISSING,
    AGAL_IGNORED,
    AGAL_NOT_HERE,
)
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.isa.assembly import Language, Line
from glslc_multi.compiler.isa.components import COMPONENTS, mask_of
from glslc_multi.compiler.isa.grammar import parse
from glslc_multi.compiler.isa.mistakes import END_OF_LINE, Mistake, Word, no_register, operand_count, unexpected
from glslc_multi.compiler.isa.numbers import in_range, whole_number

_HEADER = re.compile(r"\s*//\s*agal\s+([1-3])\s+(vertex|fragment)\s*", re.ASCII)

LANGUAGE = Language("agal", comment=re.compile(r"//.*"), piece=re.compile(r"[^\s,<>]+|[<>]"), trailing="; \t\v\f")
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
    # Stage and version as the first line that is not blank gives them.
    first = next((line for line in file.lines if line.strip()), "")
    match = _HEADER.fullmatch(first)
    if match is not None:
        stage = stage or ("vertex" if match[2] == "vertex" else "fragment")
        version = version or int(match[1])
    if stage is None or version is None:
        help = f"begin with a line like '{HEADER.format(version=1, stage='vertex')}'"
        sink.report(AGAL_HEADER_MISSING, Span(file, 1, 1, 1, 1), help=help)
        raise CompileError(sink.diagnostics)
    assembler = _Assembler(stage, version, ignore_limits)
    lines = list(LANGUAGE.lines(file, sink))
    words = [line.attempt(assembler.token) or 0 for line in lines]
    sink.raise_if_errors()
    return Program(stage, version, tuple(words), tuple(line.whole for line in lines))


class _Assembler:
    """Makes tokens of lines; knows what holds for all of them."""

    def __init__(self, stage: Stage, version: int, ignore_limits: bool) -> None:
        self.stage: Stage = stage
        self.version = version
        self.ignore_limits = ignore_limits

    def token(self, line: Line) -> int:
        """The token of a line."""
        parsed: grammar.Line = parse(line, grammar.line)
        name = parsed.name
        instruction = self._instruction(name)
        expected, found = len(instruction.operands), len(parsed.operands)
        if found != expected:
            raise operand_count(name, name[0], expected, found)
        if parsed.options is not None and "s" not in instruction.operands:
            raise unexpected(parsed.options.place, END_OF_LINE, "options of a sampler")
        operands = [
            self._sampler(operand, parsed.options, line) if letter == "s" else self._register(letter, operand, line)
            for letter, operand in zip(instruction.operands, parsed.operands, strict=True)
        ]
        return encode(Token(instruction, tuple(operands)))

    def _instruction(self, name: Word) -> instructions.Instruction:
        instruction = instructions.BY_NAME[name[0]]
        if instruction.version > self.version:
            raise Mistake(AGAL_NOT_HERE, name, name=name[0], where=f"version {instruction.version}")
        if instruction.fragment_only and self.stage != "fragment":
            raise Mistake(AGAL_NOT_HERE, name, name=name[0], where="fragment")
        return instruction

    # --- Registers ----------------------------------------------------------------------------------------------------

    def _register(self, letter: str, operand: grammar.Operand, line: Line) -> Destination | Source:
        bank = self._bank(operand.word)
        if isinstance(operand, grammar.Indirect):
            return self._indirect(letter, bank, operand, line)
        number = self._number(bank, operand.word)
        components = self._components(operand.word, line)
        if letter == "D":
            return Destination(bank.type, number, mask_of(components or COMPONENTS))
        return Source(bank.type, number, swizzle_bits(components))

    def _bank(self, register: Word) -> Bank:
        name = register["bank"]
        bank = BY_NAME.get((self.stage, name))
        if bank is not None:
            return bank
        other = next((stage for stage in STAGES if (stage, name) in BY_NAME), None)
        if other is not None:
            raise Mistake(AGAL_NOT_HERE, register, name=name, where=other)
        names = [known for stage, known in BY_NAME if stage == self.stage]
        raise unexpected(register, "a register", f"'{name}'", did_you_mean(name, names))

    def _number(self, bank: Bank, register: Word) -> int:
        """A register's number; none means 0."""
        digits = register["number"]
        limit = _LARGEST_NUMBER + 1 if self.ignore_limits else bank.named_size(self.version)
        number = whole_number(digits or "0")
        if number >= limit:
            name = bank.names[0]
            raise no_register(register, f"{name}{digits}", f"version {self.version}", f"{name}{limit - 1}")
        return number

    def _components(self, word: Word, line: Line) -> str:
        """The components after a register; what follows known ones is ignored, as AGALMiniAssembler does."""
        letters = word["components"]
        if letters is None:
            return ""
        match = _KNOWN_COMPONENTS.match(letters)
        used = match[0] if match is not None else ""
        if used == letters:
            return used
        if not _OTHER_COMPONENTS.issuperset(letters):
            raise unexpected(word.span("components"), "components", f"'{letters}'")
        meaning = f"the components are .{used or COMPONENTS}"
        line.report(Mistake(AGAL_IGNORED, word, text=letters[len(used) :], meaning=meaning))
        return used

    def _indirect(self, letter: str, bank: Bank, operand: grammar.Indirect, line: Line) -> Source:
        place = operand.place
        if letter not in "ab" or bank.type != CONSTANT or bank.stage != "vertex" or operand.word["number"]:
            problem = "only vc, as a source in vertex programs, can be read by index"
            raise Mistake(AGAL_BAD_INDIRECT, place, problem=problem)
        index = operand.by
        if index is None:
            raise Mistake(AGAL_BAD_INDIRECT, place, problem="expected an index like [va0.x+8]")
        offset = 0 if index["offset"] is None else in_range(index, "the offset", 0, _LARGEST_OFFSET, "offset", 10)
        if index["offset"] and not index["number"]:
            # AGALMiniAssembler would take the offset for the register's number.
            help = f"write {index['bank']}0.{index['component']}+{offset}"
            raise Mistake(AGAL_BAD_INDIRECT, place, help, problem="the index register needs its number")
        register = self._bank(index)
        number = self._number(register, index)
        swizzle = swizzle_bits(self._components(operand.components, line))
        component = COMPONENTS.index(index["component"])
        return Source(CONSTANT, number, swizzle, 1, offset, register.type, component)

    # --- Samplers -----------------------------------------------------------------------------------------------------

    def _sampler(self, operand: grammar.Operand, options: grammar.Options | None, line: Line) -> Sampler:
        bank = self._bank(operand.word)
        if bank.type != SAMPLER or isinstance(operand, grammar.Indirect):
            raise unexpected(operand.word, "a sampler", f"'{operand.word[0]}'")
        fields = dict.fromkeys(("bias", *(name for name, _ in OPTIONS.values())), 0)
        for word in options.words if options is not None else ():
            name, value = OPTIONS.get(word[0], ("bias", 0))
            if name == "special":
                value |= fields[name]
            elif name == "bias":
                value = _bias(word, line)
            fields[name] = value
        return Sampler(self._number(bank, operand.word), **fields)


def _bias(word: Word, line: Line) -> int:
    """The bias in eighths: truncated, then reduced to a signed byte."""
    eighths = float(word[0]) * BIAS_STEPS if _NUMBER.fullmatch(word[0]) else math.nan
    if not math.isfinite(eighths):
        help = did_you_mean(word[0], OPTIONS)
        line.report(Mistake(AGAL_IGNORED, word, help, text=word[0], meaning="the bias becomes 0"))
        return 0
    steps = math.trunc(eighths)
    stored = (steps + 128) % 256 - 128
    if stored != steps:
        line.report(Mistake(AGAL_BIAS_WRAPS, word, found=word[0], meaning=f"{stored / BIAS_STEPS:g}"))
    return stored
