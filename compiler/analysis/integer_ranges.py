"""Ranges of whole numbers: for every int value, at the place where it is used, an interval that holds it.

Where `ranges.py` makes one pass, this goes on until nothing changes (Cousot & Cousot 1977: ascending with widening,
then narrowing), and believes the branches that lead to a use: where `i < n` holds, `i` is below the largest `n`.  So
loops whose bounds come from outside have ranges, too, and sums over their rounds: as many times as the loop can run,
what one round can add.  What is stored in local memory is one interval for each variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce

from glslc_multi.compiler.analysis.cfg import ControlFlow, control_flow
from glslc_multi.compiler.analysis.conditions import implied_parts
from glslc_multi.compiler.analysis.dominators import DominatorTree, dominators
from glslc_multi.compiler.analysis.loops import Loop, loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.ranges import ANY_FLOAT, INTERVALS, Interval, ValueRanges
from glslc_multi.compiler.analysis.trips import trip_counts
from glslc_multi.compiler.arithmetic.protocol import INT_MAX, INT_MIN
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import INT, Kind
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass

#: Rounds before ranges that still grow become as large as they can.
_PATIENCE = 3
#: Rounds of narrowing; nested loops need one for each depth.
_NARROWING = 4
#: How many operations of a round are looked through for what it adds.
_DEEPEST_SUM = 16
_NOTHING_STORED = Interval(0, 0)


@dataclass(frozen=True, slots=True)
class Fact:
    """A comparison that holds, or does not."""

    comparison: Instruction
    holds: bool


@dataclass(frozen=True, slots=True)
class Rounds:
    """A loop, how often control comes back to its head where that is known, and what its tests compare."""

    loop: Loop
    most: int | None
    compared: frozenset[Value]

    def is_tested(self, phi: Instruction) -> bool:
        """Whether a test bounds the phi or its next value: then its range comes of no number of rounds."""
        return not self.compared.isdisjoint((phi, *phi.operands))


class IntegerRanges(ValueRanges):
    """Intervals of every component of every value; those of operands depend on the block that uses them."""

    def __init__(
        self, function: Function, flow: ControlFlow, tree: DominatorTree, assumptions: Mapping[Variable, Interval]
    ) -> None:
        super().__init__(function, flow, assumptions)
        #: The rounds of loops, for the phis of their heads.
        self.rounds: dict[Instruction, Rounds] = {}
        self._facts = {block: list(_facts_of(block, flow, tree)) for block in flow.order}
        #: What holds where operands are looked at.
        self._here: list[Fact] = []
        self._memory: dict[Variable, Interval] = {}
        self._stored: dict[Variable, Interval] = {}

    def at(self, value: Value, block: Block) -> tuple[Interval, ...]:
        """The range of an operand of an instruction in `block`."""
        self._here = self._facts[block]
        interval = self.of(value)
        self._here = []
        return interval

    def of(self, value: Value) -> tuple[Interval, ...]:
        intervals = super().of(value)
        if isinstance(value, Constant):
            return intervals
        for fact in self._here:
            intervals = self._limited(intervals, value, fact)
        return intervals

    # ------------------------------------------------------------------------------- iteration
    def iterate(self) -> None:
        """Ascend to ranges that hold, then narrow them."""
        number = 0
        while self._round(grow=True, widen=number >= _PATIENCE):
            number += 1
        for _ in range(_NARROWING):
            self._round(grow=False, widen=False)
        self._here = []

    def _round(self, *, grow: bool, widen: bool) -> bool:
        """Compute every value once; whether some range grew."""
        changed = False
        self._stored = {}
        for block in self._flow.order:
            self._here = self._facts[block]
            for instruction in block:
                if instruction.op is ops.STORE:
                    self._store(instruction)
                elif instruction.type.width:
                    changed |= self._compute(instruction, grow, widen)
        # Take over what this round stored; whether that grew.
        before, memory = self._memory, dict(self._stored)
        if grow:
            for variable, old in before.items():
                new = old.join(memory.get(variable, old))
                memory[variable] = _widened(old, new, variable.type.kind) if widen else new
        self._memory = memory
        return memory != before or changed

    def _compute(self, instruction: Instruction, grow: bool, widen: bool) -> bool:
        old = self._ranges[instruction.id]
        new = self._transfer(instruction)
        if old is not None and grow:
            new = tuple(map(Interval.join, old, new))
            if widen and instruction.op is ops.PHI:
                new = tuple(_widened(*pair, instruction.type.kind) for pair in zip(old, new, strict=True))
        if instruction in self.rounds and instruction.type.is_scalar:
            new = (self._summed(instruction, new[0]),)
        self._ranges[instruction.id] = new
        return new != old

    def _store(self, instruction: Instruction) -> None:
        variable = instruction.address.variable
        for part in self.of(instruction.operands[-1]):
            self._stored[variable] = part.join(self._stored.get(variable, part))

    # ------------------------------------------------------------------------------- instructions
    def _transfer(self, instruction: Instruction) -> tuple[Interval, ...]:
        width = instruction.type.width
        if instruction.op is ops.LOAD and instruction.address.variable.storage == "local":
            variable = instruction.address.variable
            if variable in self._assumptions:
                return (self._assumptions[variable],) * width
            # What was never stored is undefined, and reads as 0.
            return (self._memory.get(variable, _NOTHING_STORED).join(_NOTHING_STORED),) * width
        if instruction.op is ops.SELECT and instruction.type.kind == "int":
            # Each alternative where its condition holds, component by component.
            condition, if_true, if_false = instruction.operands
            verdicts = self.of(condition)
            here = self._here
            found = []
            for value, holds in ((if_true, True), (if_false, False)):
                self._here = [*here, *(Fact(part, truth) for part, truth in implied_parts(condition, holds))]
                found.append(self.of(value))
                self._here = here
            verdicts *= instruction.type.width // len(verdicts)
            return tuple(map(INTERVALS.select, verdicts, *found))
        return super()._transfer(instruction)

    def _join(self, phi: Instruction, top: tuple[Interval, ...]) -> tuple[Interval, ...]:
        """The values of the edges that are known so far, by what holds on each."""
        result: tuple[Interval, ...] | None = None
        here = self._here
        for value, block in phi.incoming():
            if block not in self._flow.index or (isinstance(value, Instruction) and self._ranges[value.id] is None):
                continue
            assert phi.block is not None
            self._here = [*self._facts[block], *_facts_of_edge(block, phi.block)]
            part = self.of(value)
            result = part if result is None else tuple(map(Interval.join, result, part))
        self._here = here
        return top if result is None else result

    # ------------------------------------------------------------------------------- sums
    def _summed(self, phi: Instruction, found: Interval) -> Interval:
        """The range of a phi that each round adds something to, where that says more than `found`."""
        rounds = self.rounds[phi]
        total = self._total(phi, _DEEPEST_SUM)
        if total is None:
            return found
        starts = [self.of(value) for value, block in phi.incoming() if block not in rounds.loop.blocks]
        start = reduce(Interval.join, [interval for (interval,) in starts])
        low, high = start.low + total.low, start.high + total.high
        if low < INT_MIN or high > INT_MAX:
            return found
        return Interval(max(found.low, low), min(found.high, high))

    def _total(self, phi: Instruction, depth: int) -> Interval | None:
        """What all rounds of a loop add to a phi of its head."""
        rounds = self.rounds[phi]
        step = self._added(phi, phi, rounds.loop, depth)
        if step is None:
            return None
        # A counter's own range must not come from a number of rounds that comes from it.
        count = rounds.most if step.is_single and rounds.is_tested(phi) else self._most(rounds)
        return None if count is None else Interval(min(step.low, 0) * count, max(step.high, 0) * count)

    def _most(self, rounds: Rounds) -> int | None:
        """How often the head can be reached again: by the trip count, or by a counter's range and its constant step."""
        counts = [] if rounds.most is None else [rounds.most]
        for counter in rounds.loop.header.phis():
            if counter.type is not INT or not rounds.is_tested(counter):
                continue
            known = self._ranges[counter.id]
            step = self._added(counter, counter, rounds.loop, _DEEPEST_SUM)
            if known is not None and step is not None and step.is_single and step.low:
                counts.append(int(known[0].high - known[0].low) // int(abs(step.low)))
        return min(counts, default=None)

    def _added(self, phi: Instruction, value: Value, loop: Loop, depth: int, *, first: bool = True) -> Interval | None:
        """What a value of a round is more than the phi at its head; None where it is no sum of it."""
        if value is phi and not first:
            return Interval(0, 0)
        if not isinstance(value, Instruction) or value.block not in loop.blocks or not depth:
            return None
        if value is not phi and value in self.rounds:
            return self._added_within(phi, value, loop, depth)
        parts = [v for v, block in value.incoming() if block in loop.blocks] if value is phi else list(value.operands)
        if value.op is ops.PHI or value.op is ops.SELECT:
            parts = parts[1:] if value.op is ops.SELECT else parts
            added = [self._added(phi, part, loop, depth - 1, first=False) for part in parts]
            intervals = [interval for interval in added if interval is not None]
            return reduce(Interval.join, intervals) if intervals and len(intervals) == len(added) else None
        if value.op not in (ops.IADD, ops.ISUB):
            return None
        for total, part in (parts, parts[::-1]) if value.op is ops.IADD else (parts,):
            before = self._added(phi, total, loop, depth - 1, first=False)
            if before is not None:
                return self._beside(before, part, value)
        return None

    def _added_within(self, phi: Instruction, inner: Instruction, loop: Loop, depth: int) -> Interval | None:
        """The same for a phi at the head of a loop within the round: what it starts with, and what its rounds add."""
        blocks = self.rounds[inner].loop.blocks
        starts = [value for value, block in inner.incoming() if block not in blocks]
        added = [self._added(phi, start, loop, depth - 1, first=False) for start in starts]
        intervals = [interval for interval in added if interval is not None]
        total = self._total(inner, depth - 1) if len(intervals) == len(added) else None
        if total is None:
            return None
        start = reduce(Interval.join, intervals)
        return Interval(start.low + total.low, start.high + total.high)

    def _beside(self, before: Interval, part: Value, sum_: Instruction) -> Interval | None:
        here, self._here = self._here, self._facts[sum_.block] if sum_.block is not None else []
        (added,) = self.of(part)
        self._here = here
        if sum_.op is ops.ISUB:
            added = Interval(-added.high, -added.low)
        return Interval(before.low + added.low, before.high + added.high)

    # ------------------------------------------------------------------------------- facts
    def _limited(self, found: tuple[Interval, ...], value: Value, fact: Fact) -> tuple[Interval, ...]:
        """The parts of intervals that a fact about the value leaves, component by component."""
        comparison = fact.comparison
        if comparison.op not in _RELATIONS:
            return found
        x, y = comparison.operands
        is_first = _are_same(value, x)
        if not is_first and not _are_same(value, y):
            return found
        others = super().of(y if is_first else x)
        relation = _RELATIONS[comparison.op]
        if not fact.holds:
            relation = _OPPOSITE[relation]
        if not is_first:
            relation = _MIRRORED[relation]
        cut = _cut_unsigned if comparison.op in _UNSIGNED else _cut
        return tuple(cut(interval, relation, other) for interval, other in zip(found, others, strict=True))


def _are_same(one: Value, other: Value) -> bool:
    """Whether two values are one, or the same components of one, taken twice."""
    if one is other or not (isinstance(one, Instruction) and isinstance(other, Instruction)):
        return one is other
    return one.op is other.op is ops.SWIZZLE and (one.operands, one.attribute) == (other.operands, other.attribute)


#: Comparison -> relation of its first operand to the second.
_RELATIONS: dict[Opcode, str] = {ops.ILT: "<", ops.ILE: "<=", ops.IEQ: "==", ops.INE: "!=", ops.ULT: "<", ops.ULE: "<="}
_UNSIGNED = frozenset({ops.ULT, ops.ULE})
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _cut(interval: Interval, relation: str, other: Interval) -> Interval:
    """What remains of an int interval; all of it where nothing would, since then the code is not reached."""
    low, high = interval.low, interval.high
    if relation in ("<", "<=", "=="):
        high = min(high, other.high - (relation == "<"))
    if relation in (">", ">=", "=="):
        low = max(low, other.low + (relation == ">"))
    if relation == "!=" and other.is_single:
        low, high = low + (low == other.low), high - (high == other.high)
    return Interval(low, high) if low <= high else interval


def _cut_unsigned(interval: Interval, relation: str, other: Interval) -> Interval:
    """What is below a number that is not negative is not negative either, since negative ones are read as large."""
    if other.low < 0:
        return interval
    if relation in ("<", "<="):
        return _cut(Interval(max(interval.low, 0), max(interval.high, 0)), relation, other)
    return _cut(interval, relation, other) if interval.low >= 0 else interval


def _widened(old: Interval | None, new: Interval, kind: Kind) -> Interval:
    """An interval that grows, as far as it can."""
    if old is None or old == new:
        return new
    if kind == "float":
        return ANY_FLOAT
    return Interval(new.low if new.low >= old.low else INT_MIN, new.high if new.high <= old.high else INT_MAX)


def _facts_of(block: Block, flow: ControlFlow, tree: DominatorTree) -> Iterator[Fact]:
    """What the branches on the way to a block say: those whose one side every path to it takes."""
    below: Block | None = block
    while below is not None and below is not flow.entry:
        before = flow.predecessors[below]
        if len(before) == 1:
            yield from _facts_of_edge(before[0], below)
        below = tree.parent[below]


def _facts_of_edge(source: Block, target: Block) -> Iterator[Fact]:
    branch = source.terminator
    if branch is None or branch.op is not ops.CONDBR or branch.targets[0] is branch.targets[1]:
        return
    for comparison, holds in implied_parts(branch.operands[0], branch.targets[0] is target):
        yield Fact(comparison, holds)


def _compared(loop: Loop, flow: ControlFlow) -> Iterator[Value]:
    """What is compared in the tests by which a loop goes on."""
    for block, _ in loop.exits:
        for stay in loop.blocks.intersection(flow.successors[block]):
            for fact in _facts_of_edge(block, stay):
                yield from fact.comparison.operands


def integer_ranges(function: Function, assumptions: Mapping[Variable, Interval]) -> IntegerRanges:
    """The ranges of a function; `assumptions` has what variables of others hold."""
    manager = AnalysisManager(function)
    flow = manager.get(control_flow)
    ranges = IntegerRanges(function, flow, manager.get(dominators), assumptions)
    counts = manager.get(trip_counts)
    for loop in manager.get(loop_nest).all_loops():
        count = counts.get(loop)
        rounds = Rounds(loop, None if count is None else count.stays + 1, frozenset(_compared(loop, flow)))
        ranges.rounds.update((phi, rounds) for phi in loop.header.phis() if phi.type is INT)
    ranges.iterate()
    return ranges
