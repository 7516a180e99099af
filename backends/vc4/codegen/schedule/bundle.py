"""A bundle: the instructions that become one word, joined one by one, and the fields of that word.

`join` takes in one instruction more, where the resource masks (`resources.py`) and the ports (`ports.py`) allow it;
`write` settles the target of its result; `encode` returns the fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from glslc_multi.backends.vc4.codegen.schedule.ports import (
    ADDRESS_MASK,
    FIRST_IMMEDIATE,
    FIRST_QUEUE,
    IN_FILE_A,
    IN_FILE_B,
    NO_TARGET,
    PORT_COUNT,
    PORT_SHIFT,
    PORTS_TAKEN,
    Ports,
    StreamNumbers,
    location_of,
    port_of,
    ports_of,
    target_of,
)
from glslc_multi.backends.vc4.codegen.schedule.resources import (
    ADD_HALF,
    ALONE,
    ANY_HALF,
    FULL,
    HALVES,
    IMMEDIATE,
    MUL_HALF,
    PACKS,
    PARAMETER,
    R4_ANY,
    R4_FIRST,
    SETS_FLAGS,
    SIGNAL,
    STREAM,
    UNPACKS,
    Resources,
    resources_of,
)
from glslc_multi.backends.vc4.isa.encoding import FILE_A, FILE_B, IDLE, Alu, Half, Load
from glslc_multi.backends.vc4.isa.formats import NOWHERE
from glslc_multi.backends.vc4.isa.instructions import ADD, MUL, Condition, Signal, small_immediate
from glslc_multi.backends.vc4.isa.registers import R0
from glslc_multi.compiler.codegen.machine import MachineInstruction

#: Members of enumerations, whose look-up takes time.
_ALWAYS, _NEVER, _NO_SIGNAL, _SMALL_IMMEDIATE = Condition.ALWAYS, Condition.NEVER, Signal.NONE, Signal.SMALL_IMMEDIATE
#: The codes of operations for each half; moves are operations of two equal operands.
_CODES = {
    "add": {name: row.code for name, row in ADD.items()} | {"mov": ADD["or"].code},
    "mul": {name: row.code for name, row in MUL.items()} | {"mov": MUL["v8min"].code},
}


class Bundle:
    """A word being filled.  All but the target of the latest result is settled."""

    __slots__ = ("mask", "members", "reads", "targets")

    def __init__(
        self,
        mask: int = 0,
        members: tuple[Resources, ...] = (),
        reads: tuple[Sequence[int], ...] = (),
        targets: tuple[int, ...] = (),
    ) -> None:
        #: The resources and ports that are taken.
        self.mask = mask
        self.members = members
        #: By instruction: the locations of its operands, and the target of its result.
        self.reads = reads
        self.targets = targets

    @property
    def takes_stream(self) -> bool:
        """Whether it takes words of the uniform stream."""
        return bool(self.mask & (STREAM | PARAMETER))

    def join(self, member: Resources, ports: Ports) -> Bundle | None:
        """The bundle with one instruction more, whose result is not written yet; None if they conflict."""
        taken = self.mask
        if taken & member.conflicts or taken & ports.conflicts:
            return None
        mask = taken | member.mask | ports.mask
        if (mask & PORTS_TAKEN).bit_count() > PORT_COUNT:
            return None
        if taken & HALVES and member.mask & HALVES:
            mask |= FULL
        return Bundle(mask, (*self.members, member), (*self.reads, ports.reads), (*self.targets, NO_TARGET))

    def write(self, target: int) -> bool:
        """Let the latest instruction write that target, if each half can write its file, and no register is written
        twice."""
        others = self.targets[:-1]
        if target != NO_TARGET:
            for taken in others:
                if taken != NO_TARGET and not _may_both_write(target, taken):
                    return False
        self.targets = (*others, target)
        return True

    # fields --------------------------------------------------------------------------------
    def encode(self) -> Alu | Load:
        """The fields of the word."""
        if self.mask & (ALONE | HALVES) == ALONE:
            return self._load(self.members[0].instruction.attributes["immediate"])
        if self._is_constant():
            return self._load(small_immediate(self.reads[0][0] - FIRST_IMMEDIATE))
        add, mul = self._halves()
        pm, pack = self._attribute(PACKS, "pack", (0, 0))
        unpack = ((self.mask & R4_ANY) // R4_FIRST).bit_length() - 1 if self.mask & UNPACKS else 0
        raddr_a, raddr_b, muxes = _port_fields([self.reads[half] for half in (add, mul) if half is not None])
        sets_flags = bool(self.mask & SETS_FLAGS)
        # Where MUL alone sets the flags, ADD has the condition always.
        idle = Half() if sets_flags else IDLE
        first = idle if add is None else self._half("add", add, muxes)
        second = IDLE if mul is None else self._half("mul", mul, muxes)
        is_of_mul, swap = int(bool(pm or unpack)), self._write_swap(add, mul)
        return Alu(first, second, self._signal(), raddr_a, raddr_b, unpack, is_of_mul, pack, int(sets_flags), swap)

    def _signal(self) -> int:
        if self.mask & IMMEDIATE:
            return _SMALL_IMMEDIATE
        signal: int = self._attribute(SIGNAL, "signal", _NO_SIGNAL)
        return signal

    def _attribute(self, resource: int, name: str, default: Any) -> Any:
        """An attribute of the instruction that has a resource, of which a word has one."""
        if not self.mask & resource:
            return default
        return next(member.instruction.attributes[name] for member in self.members if member.mask & resource)

    def _is_constant(self) -> bool:
        """Whether all that is done is to move a small immediate, which assemblers make a load of."""
        return len(self.members) == 1 and self.members[0].mask == ANY_HALF | IMMEDIATE

    def _load(self, immediate: int) -> Load:
        target = self.targets[0]
        return Load(
            immediate, target & ADDRESS_MASK, cond_add=self.members[0].condition, ws=int(not target & IN_FILE_A)
        )

    def _halves(self) -> tuple[int | None, int | None]:
        """The numbers of the instructions that ADD and MUL do."""
        halves = [number for number, member in enumerate(self.members) if member.mask & HALVES]
        if not halves:
            return None, None
        first = halves[0]
        # ADD does the first one if that suits both; what sets flags needs the half whose flags they are.
        in_order = self.members[first].mask & (ADD_HALF | ANY_HALF)
        if len(halves) == 1:
            if in_order:
                return first, None
            return None, first
        second = halves[1]
        in_order = in_order and self.members[second].mask & (MUL_HALF | ANY_HALF)
        if in_order:
            return first, second
        return second, first

    def _half(self, which: str, number: int, muxes: Mapping[int, int]) -> Half:
        member, target, reads = self.members[number], self.targets[number] & ADDRESS_MASK, self.reads[number]
        count = len(member.instruction.uses)
        a = _mux(reads[0], muxes) if count else 0
        b = _mux(reads[1], muxes) if count > 1 else a
        writes = target != NOWHERE or member.mask & SETS_FLAGS
        return Half(_CODES[which][member.instruction.op.name], target, a, b, member.condition if writes else _NEVER)

    def _write_swap(self, add: int | None, mul: int | None) -> int:
        """The bit that sends each result to its file."""
        first = NO_TARGET if add is None else self.targets[add]
        second = NO_TARGET if mul is None else self.targets[mul]
        return int(not (first & IN_FILE_A and second & IN_FILE_B))


def _may_both_write(target: int, taken: int) -> bool:
    """Whether two instructions of one word may write these targets."""
    if not ((taken & IN_FILE_A and target & IN_FILE_B) or (taken & IN_FILE_B and target & IN_FILE_A)):
        return False
    number = taken & ADDRESS_MASK
    return number != target & ADDRESS_MASK or number < R0


def _port_fields(reads: Sequence[Sequence[int]]) -> tuple[int, int, dict[int, int]]:
    """Addresses of the ports, and which port reads each queue: that of file A first, as assemblers have it."""
    addresses = [NOWHERE, NOWHERE]
    muxes: dict[int, int] = {}
    for locations in reads:
        for location in locations:
            if location >= FIRST_QUEUE:
                muxes[location] = FILE_A
            elif (port := port_of(location)) is not None:
                addresses[port] = location & ADDRESS_MASK
    for location in muxes:
        port = int(addresses[0] != NOWHERE)
        addresses[port], muxes[location] = location & ADDRESS_MASK, (FILE_A, FILE_B)[port]
    return addresses[0], addresses[1], muxes


def _mux(location: int, muxes: Mapping[int, int]) -> int:
    """The operand field of a location."""
    if location >= FIRST_QUEUE:
        return muxes[location]
    port = location >> PORT_SHIFT
    return (FILE_A, FILE_B, location & ADDRESS_MASK, FILE_B)[port]


def bundle_of(instructions: Sequence[MachineInstruction]) -> Bundle | None:
    """The bundle of instructions on physical registers; None if no word does all of them."""
    stream: StreamNumbers = {}
    bundle = Bundle()
    for instruction in instructions:
        needed = resources_of(instruction)
        ports = ports_of(tuple(location_of(use, stream) for use in instruction.uses), needed.rotation)
        joined = None if ports is None else bundle.join(needed, ports)
        if joined is None or not joined.write(target_of(instruction)):
            return None
        bundle = joined
    return bundle


def word_of(instructions: Sequence[MachineInstruction]) -> Alu | Load | None:
    """The fields of the word of instructions on physical registers; None if there is none."""
    bundle = bundle_of(instructions)
    return None if bundle is None else bundle.encode()
