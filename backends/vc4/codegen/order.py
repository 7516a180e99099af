"""Another order of instructions, in which fewer values live at a time.

In: a legalised function for which registers run short.  Out: the same with the instructions of each block in another
order; made machine code keeps it roughly, since its flags and r4 are set and read in that order.

The idea: list schedulers with priorities that follow the pressure on registers (Goodman and Hsu 1988).  One goes from
the end of a block to its start, so that what makes a value comes just before what reads it; of the instructions that
are ready, those come last that raise the pressure.  Among the others several rules decide, since none is best for all
code.  A second one goes from the start and keeps that order, but for what frees registers, which comes at once.  The
order in which the fewest values live at a time is taken.

What becomes an operand of its readers (shuffles, inputs, uniforms) takes no register and comes at once; an input takes
one from its first reader on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
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
#: What decides between ready instructions, the smallest first.
_Key = tuple[int, ...]
#: Before all others.
_AT_ONCE: _Key = (-(1 << 20),)


class OrderForRegisters(Pass):
    """See the module's text."""

    name = "vc4-order"
    description = "reorders instructions so that fewer values live at a time"
    preserves_control_flow = True

    def run(self, function: Function, context: PassContext) -> bool:
        progress = False
        for block in function.blocks:
            code = _Code(block)
            order = _best_order(code)
            if order != sorted(order):
                progress = True
                terminator = block.terminator
                for number in order:
                    code.body[number].unlink()
                    block.insert_before(terminator, code.body[number])
        return progress


def _best_order(code: _Code) -> list[int]:
    """Return the order in which the fewest values live at a time."""
    orders = [range(len(code.body)), *(_Backward(code, rule).run()[::-1] for rule in _RULES)]
    lists = [_Forward(code, order) for order in orders]
    for each in lists:
        each.run()
    return min(lists, key=lambda each: each.peak).order


def _body(block: Block) -> list[Instruction]:
    """What may move: all but phis and the terminator."""
    return [instruction for instruction in block if instruction.op is not ops.PHI and not instruction.is_terminator]


def _is_free(instruction: Instruction) -> bool:
    """Whether an instruction is an operand of its readers."""
    return instruction.op in SHUFFLES or (instruction.op is ops.LOAD and not instruction.address.is_dynamic)


def _read(instruction: Instruction) -> set[_Unit]:
    """Return what an instruction reads that takes registers."""
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


class _Code:
    """The instructions of a block as the schedulers see them, by number."""

    def __init__(self, block: Block) -> None:
        self.body = _body(block)
        numbers = {instruction: number for number, instruction in enumerate(self.body)}
        self.is_free = [_is_free(instruction) for instruction in self.body]
        self.reads = [set() if free else _read(i) for i, free in zip(self.body, self.is_free, strict=True)]
        #: What is read in other blocks, by phis and by the terminator.
        self.live_after = {
            unit for other in block.function.instructions() if other not in numbers for unit in _read(other)
        }
        wanted = self.live_after.union(*self.reads)
        self.writes = [
            set() if free else {(i, lane) for lane in range(max(i.type.width, 1))} & wanted
            for i, free in zip(self.body, self.is_free, strict=True)
        ]
        #: By unit, the instructions that read it.
        self.readers: dict[_Unit, list[int]] = {}
        for number, units in enumerate(self.reads):
            for unit in units:
                self.readers.setdefault(unit, []).append(number)
        #: The instructions that must precede each, and those that must follow it.
        self.before: list[set[int]] = []
        self.after: list[set[int]] = [set() for _ in self.body]
        last: int | None = None
        for number, instruction in enumerate(self.body):
            before = {numbers[operand] for operand in instruction.operands if operand in numbers}
            if not (is_movable(instruction) or is_cross_lane(instruction)):
                if last is not None:
                    before.add(last)
                last = number
            self.before.append(before)
            for each in before:
                self.after[each].add(number)
        #: The most instructions that must follow one another, from each on.
        self.heights = [0] * len(self.body)
        for number in reversed(range(len(self.body))):
            self.heights[number] = max([self.heights[later] + 1 for later in self.after[number]], default=0)


