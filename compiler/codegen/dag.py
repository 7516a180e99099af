"""Dependences between the instructions of a block: what must come before what, and how far.

The graph that list schedulers work on (Cooper and Torczon, "Engineering a compiler", section 12.3).

An edge (second, distance) of an instruction says that `second` issues at least `distance` words later.  There
are edges between

* a write and the reads of it (the latency; at least 1 on machines whose words read before they write),
* a read and the next write (0: both may share a word; less where the write takes effect late),
* a write and the next one,
* instructions of one order class, such as accesses to one queue.

Registers count component by component.  A conditional write keeps what other lanes had, so that reads after it
depend on the writes before it, too.  Registers that opcodes touch beside their operands (flags) are whole.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from glslc_multi.compiler.codegen.machine import Def, MachineInstruction, Use, VirtualRegister
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.records import dataclass


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
        """Words from each instruction to the end of the longest chain after it."""
        heights = [0] * len(self.instructions)
        for number in reversed(range(len(heights))):
            for later, distance in self.successors[number].items():
                heights[number] = max(heights[number], heights[later] + distance)
        return heights

    def add_edge(self, first: int, second: int, distance: int) -> None:
        """Let `second` come at least `distance` after `first`; the largest distance counts."""
        if first == second:
            return
        distance_before = self.successors[first].get(second)
        if distance_before is None or distance_before < distance:
            self.successors[first][second] = distance
            self.predecessors[second][first] = distance


#: A lane unit: a component of a register.
_Unit = tuple[VirtualRegister | Register, int]
_HOLDERS = (VirtualRegister, Register)


def build_dag(instructions: Sequence[MachineInstruction], model: OrderModel) -> Dag:
    """The dependences between instructions that follow each other."""
    count = len(instructions)
    dag = Dag(instructions, [{} for _ in range(count)], [{} for _ in range(count)])
    history = _History(dag, model)
    last_of_class: dict[Hashable, int] = {}
    for number, instruction in enumerate(instructions):
        # What is read, each lane unit once.
        reads: dict[_Unit, None] = {}
        for use in instruction.uses:
            _add_units(reads, use)
            if use.relative is not None:
                _add_units(reads, use.relative)
        _add_whole(reads, instruction.op.reads)
        history.read(number, reads)
        writes: dict[_Unit, None] = {}
        for definition in instruction.defs:
            _add_units(writes, definition)
        _add_whole(writes, instruction.op.writes)
        _add_whole(writes, instruction.op.clobbers)
        history.write(number, writes)
        for order_class in model.order_classes(instruction):
            if order_class in last_of_class:
                before = last_of_class[order_class]
                dag.add_edge(before, number, model.order_distance(instructions[before], instruction))
            last_of_class[order_class] = number
    return dag


class _History:
    """Who touched each lane unit since it was last written for all lanes."""

    def __init__(self, dag: Dag, model: OrderModel) -> None:
        self._dag = dag
        self._model = model
        self._writers: dict[_Unit, list[int]] = {}
        self._readers: dict[_Unit, list[int]] = {}

    def read(self, number: int, units: Iterable[_Unit]) -> None:
        """Note what an instruction reads."""
        dag, latency = self._dag, self._model.latency
        for unit in units:
            for writer in self._writers.get(unit, ()):
                dag.add_edge(writer, number, latency(dag.instructions[writer], dag.instructions[number]))
            self._readers.setdefault(unit, []).append(number)

    def write(self, number: int, units: Iterable[_Unit]) -> None:
        """Note what an instruction writes."""
        dag, model = self._dag, self._model
        instruction = dag.instructions[number]
        for unit in units:
            for reader in self._readers.pop(unit, ()):
                dag.add_edge(reader, number, model.anti(dag.instructions[reader], instruction))
            writers = self._writers.get(unit)
            if writers:
                dag.add_edge(writers[-1], number, model.overwrite(dag.instructions[writers[-1]], instruction))
            if writers and instruction.conditional:
                writers.append(number)
            else:
                self._writers[unit] = [number]


def _add_units(found: dict[_Unit, None], operand: Use | Def) -> None:
    register = operand.register
    if isinstance(register, _HOLDERS):
        for lane in operand.lanes:
            if lane is not None:
                found[register, lane] = None


def _add_whole(found: dict[_Unit, None], registers: Iterable[Register]) -> None:
    for register in registers:
        for component in range(register.components):
            found[register, component] = None
