"""Straight-line code as a problem of exact scheduling.

In: code as the scheduler sees it.  Out: what keeps it from fewer words.  `words.py` turns a solution into bundles.

Everything that the problem says is asked of what the scheduler itself goes by: the dependence graph, `Bundle.join` and
`Bundle.write` with the values in each file they may be in, the words in which the program may not end.  The banks are
the two files and the accumulators.  No copies are added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations

from glslc_multi.backends.vc4.codegen.machine_ops import END
from glslc_multi.backends.vc4.codegen.schedule.bundle import Bundle
from glslc_multi.backends.vc4.codegen.schedule.ports import (
    NO_TARGET,
    Ports,
    is_in_file,
    ports_of,
    target_of_location,
)
from glslc_multi.backends.vc4.codegen.schedule.resources import Resources
from glslc_multi.backends.vc4.codegen.schedule.run import DELAY, LAST_SWITCH, SWITCH, SWITCH_DISTANCE, may_stand_at_end
from glslc_multi.backends.vc4.codegen.schedule.straight_line import IN_A, IN_ACCUMULATORS, IN_B, StraightLineCode
from glslc_multi.compiler.codegen.exact.problem import Bank, Crowd, Edge, Placement, Problem, Refusal, Value
from glslc_multi.compiler.codegen.exact.refusals import placements, refused_placements
from glslc_multi.compiler.codegen.regalloc.liveness import bits

#: The bank that asks least of a word.
_LEAST: Bank = 2
#: The banks and their registers.
BANKS: Mapping[Bank, int] = {_LEAST: IN_ACCUMULATORS, 0: IN_A, 1: IN_B}
#: The values that two instructions touch at most.
_MOST_TOUCHED = 6
_REGISTERS = {bank: tuple(bits(registers)) for bank, registers in BANKS.items()}
_NO_PORTS = Ports(())


def problem_of(code: StraightLineCode, *, is_entry: bool) -> Problem:
    """What is asked of a solver: the instructions, then the thread switches; `is_entry` if a program starts with it."""
    return _Asked(code, is_entry).problem()


def resources_with_switches(code: StraightLineCode) -> list[Resources]:
    last = max(code.phases, default=0)
    return [*code.resources, *([SWITCH] * (last - 1)), *([LAST_SWITCH] if last else [])]


class _Asked:
    """The problem that straight-line code is."""

    def __init__(self, code: StraightLineCode, is_entry: bool) -> None:
        self.code = code
        self.is_entry = is_entry
        self.resources = resources_with_switches(code)
        self.banks = [self._banks_of(number) for number in range(len(code.values))]
        self.count = len(code.instructions)
        self.terminator = next(
            (n for n, instruction in enumerate(code.instructions) if instruction.op.terminator), None
        )
        self.ends = self.terminator is not None and code.instructions[self.terminator].op is END
        self.delay = 0 if self.terminator is None else code.model.delay(code.instructions[self.terminator])

    def problem(self) -> Problem:
        code = self.code
        shared = list(self._may_share())
        free = set(combinations(range(len(self.resources)), 2)) - set(shared)
        return Problem(
            count=len(self.resources),
            edges=[*self._edges(), *self._edges_of_switches()],
            crowds=[
                Crowd(frozenset(bits(members)), most)
                for members, most in ((code.adds, 1), (code.muls, 1), (code.alus, 2))
            ],
            apart=frozenset(free),
            may_stand=self.may_stand,
            values=[self._value(number) for number in range(len(code.values))],
            bank_sizes={bank: self._size(registers) for bank, registers in BANKS.items()},
            refusals=lambda: [*self._refused_alone(), *self._refused_together(shared)],
            may_write=self.may_write if self.ends else None,
        )

    # order ---------------------------------------------------------------------------------
    def _edges(self) -> Iterator[Edge]:
        code = self.code
        for first, successors in enumerate(code.successors):
            for second, distance in successors:
                yield Edge(first, second, distance)
                result = code.results[first]
                if result is not None and result in code.operands[second]:
                    for bank in self.banks[result]:
                        if self._waits(second, result, bank):
                            yield Edge(first, second, distance + 1, result, bank)

    def _waits(self, reader: int, value: int, bank: Bank) -> bool:
        """Whether a value cannot be read right after the word that writes it to a bank."""
        location = self._located((value,))[value, bank]
        ports = ports_of((location,), self.resources[reader].rotation)
        return ports is not None and bool(ports.hazards >> location & 1)

    def _edges_of_switches(self) -> Iterator[Edge]:
        for switch in range(self.count, len(self.resources)):
            if switch > self.count:
                yield Edge(switch - 1, switch, SWITCH_DISTANCE)
            phase = switch - self.count + 1
            for number, own in enumerate(self.code.phases):
                if self.code.instructions[number].op.terminator:
                    continue
                if own < phase:
                    yield Edge(number, switch, -DELAY)
                else:
                    yield Edge(switch, number, DELAY + 1)

    def may_stand(self, number: int, word: int, length: int) -> bool:
        end = length - 1 - self.delay
        if number == self.terminator:
            return word == end
        needed = self.resources[number]
        if self.is_entry and word < self.code.model.first_word(needed.mask):
            return False
        if not self.ends or word < end:
            return True
        writes = number < self.count and self.code.results[number] is None and is_in_file(self.code.targets[number])
        return may_stand_at_end(needed.mask, writes, word - end, is_fragment=self.code.model.is_fragment)

    def may_write(self, number: int, bank: Bank, word: int, length: int) -> bool:
        return word != length - 1 - self.delay or BANKS[bank] == IN_ACCUMULATORS

    # registers -----------------------------------------------------------------------------
    def _banks_of(self, number: int) -> tuple[Bank, ...]:
        """The banks that a value may be in; none of what is no register."""
        value = self.code.values[number]
        if value.is_fixed:
            return ()
        allowed = value.candidates if value.location < 0 else 1 << value.location
        return tuple(bank for bank, registers in BANKS.items() if allowed & registers)

    def _value(self, number: int) -> Value:
        code = self.code
        is_kept = code.reads[number] > len(code.values[number].readers)
        if code.values[number].is_fixed or is_kept:
            # Its register is nobody else's.
            return Value((), (), self.banks[number] or tuple(BANKS)[:1])
        writers = tuple(writer for writer, result in enumerate(code.results) if result == number)
        readers = tuple(dict.fromkeys(code.values[number].readers))
        return Value(writers, readers, self.banks[number], is_live_in=code.locations[number] >= 0)

    def _size(self, registers: int) -> int:
        kept = sum(1 << location for location in set(self.code.live_across.values()))
        return (self.code.usable & registers & ~kept).bit_count()

    def _located(self, values: Sequence[int]) -> dict[tuple[int, Bank], int]:
        """For each of some values and each bank that it may be in a register there, no two of them the same."""
        code = self.code
        fixed = [code.values[value].location for value in values if code.values[value].location >= 0]
        locations: dict[tuple[int, Bank], int] = {}
        for index, value in enumerate(values):
            for bank in self.banks[value]:
                own = code.values[value].location
                locations[value, bank] = own if own >= 0 else _free(bank, index, fixed)
        return locations

    # words ---------------------------------------------------------------------------------
    def _may_share(self) -> Iterator[tuple[int, int]]:
        """Pairs that can share a word if their values are in the right places."""
        for first, second in combinations(range(len(self.resources)), 2):
            if self.terminator in (first, second) and not self.ends:
                continue
            touched = self._touched((first, second))
            easiest = {value: _LEAST for value in touched if _LEAST in self.banks[value]}
            others = [value for value in touched if value not in easiest]
            if any(
                self._accepts_reads(first, second, easiest | dict(placement))
                for placement in placements({value: self.banks[value] for value in others})
            ):
                yield first, second

    def _touched(self, numbers: Sequence[int]) -> list[int]:
        """The values in registers that instructions read or write."""
        code = self.code
        values_touched: dict[int, None] = {}
        for number in numbers:
            if number < self.count:
                values_touched |= dict.fromkeys(code.operands[number])
                result = code.results[number]
                values_touched |= {} if result is None else {result: None}
        return [value for value in values_touched if self.banks[value]]

    def _read(self, numbers: Sequence[int]) -> dict[int, tuple[Bank, ...]]:
        operands = [operand for number in numbers if number < self.count for operand in self.code.operands[number]]
        return {value: banks for value in operands if (banks := self.banks[value])}

    def _written(self, numbers: Sequence[int]) -> dict[int, tuple[Bank, ...]]:
        results = [self.code.results[number] for number in numbers if number < self.count]
        return {value: self.banks[value] for value in results if value is not None}

    def _refused_alone(self) -> Iterator[Refusal]:
        for number in range(self.count):
            accepts = partial(self._accepts_alone, number)
            for placement in refused_placements(self._read((number,)), _LEAST, accepts):
                yield Refusal(number, number, placement)

    def _refused_together(self, pairs: Sequence[tuple[int, int]]) -> Iterator[Refusal]:
        for first, second in pairs:
            pair = (first, second)
            of_reads = refused_placements(self._read(pair), _LEAST, partial(self._accepts_reads, *pair))
            of_writes = refused_placements(self._written(pair), _LEAST, partial(self._accepts_writes, *pair))
            for placement in (*of_reads, *of_writes):
                yield Refusal(first, second, placement)

    def _accepts_alone(self, number: int, placement: Placement) -> bool:
        return self._ports(number, placement) is not None

    def _accepts_reads(self, first: int, second: int, placement: Placement) -> bool:
        """Whether two instructions can share a word with their operands there."""
        ports, others = self._ports(first, placement), self._ports(second, placement)
        if ports is None or others is None:
            return False
        bundle = Bundle().join(self.resources[first], ports)
        return bundle is not None and bundle.join(self.resources[second], others) is not None

    def _accepts_writes(self, first: int, second: int, placement: Placement) -> bool:
        located = self._located(tuple(placement))
        targets = []
        for number in (first, second):
            result = self.code.results[number] if number < self.count else None
            target = self.code.targets[number] if number < self.count else NO_TARGET
            targets.append(target if result is None else target_of_location(located[result, placement[result]]))
        bundle = Bundle().join(self.resources[first], _NO_PORTS)
        if bundle is None or not bundle.write(targets[0]):
            return False
        both = bundle.join(self.resources[second], _NO_PORTS)
        return both is None or both.write(targets[1])

    def _ports(self, number: int, placement: Placement) -> Ports | None:
        if number >= self.count:
            return _NO_PORTS
        located = self._located(tuple(placement))
        reads = tuple(
            located[operand, placement[operand]] if operand in placement else self.code.locations[operand]
            for operand in self.code.operands[number]
        )
        return ports_of(reads, self.resources[number].rotation)


def _free(bank: Bank, place: int, fixed: Sequence[int]) -> int:
    """Register number `place` of a bank, or one after it that nothing fixed is in."""
    registers = _REGISTERS[bank]
    while registers[place % len(registers)] in fixed:
        place += _MOST_TOUCHED
    return registers[place % len(registers)]
