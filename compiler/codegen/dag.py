"""Dependences between the instructions of a block: what must come before what, and how far.

An edge (second, distance) of an instruction says that `second` issues at least `distance` words later.  There
are edges between

* a write and the reads of it (the latency; at least 1 on machines whose words read before they write),
* a read and the next write (0: both may share a word; less where the write takes effect late),
* a write and the next one,
* instructions of one order class, such as accesses to one queue.

Registers count component by component.  A conditional write keeps what other lanes had, so that reads behind it
depend on the writes in front of it, too.  Registers that opcodes touch beside their operands (flags) are whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

from compiler.codegen.machine import Def, MachineInstruction, Use, VirtualRegister
from compiler.codegen.registers import Register
from compiler.records import dataclass, field


class OrderModel:
    """What orders instructions on a machine; targets override what differs."""

    def latency(self, producer: MachineInstruction, consumer: MachineInstruction) -> int:
        """Words from one that writes a register to one that reads it."""
        return 1

    def overwrite(self, first: MachineInstruction, second: MachineInstruction) -> int:
        """Words between two that write the same register; 0 where they may share a word (opposite conditions)."""
        return 1

    def anti(self, reader: MachineInstruction, writer: MachineInstruction) -> int:
        """Words from one that reads a register to one that writes it: 0 where a word reads before it writes.  A writer
        that takes effect n words later, as at the end of delay slots, may stand n words in front: -n."""
        return 0

    def order_distance(self, first: MachineInstruction, second: MachineInstruction) -> int:
        """Words between two that share an order class."""
        return 1

    def order_classes(self, instruction: MachineInstruction) -> Iterable[Hashable]:
        """Instructions that share a class stay in order."""
        return ("effect",) if instruction.op.effect else ()


@dataclass(slots=True)
class Dag:
    """Instructions by number, with their edges."""

    instructions: Sequence[MachineInstruction]
    #: By instruction: later instruction -> distance.
    successors: list[dict[int, int]]
    predecessors: list[dict[int, int]]

    def heights(self) -> list[int]:
        """Words from each instruction to the end of the longest chain behind it."""
        heights = [0] * len(self.instructions)
        for number in reversed(range(len(heights))):
            for later, distance in self.successors[number].items():
                heights[number] = max(heights[number], heights[later] + distance)
        return heights

    def add_edge(self, first: int, second: int, distance: int) -> None:
        """Let `second` come at least `distance` after `first`; the largest distance counts."""
        if first == second:
            return
        known = self.successors[first].get(second)
        if known is None or known < distance:
            self.successors[first][second] = distance
            self.predecessors[second][first] = distance


#: A component of a register, or all of a register that has no components here.
_Atom = tuple[VirtualRegister | Register, int]


@dataclass(slots=True)
class _History:
    """Who touched an atom since it was last written for all lanes."""

    writers: list[int] = field(default_factory=list)
    readers: list[int] = field(default_factory=list)


def build_dag(instructions: Sequence[MachineInstruction], model: OrderModel) -> Dag:
    """The dependences between instructions that follow each other."""
    count = len(instructions)
    dag = Dag(instructions, [{} for _ in range(count)], [{} for _ in range(count)])
    histories: defaultdict[_Atom, _History] = defaultdict(_History)
    last_of_class: dict[Hashable, int] = {}
    for number, instruction in enumerate(instructions):
        for atom in _reads(instruction):
            _read(dag, histories[atom], number, model)
        for atom in _writes(instruction):
            _write(dag, histories[atom], number, model)
        for order_class in model.order_classes(instruction):
            if order_class in last_of_class:
                before = last_of_class[order_class]
                dag.add_edge(before, number, model.order_distance(instructions[before], instruction))
            last_of_class[order_class] = number
    return dag


def _read(dag: Dag, history: _History, number: int, model: OrderModel) -> None:
    consumer = dag.instructions[number]
    for writer in history.writers:
        dag.add_edge(writer, number, model.latency(dag.instructions[writer], consumer))
    history.readers.append(number)


def _write(dag: Dag, history: _History, number: int, model: OrderModel) -> None:
    instruction = dag.instructions[number]
    for reader in history.readers:
        dag.add_edge(reader, number, model.anti(dag.instructions[reader], instruction))
    if history.writers:
        last = history.writers[-1]
        dag.add_edge(last, number, model.overwrite(dag.instructions[last], instruction))
    if instruction.conditional:
        history.writers.append(number)
    else:
        history.writers = [number]
    history.readers = []


def _reads(instruction: MachineInstruction) -> Iterable[_Atom]:
    """What is read, each atom once."""
    found: dict[_Atom, None] = {}
    for use in instruction.uses:
        _add_atoms(found, use)
        if use.relative is not None:
            _add_atoms(found, use.relative)
    _add_whole(found, instruction.op.reads)
    return found


def _writes(instruction: MachineInstruction) -> Iterable[_Atom]:
    found: dict[_Atom, None] = {}
    for definition in instruction.defs:
        _add_atoms(found, definition)
    _add_whole(found, instruction.op.writes)
    _add_whole(found, instruction.op.clobbers)
    return found


def _add_atoms(found: dict[_Atom, None], operand: Use | Def) -> None:
    register = operand.register
    if isinstance(register, VirtualRegister | Register):
        for lane in operand.lanes:
            if lane is not None:
                found[register, lane] = None


def _add_whole(found: dict[_Atom, None], registers: Iterable[Register]) -> None:
    for register in registers:
        for component in range(register.components):
            found[register, component] = None
