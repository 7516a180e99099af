"""The instructions of one function: names resolved, operands checked, numbers kept.

Works in two rounds, since phis (and any operand, in a text whose blocks stand in another order) name
values that are defined further down: the first round makes every instruction without operands, the
second fills them in and checks them by the opcode's rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from glslc_multi.compiler.diagnostics.catalogue import ir as messages
from glslc_multi.compiler.diagnostics.model import Label
from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.ir.module import Block, Function, Instruction, Value
from glslc_multi.compiler.ir.opcodes.opcode import AttributeKind
from glslc_multi.compiler.ir.ops import OPCODES
from glslc_multi.compiler.ir.parse import syntax
from glslc_multi.compiler.ir.parse.mistakes import Mistake, Reporter, unexpected
from glslc_multi.compiler.ir.parse.syntax import InstructionLine, SymbolUse
from glslc_multi.compiler.ir.parse.values import Places, constant_of, name_of, number_of, value_type_of
from glslc_multi.compiler.ir.signatures import SignatureError
from glslc_multi.compiler.ir.text import COMPONENT_LETTERS, FLAGS, symbol
from glslc_multi.compiler.ir.types import VOID
from glslc_multi.compiler.ir.variables import TEXTURE_MODES, Address, TextureAccess, Variable
from glslc_multi.compiler.parsing import Word
from glslc_multi.compiler.records import dataclass, field

#: Values are numbered densely and tables are indexed by the numbers, so a text must not name huge ones.
LARGEST_VALUE_NUMBER = 10**6
LARGEST_OFFSET = 2**31 - 1
#: How many blocks each branch names.
_TARGET_COUNTS = {"br": 1, "condbr": 2}

Numbered = tuple[int, InstructionLine]


class _Unknown(Exception):
    """An operand whose definition was wrong: the message about it is given already."""


@dataclass(slots=True)
class Body:
    """What the text of a function says, before its instructions are made."""

    function: Function
    blocks: dict[str, Block] = field(default_factory=dict)
    lines: dict[Block, list[Numbered]] = field(default_factory=dict)


def fill_function(body: Body, variables: Mapping[str, Variable], reporter: Reporter, places: Places) -> None:
    """Make the instructions of `body`; every function of the module is declared by now.

    `variables` are all of the module, those of other functions too: a caller stores the parameters of the
    function that it calls, and loads the result.
    """
    _BodyBuilder(body, variables, reporter, places).run()


class _BodyBuilder:
    __slots__ = ("blocks", "body", "function", "places", "reporter", "spans", "values", "variables")

    def __init__(self, body: Body, variables: Mapping[str, Variable], reporter: Reporter, places: Places) -> None:
        self.reporter = reporter
        self.places = places
        self.body = body
        self.function = body.function
        self.blocks = body.blocks
        self.variables = variables
        #: Number -> instruction; None where its own line is wrong.
        self.values: dict[int, Instruction | None] = {}
        self.spans: dict[int, Span] = {}

    def run(self) -> None:
        placed: list[tuple[int, InstructionLine, Instruction]] = []
        for block, lines in self.body.lines.items():
            for number, line in lines:
                instruction = self._attempt(number, self._define, line)
                if instruction is not None:
                    block.append(instruction)
                    placed.append((number, line, instruction))
        # Instructions that yield nothing get the numbers that the text leaves free, in order.
        free = 0
        for instruction in self.function.instructions():
            if self.values.get(instruction.id) is instruction:
                continue
            while free in self.values:
                free += 1
            instruction.id = free
            free += 1
        self.function.reserve_ids(max([free, *(id + 1 for id in self.values)]))
        for number, line, instruction in placed:
            self._attempt(number, self._fill, line, instruction)

    def _attempt(self, number: int, action: Callable[..., Any], *arguments: object) -> Any:
        """The result of `action` on the line of this number, or None after a message about it."""
        self.reporter.line = number
        try:
            return action(*arguments)
        except Mistake as mistake:
            self.reporter.report(mistake)
        except _Unknown:
            pass
        return None

    # first round ---------------------------------------------------------------------------
    def _define(self, line: InstructionLine) -> Instruction:
        id = self._claim_number(line.result)
        name = line.opcode["name"]
        op = OPCODES.get(name)
        if op is None:
            raise Mistake(messages.UNKNOWN_OPCODE, line.opcode, did_you_mean(name, OPCODES), group="name", name=name)
        type = VOID if line.type is None else value_type_of(line.type)
        span = self.places.span_of(line.place)
        flags = 0 if line.flags is None else sum({FLAGS[flag] for flag in line.flags[0].split()})
        instruction = Instruction(op, type, flags=flags, span=span)
        instruction.id = id
        if id >= 0:
            self.values[id] = instruction
        return instruction

    def _claim_number(self, result: Word | None) -> int:
        if result is None:
            return -1
        id = _value_number(result)
        if id in self.values:
            label = Label(self.spans[id], "first defined here")
            raise Mistake(messages.DEFINED_TWICE, result, label=label, name=result[0])
        self.values[id] = None
        self.spans[id] = self.reporter.span(result)
        return id

    # second round --------------------------------------------------------------------------
    def _fill(self, line: InstructionLine, instruction: Instruction) -> None:
        op = instruction.op
        if line.opcode["suffix"] and op.attribute not in _SUFFIXED:
            raise unexpected(line.opcode, f"no suffix after '{op.name}'", group="suffix")
        if line.offset and op.attribute != "texture":
            raise unexpected(line.offset[0], f"no offset after '{op.name}'")
        instruction.attribute, operands = _ATTRIBUTES[op.attribute](self, line)
        for operand in operands:
            instruction.add_operand(operand)
        op, found = instruction.op, instruction.type
        try:
            inferred = op.infer([operand.type for operand in instruction.operands], instruction.attribute)
        except SignatureError as error:
            raise Mistake(messages.WRONG_OPERANDS, line.opcode, opcode=op.name, problem=str(error)) from None
        if inferred is not found:
            expected, actual = (t.name if t is not VOID else "nothing" for t in (inferred, found))
            raise Mistake(
                messages.WRONG_RESULT_TYPE, line.type or line.opcode, opcode=op.name, expected=expected, found=actual
            )

    # operands ------------------------------------------------------------------------------
    def values_of(self, operands: Iterable[syntax.Operand]) -> list[Value]:
        return [self.value_of(operand) for operand in operands]

    def value_of(self, operand: syntax.Operand) -> Value:
        if isinstance(operand, syntax.Literal):
            return constant_of(operand)
        if not isinstance(operand, syntax.ValueUse):
            raise unexpected(operand.word, "a value, such as %1 or 1.0")
        id = _value_number(operand.word)
        if id not in self.values:
            self.expect_unbroken(operand.word)
            raise Mistake(messages.UNDEFINED_VALUE, operand.word, name=operand.word[0])
        value = self.values[id]
        if value is None:
            raise _Unknown
        return value

    def expect_unbroken(self, word: Word) -> None:
        """Say nothing about a name whose own line was wrong."""
        if word[0] in self.reporter.broken:
            raise _Unknown

    def block_of(self, word: Word) -> Block:
        name = name_of(word)
        if name not in self.blocks:
            self.expect_unbroken(word)
            help = did_you_mean(name, self.blocks)
            raise Mistake(messages.UNKNOWN_BLOCK, word, help, name=f"'^{name}'")
        return self.blocks[name]

    def address_of(self, line: InstructionLine) -> tuple[Address, list[Value]]:
        """The address that is the first operand, with the indices it takes, then the other operands."""
        first = _symbol_operand(line, "a variable")
        dynamic: list[Value] = []
        offset, has_index = self._index(first.index, dynamic)
        column, has_column = self._column(first.column, dynamic)
        name = name_of(first.word)
        if name not in self.variables:
            self.expect_unbroken(first.word)
            help = did_you_mean(name, self.variables)
            raise Mistake(messages.UNKNOWN_VARIABLE, first.word, help, name=f"'{symbol(name)}'")
        address = Address(self.variables[name], offset, column, has_index, has_column)
        return address, [*dynamic, *self.values_of(line.operands[1:])]

    def _index(self, index: syntax.Index | None, dynamic: list[Value]) -> tuple[int, bool]:
        if index is None:
            return 0, False
        number = index.number
        offset = 0 if number is None else number_of(number, "an index", 0, LARGEST_OFFSET)
        if index.sign is not None and index.sign[0] == "-":
            offset = -offset
        if index.operand is not None:
            dynamic.append(self.value_of(index.operand))
        return offset, index.operand is not None

    def _column(self, column: Word | syntax.ValueOperand | None, dynamic: list[Value]) -> tuple[int, bool]:
        if column is None:
            return 0, False
        if isinstance(column, syntax.ValueUse | syntax.Literal):
            dynamic.append(self.value_of(column))
            return 0, True
        return number_of(column, "a column", 0, LARGEST_OFFSET), False


# --------------------------------------------- attribute kind -> reader of attribute and operands
_Parts = tuple[Any, Sequence[Value]]


def _plain(builder: _BodyBuilder, line: InstructionLine) -> _Parts:
    return None, builder.values_of(line.operands)


def _swizzle(builder: _BodyBuilder, line: InstructionLine) -> _Parts:
    return _components(line, "one to four of x, y, z, w", 4), builder.values_of(line.operands)


def _component(builder: _BodyBuilder, line: InstructionLine) -> _Parts:
    (component,) = _components(line, "one of x, y, z, w", 1)
    return component, builder.values_of(line.operands)


def _components(line: InstructionLine, expected: str, most: int) -> tuple[int, ...]:
    suffix = line.opcode["suffix"]
    if suffix is None:
        raise unexpected(line.opcode, f"'.' and {expected} after the opcode", found="none")
    letters = suffix[1:]
    if len(letters) > most or not set(letters) <= set(COMPONENT_LETTERS):
        raise unexpected(line.opcode, f"'.' and {expected}", group="suffix")
    return tuple(map(COMPONENT_LETTERS.index, letters))


def _address(builder: _BodyBuilder, line: InstructionLine) -> _Parts:
    return builder.address_of(line)


def _texture(builder: _BodyBuilder, line: InstructionLine) -> _Parts:
    suffix = line.opcode["suffix"]
    mode = suffix[1:] if suffix else "auto"
    if mode not in TEXTURE_MODES:
        help = did_you_mean(mode, TEXTURE_MODES)
        raise unexpected(line.opcode, "'.bias', '.lod', '.grad' or '.fetch'", help, group="suffix")
    address, operands = builder.address_of(line)
    offset = tuple(number_of(word, "an offset", -LARGEST_OFFSET, LARGEST_OFFSET) for word in line.offset or ())
    return TextureAccess(address, mode, offset), operands


def _blocks(builder: _BodyBuilder, line: InstructionLine) -> _Parts:
    values, blocks = [], []
    for operand in line.operands:
        if not isinstance(operand, syntax.Incoming):
            raise unexpected(operand.word, "'[', a value and the block it comes from")
        values.append(builder.value_of(operand.value))
        blocks.append(builder.block_of(operand.block))
    return blocks, values


def _targets(builder: _BodyBuilder, line: InstructionLine) -> _Parts:
    targets = [operand for operand in line.operands if isinstance(operand, syntax.BlockUse)]
    wanted = _TARGET_COUNTS[line.opcode["name"]]
    if len(targets) != wanted:
        problem = f"takes {wanted} target{'' if wanted == 1 else 's'}, found {len(targets)}"
        raise Mistake(messages.WRONG_OPERANDS, line.opcode, opcode=line.opcode["name"], problem=problem)
    split = len(line.operands) - wanted
    return [builder.block_of(target.word) for target in targets], builder.values_of(line.operands[:split])


def _callee(builder: _BodyBuilder, line: InstructionLine) -> _Parts:
    callee = _symbol_operand(line, "a function")
    name = name_of(callee.word)
    functions = builder.function.module.functions
    if name not in functions:
        builder.expect_unbroken(callee.word)
        help = did_you_mean(name, functions)
        raise Mistake(messages.UNKNOWN_FUNCTION, callee.word, help, name=f"'{symbol(name)}'")
    if callee.index is not None or callee.column is not None:
        raise unexpected(callee.word, "a function without index or column")
    return functions[name], builder.values_of(line.operands[1:])


_ATTRIBUTES: dict[AttributeKind, Callable[[_BodyBuilder, InstructionLine], _Parts]] = {
    "none": _plain,
    "swizzle": _swizzle,
    "component": _component,
    "address": _address,
    "texture": _texture,
    "blocks": _blocks,
    "targets": _targets,
    "callee": _callee,
}
#: Attributes that are written as a suffix of the opcode.
_SUFFIXED: frozenset[AttributeKind] = frozenset({"swizzle", "component", "texture"})


def _symbol_operand(line: InstructionLine, what: str) -> SymbolUse:
    first = line.operands[0] if line.operands else None
    if isinstance(first, SymbolUse):
        return first
    raise unexpected(
        line.opcode if first is None else first.word,
        f"'@' and the name of {what}",
        found=None if first else "none",
    )


def _value_number(word: Word) -> int:
    return number_of(word, "the number of a value", 0, LARGEST_VALUE_NUMBER)
