"""From allocated machine code to the words of a program.

In: the constants block and the pixel shader on physical registers.  Out: words in order, with the immediate values
that the host may change.  Conditions become jumps, loops of pseudo instructions are written out, and pairs that
the hardware cannot execute get a `NOP` in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from glslc_multi.backends.theia.codegen.conditions import Condition, Here, Label, jumps
from glslc_multi.backends.theia.codegen.jump_threading import Item, Word, straightened
from glslc_multi.backends.theia.codegen.machine_ops import ANYTHING, END, JUMP, SQRT
from glslc_multi.backends.theia.isa import instructions as isa
from glslc_multi.backends.theia.isa.conventions import TARGET_NAME
from glslc_multi.backends.theia.isa.numbers import pattern_of
from glslc_multi.backends.theia.isa.program import LIMITS, ORIGIN, Program
from glslc_multi.backends.theia.isa.registers import Variant
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.compiler.diagnostics import Label as SourceLabel
from glslc_multi.compiler.diagnostics.limit import Limit
from glslc_multi.compiler.records import dataclass, field

#: `RT_TRUE`.
_TRUE = 1
_SPACER = "NOP"
#: How many of the most expensive lines a refusal names.
_NAMED_LINES = 4


@dataclass(slots=True)
class Block:
    """The code of an entry point."""

    entry: str
    items: list[Item] = field(default_factory=list)

    @property
    def words(self) -> list[Word]:
        return [item for item in self.items if isinstance(item, Word)]


def _straight_block(entry: str, instructions: Sequence[MachineInstruction]) -> Block:
    """A block without control flow, with its end."""
    end: Label = object()
    items = [word for instruction in instructions for word in _expand(instruction, None, end)]
    return Block(entry, _spaced([*items, Word("RETURN", code=_TRUE)]))


def _flow_block(entry: str, blocks: Sequence[MachineBlock]) -> Block:
    """The blocks one after the other, in this order."""
    end: Label = object()
    items: list[Item] = []
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        items.append(Here(block))
        for instruction in block.instructions:
            items += _expand(instruction, following, end)
    return Block(entry, _spaced(straightened(items)))


def blocks_of(functions: Sequence[MachineFunction], constants: Sequence[MachineInstruction]) -> list[Block]:
    """The blocks of user code: that of constants, where there is any, and the shader, the last of the functions."""
    *before, main = functions
    shader = _flow_block("PIXELSHADER", main.blocks)
    if before:
        before[0].entry.instructions[:0] = constants
        return [_flow_block("USERCONSTANTS", before[0].blocks), shader]
    return [_straight_block("USERCONSTANTS", constants), shader] if constants else [shader]


def check_size(blocks: Sequence[Block], variant: Variant, sink: DiagnosticSink) -> None:
    """Refuse what is too long, and name the lines that most of it comes from."""
    words, limit = [word for block in blocks for word in block.words], LIMITS[variant]
    if len(words) <= limit:
        return
    by_line = Counter((word.span.file, word.span.line) for word in words if word.span is not None)
    spans: dict[object, Span] = {}
    for word in words:
        if word.span is not None:
            spans.setdefault((word.span.file, word.span.line), word.span)
    worst = by_line.most_common(_NAMED_LINES)
    labels = [SourceLabel(spans[line], f"{count} instructions") for line, count in worst]
    help = "compute less for each pixel: leave out what these lines do, or find a cheaper form"
    span = labels[0].span if labels else None
    Limit(TARGET_NAME, "instructions", limit, help).report(len(words), span, sink, labels=labels[1:])
    sink.raise_if_errors()


def assemble(blocks: Sequence[Block], variant: Variant) -> Program:
    """The program of consecutive blocks."""
    addresses: dict[Label, int] = {}
    entries: dict[str, int] = {}
    address = ORIGIN
    for block in blocks:
        entries[block.entry] = address
        for item in block.items:
            if isinstance(item, Here):
                addresses[item.label] = address
            else:
                address += 1
    words = tuple(isa.encode(_decoded(word, addresses)) for block in blocks for word in block.words)
    return Program(words, variant, entries)


def _decoded(word: Word, addresses: dict[Label, int]) -> isa.Decoded:
    target = addresses[word.target] if word.row.is_jump else 0
    return isa.Decoded(word.row, word.destination, word.first, word.second, word.immediate, target, word.code)


# --------------------------------------------------------------------------------------------- expansion
def _expand(instruction: MachineInstruction, following: MachineBlock | None, end: Label) -> Iterator[Item]:
    """The words of an instruction."""
    for item in _expansion(instruction)(instruction, following, end):
        if isinstance(item, Word):
            item.span = instruction.span
        yield item


_Expansion = Callable[[MachineInstruction, "MachineBlock | None", Label], Iterator[Item]]


def _expansion(instruction: MachineInstruction) -> _Expansion:
    if instruction.op in _BY_OP:
        return _BY_OP[instruction.op]
    if instruction.op.name in _BY_NAME:
        return _BY_NAME[instruction.op.name]
    return _guarded if "condition" in instruction.attributes else _plain


def _plain(instruction: MachineInstruction, following: MachineBlock | None, end: Label) -> Iterator[Item]:
    yield _word(instruction.op.name, instruction, instruction.uses)


def _word(name: str, instruction: MachineInstruction, uses: Sequence[Use]) -> Word:
    """An instruction of the table; what updates its destination has that as its first source."""
    row = isa.BY_NAME[name]
    destination = _address(instruction.defs[0].register)
    if row.format is isa.IMMEDIATE:
        return Word(name, destination, immediate=_immediate(instruction), patch=instruction.attributes.get("patch"))
    first, second = [*(_address(use.register) for use in uses), 0, 0][:2]
    return Word(name, destination, first, second)


def _immediate(instruction: MachineInstruction) -> int:
    """A pattern, or a number; of a swizzle its code."""
    pattern = instruction.attributes.get("pattern")
    if pattern is not None:
        return int(pattern)
    number = instruction.attributes["immediate"]
    return int(number) if isinstance(number, int) else pattern_of(number)


def _guarded(instruction: MachineInstruction, following: MachineBlock | None, end: Label) -> Iterator[Item]:
    name = instruction.op.name.removesuffix(" if")
    own = isa.BY_NAME[name].shape.count("S")
    after: Label = object()
    yield from _jumps(instruction, 1 + own, after, when=False)
    yield _word(name, instruction, instruction.uses[1 : 1 + own])
    yield Here(after)


def _branch(instruction: MachineInstruction, following: MachineBlock | None, end: Label) -> Iterator[Item]:
    if_true, if_false = instruction.targets
    if following is if_true:
        yield from _jumps(instruction, 0, if_false, when=False)
        return
    yield from _jumps(instruction, 0, if_true, when=True)
    yield from _go_to(if_false, following)


def _skip(instruction: MachineInstruction, following: MachineBlock | None, end: Label) -> Iterator[Item]:
    yield from _jumps(instruction, 0, end, when=True)


def _jumps(instruction: MachineInstruction, offset: int, target: Label, *, when: bool) -> Iterator[Item]:
    """The jumps of an instruction's condition, whose operands start at `offset`."""
    condition: Condition = instruction.attributes["condition"]
    operands = [_address(use.register) for use in instruction.uses[offset:]]
    for item in jumps(condition, target, when=when):
        if isinstance(item, Here):
            yield item
        else:
            yield Word(item.name, first=operands[item.first], second=operands[item.second], target=item.target)


