"""From allocated machine code to the words of a program.

In: the constants block and the pixel shader on physical registers.  Out: words in order, with the immediate values
that the host may change.  Conditions become jumps, loops of pseudo instructions are written out, jumps to what comes
next anyway are left out, and pairs that the hardware cannot do get an instruction in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from backends.theia.codegen.conditions import JUMPS, OPPOSITE, Condition, Here, Label, jumps
from backends.theia.codegen.interface import Patch
from backends.theia.codegen.machine_ops import ANYTHING, END, JUMP, SQRT
from backends.theia.isa import instructions as isa
from backends.theia.isa.numbers import pattern_of
from backends.theia.isa.program import ORIGIN, Program
from backends.theia.isa.registers import Variant
from compiler.codegen.machine import MachineBlock, MachineInstruction, Use
from compiler.codegen.registers import Register
from compiler.diagnostics import Span
from compiler.records import dataclass, field, replace

#: `RT_TRUE`.
_TRUE = 1
_SPACER = "NOP"


@dataclass(slots=True)
class Word:
    """One instruction; a jump's target is a label until addresses are known."""

    name: str
    destination: int = 0
    first: int = 0
    second: int = 0
    immediate: int = 0
    code: int = 0
    target: Label = None
    patch: Patch | None = None
    span: Span | None = None

    @property
    def row(self) -> isa.Instruction:
        return isa.BY_NAME[self.name]


Item = Word | Here


@dataclass(slots=True)
class Block:
    """The code of an entry point."""

    entry: str
    items: list[Item] = field(default_factory=list)

    @property
    def words(self) -> list[Word]:
        return [item for item in self.items if isinstance(item, Word)]


def straight_block(entry: str, instructions: Sequence[MachineInstruction]) -> Block:
    """A block without control flow, with its end."""
    end: Label = object()
    items = [word for instruction in instructions for word in _expand(instruction, None, end)]
    return Block(entry, _spaced([*items, Word("RETURN", code=_TRUE)]))


def flow_block(entry: str, blocks: Sequence[MachineBlock]) -> Block:
    """The blocks one after the other, in this order."""
    end: Label = object()
    items: list[Item] = []
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        items.append(Here(block))
        for instruction in block.instructions:
            items += _expand(instruction, following, end)
    return Block(entry, _spaced(_straightened(items)))


def assemble(blocks: Sequence[Block], variant: Variant) -> Program:
    """The program of blocks that follow each other."""
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
    """An instruction that stands in the table; what updates its destination has that as its first source."""
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
    behind: Label = object()
    yield from _jumps(instruction, 1 + own, behind, when=False)
    yield _word(name, instruction, instruction.uses[1 : 1 + own])
    yield Here(behind)


def _branch(instruction: MachineInstruction, following: MachineBlock | None, end: Label) -> Iterator[Item]:
    if_true, if_false = instruction.targets
    if following is if_true:
        yield from _jumps(instruction, 0, if_false, when=False)
        return
    yield from _jumps(instruction, 0, if_true, when=True)
    if following is not if_false:
        yield Word("JMP", target=if_false)


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


# ------------------------------------------------------------------------------------------------- jumps
def _straightened(items: list[Item]) -> list[Item]:
    """The items without jumps that are not needed, until there are none."""
    while True:
        _thread(items)
        kept = _without_detours(items)
        if len(kept) == len(items):
            return kept
        items = kept


def _next_words(items: Sequence[Item]) -> dict[Label, Word]:
    """The word at each label."""
    words: dict[Label, Word] = {}
    word: Word | None = None
    for item in reversed(items):
        if isinstance(item, Word):
            word = item
        elif word is not None:
            words[item.label] = word
    return words


def _thread(items: Sequence[Item]) -> None:
    """Lead jumps to where the jump that they lead to goes."""
    words = _next_words(items)
    for item in items:
        if isinstance(item, Word) and item.row.is_jump:
            seen = {id(item)}
            word = words.get(item.target)
            while word is not None and word.name == "JMP" and id(word) not in seen:
                seen.add(id(word))
                item.target = word.target
                word = words.get(item.target)


def _without_detours(items: Sequence[Item]) -> list[Item]:
    """Leave out jumps to the next word, those that nothing comes to, and jumps around a jump."""
    kept: list[Item] = []
    words = _next_words(items)
    following = _followers(items)
    targets = {item.target for item in items if isinstance(item, Word) and item.row.is_jump}
    is_reached = True
    for item in items:
        if isinstance(item, Here):
            if item.label not in targets:
                continue
            is_reached = True
        elif not is_reached or (item.row.is_jump and words.get(item.target) is following[id(item)]):
            continue
        elif item.name == "JMP" and _is_jumped_around(kept, following[id(item)], words):
            around = kept[-1]
            assert isinstance(around, Word)
            kept[-1] = replace(around, name=_OPPOSITE[around.name], target=item.target)
            continue
        else:
            is_reached = item.name not in ("JMP", "RETURN")
        kept.append(item)
    return kept


def _followers(items: Sequence[Item]) -> dict[int, Word | None]:
    """The word behind each."""
    words = [item for item in items if isinstance(item, Word)]
    return {id(word): following for word, following in zip(words, [*words[1:], None], strict=True)}


def _is_jumped_around(kept: Sequence[Item], following: Word | None, words: dict[Label, Word]) -> bool:
    """Whether the word in front is a conditional jump to the word behind."""
    before = kept[-1] if kept else None
    if not isinstance(before, Word) or before.row.role != "branch" or following is None:
        return False
    return words.get(before.target) is following


_OPPOSITE = {JUMPS[relation] + lane: JUMPS[OPPOSITE[relation]] + lane for relation in OPPOSITE for lane in isa.LANES}


# ----------------------------------------------------------------------------------------------- hazards
def _spaced(items: Sequence[Item]) -> list[Item]:
    """The items with a `NOP` wherever two instructions must not meet, or nothing comes in front of the end."""
    result: list[Item] = []
    previous: Word | None = None
    jumped_to = {item.target for item in items if isinstance(item, Word) and item.row.role == "branch"}
    is_target = False
    for item in items:
        if isinstance(item, Here):
            is_target |= item.label in jumped_to
            result.append(item)
            continue
        if _must_not_meet(previous, item) or (is_target and item.name == "MOD"):
            result.append(Word(_SPACER, span=item.span))
        result.append(item)
        previous, is_target = item, False
    return result


def _must_not_meet(previous: Word | None, word: Word) -> bool:
    if previous is None:
        return word.name == "RETURN"
    if word.name == "MOD":
        return previous.row.role == "branch"
    return word.name == previous.name == "TMREAD"
