"""Where values live: component-wise live ranges of machine code, as integers over program points.

An *atom* is one component of one register: of a virtual register, or of a physical one that virtual registers
may be put into (others never stand in the way of anybody).  Instruction i has two *points*: 2i, where it reads,
and 2i + 1, where it writes.  The range of an atom is an integer with a bit for each point at which its contents
matter; two atoms can share a place when their ranges have no bit in common, and a union is one operation.

Contents matter where they are read later and some definition may have reached: what nobody wrote need not be kept,
so that the first conditional write of a value does not keep its place from the start of the program on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler.codegen.machine import (
    Def,
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    Place,
    Use,
    VirtualRegister,
)
from compiler.codegen.registers import Register


class Numbering:
    """Dense numbers: of atoms, virtual registers first, and of the registers that values may be put into."""

    __slots__ = ("atom_count", "first_physical", "homes", "number", "virtual")

    def __init__(self, function: MachineFunction, homes: Iterable[Register] | None = None) -> None:
        """Without `homes`, registers that values may be put into are those of the virtual registers' classes."""
        #: First atom of a virtual register, by its id.
        self.virtual: list[int] = []
        atom = 0
        for register in function.registers:
            self.virtual.append(atom)
            atom += register.width
        #: First atom of a physical register.
        self.first_physical: dict[Register, int] = {}
        #: Registers by number; neighbours in a file have neighbouring numbers, and between files one is missing.
        self.homes: list[Register | None] = []
        self.number: dict[Register, int] = {}
        for home in _homes_of(function) if homes is None else homes:
            self.first_physical[home] = atom
            atom += home.components
            last = self.homes[-1] if self.homes else None
            if last is not None and (last.file != home.file or last.index + 1 != home.index):
                self.homes.append(None)
            self.number[home] = len(self.homes)
            self.homes.append(home)
        self.atom_count = atom

    def first(self, register: Place) -> int | None:
        """The atom of component 0; None for registers that nothing is put into."""
        if isinstance(register, VirtualRegister):
            return self.virtual[register.id]
        return self.first_physical.get(register) if isinstance(register, Register) else None

    def atoms(self, operand: Use | Def) -> list[int]:
        """The atoms that an operand names."""
        register = operand.register
        first = self.virtual[register.id] if isinstance(register, VirtualRegister) else self.first(register)
        return [] if first is None else [first + lane for lane in operand.lanes if lane is not None]

    def whole(self, registers: Iterable[Register]) -> list[int]:
        """All atoms of physical registers."""
        return [atom for each in registers for atom in self.atoms(Def(each, tuple(range(each.components))))]


def _homes_of(function: MachineFunction) -> list[Register]:
    """The registers of all classes in use, file by file."""
    classes = dict.fromkeys(register.register_class for register in function.registers)
    members = {member for each in classes for member in each.members}
    return sorted(members, key=lambda member: (member.file.name, member.index))


