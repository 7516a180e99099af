"""Machine code from its text (see `machine_text.py`): the lines that `machine_grammar.py` reads become a function.

Blocks and virtual registers can be named before they are defined, so the first round notes those, and the second makes
the instructions.  What names mean is a `Vocabulary`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pyparsing import ParseBaseException, ParserElement

from compiler.codegen import machine_grammar as grammar
from compiler.codegen.machine import (
    AnyRegister,
    Def,
    Lanes,
    Literal32,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Uniform,
    Use,
    VirtualRegister,
)
from compiler.codegen.machine_grammar import BlockLine, Line, LiveLine, UndefinedLine, WordLine
from compiler.codegen.machine_text import LANE_LETTERS
from compiler.codegen.registers import Register, RegisterClass, RegisterFile
from compiler.ir.variables import Variable
from compiler.parsing import Word, expected
from compiler.records import dataclass, field

Key = TypeVar("Key")
Value = TypeVar("Value")

#: How many brackets of an attribute's value may stand inside each other.
DEEPEST_BRACKETS = 16
_FOUND = re.compile(r"[^\s,()]+|.|$")


class MachineTextError(ValueError):
    """A text that is no machine code."""


@dataclass(slots=True)
class Vocabulary:
    """What the names of a target's machine code mean."""

    ops: dict[str, MachineOp] = field(default_factory=dict)
    registers: dict[str, Register] = field(default_factory=dict)
    classes: dict[str, RegisterClass] = field(default_factory=dict)
    variables: Mapping[str, Variable] = field(default_factory=dict)
    #: Values of attributes and of operands' extras that are no plain data, by their text.
    values: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        ops: Iterable[MachineOp],
        files: Iterable[RegisterFile],
        classes: Iterable[RegisterClass] = (),
        variables: Mapping[str, Variable] | None = None,
        values: Iterable[Any] = (),
    ) -> Vocabulary:
        return cls(
            {op.name: op for op in ops},
            {str(register): register for file in files for register in file.registers()},
            {register_class.name: register_class for register_class in classes},
            variables or {},
            {str(value): value for value in values},
        )


