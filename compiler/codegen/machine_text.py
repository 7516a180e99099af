"""Machine code as text, before and after allocation and bundling, and back.

    func @main {
      live-in v0.xyzw
      live-out o0.xyzw
    ^entry -> ^then, ^join:
      %0:temporary3.xyz = mul v0.xyz, -@u_scale[0].0.xxx
      mov? %0 ...                                          ; ? where only some lanes are written
      branch %0.x {condition='lt'} -> ^then
    }

A definition of a virtual register says its class and width (and `!` where its components are in order); after
allocation there is a physical register instead.  Components are letters, `_` where nobody cares; registers of one
component have none.  A source may be `-`, `|absolute|`, have an address register in brackets behind it and what
else the target says in `<>`.  In a block that is `bundled`, a line is a word, whose instructions `|` separates.

The text leaves out spans and the names of registers.  What names mean to the parser is a `Vocabulary`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from compiler.codegen.machine import (
    AnyRegister,
    Def,
    Lanes,
    Literal32,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    MachineOp,
    Slot,
    Uniform,
    Use,
    VirtualRegister,
)
from compiler.codegen.registers import Register, RegisterClass, RegisterFile
from compiler.ir.variables import Variable
from compiler.records import dataclass, field

_LETTERS = "xyzw"


# --------------------------------------------------------------------------------------------- printing
def print_machine(function: MachineFunction) -> str:
    """The text of a function."""
    lines = [f"func @{function.name} {{"]
    for title, registers in (("live-in", function.live_in), ("live-out", function.live_out)):
        if registers:
            lines.append(
                f"  {title} "
                + ", ".join(f"{register}{_lanes(register, lanes)}" for register, lanes in registers.items())
            )
    lines += [f"  undefined {register}:{_type(register)}" for register in _undefined(function)]
    for block in function.blocks:
        lines += _block_lines(block)
    return "\n".join([*lines, "}"]) + "\n"


def print_word(slot: Slot) -> str:
    """What issues together, on one line."""
    return " | ".join(map(print_instruction, slot))


def print_instruction(instruction: MachineInstruction) -> str:
    """One line, without indentation."""
    parts = []
    if instruction.defs:
        parts.append(", ".join(map(_definition, instruction.defs)) + " =")
    parts.append(instruction.op.name + ("?" if instruction.conditional else ""))
    if instruction.uses:
        parts.append(", ".join(map(print_use, instruction.uses)))
    if instruction.attributes:
        parts.append("{" + ", ".join(f"{key}={_value(value)}" for key, value in instruction.attributes.items()) + "}")
    if instruction.targets:
        parts.append("-> " + ", ".join(f"^{target.name}" for target in instruction.targets))
    return " ".join(parts)


def print_use(use: Use) -> str:
    """An operand that is read."""
    text = f"{use.register}{_lanes(use.register, use.lanes)}"
    if use.relative is not None:
        text += f"[{print_use(use.relative)}]"
    if use.extra is not None:
        text += f"<{use.extra}>"
    text = f"|{text}|" if use.absolute else text
    return f"-{text}" if use.negate else text


def _undefined(function: MachineFunction) -> list[VirtualRegister]:
    """Virtual registers that are read but never written."""
    written = {definition.register for made in function.instructions() for definition in made.defs}
    read = {use.register for made in function.instructions() for use in made.all_uses()}
    return [register for register in function.registers if register in read and register not in written]


def block_heading(block: MachineBlock) -> str:
    """The line in front of a block's instructions."""
    bundled = " bundled" if block.slots is not None else ""
    following = " -> " + ", ".join(f"^{after.name}" for after in block.successors) if block.successors else ""
    return f"^{block.name}{bundled}{following}:"


def _block_lines(block: MachineBlock) -> list[str]:
    return [block_heading(block)] + [f"  {print_word(slot)}" for slot in block.words]


def _definition(definition: Def) -> str:
    register = definition.register
    kind = f":{_type(register)}" if isinstance(register, VirtualRegister) else ""
    return f"{register}{kind}{_lanes(register, definition.lanes)}"


def _type(register: VirtualRegister) -> str:
    return f"{register.register_class}{register.width}{'!' if register.ordered else ''}"


def _width(register: AnyRegister) -> int:
    if isinstance(register, VirtualRegister):
        return register.width
    return register.components if isinstance(register, Register) else 0


def _lanes(register: AnyRegister, lanes: Lanes) -> str:
    if _width(register) == 1 and lanes == (0,):
        return ""
    return "." + "".join("_" if lane is None else _LETTERS[lane] for lane in lanes)