class _List(ABC):
    """A list scheduler; what decides may change while instructions wait."""

    def __init__(self, code: _Code, waits_for: Sequence[set[int]], waiting: Sequence[set[int]]) -> None:
        self.code = code
        self.waiting = waiting
        #: How many of those that each instruction waits for are not scheduled yet.
        self.pending = [len(others) for others in waits_for]
        self.order: list[int] = []
        self.heap: list[tuple[_Key, int]] = []
        #: The ready instructions, with their keys; other entries of the heap are out of date.
        self.keys: dict[int, _Key] = {}
        #: How many instructions were scheduled when an instruction became ready.
        self.since: dict[int, int] = {}

    def run(self) -> list[int]:
        """Return the instructions in the order in which they were taken."""
        for number, count in enumerate(self.pending):
            if not count:
                self._push(number)
        while self.heap:
            key, number = heappop(self.heap)
            if self.keys.get(number) != key:
                continue
            del self.keys[number]
            self.order.append(number)
            for changed in self.take(number):
                if changed in self.keys:
                    self._push(changed)
            for later in self.waiting[number]:
                self.pending[later] -= 1
                if not self.pending[later]:
                    self._push(later)
        return self.order

    def _push(self, number: int) -> None:
        self.since.setdefault(number, len(self.order))
        key = _AT_ONCE if self.code.is_free[number] else self.key(number)
        if self.keys.get(number) != key:
            self.keys[number] = key
            heappush(self.heap, (key, number))

    @abstractmethod
    def key(self, number: int) -> _Key:
        """Return what decides whether a ready instruction is taken."""

    @abstractmethod
    def take(self, number: int) -> Iterable[int]:
        """Note that an instruction is scheduled; return those whose keys may have changed."""


class _Backward(_List):
    """From the end of the block to its start."""

    def __init__(self, code: _Code, rule: _Rule) -> None:
        super().__init__(code, code.after, code.before)
        self.rule = rule
        self.live = set(code.live_after)

    def key(self, number: int) -> _Key:
        change = len(self.code.reads[number] - self.live) - len(self.code.writes[number] & self.live)
        return self.rule(self, number, change)

    def take(self, number: int) -> Iterable[int]:
        begun = self.code.reads[number] - self.live
        self.live -= self.code.writes[number]
        self.live |= begun
        return [reader for unit in begun for reader in self.code.readers[unit]]


class _Forward(_List):
    """From the start of the block to its end, in a given order but for what frees registers."""

    def __init__(self, code: _Code, order: Iterable[int]) -> None:
        super().__init__(code, code.before, code.after)
        self.places = {number: index for index, number in enumerate(order)}
        #: How often units are still read; elsewhere counts once.
        self.left = Counter(unit for units in code.reads for unit in units)
        self.left.update(code.live_after)
        #: What is live, and how much of it there has been at one time.
        self.live: set[_Unit] = set()
        self.peak = 0

    def key(self, number: int) -> _Key:
        reads = self.code.reads[number]
        begun = sum(isinstance(unit[0], str) and unit not in self.live for unit in reads)
        change = len(self.code.writes[number]) + begun - sum(self.left[unit] == 1 for unit in reads)
        return (change > 0, self.places[number])

    def take(self, number: int) -> Iterable[int]:
        reads = self.code.reads[number]
        begun = {unit for unit in reads if isinstance(unit[0], str)} - self.live
        self.live |= begun
        self.peak = max(self.peak, len(self.live))
        self.left.subtract(reads)
        self.live -= {unit for unit in reads if not self.left[unit]}
        self.live |= self.code.writes[number]
        self.peak = max(self.peak, len(self.live))
        last = [unit for unit in reads if self.left[unit] == 1]
        return [reader for unit in (*begun, *last) for reader in self.code.readers[unit]]


#: Makes a key of an instruction and of how many more values live before it than after it.
_Rule = Callable[[_Backward, int, int], _Key]


def _last_in_source(_: _Backward, number: int, change: int) -> _Key:
    return (max(change, 0), -number)


def _nearest_to_the_end(run: _Backward, number: int, change: int) -> _Key:
    return (change > 0, run.code.heights[number], -number)


def _latest_ready(run: _Backward, number: int, change: int) -> _Key:
    return (change > 0, -run.since[number], change, -number)


#: The rules that decide; each is the best for some code.
_RULES: tuple[_Rule, ...] = (_last_in_source, _nearest_to_the_end, _latest_ready)
