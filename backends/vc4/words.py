"""Instructions of machine code with physical registers as words: which may share one, and its fields.

`word_of` takes one or two instructions of the ALUs, and one that is but a signal, and gives the word, or None where
no word does all of it: the ports read one address of each file, a small immediate takes the place of the second, each
half writes one file, and a word has one access to TMU, tile buffer or special functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from backends.vc4.accesses import Access
from backends.vc4.formats import NOWHERE
from backends.vc4.instruction import FILE_A, FILE_B, IDLE, Alu, Half, Load
from backends.vc4.isa import ADD, MUL, ROTATE_BY_R5, Condition, Signal
from backends.vc4.machine_ops import (
    ACCUMULATORS,
    FLAGS,
    IMM,
    IN_B,
    LOAD_IMMEDIATE,
    OUT,
    PORT,
    R4,
    R5,
    A,
    B,
    condition_of,
)
from backends.vc4.registers import R0, UNIFORM_READ
from compiler.codegen.machine import Def, Literal32, MachineInstruction, Place, Uniform, Use
from compiler.codegen.registers import Register
from compiler.records import dataclass, field

_MOVES = {"add": ADD["or"].code, "mul": MUL["v8min"].code}
#: Addresses that only one of the files has.
_A_READS, _READS_OF_BOTH = (38, 41, 42), (32, 35, 48)
_B_WRITES = (40, 41, 42, 49, 50)


class _Word(NamedTuple):
    """A word of the stream as ports see it: equal words are one read."""

    register: Place
    lanes: tuple[int | None, ...]


@dataclass(slots=True)
class _Ports:
    """What the ports of a word read."""

    a: int | None = None
    b: int | None = None
    immediate: int | None = None
    either: list[tuple[int, object]] = field(default_factory=list)
    unpack: int | None = None
    #: Where the shared reads went, by address and identity.
    muxes: dict[tuple[int, object], int] = field(default_factory=dict)

    def add(self, use: Use) -> bool:
        """Take in an operand; False when there is no room."""
        place = use.register
        if isinstance(place, Uniform | Literal32):
            return self._share(UNIFORM_READ, _Word(place, use.lanes))
        assert isinstance(place, Register)
        if place.file is A:
            return self._read_a(place.index)
        if place.file is B:
            return self._read_b(place.index)
        if place.file is IMM:
            return self.set_immediate(place.index)
        if place.file is PORT:
            return self._peripheral(place.index)
        if place == R4:
            code = use.extra or 0
            if self.unpack not in (None, code):
                return False
            self.unpack = code
        return True

    def _peripheral(self, number: int) -> bool:
        if number in _READS_OF_BOTH:
            return self._share(number, None)
        return self._read_b(number - IN_B) if number >= IN_B else self._read_a(number)

    def _share(self, number: int, identity: object) -> bool:
        if (number, identity) in self.either:
            return True
        # Two words of one queue cannot be read at once.
        if any(other == number for other, _ in self.either):
            return False
        self.either.append((number, identity))
        return True

    def _read_a(self, number: int) -> bool:
        if self.a not in (None, number):
            return False
        self.a = number
        return True

    def _read_b(self, number: int) -> bool:
        if self.b not in (None, number) or self.immediate is not None:
            return False
        self.b = number
        return True

    def set_immediate(self, code: int) -> bool:
        if self.immediate not in (None, code) or self.b is not None:
            return False
        self.immediate = code
        return True

    def settle(self) -> bool:
        """Give the reads that both ports can do the ports that are free."""
        for key in self.either:
            if self.a is None:
                self.a, self.muxes[key] = key[0], FILE_A
            elif self.b is None and self.immediate is None:
                self.b, self.muxes[key] = key[0], FILE_B
            else:
                return False
        return True

    def mux(self, use: Use) -> int:
        place = use.register
        if isinstance(place, Uniform | Literal32):
            return self.muxes[UNIFORM_READ, _Word(place, use.lanes)]
        assert isinstance(place, Register)
        if place.file is PORT:
            if place.index in _READS_OF_BOTH:
                return self.muxes[place.index, None]
            return FILE_B if place.index >= IN_B else FILE_A
        if place.file is ACCUMULATORS:
            return place.index
        return {A.name: FILE_A, B.name: FILE_B, IMM.name: FILE_B, R4.file.name: 4, R5.file.name: 5}[place.file.name]


def word_of(instructions: Sequence[MachineInstruction]) -> Alu | Load | None:
    """The word that does all of these; None if there is none."""
    if any(i.op is LOAD_IMMEDIATE for i in instructions):
        return _load(instructions[0]) if len(instructions) == 1 else None
    halves = [i for i in instructions if i.op.name != "nop" and not _is_signal(i)]
    signals = [i.attributes["signal"] for i in instructions if _is_signal(i)]
    if len(halves) > 2 or len(signals) > 1:
        return None
    ports = _Ports()
    for instruction in halves:
        rotation = instruction.attributes.get("rotate")
        if rotation is not None and not ports.set_immediate(ROTATE_BY_R5 + rotation):
            return None
        if not all(ports.add(use) for use in instruction.uses):
            return None
    if (signals and ports.immediate is not None) or not ports.settle():
        return None
    for add, mul in _arrangements(halves):
        word = _arranged(add, mul, ports, signals[0] if signals else None)
        if word is not None:
            return word
    return None


def _is_signal(instruction: MachineInstruction) -> bool:
    return "signal" in instruction.attributes


def _load(instruction: MachineInstruction) -> Load:
    waddr, file = address_of(instruction.defs[0])
    immediate = instruction.attributes["immediate"]
    return Load(immediate, waddr, cond_add=Condition.ALWAYS, ws=int(file == "B"))


_Pair = tuple[MachineInstruction | None, MachineInstruction | None]


def _arrangements(halves: Sequence[MachineInstruction]) -> list[_Pair]:
    """The ways to give instructions to ADD and MUL."""
    first, second = [*halves, None, None][:2]
    pairs: list[_Pair] = [(first, second), (second, first)]
    return [pair for pair in pairs if _can_add(pair[0]) and _can_multiply(pair[1])]


def _can_add(instruction: MachineInstruction | None) -> bool:
    if instruction is None:
        return True
    if instruction.attributes.get("half") == "mul":
        return False
    return instruction.op.name == "mov" or instruction.op.name in ADD


def _can_multiply(instruction: MachineInstruction | None) -> bool:
    if instruction is None:
        return True
    if instruction.attributes.get("half") == "add":
        return False
    return instruction.op.name == "mov" or instruction.op.name in MUL


def _arranged(
    add: MachineInstruction | None, mul: MachineInstruction | None, ports: _Ports, signal: Signal | None
) -> Alu | None:
    targets = [_target(instruction) for instruction in (add, mul)]
    ws = _write_swap(targets)
    if ws is None or not _may_share(add, mul, targets):
        return None
    packs = [i.attributes["pack"] for i in (add, mul) if i is not None and "pack" in i.attributes]
    sets = [i for i in (add, mul) if i is not None and FLAGS in i.op.writes]
    if len(packs) > 1 or len(sets) > 1 or (packs and sets) or (sets and sets[0] is mul and add is not None):
        return None
    pm, pack = packs[0] if packs else (0, 0)
    unpack = ports.unpack or 0
    if unpack and pack and not pm:
        return None
    # Where MUL alone sets the flags, ADD has the condition always.
    idle = Half() if sets and add is None else IDLE
    word = Alu(
        idle if add is None else _half(add, "add", targets[0][0], ports),
        IDLE if mul is None else _half(mul, "mul", targets[1][0], ports),
        signal=Signal.SMALL_IMMEDIATE if ports.immediate is not None else signal or Signal.NONE,
        raddr_a=NOWHERE if ports.a is None else ports.a,
        raddr_b=ports.immediate if ports.immediate is not None else NOWHERE if ports.b is None else ports.b,
        unpack=unpack,
        pm=int(bool(pm or unpack)),
        pack=pack,
        sf=int(bool(sets)),
        ws=ws,
    )
    return word if _is_allowed(word) else None


def _target(instruction: MachineInstruction | None) -> tuple[int, str]:
    """Address and files of what an instruction writes."""
    if instruction is None or not instruction.defs:
        return NOWHERE, "AB"
    waddr: int | None = instruction.attributes.get("waddr")
    return (waddr, "AB") if waddr is not None else address_of(instruction.defs[0])


def address_of(target: Def) -> tuple[int, str]:
    """The address of a register that is written, and the files that have it."""
    place = target.register
    assert isinstance(place, Register)
    if place.file is A:
        return place.index, "A"
    if place.file is B:
        return place.index, "B"
    if place.file is ACCUMULATORS:
        return R0 + place.index, "AB"
    assert place.file is OUT
    if place.index >= IN_B:
        return place.index - IN_B, "B"
    return place.index, "A" if place.index in _B_WRITES else "AB"


def _write_swap(targets: Sequence[tuple[int, str]]) -> int | None:
    """The bit that sends each result to its file; None where both want the same."""
    (_, add), (_, mul) = targets
    if "A" in add and "B" in mul:
        return 0
    return 1 if "B" in add and "A" in mul else None


def _may_share(
    add: MachineInstruction | None, mul: MachineInstruction | None, targets: Sequence[tuple[int, str]]
) -> bool:
    """Whether two destinations differ, or are written in different lanes."""
    if add is None or mul is None or targets[0][0] == NOWHERE or targets[0][0] != targets[1][0]:
        return True
    if targets[0][0] < R0:
        return True
    conditions = condition_of(add), condition_of(mul)
    is_accumulator = targets[0][0] < R0 + 4
    return is_accumulator and conditions[0] > Condition.ALWAYS and conditions[0] ^ 1 == conditions[1]


def _half(instruction: MachineInstruction, which: str, waddr: int, ports: _Ports) -> Half:
    name = instruction.op.name
    muxes = [ports.mux(use) for use in instruction.uses]
    a, b = (muxes * 2)[:2]
    code = _MOVES[which] if name == "mov" else (ADD if which == "add" else MUL)[name].code
    writes_flags = FLAGS in instruction.op.writes
    cond = condition_of(instruction) if waddr != NOWHERE or writes_flags else Condition.NEVER
    return Half(code, waddr, a, b, cond)


def _is_allowed(word: Alu) -> bool:
    """Rules about what a word may touch at once."""
    access = Access(word)
    if access.special_accesses > 1:
        return False
    if access.tmu_writes and UNIFORM_READ in access.read_numbers and not _is_direct(word):
        return False
    return not access.vpm_setups or len(access.vpm_setups) + len(access.vpm_data) == 1


def _is_direct(word: Alu) -> bool:
    """Whether it is a read from memory, whose address takes a word of the stream."""
    return word.add.op == ADD["add"].code and word.add.waddr == 56 and not word.has_small_immediate
