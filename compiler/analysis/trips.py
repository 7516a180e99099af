"""Trip counts: how often a loop's test says "stay", found by running the induction values.

An exit test that depends only on constants and on header phis whose start is constant and whose next
value is computed from the same phis is a closed recurrence.  It is run with the opcode table's own
semantics, so any step works (`i += 2`, `i *= 0.5`), and float loops count exactly as the shader will.

Where the whole test is none, a part of it may be, and bounds how often the test says "stay": the
counter of `i < 4 && x > y`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from glslc_multi.compiler.analysis.budget import known_results, spend
from glslc_multi.compiler.analysis.conditions import implied_parts
from glslc_multi.compiler.analysis.dominators import dominators
from glslc_multi.compiler.analysis.loops import Loop, loop_nest
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.arithmetic.protocol import PYTHON
from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Scalar, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.records import dataclass, replace

#: Instructions to run before a loop counts as unbounded.
MAX_WORK = 32_768
#: Instructions a recurrence may have; larger ones are not induction.
MAX_SLICE = 64


@dataclass(frozen=True, slots=True)
class TripCount:
    """How often a loop runs.

    `stays` is how often the test in `exiting` says "stay": the number of times the body runs when the
    test is in the header, one less than that when it is in the latch.
    """

    stays: int
    exiting: Block
    #: Whether the test says "stay" as often as that; otherwise it may leave earlier.
    decided: bool
    #: Whether the loop stays as often as that: the test is decided, and no other exit is taken before.
    exact: bool
    #: Smallest and largest value of each scalar phi of the recurrence at the head of an iteration,
    #: the one that leaves included.
    phi_ranges: dict[Instruction, tuple[Scalar, Scalar]]


def trip_counts(function: Function, manager: AnalysisManager) -> dict[Loop, TripCount]:
    """Analysis: the loops with a known number of iterations (or a bound of it)."""
    counts = {}
    for loop in manager.get(loop_nest).all_loops():
        count = _count(loop, manager)
        if count is not None:
            counts[loop] = count
    return counts


def _count(loop: Loop, manager: AnalysisManager) -> TripCount | None:
    """The tightest count that any exit test gives; one that a test decides is better than a bound."""
    tests = dict.fromkeys(exit_tests(loop, manager))
    counts = [count for block in tests if (count := _bound_of_test(loop, block)) is not None]
    best = min(counts, key=lambda count: (not count.decided, count.stays), default=None)
    several = len({block for block, _ in loop.exits}) > 1
    return replace(best, exact=False) if best is not None and several else best


def exit_tests(loop: Loop, manager: AnalysisManager) -> list[Block]:
    """The blocks that may leave the loop and that every iteration comes to, once, in order."""
    if len(loop.latches) != 1:
        return []
    # A test that some iterations skip says nothing about their number.
    nest, tree = manager.get(loop_nest), manager.get(dominators)
    blocks = [block for block, _ in loop.exits if nest.loop_of(block) is loop]
    return [block for block in blocks if tree.dominates(block, loop.latches[0])]


def is_counted(loop: Loop, exiting: Block) -> bool:
    """Whether the test of a block is a closed recurrence: then it is known when it leaves, if only after very long."""
    test = exiting.terminator
    return test is not None and test.op is ops.CONDBR and _Recurrence(loop).add(test.operands[0])


def _bound_of_test(loop: Loop, exiting: Block) -> TripCount | None:
    """What the test of a block says about the number of iterations."""
    test = exiting.terminator
    if test is None or test.op is not ops.CONDBR:
        return None
    condition, stay_on = test.operands[0], test.targets[0] in loop.blocks
    whole = _run(loop, exiting, condition, stay_on)
    if whole is not None:
        return whole
    parts = [
        _run(loop, exiting, part, value) for part, value in implied_parts(condition, stay_on) if part is not condition
    ]
    least = min((part for part in parts if part is not None), key=lambda count: count.stays, default=None)
    return None if least is None else replace(least, decided=False, exact=False)


def _run(loop: Loop, exiting: Block, condition: Value, stay_on: bool) -> TripCount | None:
    """Run the recurrence of a condition until it is no longer what it takes to stay."""
    recurrence = _Recurrence(loop)
    if not recurrence.add(condition):
        return None
    program, known = recurrence.program(condition, stay_on), known_results()
    # Loops are counted again after every change, and so is every copy of an inner loop.
    if program.key not in known:
        known[program.key] = _stays(program)
    stays: _Stays | None = known[program.key]
    if stays is None:
        return None
    ranges = {phi: extent for phi, extent in zip(recurrence.phis, stays.ranges, strict=True) if extent is not None}
    return TripCount(stays.count, exiting, True, True, ranges)


@dataclass(frozen=True, slots=True)
class _Program:
    """A recurrence apart from its loop; values are slots, those of the phis first."""

    #: Whether the extent of a phi is of interest, and the slot of its next value.
    phis: tuple[tuple[bool, int], ...]
    #: Operation, attribute, and the slots of operands; the results are in the slots after the phis.
    body: tuple[tuple[Opcode, Any, tuple[int, ...]], ...]
    #: What the phis start with, and the constants, which are in the slots after the results.
    starts: tuple[Constant, ...]
    constants: tuple[Constant, ...]
    #: The slot of the test, and what it says to stay.
    test: int
    stay_on: bool

    @property
    def key(self) -> Hashable:
        """The same for programs that do the same."""
        constants = tuple([constant.key for constant in (*self.starts, *self.constants)])
        return (self.phis, self.body, constants, self.test, self.stay_on)


@dataclass(frozen=True, slots=True)
class _Stays:
    """How often a test says "stay", and the extents of the phis until then."""

    count: int
    ranges: tuple[tuple[Scalar, Scalar] | None, ...]


def _stays(program: _Program) -> _Stays | None:
    """Run a recurrence; None where it takes too long."""
    count, size = len(program.phis), max(1, len(program.body))
    slots = [list(start.components) for start in program.starts]
    slots += [[] for _ in program.body]
    slots += [list(constant.components) for constant in program.constants]
    extents: list[tuple[Scalar, Scalar] | None] = [None] * count
    for stays in range(MAX_WORK // size):
        if not spend(size):
            return None
        for target, (op, attribute, operands) in enumerate(program.body, count):
            slots[target] = ops.evaluate(op, PYTHON, attribute, [slots[operand] for operand in operands])
        for number, (is_ranged, _) in enumerate(program.phis):
            if is_ranged:
                now = slots[number][0]
                low, high = extents[number] or (now, now)
                extents[number] = (min(low, now), max(high, now))  # type: ignore[type-var]
        if bool(slots[program.test][0]) is not program.stay_on:
            return _Stays(stays, tuple(extents))
        slots[:count] = [slots[following] for _, following in program.phis]
    return None


class _Recurrence:
    """The header phis and the instructions that a value in a loop depends on."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.phis: list[Instruction] = []
        #: Instructions in an order in which operands come first.
        self._body: list[Instruction] = []
        self._known: set[Value] = set()

    def add(self, value: Value) -> bool:
        """Take in everything `value` depends on; False when something is no closed recurrence."""
        # The next value of a phi is needed only after the iteration, so it starts a walk of its own.
        roots = [value]
        while roots:
            if not self._add_root(roots.pop(), roots):
                return False
        return True

    def _add_root(self, root: Value, roots: list[Value]) -> bool:
        """Append to `_body` what `root` needs, operands first; phis add their values to `roots`."""
        pending: list[tuple[Value, bool]] = [(root, False)]
        while pending:
            item, done = pending.pop()
            if done:
                self._body.append(item)  # type: ignore[arg-type]
            elif isinstance(item, Constant):
                if None in item.components:
                    return False
            elif item not in self._known:
                self._known.add(item)
                if not isinstance(item, Instruction) or not self._schedule(item, pending, roots):
                    return False
        return len(self._known) <= MAX_SLICE

    def _schedule(self, item: Instruction, pending: list[tuple[Value, bool]], roots: list[Value]) -> bool:
        """Queue what `item` needs; False when it cannot be part of a recurrence."""
        if item.op is ops.PHI and item.block is self.loop.header:
            self.phis.append(item)
            roots.extend(item.operands)
            return all(isinstance(value, Constant) or block in self.loop.blocks for value, block in item.incoming())
        if not item.op.is_pure or not item.op.has_semantics:
            return False
        pending.append((item, True))
        pending.extend((operand, False) for operand in item.operands)
        return True

    def program(self, condition: Value, stay_on: bool) -> _Program:
        """What to run to know how often the condition is what it takes to stay."""
        slots: dict[Value, int] = {value: slot for slot, value in enumerate((*self.phis, *self._body))}
        constants: list[Constant] = []

        def slot_of(value: Value) -> int:
            if not isinstance(value, Constant):
                return slots[value]
            constants.append(value)
            return len(slots) + len(constants) - 1

        phis = [
            (phi.type.is_scalar and phi.type.kind != "bool", slot_of(self._incoming(phi, inside=True)))
            for phi in self.phis
        ]
        body = [(each.op, each.attribute, tuple(map(slot_of, each.operands))) for each in self._body]
        test = slot_of(condition)
        starts = [start for phi in self.phis if isinstance(start := self._incoming(phi, inside=False), Constant)]
        return _Program(tuple(phis), tuple(body), tuple(starts), tuple(constants), test, stay_on)

    def _incoming(self, phi: Instruction, *, inside: bool) -> Value:
        """What a phi takes from inside of the loop, or from before it."""
        return next(value for value, block in phi.incoming() if (block in self.loop.blocks) is inside)


@dataclass(frozen=True, slots=True)
class CountedLoop:
    """A loop of the source that runs so often."""

    rounds: int
    #: Those of its instructions.
    spans: frozenset[Span]


def counted_loops(function: Function) -> tuple[CountedLoop, ...]:
    """Find the loops whose count is known, inner ones first."""
    analyses = AnalysisManager(function)
    loops = reversed(analyses.get(loop_nest).all_loops())
    counts = analyses.get(trip_counts)
    return tuple(
        CountedLoop(
            max(counts[loop].stays, 1), frozenset(i.span for block in loop.blocks for i in block if i.span is not None)
        )
        for loop in loops
        if loop in counts
    )