def parse_machine(text: str, vocabulary: Vocabulary) -> MachineFunction:
    """The function that a text describes; virtual registers are numbered anew where numbers are missing."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    return _FunctionBuilder(vocabulary).build([line for line in lines if line[1] and not line[1].startswith(";")])


class _FunctionBuilder:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.line = 0
        self.function = MachineFunction("")
        self.blocks: dict[str, MachineBlock] = {}
        self.registers: dict[int, VirtualRegister] = {}

    def build(self, texts: list[tuple[int, str]]) -> MachineFunction:
        if not texts or texts[-1][1] != "}":
            raise MachineTextError("the text does not end in }")
        self.line, first = texts[0]
        self.function.name = self._read(grammar.first_line, first).name["name"]
        lines: list[tuple[int, Line]] = []
        for self.line, text in texts[1:-1]:
            lines.append((self.line, self._read(grammar.line, text)))
            self._declare(lines[-1][1])
        for number in sorted(self.registers):
            register = self.registers[number]
            register.id = len(self.function.registers)
            self.function.registers.append(register)
        block: MachineBlock | None = None
        for self.line, line in lines:
            block = self._take(line, block)
        return self.function

    def _read(self, element: ParserElement, text: str) -> Any:
        """The record of a line."""
        depth = 0
        for letter in text:
            depth += (letter in "([{<") - (letter in ")]}>")
            if depth > DEEPEST_BRACKETS:
                raise self._error(f"brackets stand deeper than {DEEPEST_BRACKETS} in each other")
        try:
            return element.parse_string(text)[0]
        except ParseBaseException as failure:
            found = _FOUND.match(text, failure.loc)
            assert found is not None
            raise self._error(f"expected {expected(failure)}, found {found[0] or 'the end of the line'}") from None

    # the first round: names ----------------------------------------------------------------
    def _declare(self, line: Line) -> None:
        """Note the blocks and the virtual registers that a line declares."""
        match line:
            case BlockLine():
                name = line.name["name"]
                if name in self.blocks:
                    raise self._error(f"block ^{name} stands here a second time")
                self.blocks[name] = self.function.add_block(name)
            case UndefinedLine():
                self._declare_register(line.register)
            case WordLine():
                for instruction in line.instructions:
                    for definition in instruction.definitions:
                        self._declare_register(definition)

    def _declare_register(self, register: grammar.AnyRegister) -> None:
        if not isinstance(register, grammar.Virtual) or register.word["class"] is None:
            return
        word = register.word
        name = word["class"]
        register_class = self._known(self.vocabulary.classes, name, f"no register class is called {name}")
        number, width, is_ordered = int(word["number"]), int(word["width"]), word["ordered"] is not None
        known = self.registers.setdefault(number, VirtualRegister(number, width, register_class, ordered=is_ordered))
        if (known.width, known.register_class, known.ordered) != (width, register_class, is_ordered):
            raise self._error(f"%{number} has another type above")

    # the second round: contents ------------------------------------------------------------
    def _take(self, line: Line, block: MachineBlock | None) -> MachineBlock | None:
        """Make what a line says; the block that the following lines belong to."""
        match line:
            case BlockLine():
                block = self.blocks[line.name["name"]]
                block.successors = self._targets(line.targets)
                block.slots = None if line.bundled is None else []
            case WordLine() if block is not None:
                slot = tuple(map(self._instruction, line.instructions))
                block.instructions.extend(slot)
                if block.slots is not None:
                    block.slots.append(slot)
            case LiveLine() if block is None:
                self._note_live(line)
            case UndefinedLine() if block is None:
                pass
            case _:
                expected = "live-in, live-out, undefined or a block" if block is None else "an instruction or a block"
                first = line.instructions[0].opcode if isinstance(line, WordLine) else line.keyword
                raise self._error(f"expected {expected}, found {first[0]}")
        return block

    def _note_live(self, line: LiveLine) -> None:
        live = self.function.live_in if line.keyword[0] == "live-in" else self.function.live_out
        for register in line.registers:
            definition = self._definition(register)
            if not isinstance(definition.register, Register):
                raise self._error(f"expected a physical register, found {definition.register}")
            live[definition.register] = definition.lanes

    def _instruction(self, made: grammar.Instruction) -> MachineInstruction:
        name = made.opcode["name"]
        op = self._known(self.vocabulary.ops, name, f"no instruction is called {name}")
        return MachineInstruction(
            op,
            [self._definition(register) for register in made.definitions],
            [self._use(operand) for operand in made.operands],
            attributes={attribute.name[0]: self._data(attribute.value) for attribute in made.attributes},
            targets=self._targets(made.targets),
            conditional=made.opcode["conditional"] is not None,
        )

    def _targets(self, labels: Iterable[Word]) -> list[MachineBlock]:
        names = [label["name"] for label in labels]
        return [self._known(self.blocks, name, f"there is no block ^{name}") for name in names]

    def _data(self, text: str) -> Any:
        """The value of an attribute."""
        if text in self.vocabulary.values:
            return self.vocabulary.values[text]
        try:
            return ast.literal_eval(text)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            raise self._error(f"nothing is called {text}") from None

    # operands ------------------------------------------------------------------------------
    def _definition(self, written: grammar.AnyRegister) -> Def:
        register, lanes = self._register(written)
        known = tuple(lane for lane in lanes if lane is not None)
        if not isinstance(register, VirtualRegister | Register) or len(known) < len(lanes):
            raise self._error(f"{_text_of(written)} cannot be written")
        return Def(register, known)

    def _use(self, operand: grammar.Operand) -> Use:
        source = operand.source
        register, lanes = self._register(source.register)
        relative = None if source.relative is None else Use(*self._register(source.relative))
        extra = None
        if source.extra is not None:
            extra = self.vocabulary.values.get(source.extra["extra"], source.extra["extra"])
        return Use(register, lanes, operand.minus is not None, source.absolute, relative, extra)

    def _register(self, register: grammar.AnyRegister) -> tuple[AnyRegister, Lanes]:
        """A register, uniform or literal with its lanes."""
        match register:
            case grammar.Virtual(word):
                number = int(word["number"])
                return self._known(self.registers, number, f"%{number} is written nowhere"), _lanes(word)
            case grammar.Physical(word):
                name = word["name"]
                return self._known(self.vocabulary.registers, name, f"no register is called {name}"), _lanes(word)
            case grammar.Uniform(word):
                name = word["variable"]
                variable = self._known(self.vocabulary.variables, name, f"no uniform is called {name}")
                return Uniform(variable, int(word["offset"]), int(word["column"])), _lanes(word)
            case grammar.Literal():
                return Literal32(tuple(map(_number, register.numbers))), _lanes(register.closing)

    def _known(self, things: Mapping[Key, Value], key: Key, complaint: str) -> Value:
        if key not in things:
            raise self._error(complaint)
        return things[key]

    def _error(self, message: str) -> MachineTextError:
        return MachineTextError(f"line {self.line}: {message}")


def _number(word: Word) -> float | int | None:
    if word["none"]:
        return None
    return int(word[0]) if word["int"] else float(word[0])


def _lanes(word: Word) -> Lanes:
    letters = word["lanes"]
    if letters is None:
        return (0,)
    return tuple(None if letter == "_" else LANE_LETTERS.index(letter) for letter in letters[1:])


def _text_of(register: grammar.AnyRegister) -> str:
    if isinstance(register, grammar.Literal):
        return register.opening.string[register.opening.start() : register.closing.end()]
    return register.word[0]