def bits(mask: int) -> Iterator[int]:
    """The numbers in a set."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class Flow:
    """What instructions read and write, and what matters between blocks."""

    __slots__ = ("_spans", "live_out", "numbering", "reaching", "reads", "writes")

    def __init__(self, function: MachineFunction, numbering: Numbering) -> None:
        self.numbering = numbering
        #: For each instruction of the function, in order, what it reads and writes.
        self.reads: list[list[int]] = []
        self.writes: list[list[int]] = []
        #: First instruction of each block, and the one behind the last.
        self._spans: dict[MachineBlock, tuple[int, int]] = {}
        for block in function.blocks:
            start = len(self.reads)
            for instruction in block.instructions:
                self._note(instruction)
            self._spans[block] = (start, len(self.reads))
        #: Sets of atoms: what some definition reaches the start of a block with, and what matters after it.
        self.reaching = self._solve_reaching(function)
        self.live_out = self._solve_live(function)

    def span(self, block: MachineBlock) -> tuple[int, int]:
        """The numbers of the first instruction of a block and of the one behind its last."""
        return self._spans[block]

    def _note(self, instruction: MachineInstruction) -> None:
        numbering, op = self.numbering, instruction.op
        reads = [atom for use in instruction.all_uses() for atom in numbering.atoms(use)]
        writes = [atom for target in instruction.defs for atom in numbering.atoms(target)]
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
        reaching[function.entry] = _set_of(_atoms_of(function.live_in, self.numbering))
        if not any(block.successors for block in function.blocks):
            return reaching
        written = {
            block: _set_of(atom for index in range(*span) for atom in self.writes[index])
            for block, span in self._spans.items()
        }
        pending = list(reversed(function.blocks))
        while pending:
            block = pending.pop()
            leaving = reaching[block] | written[block]
            for successor in block.successors:
                if leaving & ~reaching[successor]:
                    reaching[successor] |= leaving
                    pending.append(successor)
        return reaching

    def _solve_live(self, function: MachineFunction) -> dict[MachineBlock, int]:
        at_end = _set_of(_atoms_of(function.live_out, self.numbering))
        live_out = {block: 0 if block.successors else at_end for block in function.blocks}
        if not any(block.successors for block in function.blocks):
            return live_out
        local = {block: self._local(block) for block in function.blocks}
        predecessors = function.predecessors()
        pending = list(function.blocks)
        while pending:
            block = pending.pop()
            read, written = local[block]
            live_in = (read | live_out[block] & ~written) & self.reaching[block]
            for predecessor in predecessors[block]:
                if live_in & ~live_out[predecessor]:
                    live_out[predecessor] |= live_in
                    pending.append(predecessor)
        return live_out

    def _local(self, block: MachineBlock) -> tuple[int, int]:
        """What a block reads before writing it, and what it writes."""
        read = written = 0
        for index in range(*self._spans[block]):
            read |= _set_of(self.reads[index]) & ~written
            written |= _set_of(self.writes[index])
        return read, written


class Liveness(Flow):
    """Live ranges of all atoms of a function."""

    __slots__ = ("dead", "definitions", "ranges")

    def __init__(self, function: MachineFunction, numbering: Numbering) -> None:
        super().__init__(function, numbering)
        #: By atom: the points where its contents matter, and the points where it is written.
        self.ranges = [0] * numbering.atom_count
        self.definitions = [0] * numbering.atom_count
        #: Pairs of an instruction's number and an atom that it writes and nobody reads.
        self.dead: set[tuple[int, int]] = set()
        for block in function.blocks:
            self._block_ranges(block)
        for atom in _atoms_of(function.live_in, numbering):
            self.definitions[atom] |= 1

    def _block_ranges(self, block: MachineBlock) -> None:
        start, stop = self._spans[block]
        ranges, definitions = self.ranges, self.definitions
        #: By atom whose contents matter here, the bit behind the last point at which they do.
        ends = dict.fromkeys(bits(self.live_out[block]), 1 << 2 * stop)
        for index in reversed(range(start, stop)):
            written = 2 << 2 * index
            for atom in self.writes[index]:
                end = ends.pop(atom, 0)
                if not end:
                    self.dead.add((index, atom))
                # All points from the writing one on: a power of two less another.
                ranges[atom] |= (end or 2 * written) - written
                definitions[atom] |= written
            for atom in self.reads[index]:
                if atom not in ends:
                    ends[atom] = written
        reaching = self.reaching[block]
        for atom, end in ends.items():
            if reaching >> atom & 1:
                ranges[atom] |= end - (1 << 2 * start)


def _set_of(atoms: Iterable[int]) -> int:
    result = 0
    for atom in atoms:
        result |= 1 << atom
    return result


def _atoms_of(components: dict[Register, tuple[int, ...]], numbering: Numbering) -> Iterator[int]:
    for register, lanes in components.items():
        yield from numbering.atoms(Def(register, lanes))
