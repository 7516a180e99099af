"""Another order of instructions, in which fewer values live at a time.

In: a legalised function for which registers run short.  Out: the same with the instructions of each block in another
order; made machine code keeps it roughly, since its flags and r4 are set and read in that order.

The idea: a list scheduler with priorities that follow the pressure on registers (Goodman and Hsu 1988).  Of the
instructions that are ready, those that raise the pressure come last; of these, one whose operands have few readers
left, so that what was begun with a value is finished with it.  What becomes an operand of its readers (shuffles,
inputs, uniforms) takes no register and comes at once; an input takes one from its first reader on.
"""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heappush

from glslc_multi.backends.vc4.codegen.selection.emitter import QpuTarget
from glslc_multi.compiler.codegen.operands import components_of
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.fold import SHUFFLES
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.passes.base import Pass, PassContext
from glslc_multi.compiler.passes.motion.legality import is_cross_lane, is_movable

#: What takes a register: a component of what an instruction makes, or of an input.
_Unit = tuple[object, ...]
#: What is still read so often counts as what is read more often, so that few keys change at a time.
_MANY = 16
#: What decides between ready instructions, the smallest first; the last part is the place in the source.
_Key = tuple[float, ...]


class OrderForRegisters(Pass):
    """See the module's text."""

    name = "vc4-order"
    description = "reorders instructions so that fewer values live at a time"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        wanted = {unit for i in function.instructions() if i.op not in SHUFFLES for unit in _read(i)}
        progress = False
        for block in function.blocks:
            order = _List(block, wanted).run()
            if order != _body(block):
                progress = True
                terminator = block.terminator
                for instruction in order:
                    instruction.unlink()
                    block.insert_before(terminator, instruction)
        return progress


def _body(block: Block) -> list[Instruction]:
    """What may move: all but phis and the terminator."""
    return [instruction for instruction in block if instruction.op is not ops.PHI and not instruction.is_terminator]


def _is_free(instruction: Instruction) -> bool:
    """Whether an instruction is an operand of its readers."""
    return instruction.op in SHUFFLES or (instruction.op is ops.LOAD and not instruction.address.is_dynamic)


def _read(instruction: Instruction) -> set[_Unit]:
    """What an instruction reads that takes registers."""
    return {unit for operand in instruction.operands for unit in _units(operand)}


def _units(value: Value) -> set[_Unit]:
    units: set[_Unit] = set()
    for operand in components_of(value, QpuTarget.modifiers):
        base = operand.base
        if isinstance(base, Constant) or not isinstance(base, Instruction):
            continue
        if base.op is ops.LOAD and not base.address.is_dynamic:
            variable = base.address.variable
            if variable.storage != "uniform":
                units |= {(variable.name, base.address.offset, base.address.column, lane) for lane in operand.lanes}
        else:
            units |= {(base, lane) for lane in operand.lanes}
    return units


class _List:
    """The scheduling of one block."""

    def __init__(self, block: Block, wanted: set[_Unit]) -> None:
        self.body = _body(block)
        self.number = {instruction: number for number, instruction in enumerate(self.body)}
        self.reads = [set() if _is_free(instruction) else _read(instruction) for instruction in self.body]
        self.writes = [
            set()
            if _is_free(instruction)
            else {(instruction, lane) for lane in range(max(instruction.type.width, 1))} & wanted
            for instruction in self.body
        ]
        #: The instructions that must follow each, and how many must come before it that have not yet.
        self.after: list[list[int]] = [[] for _ in self.body]
        self.pending = [0] * len(self.body)
        self._note_dependences()
        #: By unit, the instructions that read it; how often it is still read, elsewhere counting once.
        self.readers: dict[_Unit, list[int]] = {}
        for number, units in enumerate(self.reads):
            for unit in units:
                self.readers.setdefault(unit, []).append(number)
        self.left = Counter({unit: len(readers) for unit, readers in self.readers.items()})
        for instruction in block.function.instructions():
            if instruction not in self.number and instruction.op not in SHUFFLES:
                self.left.update(unit for unit in _read(instruction) if unit in self.left)
        self.begun: set[_Unit] = set()
        self.heap: list[tuple[_Key, int]] = []
        #: The ready instructions, with their keys; other entries of the heap are out of date.
        self.keys: dict[int, _Key] = {}

    def _note_dependences(self) -> None:
        last: int | None = None
        for number, instruction in enumerate(self.body):
            before = {
                self.number[operand]
                for operand in instruction.operands
                if isinstance(operand, Instruction) and operand in self.number
            }
            if not (is_movable(instruction) or is_cross_lane(instruction)):
                if last is not None:
                    before.add(last)
                last = number
            self.pending[number] = len(before)
            for each in before:
                self.after[each].append(number)

    # the list ------------------------------------------------------------------------------
    def run(self) -> list[Instruction]:
        order: list[Instruction] = []
        for number, count in enumerate(self.pending):
            if not count:
                self._push(number)
        while self.heap:
            key, number = heappop(self.heap)
            if self.keys.get(number) != key:
                continue
            del self.keys[number]
            order.append(self.body[number])
            self._schedule(number)
        return order

    def _schedule(self, number: int) -> None:
        for unit in self.reads[number]:
            self.left[unit] -= 1
            if unit in self.begun and self.left[unit] >= _MANY:
                continue
            self.begun.add(unit)
            for reader in self.readers[unit]:
                if reader in self.keys:
                    self._push(reader)
        for later in self.after[number]:
            self.pending[later] -= 1
            if not self.pending[later]:
                self._push(later)

    def _push(self, number: int) -> None:
        if _is_free(self.body[number]):
            key = (-1, 0, 0, 0, number)
        else:
            reads = self.reads[number]
            inputs = sum(isinstance(unit[0], str) and unit not in self.begun for unit in reads)
            change = len(self.writes[number]) + inputs - sum(self.left[unit] == 1 for unit in reads)
            fewest = min([_MANY, *(self.left[unit] for unit in reads)]) if reads else 0
            key = (change > 0, min(change, 0), fewest, change, number)
        if self.keys.get(number) != key:
            self.keys[number] = key
            heappush(self.heap, (key, number))
