"""Bundling: instructions become words, several in one where the machine can, after allocation.

In: blocks of instructions on physical registers.  Out: blocks of slots, each of which issues at once: reads of all
its instructions come before writes of all.  `instructions` then are those of the slots, one after the other.

The idea: list scheduling (Landskov, Davidson, Shriver and Mallett, "Local microcode compaction techniques", 1980).
Word by word it takes the most urgent instruction that may issue and joins others to it.  What may not issue yet
waits for a latency (an edge of the dependence graph) or for a hazard, for which the target looks at the words issued
so far; these may be of blocks before, on any path to this one.  Words without an instruction are NOPs, which say why
they are there.  Terminators come last, but where they have delay slots, the last words of the block go there if they
may.

Blocks are bundled in order, so that the back edge of a loop is not known yet at its start: afterwards every edge
is looked at again, and gets NOPs where a hazard reaches over it.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from math import inf

from glslc_multi.compiler.codegen.dag import Dag, OrderModel, build_dag
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction, Slot
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.compiler.trace import show

#: More than any machine makes an instruction wait: beyond it a model contradicts itself.
_LONGEST_WAIT = 64


class BundleModel(OrderModel):
    """The machine as the bundler sees it.  Its functions change nothing."""

    #: Words that hazards look back.
    reach: int = 4
    #: Urgent instructions that are tried for each word.
    window: int = 24
    #: Instructions that one may pass, if any number is too many: what comes early lives long.
    most_passed: float = inf

    def nop(self) -> MachineInstruction:
        """An instruction that does nothing."""
        raise TypeError("a machine with latencies or delay slots has a NOP")

    def pair(self, slot: Slot, instruction: MachineInstruction) -> Slot | None:
        """A slot that does what `slot` and `instruction` do, with changed instructions if need be; None if none can."""
        return None

    def join(self, slot: Slot, instruction: MachineInstruction, after: Sequence[Slot]) -> Slot | None:
        """The same as `pair`, where it matters which words of the block stand in front."""
        return self.pair(slot, instruction)

    def ready(self, instruction: MachineInstruction, issued: Sequence[Slot]) -> int:
        """Words that must still pass before `instruction` may issue after `issued`, whose last word is the latest.

        Fewer than `reach` words mean that the program starts with them.
        """
        return 0

    def reason(self, instruction: MachineInstruction, issued: Sequence[Slot]) -> str:
        """Why `instruction` waits, for the statistics."""
        return "hazard" if self.ready(instruction, issued) else "latency"

    def words_of(self, block: MachineBlock) -> Sequence[tuple[Slot, list[int]]] | None:
        """The words of a block but for its terminators, each with the numbers of its instructions, where they are known
        already."""
        return None

    def priority(self, instruction: MachineInstruction, height: int) -> tuple[float, ...]:
        """What issues first, the greatest; `height` is the length of the chain of dependences after it."""
        return (height,)

    def delay(self, terminator: MachineInstruction) -> int:
        """Words after a terminator that run before control leaves."""
        return 0

    def may_delay(self, terminator: MachineInstruction, slot: Slot) -> bool:
        """Whether a word may stand in a delay slot of `terminator`."""
        return True


@dataclass(slots=True)
class BundleStatistics:
    """What bundling made."""

    words: int = 0
    instructions: int = 0
    #: NOPs by reason.
    nops: dict[str, int] = field(default_factory=dict)


def bundle(function: MachineFunction, model: BundleModel) -> BundleStatistics:
    """Give every block its slots."""
    paths = _Paths(function, model.reach)
    for block in function.blocks:
        words = _Words(model, paths.into(block))
        dag = build_dag(block.instructions, model)
        known = model.words_of(block)
        if known is None:
            _List(dag, words).run()
        else:
            for slot, members in known:
                words.add(slot, members)
        ends = _Ending(dag, words).run()
        block.slots = words.slots
        paths.ends[block] = ends
    for block in function.blocks:
        _keep_apart(block, paths, model)
        assert block.slots is not None
        block.instructions = [instruction for slot in block.slots for instruction in slot]
    show("bundle", function)
    statistics = BundleStatistics()
    for block in function.blocks:
        for slot in block.slots or ():
            statistics.words += 1
            reason = slot[0].attributes.get("nop")
            if reason is None:
                statistics.instructions += len(slot)
            else:
                statistics.nops[reason] = statistics.nops.get(reason, 0) + 1
    return statistics


@dataclass(slots=True)
class _Paths:
    """The last words on all paths into blocks, as far as they are bundled."""

    function: MachineFunction
    reach: int
    #: For each bundled block, its terminators with the number of words after which they leave.
    ends: dict[MachineBlock, list[tuple[MachineInstruction, int]]] = field(default_factory=dict)
    predecessors: dict[MachineBlock, list[MachineBlock]] = field(init=False)

    def __post_init__(self) -> None:
        self.predecessors = self.function.predecessors()

    def into(self, block: MachineBlock) -> list[Sequence[Slot]]:
        """The different last words, up to the reach, that may have issued before a block starts."""
        slots: dict[Sequence[Slot], None] = {}
        pending: list[tuple[MachineBlock, tuple[Slot, ...], frozenset[MachineBlock]]] = [(block, (), frozenset())]
        while pending:
            target, words, passed = pending.pop()
            if target is self.function.entry:
                slots[words] = None
            for before in self.predecessors[target]:
                for end in self._ends(before, target):
                    assert before.slots is not None
                    longer = tuple(before.slots[:end][-self.reach :]) + words
                    if len(longer) >= self.reach:
                        slots[longer[-self.reach :]] = None
                    elif before not in passed:
                        pending.append((before, longer, passed | {before}))
        return list(slots) or [()]

    def _ends(self, block: MachineBlock, target: MachineBlock) -> Iterator[int]:
        """The numbers of words after which `block` leaves for `target`."""
        if block.slots is None:
            return
        ends = [end for terminator, end in self.ends[block] if target in terminator.targets]
        yield from dict.fromkeys(ends or [len(block.slots)])


class _Words:
    """The words of one block so far."""

    def __init__(self, model: BundleModel, paths: list[Sequence[Slot]]) -> None:
        self.model = model
        self.paths = paths
        self.slots: list[Slot] = []
        #: The numbers of the instructions in each slot.
        self.members: list[list[int]] = []
        #: Instruction -> its slot.
        self.place: dict[int, int] = {}

    def issued(self, count: int | None = None) -> Iterator[Sequence[Slot]]:
        """The latest words, on all paths, before word number `count` (by default the next one)."""
        end = len(self.slots) if count is None else count
        recent = self.slots[max(0, end - self.model.reach) : end]
        missing = self.model.reach - len(recent)
        if missing <= 0:
            yield recent
            return
        for path in self.paths:
            yield [*path[-missing:], *recent]

    def wait(self, instruction: MachineInstruction, count: int | None = None) -> int:
        """How long an instruction must still wait before word number `count`."""
        return max(self.model.ready(instruction, words) for words in self.issued(count))

    def add(self, slot: Slot, members: list[int]) -> None:
        for number in members:
            self.place[number] = len(self.slots)
        self.slots.append(slot)
        self.members.append(members)

    def add_nops(self, count: int, reason: str) -> None:
        for _ in range(count):
            self.add(_nop(self.model, reason), [])


def _nop(model: BundleModel, reason: str) -> Slot:
    nop = model.nop()
    nop.attributes["nop"] = reason
    return (nop,)


class _List:
    """The list scheduling of the instructions of a block, but for the terminators."""

    def __init__(self, dag: Dag, words: _Words) -> None:
        self.dag = dag
        self.words = words
        self.model = words.model
        heights = dag.heights()
        self.keys = [
            (tuple(-part for part in self.model.priority(instruction, heights[number])), number)
            for number, instruction in enumerate(dag.instructions)
        ]
        self.waiting = [len(before) for before in dag.predecessors]
        self.left = sum(not made.op.terminator for made in dag.instructions)
        #: What may issue as far as dependences go, most urgent first, what will in a later word, and what would pass
        #: too many others.
        self.available: list[tuple[tuple[float, ...], int]] = []
        self.future: list[tuple[int, int]] = []
        self.held: list[int] = []
        #: The first instruction that has not issued.
        self.first_left = 0
        for number in range(len(dag.instructions)):
            if not self.waiting[number]:
                self._release(number)

    def run(self) -> None:
        idle = 0
        while self.left:
            if self._word():
                idle = 0
                continue
            idle += 1
            if idle > _LONGEST_WAIT:
                raise RuntimeError(f"{self.dag.instructions[self._most_urgent()]} never becomes ready")
            instruction = self.dag.instructions[self._most_urgent()]
            self.words.add_nops(1, self.model.reason(instruction, next(self.words.issued())))

    def _word(self) -> bool:
        """Issue the next word; False when nothing may issue."""
        now = len(self.words.slots)
        while self.future and self.future[0][0] <= now:
            insort(self.available, self.keys[heappop(self.future)[1]])
        first = next((number for number in self._candidates() if not self._wait(number)), None)
        if first is None:
            return False
        slot: Slot = (self.dag.instructions[first],)
        members: list[int] = [first]
        self._take(first)
        while True:
            joined = self._join(slot)
            if joined is None:
                break
            slot = joined[0]
            members.append(joined[1])
            self._take(joined[1])
        self.words.add(slot, members)
        return True

    def _candidates(self) -> list[int]:
        return [number for _, number in self.available[: self.model.window]]

    def _wait(self, number: int) -> int:
        return self.words.wait(self.dag.instructions[number])

    def _join(self, slot: Slot) -> tuple[Slot, int] | None:
        """A larger slot, and the instruction that it has more."""
        for number in self._candidates():
            joined = self.model.join(slot, self.dag.instructions[number], self.words.slots)
            if joined is not None and not self._wait(number):
                return joined, number
        return None

    def _take(self, number: int) -> None:
        """Issue an instruction in the word at work."""
        now = len(self.words.slots)
        self.words.place[number] = now
        self.available.remove(self.keys[number])
        self.left -= 1
        while self.first_left in self.words.place:
            self.first_left += 1
        while self.held and not self._passes_too_many(self.held[0]):
            self._release(heappop(self.held))
        for later in self.dag.successors[number]:
            self.waiting[later] -= 1
            if not self.waiting[later]:
                self._release(later)

    def _release(self, number: int) -> None:
        """All that an instruction depends on has issued."""
        if self.dag.instructions[number].op.terminator:
            return
        if self._passes_too_many(number):
            heappush(self.held, number)
            return
        earliest = _earliest(number, self.dag, self.words)
        if earliest <= len(self.words.slots):
            insort(self.available, self.keys[number])
        else:
            heappush(self.future, (earliest, number))

    def _passes_too_many(self, number: int) -> bool:
        return number - self.first_left > self.model.most_passed

    def _most_urgent(self) -> int:
        return self.available[0][1] if self.available else self.future[0][1]


def _earliest(number: int, dag: Dag, words: _Words) -> int:
    """The first word in which an instruction may issue as far as dependences go."""
    return max((words.place[before] + distance for before, distance in dag.predecessors[number].items()), default=0)


@dataclass(frozen=True, slots=True)
class _Leave:
    """A position of a terminator: the word it stands in or before, and the words that this costs."""

    cost: int
    place: int
    wait: int = 0
    #: The slot at `place` with the terminator in it.
    joined: Slot | None = None


class _Ending:
    """The terminators of a block."""

    def __init__(self, dag: Dag, words: _Words) -> None:
        self.dag = dag
        self.words = words
        self.model = words.model
        #: Words before this one stay where they are.
        self.fixed = 0

    def run(self) -> list[tuple[MachineInstruction, int]]:
        """Place all terminators; for each the number of words after which it leaves."""
        ends: list[tuple[MachineInstruction, int]] = []
        for number, instruction in enumerate(self.dag.instructions):
            if instruction.op.terminator:
                self._place(number, instruction)
                self.fixed = len(self.words.slots)
                ends.append((instruction, self.fixed))
        return ends

    def _place(self, number: int, terminator: MachineInstruction) -> None:
        delay = self.model.delay(terminator)
        best = min(self._leaves(number, terminator, delay), key=lambda leave: (leave.cost, -leave.place))
        words = self.words
        after = list(zip(words.slots, words.members, strict=True))[best.place :]
        del words.slots[best.place :], words.members[best.place :]
        if best.joined is None:
            words.add_nops(best.wait, self.model.reason(terminator, next(words.issued())) if best.wait else "")
            words.add((terminator,), [number])
        else:
            _, members = after.pop(0)
            words.add(best.joined, [*members, number])
        for slot, members in after:
            words.add(slot, members)
        words.add_nops(delay - len(after), "delay slot")

    def _leaves(self, number: int, terminator: MachineInstruction, delay: int) -> Iterator[_Leave]:
        """The possible places, from the last one on forwards."""
        slots = self.words.slots
        earliest = _earliest(number, self.dag, self.words)
        for moved in range(delay + 1):
            index = len(slots) - moved
            if moved and not self._may_stand_after(number, terminator, index):
                return
            empty = delay - moved
            wait = max(earliest - index, self.words.wait(terminator, index), 0)
            yield _Leave(wait + 1 + empty, index, wait)
            joined = self.model.pair(slots[index - 1], terminator) if max(earliest, self.fixed) < index else None
            if joined is not None and not self.words.wait(terminator, index - 1):
                yield _Leave(empty, index - 1, 0, joined)

    def _may_stand_after(self, number: int, terminator: MachineInstruction, place: int) -> bool:
        """Whether the words from `place` on may stand in delay slots."""
        if place < self.fixed or not self.model.may_delay(terminator, self.words.slots[place]):
            return False
        before = self.dag.predecessors[number]
        moved = enumerate(self.words.members[place:], 1)
        return all(before[member] <= -distance for distance, word in moved for member in word if member in before)


def _keep_apart(block: MachineBlock, paths: _Paths, model: BundleModel) -> None:
    """Put NOPs at the start of a block some of whose instructions are too near to words of blocks before it."""
    slots = block.slots
    assert slots is not None
    words = _Words(model, paths.into(block))
    words.slots = slots
    index = 0
    while index < min(model.reach, len(slots)):
        wait = max((words.wait(instruction, index) for instruction in slots[index]), default=0)
        if wait:
            slots[:0] = [_nop(model, "hazard over a branch") for _ in range(wait)]
            paths.ends[block] = [(terminator, end + wait) for terminator, end in paths.ends[block]]
        index += wait + 1