def _value(value: object) -> str:
    """A value of an attribute: plain data as Python writes it, anything else by its name."""
    return repr(value) if isinstance(value, str | int | float | tuple | None) else str(value)


# ---------------------------------------------------------------------------------------------- parsing
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
    lines = [(number, line.partition(";")[0].strip()) for number, line in enumerate(text.splitlines(), 1)]
    return _Parser(vocabulary, [(number, line) for number, line in lines if line]).parse()


_HEAD = re.compile(r"func @(\S+) \{")
_BLOCK = re.compile(r"\^(\S+?)( bundled)?(?: -> (.*))?:")
_VIRTUAL = re.compile(r"%(\d+)(?::(.+?)(\d)(!)?)?(\.[xyzw_]*)?")
_UNIFORM = re.compile(r"@(.+)\[(\d+)\]\.(\d+)(\.[xyzw_]*)?")
_PHYSICAL = re.compile(r"([^.]+?)(\.[xyzw_]*)?")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}


class _Parser:
    """The parsing of one function."""

    def __init__(self, vocabulary: Vocabulary, lines: list[tuple[int, str]]) -> None:
        self.vocabulary = vocabulary
        self.lines = lines
        self.line = 0
        self.function = MachineFunction("")
        self.blocks: dict[str, MachineBlock] = {}
        self.registers: dict[int, VirtualRegister] = {}

    def parse(self) -> MachineFunction:
        if not self.lines or self.lines[-1][1] != "}":
            raise MachineTextError("the text does not end in }")
        for number, line in self.lines[1:-1]:
            self.line = number
            self._declare(line)
        for number in sorted(self.registers):
            register = self.registers[number]
            register.id = len(self.function.registers)
            self.function.registers.append(register)
        self.line, head = self.lines[0]
        self.function.name = self._match(_HEAD, head, "the head of a function")[1]
        block: MachineBlock | None = None
        for number, line in self.lines[1:-1]:
            self.line = number
            block = self._statement(line, block)
        return self.function

    # the first time: names -----------------------------------------------------------------
    def _declare(self, line: str) -> None:
        """Note the blocks and the virtual registers that a line declares."""
        if line.startswith("^"):
            name = self._match(_BLOCK, line, "the head of a block")[1]
            if name in self.blocks:
                raise self._error(f"block ^{name} stands here a second time")
            self.blocks[name] = self.function.add_block(name)
            return
        for instruction in _split(line.removeprefix("undefined "), " | "):
            for part in _split(_split(instruction, " = ")[0], ", "):
                if found := _VIRTUAL.fullmatch(part):
                    self._declare_register(found)

    def _declare_register(self, found: re.Match[str]) -> None:
        number, class_name, width, ordered, _ = found.groups()
        if class_name is None:
            return
        register_class = self.vocabulary.classes.get(class_name)
        if register_class is None:
            raise self._error(f"no register class is called {class_name}")
        register = VirtualRegister(int(number), int(width), register_class, ordered=ordered is not None)
        known = self.registers.setdefault(register.id, register)
        if (known.width, known.register_class, known.ordered) != (register.width, register_class, register.ordered):
            raise self._error(f"%{number} has another type above")

    # the second time: contents -------------------------------------------------------------
    def _statement(self, line: str, block: MachineBlock | None) -> MachineBlock | None:
        """Read a line; the block that the following lines belong to."""
        word, _, rest = line.partition(" ")
        if line.startswith("^"):
            name, bundled, following = self._match(_BLOCK, line, "the head of a block").groups()
            block = self.blocks[name]
            block.successors = self._targets(following) if following else []
            block.slots = [] if bundled else None
        elif block is None:
            self._header(word, rest)
        else:
            slot = tuple(self._instruction(part) for part in _split(line, " | "))
            block.instructions.extend(slot)
            if block.slots is not None:
                block.slots.append(slot)
        return block

    def _header(self, word: str, rest: str) -> None:
        if word == "undefined":
            return
        if word not in ("live-in", "live-out"):
            raise self._error(f"expected live-in, live-out, undefined or a block, found {word}")
        live = self.function.live_in if word == "live-in" else self.function.live_out
        for part in _split(rest, ", "):
            definition = self._definition(part)
            assert isinstance(definition.register, Register)
            live[definition.register] = definition.lanes

    def _instruction(self, text: str) -> MachineInstruction:
        body, *targets = _split(text, " -> ")
        *left, right = _split(body, " = ")
        right, *attributes = _split(right, " {")
        name, _, operands = right.partition(" ")
        op = self.vocabulary.ops.get(name.removesuffix("?"))
        if op is None:
            raise self._error(f"no instruction is called {name.removesuffix('?')}")
        return MachineInstruction(
            op,
            [self._definition(part) for text in left for part in _split(text, ", ")],
            [self._use(part) for part in _split(operands, ", ")] if operands else [],
            attributes=dict(pair for text in attributes for pair in self._attributes(text)),
            targets=[target for text in targets for target in self._targets(text)],
            conditional=name.endswith("?"),
        )

    def _targets(self, text: str) -> list[MachineBlock]:
        names = [part.removeprefix("^") for part in _split(text.strip(), ", ")]
        missing = [name for name in names if name not in self.blocks]
        if missing:
            raise self._error(f"there is no block ^{missing[0]}")
        return [self.blocks[name] for name in names]

    def _attributes(self, text: str) -> Iterator[tuple[str, Any]]:
        for part in _split(text.removesuffix("}"), ", "):
            key, _, value = part.partition("=")
            yield key, self._data(value)

    def _data(self, text: str) -> Any:
        if text in self.vocabulary.values:
            return self.vocabulary.values[text]
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError):
            raise self._error(f"nothing is called {text}") from None

    # operands ------------------------------------------------------------------------------
    def _definition(self, text: str) -> Def:
        register, lanes = self._place(text)
        if not isinstance(register, VirtualRegister | Register) or None in lanes:
            raise self._error(f"{text} cannot be written")
        return Def(register, tuple(lane for lane in lanes if lane is not None))

    def _use(self, text: str) -> Use:
        negate, text = text.startswith("-"), text.removeprefix("-")
        absolute = text.startswith("|") and text.endswith("|")
        text = text[1:-1] if absolute else text
        extra = None
        if text.endswith(">"):
            text, _, name = text[:-1].partition("<")
            extra = self.vocabulary.values.get(name, name)
        relative = None
        if text.endswith("]"):
            text, _, address = text[:-1].rpartition("[")
            relative = self._use(address)
        register, lanes = self._place(text)
        return Use(register, lanes, negate, absolute, relative, extra)

    def _place(self, text: str) -> tuple[AnyRegister, Lanes]:
        """A register, uniform or literal with its lanes."""
        if text.startswith("%"):
            number, *_, letters = self._match(_VIRTUAL, text, "a register").groups()
            if int(number) not in self.registers:
                raise self._error(f"%{number} is written nowhere")
            return self.registers[int(number)], self._lanes(letters)
        if text.startswith("@"):
            name, offset, column, letters = self._match(_UNIFORM, text, "a uniform").groups()
            if name not in self.vocabulary.variables:
                raise self._error(f"no uniform is called {name}")
            return Uniform(self.vocabulary.variables[name], int(offset), int(column)), self._lanes(letters)
        if text.startswith("("):
            inside, _, letters = text[1:].rpartition(")")
            return Literal32(tuple(map(self._number, _split(inside, ", ")))), self._lanes(letters)
        name, letters = self._match(_PHYSICAL, text, "a register").groups()
        if name not in self.vocabulary.registers:
            raise self._error(f"no register is called {name}")
        return self.vocabulary.registers[name], self._lanes(letters)

    def _number(self, text: str) -> float | int | None:
        if text == "_":
            return None
        try:
            return float(text) if text.lstrip("-") in ("inf", "nan") else ast.literal_eval(text)
        except (ValueError, SyntaxError):
            raise self._error(f"{text} is no number") from None

    @staticmethod
    def _lanes(letters: str | None) -> Lanes:
        if not letters:
            return (0,)
        return tuple(None if letter == "_" else _LETTERS.index(letter) for letter in letters[1:])

    def _match(self, pattern: re.Pattern[str], text: str, what: str) -> re.Match[str]:
        found = pattern.fullmatch(text)
        if found is None:
            raise self._error(f"expected {what}, found {text}")
        return found

    def _error(self, message: str) -> MachineTextError:
        return MachineTextError(f"line {self.line}: {message}")


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that stand outside of brackets and quotes."""
    parts, closing, start, place = [], "", 0, 0
    while place < len(text):
        letter = text[place]
        if closing and letter == closing[0]:
            closing = closing[1:]
        elif letter in "'\"" or (letter in _BRACKETS and closing[:1] not in ("'", '"')):
            closing = _BRACKETS.get(letter, letter) + closing
        elif not closing and text.startswith(separator, place):
            parts.append(text[start:place])
            place += len(separator)
            start = place
            continue
        place += 1
    return [*parts, text[start:]]