def _jump(instruction: MachineInstruction, following: MachineBlock | None, end: Label) -> Iterator[Item]:
    (target,) = instruction.targets
    yield from _go_to(target, following)


def _go_to(target: MachineBlock, following: MachineBlock | None) -> Iterator[Item]:
    if target is not following:
        yield Word("JMP", target=target)


def _end(instruction: MachineInstruction, following: MachineBlock | None, end: Label) -> Iterator[Item]:
    yield Here(end)
    yield Word("RETURN", code=_TRUE)


def _root(instruction: MachineInstruction, following: MachineBlock | None, end: Label) -> Iterator[Item]:
    """Newton's steps on integers, from a number that is not below the root, until they no longer fall."""
    root, better = (_address(definition.register) for definition in instruction.defs)
    number, half = (_address(use.register) for use in instruction.uses)
    again: Label = object()
    yield Word("INC", better, number)
    yield Word("MUL", better, half, better)
    yield Here(again)
    yield Word("COPY", root, better)
    yield Word("DIV", better, number, root)
    yield Word("ADD", better, better, root)
    yield Word("MUL", better, half, better)
    yield Word("JGX", first=root, second=better, target=again)


def _nothing(instruction: MachineInstruction, following: MachineBlock | None, end: Label) -> Iterator[Item]:
    yield from ()


_BY_OP: dict[Any, _Expansion] = {ANYTHING: _nothing, JUMP: _jump, END: _end, SQRT: _root}
_BY_NAME: dict[str, _Expansion] = {"BRANCH": _branch, "SKIP": _skip}


def _address(register: object) -> int:
    assert isinstance(register, Register), register
    return register.index


# ----------------------------------------------------------------------------------------------- hazards
def _spaced(items: Sequence[Item]) -> list[Item]:
    """The items with a `NOP` wherever two instructions must not be adjacent, or nothing comes before the end."""
    result: list[Item] = []
    previous: Word | None = None
    jumped_to = {item.target for item in items if isinstance(item, Word) and item.row.role == "branch"}
    is_target = False
    for item in items:
        if isinstance(item, Here):
            is_target |= item.label in jumped_to
            result.append(item)
            continue
        if _must_be_apart(previous, item) or (is_target and item.name == "MOD"):
            result.append(Word(_SPACER, span=item.span))
        result.append(item)
        previous, is_target = item, False
    return result


def _must_be_apart(previous: Word | None, word: Word) -> bool:
    """Tell whether something must come between two words, or before the first one."""
    if previous is None:
        return word.name == "RETURN"
    return word.name == "MOD" and previous.row.role == "branch"
