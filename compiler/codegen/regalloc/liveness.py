"""Live ranges of machine code, component by component, as integers over program points.

A *lane unit* is one component of one register: of a virtual register, or of a physical one that virtual registers
may be assigned to (others interfere with nothing).  Instruction i has two *points*: 2i, where it reads,
and 2i + 1, where it writes.  The live range of a unit is an integer with a bit for each point
at which it is live; two units interfere when their ranges have a bit in common, and a union is one operation.  Ranges
have holes (Wimmer and Moessenboeck, "Optimized interval splitting in a linear scan register allocator", 2005).

A unit is live where it is read later and some definition may have reached, so that the first conditional write of a
value does not keep its register from the start of the program on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush

from glslc_multi.compiler.codegen.machine import (
    AnyRegister,
    Def,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.registers import Register


class Numbering:
    """Dense numbers: of lane units, those of virtual registers first, and of the registers that may be assigned."""

    __slots__ = ("first_physical", "number", "registers", "unit_count", "virtual")

    def __init__(self, function: MachineFunction, registers: Iterable[Register] | None = None) -> None:
        """Without `registers`, those of the virtual registers' classes may be assigned."""
        #: First unit of a virtual register, by its id.
        self.virtual: list[int] = []
        unit = 0
        for register in function.registers:
            self.virtual.append(unit)
            unit += register.width
        #: First unit of a physical register.
        self.first_physical: dict[Register, int] = {}
        #: Registers by number; neighbours in a file have neighbouring numbers, and between files one is missing.
        self.registers: list[Register | None] = []
        self.number: dict[Register, int] = {}
        for physical in _members_of(function) if registers is None else registers:
            self.first_physical[physical] = unit
            unit += physical.components
            last = self.registers[-1] if self.registers else None
            if last is not None and (last.file != physical.file or last.index + 1 != physical.index):
                self.registers.append(None)
            self.number[physical] = len(self.registers)
            self.registers.append(physical)
        self.unit_count = unit

    def first(self, register: AnyRegister) -> int | None:
        """The unit of component 0; None for registers that are never assigned."""
        if isinstance(register, VirtualRegister):
            return self.virtual[register.id]
        return self.first_physical.get(register) if isinstance(register, Register) else None

    def units(self, operand: Use | Def) -> list[int]:
        """The lane units that an operand names."""
        register = operand.register
        first = self.virtual[register.id] if isinstance(register, VirtualRegister) else self.first(register)
        return [] if first is None else [first + lane for lane in operand.lanes if lane is not None]

    def whole(self, registers: Iterable[Register]) -> list[int]:
        """All lane units of physical registers."""
        return [unit for register in registers for unit in self.units(Def(register, tuple(range(register.components))))]


def _members_of(function: MachineFunction) -> list[Register]:
    """The registers of all classes in use, file by file."""
    classes = dict.fromkeys(register.register_class for register in function.registers)
    members = {member for class_ in classes for member in class_.members}
    return sorted(members, key=lambda member: (member.file.name, member.index))


def bits(mask: int) -> Iterator[int]:
    """The numbers in a set."""
    # Most sets hold a few numbers close together: no digits are written of what is below them.
    first = (mask & -mask).bit_length() - 1
    digits = f"{mask >> max(first, 0):b}"[::-1]
    position = digits.find("1")
    while position >= 0:
        yield first + position
        position = digits.find("1", position + 1)


class Flow:
    """What instructions read and write, and what is live between blocks."""

    __slots__ = ("_spans", "live_out", "numbering", "reaching", "reads", "writes")

    def __init__(self, function: MachineFunction, numbering: Numbering) -> None:
        self.numbering = numbering
        #: For each instruction of the function, in order, what it reads and writes.
        self.reads: list[list[int]] = []
        self.writes: list[list[int]] = []
        #: First instruction of each block, and the one after the last.
        self._spans: dict[MachineBlock, tuple[int, int]] = {}
        for block in function.blocks:
            start = len(self.reads)
            for instruction in block.instructions:
                self._note(instruction)
            self._spans[block] = (start, len(self.reads))
        #: Sets of lane units: what some definition reaches the start of a block with, and what is live after it.
        self.reaching = self._solve_reaching(function)
        self.live_out = self._solve_live(function)

    def span(self, block: MachineBlock) -> tuple[int, int]:
        """The numbers of the first instruction of a block and of the one after its last."""
        return self._spans[block]

    def _note(self, instruction: MachineInstruction) -> None:
        numbering, op = self.numbering, instruction.op
        reads = [unit for use in instruction.all_uses() for unit in numbering.units(use)]
        writes = [unit for target in instruction.defs for unit in numbering.units(target)]
        if instruction.conditional:
            reads += writes
        if op.reads:
            reads += numbering.whole(op.reads)
        if op.writes or op.clobbers:
            writes += numbering.whole((*op.writes, *op.clobbers))
        self.reads.append(list(dict.fromkeys(reads)))
        self.writes.append(list(dict.fromkeys(writes)))

    def _solve_reaching(self, function: MachineFunction) -> dict[MachineBlock, int]:
        reaching = dict.fromkeys(function.blocks, 0)
        reaching[function.entry] = set_of(_units_of(function.live_in, self.numbering))
        if not any(block.successors for block in function.blocks):
            return reaching
        written = {
            block: set_of(unit for index in range(*span) for unit in self.writes[index])
            for block, span in self._spans.items()
        }

        def leave(block: MachineBlock) -> Iterator[MachineBlock]:
            leaving = reaching[block] | written[block]
            for successor in block.successors:
                if leaving & ~reaching[successor]:
                    reaching[successor] |= leaving
                    yield successor

        _reach_fixed_point(function.blocks, leave)
        return reaching

    def _solve_live(self, function: MachineFunction) -> dict[MachineBlock, int]:
        at_end = set_of(_units_of(function.live_out, self.numbering))
        live_out = {block: 0 if block.successors else at_end for block in function.blocks}
        if not any(block.successors for block in function.blocks):
            return live_out
        local = {block: self._local(block) for block in function.blocks}
        predecessors = function.predecessors()

        def enter(block: MachineBlock) -> Iterator[MachineBlock]:
            read, written = local[block]
            live_in = (read | live_out[block] & ~written) & self.reaching[block]
            for predecessor in predecessors[block]:
                if live_in & ~live_out[predecessor]:
                    live_out[predecessor] |= live_in
                    yield predecessor

        _reach_fixed_point(function.blocks[::-1], enter)
        return live_out

    def _local(self, block: MachineBlock) -> tuple[int, int]:
        """What a block reads before writing it, and what it writes."""
        read = written = 0
        for index in range(*self._spans[block]):
            read |= set_of(self.reads[index]) & ~written
            written |= set_of(self.writes[index])
        return read, written


class Liveness(Flow):
    """Live ranges of all lane units of a function."""

    __slots__ = ("dead", "definitions", "ranges")

    def __init__(self, function: MachineFunction, numbering: Numbering) -> None:
        super().__init__(function, numbering)
        #: By lane unit: the points where it is live, and the points where it is written.
        self.ranges = [0] * numbering.unit_count
        self.definitions = [0] * numbering.unit_count
        #: Pairs of an instruction's number and a unit that it writes and nobody reads.
        self.dead: set[tuple[int, int]] = set()
        #: By lane unit that is live, the bit after the last point at which it is; and these units as a set.
        ends: dict[int, int] = {}
        live = 0
        for block in reversed(function.blocks):
            live = self._block_ranges(block, ends, live)
        for unit, end in ends.items():
            self.ranges[unit] |= end - 1
        for unit in _units_of(function.live_in, numbering):
            self.definitions[unit] |= 1

    def _block_ranges(self, block: MachineBlock, ends: dict[int, int], live: int) -> int:
        """Walk a block from its end on; what is live at its start, of what is live at that of the block after it.

        Most units are live in many blocks: a range is told where it starts, not in each of them.
        """
        start, stop = self._spans[block]
        ranges, definitions = self.ranges, self.definitions
        self._start(bits(live & ~self.live_out[block]), ends, stop)
        ends.update(dict.fromkeys(bits(self.live_out[block] & ~live), 1 << 2 * stop))
        live = self.live_out[block]
        for index in reversed(range(start, stop)):
            written = 2 << 2 * index
            for unit in self.writes[index]:
                end = ends.pop(unit, 0)
                if not end:
                    self.dead.add((index, unit))
                # All points from the writing one on: a power of two less another.
                ranges[unit] |= (end or 2 * written) - written
                definitions[unit] |= written
                live &= ~(1 << unit)
            for unit in self.reads[index]:
                if unit not in ends:
                    ends[unit] = written
                    live |= 1 << unit
        # What nothing reaches is not live here, but may be in the blocks after this one.
        self._start(bits(live & ~self.reaching[block]), ends, stop)
        return live & self.reaching[block]

    def _start(self, units: Iterable[int], ends: dict[int, int], index: int) -> None:
        """Let the ranges of units start in front of an instruction, if they end behind it."""
        first = 1 << 2 * index
        for unit in units:
            self.ranges[unit] |= max(ends.pop(unit) - first, 0)


def _reach_fixed_point(blocks: Sequence[MachineBlock], visit: Callable[[MachineBlock], Iterable[MachineBlock]]) -> None:
    """Visit all blocks, and again those that a visit changed; always the first one in order that is left.

    So what comes together at a block is there before it goes on, but around loops (Kam and Ullman, 1976).
    """
    places = {block: index for index, block in enumerate(blocks)}
    pending = list(range(len(blocks)))
    waiting = set(pending)
    while pending:
        place = heappop(pending)
        waiting.remove(place)
        for changed in visit(blocks[place]):
            if places[changed] not in waiting:
                waiting.add(places[changed])
                heappush(pending, places[changed])


def set_of(units: Iterable[int]) -> int:
    """The set of numbers."""
    result = 0
    for unit in units:
        result |= 1 << unit
    return result


def _units_of(components: dict[Register, tuple[int, ...]], numbering: Numbering) -> Iterator[int]:
    for register, lanes in components.items():
        yield from numbering.units(Def(register, lanes))
